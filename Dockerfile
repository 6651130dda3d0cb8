# The sidecar alone: one static binary and the certificates it needs to download a corpus over https.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /read-finder-server ./cmd/read-finder-server

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /read-finder-server /
USER 65532:65532
EXPOSE 8080
# With --admin-listen, or another --listen, the health check is to be given to the container: docker run --health-cmd.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/read-finder-server", "--check", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["/read-finder-server"]

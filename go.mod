module github.com/read-finder/read-finder

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/klauspost/compress v1.20.3
	golang.org/x/text v0.43.0
)

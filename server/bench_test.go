package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// BenchmarkRequest measures whole requests over loopback, one connection for each core: answers of this server
// beside a handler that writes the same bytes from memory, the most that net/http can do. benchstat -col /by sets them side
// by side.
func BenchmarkRequest(b *testing.B) {
	s := newServer(b, numbered(b, "", 1, 300))
	for _, answer := range []struct{ name, target string }{
		{"80", "/api/search?q=article"}, {"200", "/api/search?q=article&limit=200"}, {"nothing", "/api/search?q=nothing"},
		{"companies", "/api/companies/search?q=acme"}, {"index", "/api/read-finder-index.json"},
	} {
		res := get(s, answer.target)
		body, err := io.ReadAll(res.Body)
		if err != nil {
			b.Fatal(err)
		}
		static := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaJSON)
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.Write(body)
		})
		for _, by := range []struct {
			name    string
			handler http.Handler
			coding  string
		}{{"static", static, "identity"}, {"server", s, "identity"}, {"gzip", s, "gzip"}, {"zstd", s, "zstd"}} {
			b.Run("answer="+answer.name+"/by="+by.name, func(b *testing.B) {
				benchmark(b, by.handler, answer.target, by.coding, len(body))
			})
		}
	}
}

func benchmark(b *testing.B, h http.Handler, target, accept string, size int) {
	server := httptest.NewServer(h)
	defer server.Close()
	request := []byte("GET " + target + " HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: " + accept + "\r\n\r\n")
	b.SetBytes(int64(size))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		r := bufio.NewReaderSize(conn, 64<<10)
		for pb.Next() {
			if err := roundTrip(conn, r, request); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// roundTrip sends a request and discards the response, at as little cost as it can.
func roundTrip(conn net.Conn, r *bufio.Reader, request []byte) error {
	if _, err := conn.Write(request); err != nil {
		return err
	}
	const field = "Content-Length: "
	length := 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) > len(field) && string(line[:len(field)]) == field {
			if length, err = strconv.Atoi(string(line[len(field) : len(line)-2])); err != nil {
				return err
			}
		}
		if len(line) == 2 {
			_, err := r.Discard(length)
			return err
		}
	}
}

package server

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// FuzzRequest sends raw bytes to a server on a socket. What comes back is HTTP, and no 5xx but the two by which net/http itself
// refuses what is not HTTP/1, before there is a request: a transfer coding (501, RFC 9112, 6.1) or a version (505, RFC
// 9110, 15.6.6) it does not know. Those have none of the headers that every answer of ours has.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		"GET /api/search?q=article&limit=3 HTTP/1.1\r\nHost: x\r\nIf-None-Match: W/\"a\", *\r\nAccept-Encoding: br;q=0.1, gzip\r\n\r\n",
		"GET /api/companies/search?q=%41%ff%00&limit=99999999999999999999 HTTP/1.1\r\nHost: x\r\nOrigin: null\r\n\r\n",
		"HEAD /api/read-finder-index.json HTTP/1.0\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /api/openapi.json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /no-results HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	s, err := New(Config{CORSOrigins: []string{"https://www.example.org"}, CountNoResults: true})
	if err != nil {
		f.Fatal(err)
	}
	if err := s.Swap(numbered(f, "", 1, 30)); err != nil {
		f.Fatal(err)
	}
	server := httptest.NewServer(s.WithAdmin())
	f.Cleanup(server.Close)
	f.Fuzz(func(t *testing.T, raw []byte) {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.Write(raw) // a server may have hung up before the end
		conn.(*net.TCPConn).CloseWrite()
		got, _ := io.ReadAll(conn) // a reset after an answer is no fault
		if len(got) == 0 {
			return
		}
		method, _, _ := bytes.Cut(bytes.TrimLeft(raw, "\r\n"), []byte(" "))
		res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(got)), &http.Request{Method: string(method)})
		if err != nil {
			t.Fatalf("not HTTP: %q: %v", got, err)
		}
		code, ours := res.StatusCode, res.Header.Get("X-Content-Type-Options") != ""
		if code >= 500 && (ours || code != http.StatusNotImplemented && code != http.StatusHTTPVersionNotSupported) {
			t.Errorf("status %d: %q", code, got)
		}
	})
}

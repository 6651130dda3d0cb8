package main

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// internals is what no client may see: Go's types and traces, paths of this machine, the corpus file.
var internals = regexp.MustCompile(`goroutine|panic|runtime\.|\.go:\d|\*url\.|strconv|/tmp/|en\.corpus|0x[0-9a-f]{8}`)

// protocolRefusals are the two 5xx that are no answers of ours: net/http writes them itself, before there is a request to hand
// over, in just these words. They stand, since they are what the standards ask for, and say that the fault is the
// request's: 501 for a transfer coding that the server does not know (RFC 9112, 6.1), 505 for another major version (RFC 9110,
// 15.6.6). To make them 400 would take a connection that rewrites what net/http writes.
var protocolRefusals = map[int]string{
	http.StatusNotImplemented: "HTTP/1.1 501 Not Implemented\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" +
		"Unsupported transfer encoding",
	http.StatusHTTPVersionNotSupported: "HTTP/1.1 505 HTTP Version Not Supported: unsupported protocol version\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n505 HTTP Version Not Supported: unsupported protocol version",
}

var requestSeeds = []string{
	"GET /api/search?q=suffix&limit=3 HTTP/1.1\r\nHost: x\r\nIf-None-Match: W/\"a\", *\r\nAccept-Encoding: br;q=0.1, gzip\r\n\r\n",
	"GET /api/companies/search?q=%41%ff%00&limit=99999999999999999999 HTTP/1.1\r\nHost: x\r\nOrigin: null\r\n\r\n",
	"HEAD /api/read-finder-index.json HTTP/1.0\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
	"POST /api/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"GET /api/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
	"GET //../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\nGET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /api/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
	"GET /api/search HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nRange: bytes=0-1\r\n\r\n",
	"GET /api/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: br\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
}

// TestMangledRequests sends mangled requests to the real binary, the same ones every time. Whatever comes back is HTTP, no
// 5xx that is not by design, and tells nothing of the inside; and the server goes on. Package server has a fuzz test
// that is guided by coverage.
func TestMangledRequests(t *testing.T) {
	p := start(t, "--corpus", "en.corpus", "--cors-origin", "https://www.example.org")
	for _, raw := range requestSeeds {
		provoke(t, p.addrs[0], []byte(raw))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range fuzzedBytes {
		raw := []byte(requestSeeds[random.IntN(len(requestSeeds))])
		for range 1 + random.IntN(4) {
			raw = mangle(random, raw)
		}
		provoke(t, p.addrs[0], raw)
		if t.Failed() {
			t.Fatalf("request %q", raw)
		}
	}
	if res := send(t, p.addrs[0], nil, []string{"GET /api/search?q=suffix"}); res.StatusCode != 200 {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
	if log := p.logged(); strings.Contains(log, "panic") {
		t.Errorf("log:\n%s", log)
	}
}

// mangle changes, inserts, removes or repeats some of raw.
func mangle(random *rand.Rand, raw []byte) []byte {
	if len(raw) == 0 {
		return []byte{byte(random.Uint32())}
	}
	at := random.IntN(len(raw))
	end := at + random.IntN(len(raw)-at)
	switch random.IntN(4) {
	case 0:
		raw = bytes.Clone(raw)
		raw[at] = byte(random.Uint32())
		return raw
	case 1:
		return bytes.Join([][]byte{raw[:at], {byte(random.Uint32())}, raw[at:]}, nil)
	case 2:
		return bytes.Join([][]byte{raw[:at], raw[end:]}, nil)
	default:
		return bytes.Join([][]byte{raw[:end], raw[at:end], raw[end:]}, nil)
	}
}

// provoke sends raw as all that a client ever says, and checks what comes back.
func provoke(t *testing.T, addr string, raw []byte) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatalf("the server is gone: %v", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	conn.Write(raw) // a server may have hung up before the end
	conn.(*net.TCPConn).CloseWrite()
	got, _ := io.ReadAll(conn) // a reset after an answer is no fault
	if leak := internals.Find(got); leak != nil {
		t.Errorf("%q in the answer %q", leak, got)
	}
	// The first answer is enough: its method is that of the first line.
	method, _, _ := bytes.Cut(bytes.TrimLeft(raw, "\r\n"), []byte(" "))
	if len(got) == 0 {
		return
	}
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(got)), &http.Request{Method: string(method)})
	if err != nil {
		t.Errorf("not HTTP: %q: %v", got, err)
		return
	}
	if res.StatusCode >= 500 && string(got) != protocolRefusals[res.StatusCode] {
		t.Errorf("status %d: %q", res.StatusCode, got)
	}
}

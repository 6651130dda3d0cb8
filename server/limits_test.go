package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/read-finder/read-finder/site/corpus"
)

func newServerWith(t testing.TB, c Config, corpora ...*corpus.Corpus) *Server {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Swap(corpora...); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMaxInFlight holds one request in its handler: the next is refused, but for the admin pages.
func TestMaxInFlight(t *testing.T) {
	s := newServerWith(t, Config{MaxInFlight: 1}, numbered(t, "", 1, 3))
	entered, leave := make(chan bool), make(chan bool)
	s.routes[0].handle = func(a *answer, m *mount, r *http.Request) error {
		entered <- true
		<-leave
		return s.searchArticles(a, m, r)
	}
	if err := s.Swap(numbered(t, "", 2, 3)); err != nil {
		t.Fatal(err)
	}
	var first sync.WaitGroup
	first.Go(func() {
		if res := get(s, "/api/search?q=x"); res.StatusCode != http.StatusOK {
			t.Errorf("the first request: %d", res.StatusCode)
		}
	})
	<-entered
	res := get(s.WithAdmin(), "/api/companies/search?q=x")
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") != "1" {
		t.Errorf("one too many: %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		if res := get(s.WithAdmin(), path); res.StatusCode != http.StatusOK {
			t.Errorf("%s of a busy server: %d", path, res.StatusCode)
		}
	}
	leave <- true
	first.Wait()
	if res := get(s, "/api/companies/search?q=x"); res.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %d", res.StatusCode)
	}
}

// TestMaxConnections opens one connection too many: it is told so, and served once another has gone.
func TestMaxConnections(t *testing.T) {
	s := newServerWith(t, Config{MaxConnections: 2}, numbered(t, "", 1, 3))
	server := httptest.NewUnstartedServer(s.WithAdmin())
	server.Listener = s.Listener(server.Listener)
	server.Config.ConnContext = ConnContext
	server.Start()
	defer server.Close()
	addr := server.Listener.Addr().String()
	ask := func(conn net.Conn, path string) *http.Response {
		t.Helper()
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: test\r\n\r\n", path)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		return res
	}
	var kept []net.Conn
	for range 2 {
		kept = append(kept, dial(t, addr))
		if res := ask(kept[len(kept)-1], "/api/search"); res.StatusCode != http.StatusOK {
			t.Fatalf("within the limit: %d", res.StatusCode)
		}
	}
	res := ask(dial(t, addr), "/api/search")
	if res.StatusCode != http.StatusServiceUnavailable || !res.Close || res.Header.Get("Retry-After") == "" {
		t.Errorf("beyond the limit: %d, %v", res.StatusCode, res.Header)
	}
	if res := ask(dial(t, addr), "/healthz"); res.StatusCode != http.StatusOK {
		t.Errorf("/healthz beyond the limit: %d", res.StatusCode)
	}
	for _, c := range kept {
		c.Close()
	}
	for s.connections.Load() >= 2 {
		if res := ask(dial(t, addr), "/api/search"); res.StatusCode == http.StatusOK {
			break
		}
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// TestPanic checks that a mistake of ours is a plain 500, logged without the client's address.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s := newServerWith(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.routes[0].handle = func(*answer, *mount, *http.Request) error { panic("a mistake") }
	if err := s.Swap(numbered(t, "", 1, 3)); err != nil {
		t.Fatal(err)
	}
	res := get(s, "/api/search")
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusInternalServerError || strings.Contains(string(body), "mistake") {
		t.Errorf("status %d, body %s, %v", res.StatusCode, body, err)
	}
	if !strings.Contains(log.String(), "a mistake") || strings.Contains(log.String(), "192.0.2.1") {
		t.Errorf("log %s", log.String())
	}
}

// TestAccessLog checks that the query and the client are in the log only when asked for.
func TestAccessLog(t *testing.T) {
	for _, c := range []struct {
		config Config
		has    string
		lacks  string
	}{
		{Config{}, "", "request"},
		{Config{AccessLog: true}, "route=search status=200", "secretive 192.0.2.1 203.0.113.9"},
		{Config{AccessLog: true, LogQueries: true}, "q=secretive", "192.0.2.1 203.0.113.9"},
		{Config{AccessLog: true, LogClients: true}, "client=192.0.2.1", "secretive"},
	} {
		var log bytes.Buffer
		c.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s := newServerWith(t, c.config, numbered(t, "", 1, 3))
		get(s, "/api/search?q=secretive", "X-Forwarded-For: 203.0.113.9")
		get(s, "/secretive")
		get(s, "/api/search?q=x&limit=secretive")
		if !strings.Contains(log.String(), c.has) {
			t.Errorf("%+v: log lacks %q:\n%s", c.config, c.has, log.String())
		}
		for _, word := range strings.Fields(c.lacks) {
			if strings.Contains(log.String(), word) {
				t.Errorf("%+v: log has %q:\n%s", c.config, word, log.String())
			}
		}
	}
}

package server

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A bucket is an HTTP server of one file, as a test sets it up.
type bucket struct {
	*httptest.Server
	handle   atomic.Value // http.HandlerFunc
	requests atomic.Int64
	full     atomic.Int64 // answers of 200
}

func newBucket(t *testing.T) *bucket {
	b := new(bucket)
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.requests.Add(1)
		b.handle.Load().(http.HandlerFunc)(w, r)
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *bucket) answer(h http.HandlerFunc) { b.handle.Store(h) }

// holds makes b answer with data and validators, conditionally.
func (b *bucket) holds(data []byte, validators ...string) {
	b.answer(func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(validators); i += 2 {
			w.Header().Set(validators[i], validators[i+1])
			conditions := map[string]string{"Etag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
			if r.Header.Get(conditions[validators[i]]) == validators[i+1] {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		b.full.Add(1)
		w.Write(data)
	})
}

func TestURLIsPolled(t *testing.T) {
	first, firstTag := encoded(t, "", 3)
	second, secondTag := encoded(t, "", 4)
	for name, c := range map[string]struct {
		validators [2][]string
		full       int64 // downloads of the first
	}{
		"with an ETag":     {[2][]string{{"Etag", `"1"`}, {"Etag", `"2"`}}, 1},
		"with a time":      {[2][]string{{"Last-Modified", "Mon, 02 Jun 2025 09:00:00 GMT"}, {"Last-Modified", "Tue, 03 Jun 2025 09:00:00 GMT"}}, 1},
		"without anything": {[2][]string{}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBucket(t)
			b.holds(first, c.validators[0]...)
			h := newShelf(t, b.URL+"/read-finder.corpus")
			h.look(4)
			if n := strings.Count(h.log.String(), "corpus loaded"); n != 1 || b.full.Load() != c.full || b.requests.Load() != 4 {
				t.Errorf("%d loads, %d downloads of %d requests:\n%s", n, b.full.Load(), b.requests.Load(), h.log.String())
			}
			h.serves(firstTag, 0)
			h.force()
			if !strings.Contains(h.log.String(), "corpus loaded") {
				t.Error("not loaded when forced")
			}
			b.holds(second, c.validators[1]...)
			h.look(1)
			h.serves(secondTag, 0)
		})
	}
}

// TestURLFails checks that the last good corpus stays, and that each failure is told once.
func TestURLFails(t *testing.T) {
	good, tag := encoded(t, "", 3)
	next, nextTag := encoded(t, "", 4)
	large, _ := encoded(t, "", 5000)
	elsewhere := newBucket(t)
	elsewhere.holds(next)
	fails := map[string]http.HandlerFunc{
		"status 500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"status 404": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		"unexpected EOF": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(next)))
			w.Write(next[:len(next)/2])
		},
		"larger than allowed: over 1048576 bytes": func(w http.ResponseWriter, _ *http.Request) {
			w.Write(large[:len(large)/2]) // without a length
			w.(http.Flusher).Flush()
			w.Write(large[len(large)/2:])
		},
		"larger than allowed: 1048577 bytes": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1048577")
			w.WriteHeader(200)
		},
		"not a read-finder corpus ": func(w http.ResponseWriter, _ *http.Request) {
			for { // without an end
				if _, err := w.Write(make([]byte, 2<<10)); err != nil {
					return
				}
			}
		},
		"redirects":                func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) },
		"not a read-finder corpus": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>Sign in</title>") },
	}
	for name, data := range damages(next, good) {
		fails["corpus refused"+strings.Repeat(" ", len(name))] = func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }
	}
	for want, handle := range fails {
		b := newBucket(t)
		b.holds(good)
		h := newShelf(t, b.URL+"/x.corpus?signature=secret")
		h.look(1)
		h.serves(tag, 0)
		b.answer(handle)
		h.look(4)
		line := h.log.String()
		if !strings.Contains(line, strings.TrimSpace(want)) || strings.Contains(line, "secret") || !strings.Contains(line, b.URL+"/x.corpus") {
			t.Errorf("%s: log %s", want, line)
		}
		h.serves(tag, 1)
		b.answer(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) })
		h.look(1)
		h.serves(nextTag, 0)
	}
}

func TestURLUnreachable(t *testing.T) {
	b := newBucket(t)
	data, tag := encoded(t, "", 3)
	b.holds(data)
	h := newShelf(t, strings.Replace(b.URL, "//", "//user:secret@", 1)+"/x?secret")
	h.look(1)
	h.serves(tag, 0)
	b.Close()
	h.look(3)
	if line := h.log.String(); strings.Contains(line, "secret") {
		t.Errorf("log %s", line)
	}
	h.serves(tag, 1)
}

// TestPause checks that a URL is asked at once, then soon until it answers, and never together with all the others.
func TestPause(t *testing.T) {
	f := &feed{remote: true, every: 40 * time.Second}
	if p := f.pause(); p != 0 {
		t.Errorf("%v before the first request", p)
	}
	last := time.Duration(0)
	for f.checks = 1; f.checks < 5; f.checks++ {
		if p := f.pause(); p <= last || p > time.Minute {
			t.Errorf("%v after %d failures, %v before", p, f.checks, last)
		}
		last = f.pause()
	}
	f.loads.Add(1)
	seen := make(map[time.Duration]bool)
	for range 100 {
		p := f.pause()
		if p < 30*time.Second || p > 50*time.Second {
			t.Errorf("%v, want 30s to 50s", p)
		}
		seen[p] = true
	}
	if len(seen) < 50 {
		t.Errorf("%d different pauses of 100", len(seen))
	}
}

// TestRedirectToHTTP checks that a download never leaves TLS.
func TestRedirectToHTTP(t *testing.T) {
	from, to := httptest.NewRequest("GET", "https://a.example/", nil), httptest.NewRequest("GET", "http://a.example/", nil)
	if err := checkRedirect(to, []*http.Request{from}); err == nil {
		t.Error("https may redirect to http")
	}
	if err := checkRedirect(from, []*http.Request{from}); err != nil {
		t.Error(err)
	}
}

// TestHTTPS downloads over TLS, and from nobody whose certificate is not trusted.
func TestHTTPS(t *testing.T) {
	data, tag := encoded(t, "", 3)
	b := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }))
	b.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that fails
	b.StartTLS()
	t.Cleanup(b.Close)
	fetch := func(client *http.Client) (*fetched, error) {
		src, err := newSource(b.URL+"/read-finder.corpus", 1<<20, client)
		if err != nil {
			t.Fatal(err)
		}
		return src.fetch(t.Context(), false)
	}
	if got, err := fetch(b.Client()); err != nil || got.refusal != nil || got.corpus.Meta().Fingerprint != tag {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := fetch(newClient()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody known: %+v, %v", got, err)
	}
}

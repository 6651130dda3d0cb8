package server

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// writer returns a writer of n articles whose titles, and so all answers, name the generation.
func writer(t testing.TB, prefix string, generation, n int) *corpus.Writer {
	t.Helper()
	w := corpus.NewWriter(corpus.Options{Language: "en", Prefix: prefix, GeneratedAt: time.Unix(1e9, 0)})
	company := site.Company{Slug: "acme", Name: fmt.Sprintf("Acme %d", generation)}
	for i := range n {
		path := fmt.Sprintf("%s/news/today/%04d", prefix, n-i)
		err := w.Add(&site.Article{
			Path: path, URL: "https://example.org" + path + "/", Title: fmt.Sprintf("Generation %d, article %d", generation, n-i),
			Excerpt: "A sentence of the length that the first sentence of an article tends to have, give or take a few words.",
			Section: "news", Date: time.Unix(int64(1e9-i), 0), Body: "Some text.",
		})
		if err != nil {
			t.Fatal(err)
		}
		company.Articles = append(company.Articles, i)
	}
	if err := w.AddCompany(&company); err != nil {
		t.Fatal(err)
	}
	return w
}

// numbered returns what a writer writes.
func numbered(t testing.TB, prefix string, generation, n int) *corpus.Corpus {
	t.Helper()
	var out bytes.Buffer
	if _, err := writer(t, prefix, generation, n).WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newServer(t testing.TB, corpora ...*corpus.Corpus) *Server {
	t.Helper()
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Swap(corpora...); err != nil {
		t.Fatal(err)
	}
	return s
}

func get(h http.Handler, target string, header ...string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestConfigRefusesOrigins(t *testing.T) {
	for _, origin := range []string{"", "example.org", "https://example.org/", "HTTPS://example.org", "https://", "null", "https://a.example https://b.example"} {
		if _, err := New(Config{CORSOrigins: []string{"https://good.example", origin}}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", origin)) {
			t.Errorf("origin %q: error %v", origin, err)
		}
	}
}

// TestNoCorpus checks what is answered before there is a corpus, and when only some are there.
func TestNoCorpus(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(target string, want int) {
		t.Helper()
		res := get(s.WithAdmin(), target)
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", target, res.StatusCode, want)
		}
		if after := res.Header.Get("Retry-After"); (want == http.StatusServiceUnavailable) != (after != "") {
			t.Errorf("%s: status %d with Retry-After %q", target, res.StatusCode, after)
		}
	}
	for _, path := range []string{"/api/search?q=x", "/api/companies/search", "/api/read-finder-index.json", "/fr/api/search", "/readyz"} {
		check(path, http.StatusServiceUnavailable)
	}
	check("/healthz", http.StatusOK)
	check("/nothing", http.StatusNotFound)

	if err := s.Swap(numbered(t, "", 1, 3), nil); err != nil {
		t.Fatal(err)
	}
	check("/api/search?q=x", http.StatusOK)
	check("/fr/api/search?q=x", http.StatusServiceUnavailable)
	check("/readyz", http.StatusServiceUnavailable)

	if err := s.Swap(numbered(t, "", 1, 3), numbered(t, "/fr", 1, 3)); err != nil {
		t.Fatal(err)
	}
	check("/fr/api/search?q=x", http.StatusOK)
	check("/de/api/search?q=x", http.StatusNotFound)
	check("/readyz", http.StatusOK)
}

// TestSwapRefusesOnePrefixTwice checks that the corpora before the refusal stay.
func TestSwapRefusesOnePrefixTwice(t *testing.T) {
	old := numbered(t, "/fr", 1, 3)
	s := newServer(t, old)
	err := s.Swap(numbered(t, "/fr", 2, 3), numbered(t, "/fr", 3, 3))
	if err == nil || !strings.Contains(err.Error(), `"/fr"`) {
		t.Errorf("error %v does not name the prefix", err)
	}
	if tag := get(s, "/fr/api/read-finder-index.json").Header.Get("ETag"); tag != `"`+old.Meta().Fingerprint+`"` {
		t.Errorf("ETag %s after a refused Swap", tag)
	}
}

// TestSwapIsAtomic swaps two generations under load: no answer mixes them, and every tag is that of its content.
func TestSwapIsAtomic(t *testing.T) {
	corpora := []*corpus.Corpus{numbered(t, "", 1, 300), numbered(t, "", 2, 300)}
	words := map[string]string{}
	for i, c := range corpora {
		words[c.Meta().Fingerprint] = fmt.Sprintf("Generation %d,", i+1)
	}
	s := newServer(t, corpora[0])
	targets := []string{"/api/search?q=generation&limit=200", "/api/companies/search?q=acme", "/api/read-finder-index.json"}
	var clients sync.WaitGroup
	done := make(chan struct{})
	for i := range 4 {
		clients.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				res := get(s, targets[(i+n)%len(targets)])
				body, err := io.ReadAll(res.Body)
				tag := strings.Trim(res.Header.Get("ETag"), `"`)
				word := words[tag[:min(16, len(tag))]]
				if err != nil || word == "" || bytes.Count(body, []byte(word)) < 200 || bytes.Count(body, []byte("Generation ")) != bytes.Count(body, []byte(word)) {
					t.Errorf("ETag %q, status %d, %d bytes: not all of one generation", tag, res.StatusCode, len(body))
					return
				}
			}
		})
	}
	for i := range 2000 {
		if err := s.Swap(corpora[i%2]); err != nil {
			t.Error(err)
		}
	}
	close(done)
	clients.Wait()
}

// TestSearchTags checks that every part of a request which changes the answer changes its tag.
func TestSearchTags(t *testing.T) {
	seen := make(map[string]string)
	for _, fingerprint := range []string{"0123456789abcdef", "fedcba9876543210"} {
		for _, kind := range []string{"articles", "companies"} {
			for _, text := range []string{"", "a", "A", "1", "1 a", " "} {
				for _, limit := range []int{1, 11, 80, 200} {
					tag := searchTag(fingerprint, kind, text, limit)
					request := fmt.Sprint(fingerprint, kind, text, limit)
					if other, taken := seen[tag]; taken {
						t.Errorf("%s and %s have one tag", request, other)
					}
					seen[tag] = request
				}
			}
		}
	}
}

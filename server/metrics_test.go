package server

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func page(t *testing.T, s *Server, path string) string {
	t.Helper()
	res := get(s.Admin(), path)
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", path, res.StatusCode, err)
	}
	return string(body)
}

func TestMetrics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	data, tag := encoded(t, "", 3)
	writeFile(t, path, data)
	h := newShelf(t, path)
	if text := page(t, h.server, "/metrics"); !strings.Contains(text, "read_finder_ready 0\n") || strings.Contains(text, "read_finder_corpus_info") {
		t.Errorf("before the first corpus:\n%s", text)
	}
	h.look(1)
	get(h.server, "/api/search?q=article")
	get(h.server, "/api/search?q=article", "If-None-Match: *")
	get(h.server, "/api/search?limit=0")
	get(h.server, "/nothing")
	writeFile(t, path, data[:9])
	h.look(2 * patience)
	text := page(t, h.server, "/metrics")
	for _, want := range []string{
		`read_finder_requests_total{code="200",route="search"} 1`,
		`read_finder_requests_total{code="304",route="search"} 1`,
		`read_finder_requests_total{code="400",route="search"} 1`,
		`read_finder_requests_total{code="404",route="other"} 1`,
		`read_finder_request_duration_seconds_count{route="search"} 3`,
		`read_finder_ready 1`,
		`read_finder_requests_in_flight 1`, // this one
		`read_finder_connections 0`,
		fmt.Sprintf(`read_finder_corpus_info{corpus=%q,fingerprint=%q,language="en",prefix=""} 1`, path, tag),
		fmt.Sprintf(`read_finder_corpus_size_bytes{corpus=%q} %d`, path, len(data)),
		fmt.Sprintf(`read_finder_corpus_articles{corpus=%q} 3`, path),
		fmt.Sprintf(`read_finder_corpus_generated_timestamp_seconds{corpus=%q} 1e+09`, path),
		fmt.Sprintf(`read_finder_corpus_loads_total{corpus=%q} 1`, path),
		fmt.Sprintf(`read_finder_corpus_refusals_total{corpus=%q} 1`, path),
		fmt.Sprintf(`read_finder_corpus_failing{corpus=%q} 1`, path),
		"go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestNoResults checks that a query is shown once it came five times, and only if it found nothing.
func TestNoResults(t *testing.T) {
	s := newServerWith(t, Config{CountNoResults: true}, numbered(t, "", 1, 3))
	for n := range 7 {
		get(s, "/api/search?q=Unheard%20OF")
		get(s, "/api/search?q=article")
		get(s, "/api/search?q=%20")
		get(s, "/api/search?q="+strings.Repeat("long", 40))
		if n < 4 {
			get(s, "/api/search?q=rare")
		}
		if n < 5 {
			get(s, "/api/companies/search?q=nobody")
		}
	}
	want := `{"queries":[{"query":"unheard of","kind":"articles","prefix":"","count":7},{"query":"nobody","kind":"companies","prefix":"","count":5}]}`
	if got := strings.TrimSpace(page(t, s, "/no-results")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if res := get(newServer(t).Admin(), "/no-results"); res.StatusCode != http.StatusNotFound {
		t.Errorf("not asked for: status %d", res.StatusCode)
	}
}

// TestNoResultsAreBounded floods the counts with queries that differ: what is asked often stays.
func TestNoResultsAreBounded(t *testing.T) {
	n := newNoResults()
	for i := range 20 * maxMissed {
		n.add(missed{kind: "articles", query: fmt.Sprint(i)})
		if i%100 == 0 {
			n.add(missed{kind: "articles", query: "frequent"})
		}
	}
	if len(n.counts) > maxMissed {
		t.Errorf("%d queries are kept", len(n.counts))
	}
	if often := n.often(); len(often) != 1 || often[0].Query != "frequent" {
		t.Errorf("often: %v", often)
	}
}

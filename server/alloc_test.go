//go:build !race

package server

import (
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"testing"
)

// discard is a ResponseWriter that costs nothing, so that allocations counted are the server's own.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

// TestAllocations holds how many allocations one request costs the server, beyond those of net/http. The race
// detector makes a sync.Pool forget at random, so there is nothing to count with it.
func TestAllocations(t *testing.T) {
	s := newServer(t, numbered(t, "", 1, 300))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty the pools
	for target, most := range map[string]float64{
		"/api/search?q=article":             8,
		"/api/companies/search?q=acme":      8,
		"/api/read-finder-index.json":       4,
		"/api/search?q=generation&limit=20": 8,
	} {
		for _, accept := range []string{"identity", "gzip, br, zstd"} {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			r.Header.Set("Accept-Encoding", accept)
			w := &discard{make(http.Header)}
			s.ServeHTTP(w, r)
			if got := testing.AllocsPerRun(100, func() { s.ServeHTTP(w, r) }); got > most {
				t.Errorf("%s in %s: %.0f allocations, at most %.0f are allowed", target, accept, got, most)
			}
		}
	}
}

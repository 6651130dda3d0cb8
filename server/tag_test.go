package server

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// FuzzMatchesTag checks that any header is taken, and that our tag is found only where it stands in quotes.
func FuzzMatchesTag(f *testing.F) {
	for _, seed := range []string{`*`, `"tag"`, `W/"tag"`, `"a", "tag-gzip"`, `tag`, `"tag`, `"tag" "x"`, "\"\xff\", \"tag\"", `,,"tag",`} {
		f.Add(seed, "")
		f.Add(`"x"`, seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if matchesTag([]string{first, second}, "tag") && !strings.Contains(first+"\n"+second, `"tag`) {
			t.Errorf("%q, %q match", first, second)
		}
	})
}

// TestObsoleteText checks that a tag in another charset, as RFC 9110 allows, does not spoil the list.
func TestObsoleteText(t *testing.T) {
	if !matchesTag([]string{"\"\xe9t\xe9\", \"tag\""}, "tag") {
		t.Error("a tag behind one with bytes above 0x7f is not found")
	}
	if matchesTag([]string{"\"a\x7f\", \"tag\""}, "tag") {
		t.Error("a list with a DEL is well formed")
	}
}

// TestNotModified checks of every answer, in every coding, that the 304 has the headers of the 200 but those of its content.
func TestNotModified(t *testing.T) {
	s := newServer(t, numbered(t, "", 1, 300))
	for _, target := range []string{
		"/api/search?q=article", "/api/search?q=article&limit=1", "/api/search?q=nowhere", "/api/search", "/api/companies/search?q=acme",
		"/api/companies/search?q=nobody", "/api/read-finder-index.json", "/api/openapi.json",
	} {
		for _, accept := range []string{"identity", "gzip", "gzip, br, zstd", "gzip, identity;q=0", "*"} {
			full := get(s, target, "Accept-Encoding: "+accept)
			tag := full.Header.Get("Etag")
			for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding"} {
				full.Header.Del(name)
			}
			for _, held := range []string{tag, "*", `"other", ` + tag, strings.TrimSuffix(tag, `"`) + `-gzip"`, strings.TrimPrefix(tag, "W/")} {
				res := get(s, target, "Accept-Encoding: "+accept, "If-None-Match: "+held)
				if res.StatusCode != http.StatusNotModified || !reflect.DeepEqual(res.Header, full.Header) {
					t.Errorf("%s in %s with %s:\n%d %v\nwant %v", target, accept, held, res.StatusCode, res.Header, full.Header)
				}
			}
		}
	}
}

// TestNotModifiedIsNotSearched checks, by the counts of queries without a result, that what the client holds is not searched
// for again, and that what it may not hold is.
func TestNotModifiedIsNotSearched(t *testing.T) {
	for _, c := range []struct {
		accept   string
		weak     bool // the tag that is held
		searched bool
	}{
		{"identity", false, false},
		{"gzip, identity;q=0", true, false},
		{"gzip", true, false}, // a proxy made it weak
		{"gzip", false, true}, // it may be longer than when it was sent as it is
	} {
		s := newServerWith(t, Config{CountNoResults: true}, numbered(t, "", 1, 3))
		for _, target := range []string{"/api/search?q=nowhere", "/api/companies/search?q=nowhere"} {
			tag := strings.TrimPrefix(get(s, target).Header.Get("Etag"), "W/")
			if c.weak {
				tag = "W/" + tag
			}
			for range 10 {
				if res := get(s, target, "Accept-Encoding: "+c.accept, "If-None-Match: "+tag); res.StatusCode != http.StatusNotModified {
					t.Errorf("%s in %s with %s: %d", target, c.accept, tag, res.StatusCode)
				}
			}
		}
		for m, count := range s.noResults.counts {
			if (count > 1) != c.searched {
				t.Errorf("%+v: %s are searched %d times for 11 requests", c, m.kind, count)
			}
		}
	}
}

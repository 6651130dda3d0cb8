package server

import (
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

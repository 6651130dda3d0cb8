package server

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

// FuzzParam compares param with the standard library, where that reads a query in the same way.
func FuzzParam(f *testing.F) {
	for _, seed := range []string{
		"", "q=a", "q=a&q=b", "q", "q=", "=q", "&&q=a&", "%71=a", "q=%zz", "q=100%", "q=a+b%20c", "Q=a&q=b", "q=a=b", "q=a;b",
		"%zz=1&q=a", "q=%ff", "q=\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		got, err := param(query, "q")
		var bad *paramError
		if err != nil && (!errors.As(err, &bad) || bad.name != "q" || got != "") {
			t.Fatalf("%q: %q, %v", query, got, err)
		}
		if strings.Contains(query, ";") {
			return // package url refuses it
		}
		values, wrong := url.ParseQuery(query)
		if err == nil && got != values.Get("q") {
			t.Errorf("%q: %q, want %q", query, got, values.Get("q"))
		}
		if err != nil && wrong == nil {
			t.Errorf("%q is well formed, but: %v", query, err)
		}
	})
}

package generator

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// TestDigitalgov extracts a real site, where the checkout has it beside it.
func TestDigitalgov(t *testing.T) {
	const source = "../../shared/sites/digitalgov"
	if _, err := os.Stat(source); err != nil {
		t.Skipf("not beside this checkout: %v", err)
	}
	start := time.Now()
	for _, tt := range []struct {
		expired  bool
		articles int
	}{{false, 927}, {true, 2639}} {
		w := &warnings{}
		o := Options{Source: source, Environ: os.Environ(), Hugo: map[string]any{}}
		if tt.expired {
			o.Hugo["buildExpired"] = true
		}
		s, err := loadHugo(o, w)
		if err != nil {
			t.Fatal(err)
		}
		t.Log("loaded", time.Since(start), len(s.editions[0].pages))
		set, err := decodeSettings(s.editions[0].params, nil)
		if err != nil {
			t.Fatal(err)
		}
		pub, near, err := extract(context.Background(), s.editions[0], set, func(string, int, int) {}, w)
		s.close()
		if err != nil {
			t.Fatal(err)
		}
		t.Log("extracted", time.Since(start), len(pub.Articles), len(pub.Companies), len(near))
		for _, x := range w.sorted() {
			if !strings.Contains(x.Message, "REF_NOT") {
				t.Log(x)
			}
		}
		for _, n := range near {
			t.Log(n)
		}
		for _, a := range pub.Articles[:3] {
			a.Body = a.Body[:min(300, len(a.Body))]
			t.Logf("%+v", a)
		}
	}
}

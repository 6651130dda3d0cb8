package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestCollectorShare(t *testing.T) {
	for corpora, want := range map[int64]int{0: 100, 1 << 20: 100, 4 << 20: 100, 8 << 20: 50, 100 << 20: 4, 1 << 40: 1} {
		if got := collectorShare(corpora); got != want {
			t.Errorf("%d bytes of corpora: %d %%, want %d %%", corpora, got, want)
		}
	}
}

// TestCollectorIsPaced checks that the garbage which a process allows itself depends on the corpus it has, and that GOGC wins.
func TestCollectorIsPaced(t *testing.T) {
	shared.need(t, "bulky", bulky)
	info, err := os.Stat(filepath.Join(shared.dir, "bulky.corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for gogc, want := range map[string]int{"": collectorShare(info.Size()), "70": 70} {
		t.Setenv("GOGC", gogc)
		p := start(t, "--corpus", "bulky.corpus")
		metrics := send(t, p.addrs[0], nil, []string{"GET /metrics"}).body
		if line := fmt.Appendf(nil, "\ngo_gc_gogc_percent %d\n", want); !bytes.Contains(metrics, line) {
			t.Errorf("GOGC=%q: no %q in\n%s", gogc, line, metrics)
		}
	}
}

package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestMetricsOfTheManual checks that every metric which README.md tells to watch is one that the binary has.
func TestMetricsOfTheManual(t *testing.T) {
	manual, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "--corpus", "en.corpus")
	page := send(t, p.addrs[0], nil, []string{"GET /metrics"}).body
	checked := 0
	for _, m := range regexp.MustCompile(`(read_finder_[a-z_]*)(?:\{([a-z_,]+)\})?`).FindAllSubmatch(manual, -1) {
		for ending := range strings.SplitSeq(string(m[2]), ",") { // read_finder_corpus_{articles,companies} are two
			checked++
			if name := string(m[1]) + ending; !bytes.Contains(page, []byte("# TYPE "+name+" ")) {
				t.Errorf("README.md names %s, which is not in\n%s", name, page)
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d metrics in README.md", checked)
	}
}

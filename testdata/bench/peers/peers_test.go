package main

import (
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site/sitetest"
)

// TestPeers proves that all engines were asked the same question: every one finds exactly what the scan finds.
func TestPeers(t *testing.T) {
	size := sitetest.Size{Articles: 200, MinWords: 50, MaxWords: 100}
	const queries = 100
	var reports []report
	for _, name := range engineNames() {
		r, err := measure(t.TempDir(), name, size, queries, time.Hour)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		reports = append(reports, r)
	}
	if err := inexact(reports); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	if err := printTables(&out, size, reports); err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if n := agreeing(r, reports[0]); n != queries {
			t.Errorf("%s finds the same articles in %d of %d queries", r.Engine, n, queries)
		}
		if rows := strings.Count(out.String(), "\n| "+r.Engine+" |"); rows != 2 {
			t.Errorf("%s has %d rows, want one in each of the two tables:\n%s", r.Engine, rows, out.String())
		}
	}
}

func TestInexact(t *testing.T) {
	reports := []report{
		{Engine: ours, Found: []set{{Count: 1, Sum: 7}, {Count: 2, Sum: 8}}},
		{Engine: naive, Found: []set{{Count: 1, Sum: 7}, {Count: 2, Sum: 9}}},
	}
	if inexact(reports) == nil {
		t.Error("another set of as many articles passes for exact")
	}
}

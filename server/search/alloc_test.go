//go:build !race

package search_test

import (
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site/sitetest"
)

// TestNoAllocation asks queries of one to five tokens in turn: once the working memory has grown, none allocates. The race
// detector allocates, too.
func TestNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	p := sitetest.Random(r, 900)
	engine := build(t, p)
	var queries []search.Query
	for range 200 {
		q, err := engine.Parse(sitetest.RandomQuery(r, p))
		if err != nil {
			t.Fatal(err)
		}
		queries = append(queries, q)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty the pools
	var dst []int
	ask := func() {
		for _, q := range queries {
			dst = engine.Articles(dst[:0], q, 80)
		}
	}
	for range 16 { // each processor has working memory of its own
		ask()
	}
	if n := testing.AllocsPerRun(5, ask); n > 0 {
		t.Errorf("%d queries allocate %.0f times", len(queries), n)
	}
}

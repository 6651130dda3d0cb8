package search_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
)

// BenchmarkArticles answers the mixed queries of package sitetest, by kind and by size. A million articles are left to testdata/bench.
func BenchmarkArticles(b *testing.B) {
	for _, size := range sitetest.Sizes[:3] {
		b.Run(fmt.Sprint(size.Articles), func(b *testing.B) { benchmarkArticles(b, size) })
	}
}

func benchmarkArticles(b *testing.B, size sitetest.Size) {
	w := corpus.NewWriter(corpus.Options{Language: "en"})
	var some []site.Article
	for a := range sitetest.Articles(1, size) {
		if err := w.Add(a); err != nil {
			b.Fatal(err)
		}
		if len(some) < 2000 {
			some = append(some, *a)
		}
	}
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		b.Fatal(err)
	}
	c, err := corpus.Open(buf.Bytes())
	if err != nil {
		b.Fatal(err)
	}
	engine := search.New(c)
	queries := map[sitetest.Kind][]search.Query{}
	for _, q := range sitetest.Queries(1, some, 2000) {
		parsed, err := engine.Parse(q.Text)
		if err != nil {
			b.Fatal(err)
		}
		queries[q.Kind] = append(queries[q.Kind], parsed)
		queries["all"] = append(queries["all"], parsed)
	}
	for _, kind := range append([]sitetest.Kind{"all"}, sitetest.Kinds...) {
		b.Run(string(kind), func(b *testing.B) {
			var found []int
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				found = engine.Articles(found[:0], queries[kind][i%len(queries[kind])], 80)
			}
		})
	}
}

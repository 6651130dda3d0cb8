package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
)

// TestExact compares what is answered from the corpora of whole sites, as generate writes them, with a naive scan of
// what was extracted: the set, the count and the order.
func TestExact(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		needed       bool
		hugo         map[string]any
		queries      int
	}{
		{"publication", "../../testdata/publication", true, map[string]any{}, 6000},
		{"digitalgov", "../../../shared/sites/digitalgov", false, map[string]any{"buildExpired": true}, 5000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := os.Stat(tt.source); err != nil && !tt.needed {
				t.Skipf("the site is not beside this checkout: %v", err)
			}
			queries := tt.queries
			if raceDetector {
				queries /= 10
			}
			dir := t.TempDir()
			tt.hugo["publishDir"] = dir
			var publications []*site.Publication
			_, err := generator.Generate(t.Context(), generator.Options{
				Source: tt.source, Hugo: tt.hugo,
				Extracted: func(p *site.Publication) { publications = append(publications, p) },
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range publications {
				compareAnswers(t, filepath.Join(dir, p.Prefix), p, queries/len(publications))
			}
		})
	}
}

func compareAnswers(t *testing.T, dir string, p *site.Publication, queries int) {
	t.Helper()
	c, err := corpus.ReadFile(filepath.Join(dir, generator.Dir, generator.CorpusName))
	if err != nil {
		t.Fatal(err)
	}
	engine, scan := search.New(c), sitetest.NewScan(p)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	articles, companies := 0, 0
	for range queries {
		q := sitetest.RandomQuery(r, p)
		query, err := engine.Parse(q)
		if err != nil {
			t.Fatalf("seed %d, q %q: %v", seed, q, err)
		}
		limit := []int{1, 80, 200, len(p.Articles)}[r.IntN(4)]
		found := engine.Articles(nil, query, limit)
		if want := scan.Search(q, limit); !slices.Equal(found, want) {
			t.Fatalf("seed %d, language %q, q %q, limit %d: articles\ngot  %v\nwant %v", seed, p.Language, q, limit, found, want)
		}
		for _, i := range found[:min(3, len(found))] {
			compareJSON(t, c.Article(i), p.Articles[i].SearchResult())
		}
		articles += len(found)

		found = engine.Companies(nil, query, limit)
		want := scan.Companies(q, limit)
		if len(found) != len(want) {
			t.Fatalf("seed %d, language %q, q %q, limit %d: %d companies, want %d", seed, p.Language, q, limit, len(found), len(want))
		}
		for i := range found {
			compareJSON(t, c.Company(found[i]), companyResult(p, &p.Companies[want[i]]))
		}
		companies += len(found)
	}
	t.Logf("language %q, seed %d: %d queries had %d articles and %d companies of %d and %d",
		p.Language, seed, queries, articles, companies, len(p.Articles), len(p.Companies))
	if articles < queries || len(p.Companies) > 0 && companies == 0 {
		t.Error("the queries find next to nothing")
	}
}

func companyResult(p *site.Publication, c *site.Company) site.CompanyResult {
	result := site.CompanyResult{Slug: c.Slug, Name: c.Name, ArticleCount: len(c.Articles), Articles: []site.ArticleRef{}}
	for _, i := range c.Articles {
		result.Articles = append(result.Articles, p.Articles[i].Ref())
	}
	return result
}

// compareJSON compares a stored answer with the JSON of what it must say.
func compareJSON(t *testing.T, got []byte, answer any) {
	t.Helper()
	want, err := site.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

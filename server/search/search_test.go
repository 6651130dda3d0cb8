package search_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
)

// build writes p to a corpus and opens it.
func build(t testing.TB, p *site.Publication) *search.Engine {
	t.Helper()
	w, err := corpus.NewWriterOf(p, time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return search.New(c)
}

// slugs returns the slugs of companies by their number in the corpus.
func slugs(t testing.TB, c *corpus.Corpus, companies []int) []string {
	t.Helper()
	var list []string
	for _, i := range companies {
		var result site.CompanyResult
		if err := json.Unmarshal(c.Company(i), &result); err != nil {
			t.Fatal(err)
		}
		list = append(list, result.Slug)
	}
	return list
}

var sizes = []int{0, 1, 2, 63, 64, 65, 511, 513, 700, 1600}

func TestArticlesAgainstNaiveScan(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 2))
		compareWithScan(t, r, sizes[r.IntN(len(sizes))], 400, []int{1, 2, 80, 200, 5000})
	}
}

// Many articles are read in several windows, and of rare tokens there are few.
func TestManyArticlesAgainstNaiveScan(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 6))
		compareWithScan(t, r, 9000+r.IntN(2000), 250, []int{1, 2, 10, 80, 200})
	}
}

// compareWithScan asks about random articles what r makes, with one of the limits each.
func compareWithScan(t *testing.T, r *rand.Rand, articles, queries int, limits []int) {
	t.Helper()
	p := sitetest.Random(r, articles)
	engine, scan := build(t, p), sitetest.NewScan(p)
	for range queries {
		q, limit := sitetest.RandomQuery(r, p), limits[r.IntN(len(limits))]
		query, err := engine.Parse(q)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := engine.Articles(nil, query, limit), scan.Search(q, limit); !slices.Equal(got, want) {
			t.Fatalf("%d articles, q %q, limit %d:\ngot  %v\nwant %v", articles, q, limit, got, want)
		}
	}
}

func TestCompaniesAgainstNaiveScan(t *testing.T) {
	found := 0
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := sitetest.Random(r, sizes[r.IntN(len(sizes))])
		for i := range p.Companies { // some names stand twice, some begin with another
			if r.IntN(3) == 0 {
				p.Companies[i].Name = p.Companies[r.IntN(len(p.Companies))].Name + []string{"", "x", " \u00a0 b"}[r.IntN(3)]
			}
		}
		engine, scan := build(t, p), sitetest.NewScan(p)
		for range 400 {
			q, limit := sitetest.RandomQuery(r, p), []int{0, 1, 3, 200, 500}[r.IntN(5)]
			if len(p.Companies) > 0 && r.IntN(3) == 0 {
				q = p.Companies[r.IntN(len(p.Companies))].Name
				if runes := []rune(q); r.IntN(2) == 0 {
					q = string(runes[:1+r.IntN(len(runes))])
				}
			}
			query, err := engine.Parse(q)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, i := range scan.Companies(q, limit) {
				want = append(want, p.Companies[i].Slug)
			}
			found += len(want)
			if got := slugs(t, engine.Corpus(), engine.Companies(nil, query, limit)); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d companies, q %q, limit %d:\ngot  %q\nwant %q", seed, len(p.Companies), q, limit, got, want)
			}
		}
	}
	if found < 10_000 {
		t.Errorf("only %d companies were found: the queries say little", found)
	}
}

func TestCompanyOrder(t *testing.T) {
	p := &site.Publication{}
	for i := range 4 {
		p.Articles = append(p.Articles, site.Article{Path: string(rune('a' + i))})
	}
	add := func(slug, name string, articles int) {
		c := site.Company{Slug: slug, Name: name}
		for i := range articles {
			c.Articles = append(c.Articles, i)
		}
		p.Companies = append(p.Companies, c)
	}
	add("acme", "Acme", 1)
	add("acme-bikes", "ACME Bikes", 2)
	add("acme-arms", "Acme Arms", 2)
	add("acme-zoo", "Acme Zoo", 3)
	add("great", "The great acme", 4)
	add("by-slug-acme", "Nobody", 1)
	add("aacme", "Aacme", 1)
	add("other", "Other", 4)
	site.SortCompanies(p.Companies)
	engine := build(t, p)
	query, err := engine.Parse(" aCMe ")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"acme", "acme-zoo", "acme-arms", "acme-bikes", "great", "aacme", "by-slug-acme"}
	for limit := range len(want) + 2 {
		got := slugs(t, engine.Corpus(), engine.Companies(nil, query, limit))
		if !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Errorf("limit %d: got %q, want the first of %q", limit, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	plain, folding := build(t, &site.Publication{}), build(t, &site.Publication{FoldDiacritics: true})
	tests := []struct {
		q, text string
		tokens  []string
	}{
		{"", "", nil},
		{" \t\n\u3000\u0085", "", nil},
		{"  AT&T  Inc. ", "AT&T  Inc.", []string{"at&t", "inc."}},
		{"\u3000Don’t\u00a0STOP\u2028", "Don’t\u00a0STOP", []string{"don't", "stop"}},
		{"Straße ΣΊΣΥΦΟΣ", "Straße ΣΊΣΥΦΟΣ", []string{"strasse", "σίσυφοσ"}},
		{"\u00ad a \u200b\ufeff b", "\u00ad a \u200b\ufeff b", []string{"a", "b"}}, // nothing is left of two of them
		{"\u00ad", "\u00ad", nil},
		{"b a b", "b a b", []string{"b", "a", "b"}},
		{"re\u0301sume\u0301", "re\u0301sume\u0301", []string{"résumé"}},
		{"a\x00b", "a\x00b", []string{"a\ufffdb"}},
		{strings.Repeat("x", search.MaxQueryBytes), strings.Repeat("x", search.MaxQueryBytes), []string{strings.Repeat("x", search.MaxQueryBytes)}},
	}
	for _, tt := range tests {
		q, err := plain.Parse(tt.q)
		if err != nil || q.Text != tt.text || !slices.Equal(q.Tokens, tt.tokens) || q.Normal() != strings.Join(tt.tokens, " ") {
			t.Errorf("%q: got %q, %v, want text %q, tokens %q", tt.q, q, err, tt.text, tt.tokens)
		}
	}
	if q, err := folding.Parse("RÉSUMÉ"); err != nil || !slices.Equal(q.Tokens, []string{"resume"}) {
		t.Errorf("without diacritics: %q, %v", q, err)
	}
	if q, err := plain.Parse(strings.Repeat("ab ", search.MaxTokens)); err != nil || len(q.Tokens) != search.MaxTokens {
		t.Errorf("the most tokens that are allowed: %d, %v", len(q.Tokens), err)
	}
}

func TestParseErrors(t *testing.T) {
	engine := build(t, &site.Publication{})
	for _, tt := range []struct{ q, reason string }{
		{strings.Repeat("x", search.MaxQueryBytes+1), "q has 1025 bytes, 1024 are allowed"},
		{strings.Repeat(" ", search.MaxQueryBytes+1), "q has 1025 bytes, 1024 are allowed"},
		{strings.Repeat("ab ", search.MaxTokens+1), "q has 33 tokens, 32 are allowed"},
		{strings.Repeat("\u00ad ", search.MaxTokens+1), "q has 33 tokens, 32 are allowed"},
		{"a\xffb", "q is not valid UTF-8"},
		{"\xed\xa0\x80", "q is not valid UTF-8"}, // a surrogate
		{"é"[:1], "q is not valid UTF-8"},
	} {
		q, err := engine.Parse(tt.q)
		var parse *search.QueryError
		if !errors.As(err, &parse) || parse.Error() != tt.reason || q.Text != "" || q.Tokens != nil {
			t.Errorf("%.20q: got %q, %v, want the error %q", tt.q, q, err, tt.reason)
		}
	}
}

func TestExplain(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 4))
		p := sitetest.Random(r, 1+r.IntN(600))
		engine, scan := build(t, p), sitetest.NewScan(p)
		for range 40 {
			q := sitetest.RandomQuery(r, p)
			query, err := engine.Parse(q)
			if err != nil {
				t.Fatal(err)
			}
			articles := append(scan.Search(q, 10), r.IntN(len(p.Articles)))
			for _, article := range articles {
				matches := engine.Explain(query, article)
				var weights []int
				for i, m := range matches {
					weights = append(weights, m.Weight)
					if m.Token != query.Tokens[i] || m.Weight != map[corpus.Field]int{
						corpus.Title: 8, corpus.Labels: 4, corpus.Excerpt: 2, corpus.Body: 1,
					}[m.Field] {
						t.Errorf("seed %d, q %q: token %d is explained by %+v", seed, q, i, m)
					}
				}
				if want := scan.Weights(q, article); !slices.Equal(weights, want) {
					t.Fatalf("seed %d, q %q, article %d: got %+v, want weights %v", seed, q, article, matches, want)
				}
			}
		}
	}
}

func FuzzQuery(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 5))
	p := sitetest.Random(r, 130)
	p.FoldDiacritics = false
	engine, scan := build(f, p), sitetest.NewScan(p)
	for range 20 {
		f.Add(sitetest.RandomQuery(r, p), r.IntN(200))
	}
	f.Add("\xff", 80)
	f.Add(strings.Repeat("a ", 33), 80)
	f.Fuzz(func(t *testing.T, q string, limit int) {
		query, err := engine.Parse(q)
		if err != nil {
			if parse := new(search.QueryError); !errors.As(err, &parse) {
				t.Errorf("q %q: %v is no *QueryError", q, err)
			}
			return
		}
		limit &= 255
		if got, want := engine.Articles(nil, query, limit), scan.Search(q, limit); !slices.Equal(got, want) {
			t.Errorf("q %q, limit %d: got articles %v, want %v", q, limit, got, want)
		}
		var want []string
		for _, i := range scan.Companies(q, limit) {
			want = append(want, p.Companies[i].Slug)
		}
		if got := slugs(t, engine.Corpus(), engine.Companies(nil, query, limit)); !slices.Equal(got, want) {
			t.Errorf("q %q, limit %d: got companies %q, want %q", q, limit, got, want)
		}
	})
}

package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
)

// TestCompaniesAgainstNaiveScan compares whole bodies of the company search, over more companies than it may answer, with
// what a scan of the publication finds.
func TestCompaniesAgainstNaiveScan(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	p := manyCompanies(r, 700)
	s, scan := newServer(t, corpusOf(t, p)), sitetest.NewScan(p)
	most := 0
	for range 1500 {
		c := p.Companies[r.IntN(len(p.Companies))]
		text := []rune([]string{c.Name, c.Slug, "acme", "e", " ACME  i", "Straße gmbh", "acme-1", "", " ", "nobody"}[r.IntN(10)])
		q := string(text[:len(text)-r.IntN(len(text)/2+1)])
		limit := []string{"", "1", "3", "200", "500", "501", "99999999999999999999999"}[r.IntN(7)]
		effective := map[string]int{"": 200, "1": 1, "3": 3, "200": 200}[limit]
		if effective == 0 {
			effective = 500
		}
		want := struct {
			Query     string               `json:"query"`
			Companies []site.CompanyResult `json:"companies"`
		}{strings.TrimSpace(q), []site.CompanyResult{}}
		for _, i := range scan.Companies(q, effective) {
			want.Companies = append(want.Companies, resultOf(p, i))
		}
		most = max(most, len(want.Companies))

		target := "/api/companies/search?" + url.Values{"q": {q}, "limit": {limit}}.Encode()
		res := get(s, target)
		got, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		var wanted bytes.Buffer
		enc := json.NewEncoder(&wanted)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != http.StatusOK || string(got) != strings.TrimSuffix(wanted.String(), "\n") {
			t.Fatalf("seed %d, %s: %d\ngot  %.2000s\nwant %.2000s", seed, target, res.StatusCode, got, &wanted)
		}
	}
	if most != 500 {
		t.Errorf("seed %d: the longest answer has %d companies, want 500", seed, most)
	}
}

func resultOf(p *site.Publication, company int) site.CompanyResult {
	c := p.Companies[company]
	result := site.CompanyResult{Slug: c.Slug, Name: c.Name, ArticleCount: len(c.Articles), Articles: []site.ArticleRef{}}
	for _, i := range c.Articles {
		a := p.Articles[i]
		result.Articles = append(result.Articles, site.ArticleRef{Title: a.Title, Path: a.Path, URL: a.URL})
	}
	return result
}

// manyCompanies returns n companies whose names are alike, and often equal or the beginning of another.
func manyCompanies(r *rand.Rand, n int) *site.Publication {
	p := &site.Publication{Language: "en"}
	for i := range 30 {
		path := fmt.Sprintf("/news/%02d", i)
		p.Articles = append(p.Articles, site.Article{
			Path: path, URL: "https://example.org" + path + "/", Title: fmt.Sprintf("Title & “%d”", i), Date: time.Unix(int64(1e9-i), 0).UTC(),
		})
	}
	for i := range n {
		name := []string{"Acme", "ACME Inc", "Acme  Inc.", "acme", "The Acme", "Straße GmbH", "STRASSE", "A “&” <b>", "L’Acme"}[r.IntN(9)]
		if r.IntN(2) == 0 {
			name += fmt.Sprintf(" %d", r.IntN(40))
		}
		c := site.Company{Slug: fmt.Sprintf("acme-%d-%03d", r.IntN(3), i), Name: name}
		for a := range p.Articles {
			if r.IntN(8) == 0 || a == len(p.Articles)-1 && c.Articles == nil {
				c.Articles = append(c.Articles, a)
			}
		}
		p.Companies = append(p.Companies, c)
	}
	site.SortCompanies(p.Companies)
	return p
}

func corpusOf(t *testing.T, p *site.Publication) *corpus.Corpus {
	t.Helper()
	w, err := corpus.NewWriterOf(p, time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

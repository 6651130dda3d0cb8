package search_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/text"
)

// build writes p to a corpus and opens it.
func build(t testing.TB, p *site.Publication) *search.Engine {
	t.Helper()
	w := corpus.NewWriter(corpus.Options{Language: "en", FoldDiacritics: p.FoldDiacritics, GeneratedAt: time.Unix(1_700_000_000, 0)})
	for i := range p.Articles {
		if err := w.Add(&p.Articles[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range p.Companies {
		if err := w.AddCompany(&p.Companies[i]); err != nil {
			t.Fatal(err)
		}
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

// A scan is the oracle: it looks through the text of every article, as the contract puts it.
type scan struct {
	fold     *text.Folder
	articles [][]scanField
	names    []string // folded name and slug of each company, by slug
	p        *site.Publication
}

type scanField struct {
	text   string // folded
	weight int
}

func newScan(p *site.Publication) *scan {
	s := &scan{fold: text.NewFolder(p.FoldDiacritics), p: p}
	for _, a := range p.Articles {
		fields := []scanField{{a.Title, 8}, {a.Section, 4}, {a.Author, 4}, {a.Excerpt, 2}, {a.Body, 1}}
		for _, tag := range a.Tags {
			fields = append(fields, scanField{tag, 4})
		}
		for i := range fields {
			fields[i].text = s.fold.String(fields[i].text)
		}
		s.articles = append(s.articles, fields)
	}
	return s
}

func (s *scan) tokens(q string) []string {
	var tokens []string
	for _, token := range strings.Fields(q) {
		if token = s.fold.String(token); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func (s *scan) search(q string, limit int) []int {
	tokens := s.tokens(q)
	if len(tokens) == 0 {
		return nil
	}
	type hit struct{ article, score int }
	var hits []hit
next:
	for i, fields := range s.articles {
		score := 0
		for _, token := range tokens {
			best := 0
			for _, f := range fields {
				if f.weight > best && strings.Contains(f.text, token) {
					best = f.weight
				}
			}
			if best == 0 {
				continue next
			}
			score += best
		}
		hits = append(hits, hit{i, score})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	var found []int
	for _, h := range hits[:min(limit, len(hits))] {
		found = append(found, h.article)
	}
	return found
}

var alphabet = []rune("aaabbcde-ß’é世界🙂,İς")

func randomPublication(r *rand.Rand, articles int) *site.Publication {
	word := func() string {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	vocabulary := make([]string, 20+r.IntN(800))
	for i := range vocabulary {
		vocabulary[i] = word()
	}
	words := func(most int) string {
		list := make([]string, r.IntN(most+1))
		for i := range list {
			list[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
		}
		return strings.Join(list, " ")
	}
	p := &site.Publication{Language: "en", FoldDiacritics: r.IntN(4) == 0}
	for i := range articles {
		p.Articles = append(p.Articles, site.Article{
			Path: fmt.Sprintf("/a/%06d", i), Title: words(4), Excerpt: words(8), Tags: strings.Fields(words(3)),
			Section: words(1), Author: words(2), Date: time.Unix(int64(1_700_000_000-i/2), 0), Body: words(30),
		})
	}
	return p
}

// randomQuery makes a query of pieces of the publication's words, in any case, and of others.
func randomQuery(r *rand.Rand, p *site.Publication) string {
	var tokens []string
	for range 1 + r.IntN(1+r.IntN(5)) {
		var pool []string
		if len(p.Articles) > 0 {
			a := &p.Articles[r.IntN(len(p.Articles))]
			pool = strings.Fields([]string{a.Title, a.Body, a.Body, a.Excerpt, strings.Join(a.Tags, " "), a.Author}[r.IntN(6)])
		}
		token := string(alphabet[r.IntN(len(alphabet))])
		if len(pool) > 0 && r.IntN(6) > 0 {
			word := []rune(pool[r.IntN(len(pool))])
			begin := r.IntN(len(word))
			token = string(word[begin : begin+1+r.IntN(min(4, len(word)-begin))])
		}
		switch r.IntN(12) {
		case 0:
			token = strings.ToUpper(token)
		case 1:
			token += "zzq"
		case 2:
			token = "\u00ad"
		}
		tokens = append(tokens, token)
	}
	return strings.Join(tokens, []string{" ", "  ", "\u3000", "\n"}[r.IntN(4)])
}

func TestArticlesAgainstNaiveScan(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := randomPublication(r, []int{0, 1, 2, 63, 64, 65, 511, 513, 700, 1600}[r.IntN(10)])
		engine, oracle := build(t, p), newScan(p)
		for range 400 {
			q, limit := randomQuery(r, p), []int{1, 2, 80, 200}[r.IntN(4)]
			query, err := engine.Parse(q)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := engine.Articles(nil, query, limit), oracle.search(q, limit); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d articles, q %q, limit %d:\ngot  %v\nwant %v", seed, len(p.Articles), q, limit, got, want)
			}
		}
	}
}

package sitetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/read-finder/read-finder/site"
)

// The letters of random words: few, so that words share pieces, and of every length and behaviour that UTF-8 and the fold know.
var letters = []rune("aaabbcde-ß’é世界世🙂,İς")

// Random returns a publication of short words that collide, for tests that compare answers: real prose has too few of the
// cases that matter. It has about a company to three articles.
func Random(r *rand.Rand, articles int) *site.Publication {
	vocabulary := make([]string, 20+r.IntN(1000))
	for i := range vocabulary {
		vocabulary[i] = randomWord(r)
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
		path := fmt.Sprintf("/a/b/%06d", i)
		p.Articles = append(p.Articles, site.Article{
			Path: path, URL: "https://www.example.org" + path + "/",
			Title: words(4), Excerpt: words(8), Tags: strings.Fields(words(3)), Section: words(1), Author: words(2),
			Date: time.Unix(int64(1_700_000_000-i/2), 0), Body: words(30),
		})
	}
	for i := range articles / 3 {
		c := site.Company{Name: randomWord(r) + " " + words(2), Slug: fmt.Sprintf("%s-%d", randomWord(r), i)}
		for range 1 + r.IntN(3) {
			c.Articles = append(c.Articles, r.IntN(articles))
		}
		slices.Sort(c.Articles)
		c.Articles = slices.Compact(c.Articles)
		p.Companies = append(p.Companies, c)
	}
	site.SortCompanies(p.Companies)
	return p
}

func randomWord(r *rand.Rand) string {
	most := 7
	if r.IntN(15) == 0 {
		most = 300 // a clause in a script without spaces, or what is no word at all
	}
	word := make([]rune, 1+r.IntN(most))
	for i := range word {
		word[i] = letters[r.IntN(1+r.IntN(len(letters)))]
	}
	return string(word)
}

// RandomQuery returns a query that p may answer: one to five tokens, single letters, fragments or whole words of its articles
// and companies with what is attached to them, in any case, and what no text has.
func RandomQuery(r *rand.Rand, p *site.Publication) string {
	pool := randomWords(r, p)
	var tokens []string
	for range 1 + r.IntN(1+r.IntN(5)) {
		tokens = append(tokens, randomToken(r, pool))
		if r.IntN(3) == 0 {
			pool = randomWords(r, p) // else all of one article, which so has them all
		}
	}
	space := []string{" ", " ", " ", "  ", "\u3000", "\n", "\u00a0"}
	return strings.Join(tokens, pick(r, space))
}

// randomWords returns the words of one field of one article, or of a company.
func randomWords(r *rand.Rand, p *site.Publication) []string {
	var words []string
	switch n := r.IntN(10); {
	case n < 2 && len(p.Companies) > 0:
		c := pick(r, p.Companies)
		words = strings.Fields(c.Name + " " + c.Slug)
	case len(p.Articles) > 0:
		a := &p.Articles[r.IntN(len(p.Articles))]
		words = strings.Fields(pick(r, []string{
			a.Title, a.Excerpt, a.Section + " " + a.Author, strings.Join(a.Tags, " "), a.Body, a.Title + " " + a.Body,
		}))
	}
	if len(words) == 0 {
		return []string{"Nothing"}
	}
	return words
}

func randomToken(r *rand.Rand, words []string) string {
	token := []rune(pick(r, words))
	switch r.IntN(10) {
	case 0:
		return string(pick(r, letters))
	case 1:
		return pick(r, []string{"\u00ad", "zzq", ",", ".", "-", "'", "“", "(", "e\u0301", "ſ", "日", "ß", "SS", "é", "e", "a"})
	case 2, 3: // a word
	case 4:
		token = token[:1+r.IntN(len(token))]
	case 5:
		token = token[r.IntN(len(token)):]
	default:
		begin := r.IntN(len(token))
		token = token[begin : begin+1+r.IntN(min(5, len(token)-begin))]
	}
	switch r.IntN(12) {
	case 0:
		return strings.ToUpper(string(token))
	case 1:
		token[0] = unicode.ToTitle(token[0])
	case 2:
		return string(token) + "zq"
	case 3:
		return strings.ToLower(string(token))
	case 4:
		if bare := strings.TrimFunc(string(token), unicode.IsPunct); bare != "" {
			return bare
		}
	}
	return string(token)
}

package sitetest

import (
	"math/rand/v2"
	"strings"

	"github.com/read-finder/read-finder/site"
)

// A Kind is a kind of query.
type Kind string

// The kinds, with their share of a mix in per cent.
const (
	Word     Kind = "word"     // 25: a word of an article
	Fragment Kind = "fragment" // 20: three to six letters of one
	Short    Kind = "short"    // 5: one or two letters
	Several  Kind = "several"  // 30: two to four words of one article
	Typed    Kind = "typed"    // 10: a word and the beginning of the next
	None     Kind = "none"     // 10: a word that is nowhere
)

// Kinds are all kinds.
var Kinds = []Kind{Word, Fragment, Short, Several, Typed, None}

// A Query is what a reader may ask.
type Query struct {
	Kind Kind
	Text string
}

// Queries returns n queries about articles, all different, of all kinds mixed.
func Queries(seed uint64, articles []site.Article, n int) []Query {
	r := rand.New(rand.NewPCG(seed, 0xD1B54A32D192ED03))
	seen := map[string]bool{}
	var queries []Query
	for tries := 0; len(queries) < n && tries < 100*n; tries++ {
		q := query(r, &articles[r.IntN(len(articles))])
		if q.Text != "" && !seen[q.Text] {
			seen[q.Text] = true
			queries = append(queries, q)
		}
	}
	return queries
}

func query(r *rand.Rand, a *site.Article) Query {
	words := strings.Fields(a.Title + " " + a.Body)
	letters := func(least, most int) string {
		word := []rune(strings.ToLower(strings.Trim(pick(r, words), ".,:()“”")))
		n := min(len(word), least+r.IntN(most-least+1))
		if n < least {
			return ""
		}
		begin := r.IntN(len(word) - n + 1)
		return string(word[begin : begin+n])
	}
	bare := func() string { return strings.ToLower(strings.Trim(pick(r, words), ".,:()“”")) }
	switch n := r.IntN(100); {
	case n < 25:
		return Query{Word, bare()}
	case n < 45:
		return Query{Fragment, letters(3, 6)}
	case n < 50:
		return Query{Short, letters(1, 2)}
	case n < 80:
		var tokens []string
		for range 2 + r.IntN(3) {
			tokens = append(tokens, bare())
		}
		return Query{Several, strings.Join(tokens, " ")}
	case n < 90:
		at := r.IntN(len(words))
		next := []rune(words[min(at+1, len(words)-1)])
		return Query{Typed, words[at] + " " + string(next[:1+r.IntN(len(next))])}
	}
	return Query{None, letters(4, 8) + "zq" + letters(1, 4)}
}

package search

import (
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// weight is what a token adds to the score of an article in which f is the weightiest field that contains it:
// title 8, tags, section and author 4, excerpt 2, body 1.
func weight(f corpus.Field) int { return 8 >> f }

// scratch is the working memory of one query: a bit per article, token and field.
type scratch struct {
	terms     []term
	match     corpus.Set // the articles of one token
	old       corpus.Set // those of its weightier fields
	blocks    []termBlock
	few       candidates
	ranking   ranking
	companies [numFits][]int
}

// A term is a token of a query with its words, and how often the query has it.
type term struct {
	token string
	cover corpus.Cover
	times int

	postings int // on its lists
	highest  int // the most that it can add to the extra of an article
	sweeps   [corpus.NumFields]corpus.Sweep
	fields   corpus.Field // it is looked for in the fields before this one
}

// Articles appends to dst the numbers of the first limit articles that contain every token of q: by score, the higher
// first, then in the order of the corpus. The score is the sum over the tokens of the weight of the best field.
func (e *Engine) Articles(dst []int, q Query, limit int) []int {
	if len(q.Tokens) == 0 || limit <= 0 || e.corpus.NumArticles() == 0 {
		return dst
	}
	s := <-e.idle
	defer func() { e.idle <- s }()
	if !s.resolve(e.corpus, q.Tokens) {
		return dst
	}
	if len(s.terms) == 1 {
		return s.single(dst, e.corpus, limit)
	}
	return s.several(dst, e.corpus, limit)
}

// resolve finds the words of each token. It reports whether every token has any.
func (s *scratch) resolve(c *corpus.Corpus, tokens []string) bool {
	n := 0
next:
	for _, token := range tokens {
		for i := range s.terms[:n] {
			if s.terms[i].token == token {
				s.terms[i].times++
				continue next
			}
		}
		s.terms = slices.Grow(s.terms[:n], 1)[:n+1] // what a longer query has left there is used again
		t := &s.terms[n]
		if t.token, t.times = token, 1; !c.Find(token, &t.cover) {
			return false
		}
		n++
	}
	s.terms = s.terms[:n]
	for i := range s.terms {
		c.Locate(&s.terms[i].cover)
	}
	return true
}

// single answers a query of one token. The score of an article is the weight of its best field, so the fields are taken
// one after the other, until limit articles are found.
func (s *scratch) single(dst []int, c *corpus.Corpus, limit int) []int {
	s.old.Reset(c.NumArticles())
	for f := corpus.Title; f <= corpus.Body && limit > 0; f++ {
		n := len(dst)
		dst = s.field(dst, c, f, limit)
		for _, article := range dst[n:] {
			s.old.Add(article)
		}
		limit -= len(dst) - n
	}
	return dst
}

// field appends the first limit articles in whose field f the only token occurs, but those found already. It looks through the
// newest articles first, as many as most likely hold enough.
func (s *scratch) field(dst []int, c *corpus.Corpus, f corpus.Field, limit int) []int {
	cover, begin := &s.terms[0].cover, len(dst)
	all := c.NumArticles()
	set, newest := &s.match, all
	if n := cover.Postings(f); n > 0 {
		newest = min(all, 3*limit*all/n) // words share articles
	}
	for {
		set.Reset(all)
		set.AllowRange(0, newest)
		c.Add(set, cover, f)
		dst = appendNew(dst[:begin], set, &s.old, limit)
		if newest == all || len(dst)-begin == limit {
			return dst
		}
		newest = all
	}
}

// appendNew appends the first limit articles of set that are not in old, which may be nil.
func appendNew(dst []int, set, old *corpus.Set, limit int) []int {
	for b, block := range set.All() {
		var known *[corpus.BlockWords]uint64
		if old != nil {
			known = old.Block(b)
		}
		for i, word := range block {
			if known != nil {
				word &^= known[i]
			}
			for ; word != 0; word &= word - 1 {
				if limit == 0 {
					return dst
				}
				limit--
				dst = append(dst, (b*corpus.BlockWords+i)*64+bits.TrailingZeros64(word))
			}
		}
	}
	return dst
}

package search

import (
	"iter"
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
	for f := corpus.Title; f <= corpus.Body && limit > 0; f++ {
		n := len(dst)
		dst = s.field(dst, c, f, limit)
		limit -= len(dst) - n
	}
	return dst
}

// field appends the first limit articles in whose field f the only token occurs, but not in those before, which have been read to the end.
func (s *scratch) field(dst []int, c *corpus.Corpus, f corpus.Field, limit int) []int {
	t, n := &s.terms[0], c.NumArticles()
	c.Sweep(&t.sweeps[f], &t.cover, f)
	if t.cover.Postings(f) == 0 {
		return dst
	}
	for first, end := range windows(n, float64(limit)/float64(t.cover.Postings(f))) {
		t.sweeps[f].Read(first, end)
		for b := first / blockArticles; b*blockArticles < end; b++ {
			block := t.sweeps[f].Block(b)
			if block == nil {
				continue
			}
			found := *block
			for f := range f {
				if better := t.sweeps[f].Block(b); better != nil {
					for i, word := range better {
						found[i] &^= word
					}
				}
			}
			for i, word := range found {
				for ; word != 0; word &= word - 1 {
					if limit--; limit < 0 {
						return dst
					}
					dst = append(dst, (b*corpus.BlockWords+i)*64+bits.TrailingZeros64(word))
				}
			}
		}
	}
	return dst
}

const blockArticles = corpus.BlockWords * 64

// windows yields ranges of the n articles, the newest first: a first one that most likely has enough if the given share
// of all articles would have just enough, and then larger and larger ones, as each costs something for every list.
func windows(n int, share float64) iter.Seq2[int, int] {
	const (
		first  = 4 // the share is a guess: words share articles, and what is ranked better stands anywhere
		growth = 4
	)
	return func(yield func(first, end int) bool) {
		size := (int(min(first*share, 1)*float64(n))/blockArticles + 1) * blockArticles
		for at := 0; at < n; size *= growth {
			end := min(at+size, n)
			if !yield(at, end) {
				return
			}
			at = end
		}
	}
}

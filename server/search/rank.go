package search

import (
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// An article in whose body alone a token occurs gets 1 for it. What a better field adds to that is its extra.
const maxExtra = 7

// A termBlock is a block of 512 articles as a term sees them.
type termBlock struct {
	has   [corpus.NumFields]*[corpus.BlockWords]uint64 // the articles in whose field the term occurs
	times int                                          // how often the query has it
}

var none [corpus.BlockWords]uint64 // is never written

// rank ranks the articles from number first on, below end, in which all terms occur.
func (s *scratch) rank(first, end int) {
	for b := first / blockArticles; b*blockArticles < end && !s.ranking.full(); b++ {
		for i, word := range s.found(b) {
			if word == 0 {
				continue
			}
			for word = s.promising(i, word); word != 0; word &= word - 1 {
				bit := bits.TrailingZeros64(word)
				s.ranking.add((b*corpus.BlockWords+i)*64+bit, s.extra(i, bit))
			}
		}
	}
}

// found returns which articles of block b all terms occur in. It keeps the block of each term in s.blocks.
func (s *scratch) found(b int) (found [corpus.BlockWords]uint64) {
	for i := range found {
		found[i] = ^uint64(0)
	}
	s.blocks = s.blocks[:0]
	for i := range s.terms {
		t := &s.terms[i]
		block := termBlock{[...]*[corpus.BlockWords]uint64{&none, &none, &none, &none}, t.times}
		for f := range t.fields {
			if read := t.sweeps[f].Block(b); read != nil {
				block.has[f] = read
			}
		}
		s.blocks = append(s.blocks, block)
		left := uint64(0)
		title, labels, excerpt, body := block.has[corpus.Title], block.has[corpus.Labels], block.has[corpus.Excerpt], block.has[corpus.Body]
		for i := range found {
			found[i] &= title[i] | labels[i] | excerpt[i] | body[i]
			left |= found[i]
		}
		if left == 0 {
			break
		}
	}
	return found
}

// promising returns those of the articles found in word i of the block whose extra is over the floor, and all where that is 32 or
// more. It adds up the extras of 64 articles at once: each has a counter, of which c0 holds bit 0, c1 bit 1 and so on. As the
// counters begin with as much as an extra over the floor makes overflow, adding compares.
func (s *scratch) promising(i int, found uint64) uint64 {
	const planes = 5
	floor := s.ranking.floor
	if floor < 0 || floor >= 1<<planes {
		return found
	}
	begin := uint64(1<<planes - 1 - floor)
	c0, c1, c2, c3, c4 := -(begin & 1), -(begin >> 1 & 1), -(begin >> 2 & 1), -(begin >> 3 & 1), -(begin >> 4)
	over := uint64(0)
	for t := range s.blocks {
		block := &s.blocks[t]
		// The bits of 7 for the title, of 3 for the labels, of 1 for the excerpt.
		bit2 := block.has[corpus.Title][i]
		bit1 := bit2 | block.has[corpus.Labels][i]
		bit0 := bit1 | block.has[corpus.Excerpt][i]
		for range block.times {
			carry0 := c0 & bit0
			c0 ^= bit0
			carry1 := c1&bit1 | carry0&(c1^bit1)
			c1 ^= bit1 ^ carry0
			carry2 := c2&bit2 | carry1&(c2^bit2)
			c2 ^= bit2 ^ carry1
			carry3 := c3 & carry2
			c3 ^= carry2
			over |= c4 & carry3
			c4 ^= carry3
		}
	}
	return found & over
}

// extra returns the extra of an article of the block.
func (s *scratch) extra(i, bit int) int {
	extra := 0
	for t := range s.blocks {
		f := corpus.Title
		for f < corpus.Body && s.blocks[t].has[f][i]>>bit&1 == 0 {
			f++
		}
		extra += s.terms[t].extra(f)
	}
	return extra
}

// A ranking is the best articles so far.
type ranking struct {
	limit   int
	highest int // the highest extra that an article can have
	floor   int // limit articles and more have a higher extra: only an article that has one is of interest
	above   int // how many of best have more than floor
	best    []scored
	count   [MaxTokens*maxExtra + 1]int // per extra, the articles in best
}

type scored struct{ article, extra int }

func (r *ranking) reset(limit, highest int) {
	r.limit, r.highest, r.floor, r.above, r.best = limit, highest, -1, 0, r.best[:0]
	clear(r.count[:highest+1])
}

// full reports whether no article can come before those ranked.
func (r *ranking) full() bool { return r.floor >= r.highest }

// add adds an article, which stands behind those added before.
func (r *ranking) add(article, extra int) {
	if extra <= r.floor {
		return
	}
	r.best = append(r.best, scored{article, extra})
	r.count[extra]++
	for r.above++; r.above >= r.limit; {
		r.floor++
		r.above -= r.count[r.floor]
	}
}

// appendTo appends the best articles by extra, in their order where that is equal: a counting sort. It ends the ranking.
func (r *ranking) appendTo(dst []int) []int {
	place := 0
	for extra := r.highest; extra >= 0; extra-- {
		n := r.count[extra]
		r.count[extra] = place
		place += n
	}
	begin, n := len(dst), min(place, r.limit)
	dst = slices.Grow(dst, n)[:begin+n]
	for _, a := range r.best {
		if at := r.count[a.extra]; at < n {
			dst[begin+at] = a.article
		}
		r.count[a.extra]++
	}
	return dst
}

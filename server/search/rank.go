package search

import (
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// An article in whose body alone a token occurs gets 1 for it. What a better field adds to that is 1, 3 or 7, all ones in
// binary, so the extras of 64 articles are added at once: plane p holds bit p of the extra of each article.
type extras struct {
	planes [maxPlanes][]uint64
	used   int // planes that the query can need
}

const (
	maxExtra  = 7
	maxPlanes = 8 // MaxTokens * maxExtra = 224
)

// reset makes the extras of the articles in found zero.
func (e *extras) reset(found *corpus.Set, tokens int) {
	e.used = bits.Len(uint(maxExtra * tokens))
	for p := range e.planes[:e.used] {
		if e.planes[p] == nil {
			e.planes[p] = make([]uint64, found.Words())
		}
	}
	for b := range found.All() {
		for p := range e.used {
			*e.block(p, b) = [corpus.BlockWords]uint64{}
		}
	}
}

func (e *extras) block(plane, b int) *[corpus.BlockWords]uint64 {
	return (*[corpus.BlockWords]uint64)(e.planes[plane][b*corpus.BlockWords:])
}

// add adds the extras of one token to the articles in found: a ripple-carry adder, 64 articles wide.
func (e *extras) add(found *corpus.Set, matches *[corpus.NumFields]corpus.Set) {
	var zero [corpus.BlockWords]uint64
	for b, articles := range found.All() {
		title, labels, excerpt := matches[corpus.Title].Block(b), matches[corpus.Labels].Block(b), matches[corpus.Excerpt].Block(b)
		if title == nil && labels == nil && excerpt == nil {
			continue
		}
		title, labels, excerpt = orZero(title, &zero), orZero(labels, &zero), orZero(excerpt, &zero)
		for i := range articles {
			if articles[i] == 0 {
				continue
			}
			// The bits of 7 for the title, of 3 for the labels, of 1 for the excerpt.
			bit2 := title[i] & articles[i]
			bit1 := bit2 | labels[i]&articles[i]
			bit0 := bit1 | excerpt[i]&articles[i]
			carry := uint64(0)
			for p := 0; p < e.used && (p < 3 || carry != 0) && bit0|carry != 0; p++ {
				plane := &e.planes[p][b*corpus.BlockWords+i]
				a := *plane
				*plane = a ^ bit0 ^ carry
				carry = a&bit0 | carry&(a^bit0)
				bit0, bit1, bit2 = bit1, bit2, 0
			}
		}
	}
}

func orZero(block, zero *[corpus.BlockWords]uint64) *[corpus.BlockWords]uint64 {
	if block == nil {
		return zero
	}
	return block
}

// of returns the extra of one article.
func (e *extras) of(w, bit int) int {
	extra := 0
	for p := range e.planes[:e.used] {
		extra |= int(e.planes[p][w]>>bit&1) << p
	}
	return extra
}

// over returns the articles of found, which is word w of a set, whose extra is over floor. floor >= -1.
func (e *extras) over(w int, found uint64, floor int) uint64 {
	if found == 0 || floor < 0 {
		return found
	}
	greater := uint64(0)
	for p := e.used - 1; p >= 0; p-- {
		plane := e.planes[p][w]
		if floor>>p&1 == 0 {
			greater |= found & plane
			found &^= plane
		} else {
			found &= plane
		}
	}
	return greater
}

type scored struct{ article, extra int }

// top appends the best limit articles found. Articles come in answer order, so once limit of them have some extra, only
// a higher one is of interest, and once that is the highest possible, nothing is.
func (s *scratch) top(dst []int, limit, tokens int) []int {
	s.best = s.best[:0]
	var count [MaxTokens*maxExtra + 1]int // per extra, the articles in best
	floor, above := -1, 0                 // above: how many of best have more than floor
	for b, block := range s.found.All() {
		for i, found := range block {
			w := b*corpus.BlockWords + i
			for found = s.extra.over(w, found, floor); found != 0; found &= found - 1 {
				bit := bits.TrailingZeros64(found)
				extra := s.extra.of(w, bit)
				if extra <= floor {
					continue
				}
				s.best = append(s.best, scored{w*64 + bit, extra})
				count[extra]++
				for above++; above >= limit; {
					floor++
					above -= count[floor]
				}
			}
		}
		if floor >= maxExtra*tokens {
			break
		}
	}
	return sorted(dst, limit, s.best, count[:])
}

// sorted appends the first limit of best by extra, in their order where that is equal: a counting sort.
func sorted(dst []int, limit int, best []scored, count []int) []int {
	place := 0
	for extra := len(count) - 1; extra >= 0; extra-- {
		n := count[extra]
		count[extra] = place
		place += n
	}
	begin, n := len(dst), min(place, limit)
	dst = slices.Grow(dst, n)[:begin+n]
	for _, a := range best {
		if at := count[a.extra]; at < n {
			dst[begin+at] = a.article
		}
		count[a.extra]++
	}
	return dst
}

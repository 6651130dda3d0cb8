package search

import (
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// An article in whose body alone a token occurs gets 1 for it. What a better field adds to that is its extra.
const maxExtra = 7

// A ledger says, of the articles found, in which field each term matches best: for each block of articles, term and field
// but the body a bit per article. Scores are added up from it only for what all terms have left, 64 articles at once.
type ledger struct {
	masks []uint64
	terms int
}

const ledgerFields = int(corpus.Body)

func (l *ledger) reset(n, terms int) {
	l.terms = terms
	blocks := (n + corpus.BlockWords*64 - 1) / (corpus.BlockWords * 64)
	if need := blocks * terms * ledgerFields * corpus.BlockWords; cap(l.masks) < need {
		l.masks = make([]uint64, need)
	}
}

// block returns the bits of block b for a term and field. They are those of an earlier query until they are set.
func (l *ledger) block(b, term int, f corpus.Field) *[corpus.BlockWords]uint64 {
	at := ((b*l.terms+term)*ledgerFields + int(f)) * corpus.BlockWords
	return (*[corpus.BlockWords]uint64)(l.masks[:cap(l.masks)][at:])
}

// settle enters the articles of rest that match holds, and removes them from rest. found are all those of interest.
func (l *ledger) settle(found, rest, match *corpus.Set, term int, f corpus.Field) {
	for b := range found.All() {
		wanted, matched := rest.Block(b), match.Block(b)
		if wanted == nil || matched == nil {
			if f < corpus.Body {
				clear(l.block(b, term, f)[:])
			}
			continue
		}
		left := uint64(0)
		if f < corpus.Body {
			entry := l.block(b, term, f)
			for i := range wanted {
				entry[i] = matched[i] & wanted[i]
				wanted[i] &^= matched[i]
				left |= wanted[i]
			}
		} else {
			for i := range wanted {
				wanted[i] &^= matched[i]
				left |= wanted[i]
			}
		}
		if left == 0 {
			rest.Close(b)
		}
	}
}

// maxPlanes is the bits of the highest extra, of MaxTokens tokens in the title.
const maxPlanes = 8

// extras are the extras of 64 articles: plane p holds bit p of each.
type extras [maxPlanes]uint64

// sum adds up the extras of block b, each term so many times as the query has it.
func (l *ledger) sum(b int, terms []term) (e [corpus.BlockWords]extras) {
	for t := range terms {
		title, labels, excerpt := l.block(b, t, corpus.Title), l.block(b, t, corpus.Labels), l.block(b, t, corpus.Excerpt)
		for i := range e {
			// The bits of 7 for the title, of 3 for the labels, of 1 for the excerpt.
			bit2 := title[i]
			bit1 := bit2 | labels[i]
			bit0 := bit1 | excerpt[i]
			if bit0 == 0 {
				continue
			}
			for range terms[t].times {
				e[i].add(bit0, bit1, bit2)
			}
		}
	}
	return e
}

// add adds a number of three bits to each extra: a ripple-carry adder, 64 articles wide.
func (e *extras) add(bit0, bit1, bit2 uint64) {
	a0, a1, a2 := e[0], e[1], e[2]
	carry := a0 & bit0
	e[0] = a0 ^ bit0
	e[1] = a1 ^ bit1 ^ carry
	carry = a1&bit1 | carry&(a1^bit1)
	e[2] = a2 ^ bit2 ^ carry
	carry = a2&bit2 | carry&(a2^bit2)
	for p := 3; carry != 0; p++ {
		e[p], carry = e[p]^carry, e[p]&carry
	}
}

// of returns the extra of one article.
func (e *extras) of(bit, planes int) int {
	extra := 0
	for p, plane := range e[:planes] {
		extra |= int(plane>>bit&1) << p
	}
	return extra
}

// over returns the articles of found whose extra is over floor. floor >= -1.
func (e *extras) over(found uint64, floor, planes int) uint64 {
	if floor < 0 || found == 0 {
		return found
	}
	greater := uint64(0)
	for p := planes - 1; p >= 0; p-- {
		if floor>>p&1 == 0 {
			greater |= found & e[p]
			found &^= e[p]
		} else {
			found &= e[p]
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
	planes := bits.Len(uint(maxExtra * tokens))
	for b, block := range s.found.All() {
		sums := s.ledger.sum(b, s.terms)
		for i, found := range block {
			for found = sums[i].over(found, floor, planes); found != 0; found &= found - 1 {
				bit := bits.TrailingZeros64(found)
				extra := sums[i].of(bit, planes)
				if extra <= floor {
					continue
				}
				s.best = append(s.best, scored{(b*corpus.BlockWords+i)*64 + bit, extra})
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

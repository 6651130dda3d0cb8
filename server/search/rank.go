package search

import "slices"

// An article in whose body alone a token occurs gets 1 for it. What a better field adds to that is its extra.
const maxExtra = 7

// maxPlanes is the bits of the highest extra, of MaxTokens tokens in the title.
const maxPlanes = 8

// extras are the extras of 64 articles: plane p holds bit p of each.
type extras [maxPlanes]uint64

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

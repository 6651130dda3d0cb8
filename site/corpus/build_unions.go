package corpus

import (
	"cmp"
	"math/bits"
	"slices"
)

// The costs that decide which unions are stored, in nanoseconds as measured. Their ratios matter, not their values.
const (
	prefixCost  = 60 // finding the words of a prefix
	wordCost    = 15 // finding a list
	postingCost = 2  // decoding a number
	bitmapCost  = 64 // articles of a bitmap that are read in the time of one number
)

// unionBound is the cost above which a union is stored, per article of the corpus: what may remain to be done for a
// token grows no faster than the bitmaps that the ranking reads anyway.
const unionBound = 1.5

// minUnionBound keeps small corpora from storing unions that save next to nothing.
const minUnionBound = 10_000

// A unionBuilder chooses the unions and computes them.
type unionBuilder struct {
	c       *Corpus  // the corpus without unions
	common  []uint16 // as in builtDictionary
	costs   []int64  // costs[i]: of all prefixes below i
	bound   int64
	chosen  []union
	current []int // the chosen unions that no other chosen one contains, in order
}

type union struct {
	Range
	inside []int // the unions directly inside it
	height int   // 0: there are none
	lists  []byte
	bits   uint64 // of lists
}

// buildUnions makes the sections of the unions of c, which has everything else.
func buildUnions(c *Corpus, common []uint16) []union {
	b := &unionBuilder{c: c, common: common, bound: max(minUnionBound, int64(unionBound*float64(c.articles)))}
	b.sumCosts()
	b.choose()
	b.compute()
	slices.SortFunc(b.chosen, func(x, y union) int {
		return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(y.hi, x.hi))
	})
	return b.chosen
}

// sumCosts computes what the union of each prefix costs.
func (b *unionBuilder) sumCosts() {
	words := make([]int64, b.c.dict.numWords+1) // words[i]: cost of all words below i
	for f := Title; f < numFields; f++ {
		word := uint32(0)
		b.c.postings[f].eachLength(func(length uint64) {
			for f != Anywhere && b.c.present.rank(f, word) == b.c.present.rank(f, word+1) {
				word++
			}
			words[word+1] += wordCost + postingCost*min(int64(length), int64(b.c.articles)/bitmapCost)
			word++
		})
	}
	for i := range b.c.dict.numWords {
		words[i+1] += words[i]
	}
	n := b.c.dict.numPrefs
	b.costs = make([]int64, n+1)
	for i := range n {
		first, end := b.c.dict.subtree(b.c.dict.prefix(int(i)))
		b.costs[i+1] = b.costs[i] + prefixCost + words[end] - words[first]
	}
}

// choose walks the tree of the ranges that tokens have, bottom up, and stores what costs too much. It is the interval tree
// of the prefix array (Abouelhoda, Kurtz, Ohlebusch, J. Discrete Algorithms 2, 2004, algorithm 4.1).
func (b *unionBuilder) choose() {
	type node struct {
		common uint16
		lo     uint32
		saved  int64
	}
	n := b.c.dict.numPrefs
	stack := []node{{}}
	for i := range n {
		// A single prefix is the smallest range, whatever its token.
		below := node{lo: i, saved: b.consider(Range{i, i + 1}, 0)}
		next := uint16(0)
		if i+1 < n {
			next = b.common[i+1]
		}
		for top := &stack[len(stack)-1]; next < top.common; top = &stack[len(stack)-1] {
			top.saved += below.saved
			below = node{lo: top.lo, saved: b.consider(Range{top.lo, i + 1}, top.saved)}
			stack = stack[:len(stack)-1]
		}
		if top := &stack[len(stack)-1]; next > top.common {
			stack = append(stack, node{next, below.lo, below.saved})
		} else {
			top.saved += below.saved
		}
	}
}

// consider stores the union of r if it costs more than the bound where saved is what the unions inside it save. It returns
// what is saved now.
func (b *unionBuilder) consider(r Range, saved int64) int64 {
	cost := b.costs[r.hi] - b.costs[r.lo]
	if cost-saved <= b.bound {
		return saved
	}
	u := union{Range: r}
	at := len(b.current)
	for at > 0 && b.chosen[b.current[at-1]].lo >= r.lo {
		at--
	}
	u.inside = slices.Clone(b.current[at:])
	for _, i := range u.inside {
		u.height = max(u.height, b.chosen[i].height+1)
	}
	b.current = append(b.current[:at], len(b.chosen))
	b.chosen = append(b.chosen, u)
	return cost - int64(numFields)*int64(b.c.articles)/bitmapCost*postingCost
}

// compute makes the lists, those of the smaller unions first.
func (b *unionBuilder) compute() {
	var byHeight [][]int
	for i, u := range b.chosen {
		for len(byHeight) <= u.height {
			byHeight = append(byHeight, nil)
		}
		byHeight[u.height] = append(byHeight[u.height], i)
	}
	for _, unions := range byHeight {
		_ = parallel(len(unions), func(i int) error { // no f fails
			b.union(&b.chosen[unions[i]])
			return nil
		})
	}
}

func (b *unionBuilder) union(u *union) {
	var m Matches
	for f := range m {
		m[f].Reset(b.c.articles)
	}
	pos := u.lo
	for _, i := range u.inside {
		for inner := &b.chosen[i]; pos < inner.hi; pos++ {
			if pos == inner.lo {
				b.c.matchLists(inner.lists, 0, &m)
				pos = inner.hi - 1
				continue
			}
			b.c.matchPrefix(pos, &m)
		}
	}
	for ; pos < u.hi; pos++ {
		b.c.matchPrefix(pos, &m)
	}
	var w bitWriter
	for f := range m {
		numbers := m[f].numbers()
		w.putGamma(uint64(len(numbers)) + 1)
		b.c.universe.write(&w, numbers)
	}
	u.bits = w.pos()
	u.lists = w.finish()
}

// numbers returns the articles in the set, ascending.
func (s *Set) numbers() []uint32 {
	numbers := make([]uint32, 0, s.Len())
	for b := range s.blocks {
		for i, word := range s.Block(b) {
			for ; word != 0; word &= word - 1 {
				numbers = append(numbers, uint32((b*BlockWords+i)*64+bits.TrailingZeros64(word)))
			}
		}
	}
	return numbers
}

// writeUnions makes the sections of unions over the given number of prefixes.
func writeUnions(s [][]byte, unions []union, prefixes uint32) {
	var ranges []uint32
	var offsets []uint64
	var lists bitWriter
	for _, u := range unions {
		ranges = append(ranges, u.lo, u.hi)
		offsets = append(offsets, lists.pos())
		for at := uint64(0); at < u.bits; at += 56 {
			lists.put(peek(u.lists, at)&(1<<min(56, u.bits-at)-1), uint(min(56, u.bits-at)))
		}
	}
	s[secUnionLists] = lists.finish()
	s[secUnionRanges] = pack(ranges, widthOf(uint64(prefixes)))
	s[secUnionOffsets] = pack(offsets, widthOf(uint64(len(s[secUnionLists]))*8))
}

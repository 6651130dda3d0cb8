package corpus

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// The costs that decide which unions are stored, in nanoseconds as measured. Their ratios matter, not their values.
const (
	prefixCost  = 30  // finding the words of a prefix
	wordCost    = 12  // finding a list
	bitmapSpeed = 128 // articles of a bitmap per nanosecond
)

// The bound, the cost above which a union is stored, is the lowest that keeps the unions to their share of the corpus, from
// minUnionBound on, below which a union saves nothing.
const (
	minUnionBound = 3_000
	boundStep     = 1.1 // from one bound to the next
	boundSteps    = 112
)

// listCost is the cost of adding a list to a set.
func (u *universe) listCost(length uint64) int64 {
	list := u.shape(length)
	if list.code == codeSparse {
		return wordCost + int64(list.coded)
	}
	return wordCost + int64(list.coded) + int64(u.n)/bitmapSpeed
}

// A unionBuilder chooses the unions and computes them.
type unionBuilder struct {
	c       *Corpus  // the corpus without unions
	common  []uint16 // as in builtDictionary
	sums    []sum    // sums[i]: of all prefixes below i
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
	at     [NumFields]listAt
}

// A sum is what lists of some prefixes or words add up to.
type sum struct {
	cost     int64
	postings [NumFields]int64
}

func (s sum) plus(o sum) sum {
	s.cost += o.cost
	for f, n := range o.postings {
		s.postings[f] += n
	}
	return s
}

func (s sum) minus(o sum) sum {
	s.cost -= o.cost
	for f, n := range o.postings {
		s.postings[f] -= n
	}
	return s
}

// listAt is where in a union's lists one of them stands, and its length.
type listAt struct{ pos, length uint64 }

// buildUnions makes the unions of c, which has everything else: of the ranges whose cost exceeds bound, or, where that is
// negative, of as many as are worth their size beside the given bytes.
func buildUnions(c *Corpus, common []uint16, bound int64, bytes int) []union {
	b := &unionBuilder{c: c, common: common, bound: bound}
	b.sumUp()
	if bound < 0 {
		b.bound = b.boundFor(unionShare(c.articles) * float64(bytes))
	}
	b.choose()
	b.compute()
	slices.SortFunc(b.chosen, func(x, y union) int {
		return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(y.hi, x.hi))
	})
	return b.chosen
}

// unionShare returns how large the unions may be together, as a share of all that a search reads besides them. It grows beyond
// 100,000 articles, where more and more of the time of a search is what unions save.
func unionShare(articles int) float64 {
	return 0.97 + 0.33*math.Log10(min(max(float64(articles)/1e5, 1), 10))
}

// boundFor returns the lowest bound whose unions most likely have no more than the given bytes.
func (b *unionBuilder) boundFor(bytes float64) int64 {
	bound := func(step int) int64 { return int64(minUnionBound * math.Pow(boundStep, float64(step))) }
	return bound(sort.Search(boundSteps, func(step int) bool {
		b.bound = bound(step)
		b.choose()
		total := 0.0
		for _, u := range b.chosen {
			total += b.estimate(u.Range)
		}
		return total <= bytes
	}))
}

// estimate returns how many bytes the union of r will most likely take, as if the words stood in articles at random.
func (b *unionBuilder) estimate(r Range) float64 {
	n := float64(b.c.articles)
	bits, rest := 0.0, 1.0 // the share of the articles that no weightier field has
	for _, postings := range b.sums[r.hi].minus(b.sums[r.lo]).postings {
		found := rest * (1 - math.Exp(-float64(postings)/n))
		bits += float64(b.c.universe.shape(uint64(found * n)).bits)
		rest -= found
	}
	return bits / 8
}

// sumUp computes what the lists of each prefix add up to.
func (b *unionBuilder) sumUp() {
	words := make([]sum, b.c.dict.numWords+1) // words[i]: of all words below i
	p := &b.c.postings
	for block := uint64(0); block*wordBlock < uint64(b.c.dict.numWords); block++ {
		r := p.block(p.offsets.at(block))
		for left := r.present; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			word := &words[block*wordBlock+uint64(bit%wordBlock)+1]
			length := r.next(p).length
			word.cost += b.c.universe.listCost(length)
			word.postings[bit/wordBlock] += int64(length)
		}
	}
	for i := range b.c.dict.numWords {
		words[i+1] = words[i+1].plus(words[i])
	}
	n := b.c.dict.numPrefs
	b.sums = make([]sum, n+1)
	for i := range n {
		span := b.c.dict.subtree(b.c.dict.prefix(int(i)))
		b.sums[i+1] = b.sums[i].plus(words[span.end]).minus(words[span.first])
		b.sums[i+1].cost += prefixCost
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
	b.chosen, b.current = nil, nil
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
	cost := b.sums[r.hi].cost - b.sums[r.lo].cost
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
	return cost - int64(NumFields)*b.c.universe.listCost(uint64(b.c.articles)/2)
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
	var cover Cover
	var set, weightier Set
	weightier.Reset(b.c.articles)
	pos := u.lo
	for _, i := range append(u.inside, -1) {
		inner := Range{u.hi, u.hi}
		if i >= 0 {
			inner = b.chosen[i].Range
		}
		for ; pos < inner.lo; pos++ {
			cover.prefixes = append(cover.prefixes, b.c.dict.prefix(int(pos)))
		}
		pos = inner.hi
	}
	b.c.locate(&cover)
	var numbers [NumFields][]uint32
	var w bitWriter
	for f := range NumFields {
		set.Reset(b.c.articles)
		b.c.Add(&set, &cover, f)
		for _, i := range u.inside {
			inner := &b.chosen[i]
			b.c.universe.add(&set, inner.lists, inner.at[f].pos, inner.at[f].length)
		}
		numbers[f] = set.numbers(&weightier)
		weightier.Union(&set)
		w.putGamma(uint64(len(numbers[f])) + 1)
	}
	for f, list := range numbers {
		u.at[f] = listAt{w.pos(), uint64(len(list))}
		b.c.universe.write(&w, list)
	}
	u.bits = w.pos()
	u.lists = w.finish()
}

// numbers returns the articles in s that are not in without, ascending.
func (s *Set) numbers(without *Set) []uint32 {
	numbers := make([]uint32, 0, s.Len())
	for b, block := range s.All() {
		known := without.Block(b)
		for i, word := range block {
			if known != nil {
				word &^= known[i]
			}
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

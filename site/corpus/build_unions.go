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
	listCost    = 45  // finding a list of a word, and beginning with it
	partCost    = 60  // finding a list of a union, and beginning with it: most are long
	bitmapSpeed = 512 // articles of a bitmap per nanosecond
)

// unionLimits say which ranges have a union.
type unionLimits struct {
	rate   float64 // nanoseconds of a query that a bit saves; 0: the lowest that keeps the unions to their share of the corpus
	saving int64   // nanoseconds of a query that a union saves
	part   uint64  // the length from which on a list may be a part
}

// defaultUnions are the limits of every corpus, save of those of tests. No one notices a few microseconds, and a shorter
// list takes hardly more space in the rest of a union than its number does.
var defaultUnions = unionLimits{saving: 6000, part: maxShort + 1}

// unionShare returns how large the unions may be together, as a share of all that a search reads besides them. It grows beyond
// 100,000 articles, where more and more of the time of a search is what unions save.
func unionShare(articles int) float64 {
	return 1 + 0.34*math.Log10(min(max(float64(articles)/1e5, 1), 10))
}

// A unionBuilder chooses the unions and computes them.
type unionBuilder struct {
	unionLimits
	c        *Corpus    // the corpus without unions
	common   []uint16   // as in builtDictionary
	sums     []sum      // sums[i]: of all prefixes below i
	long     []wordList // the lists of words that may be parts, by word
	longUpTo []uint32   // longUpTo[i]: how many of them are of words below i
	chosen   []*union
	current  []*union // the chosen unions that no other chosen one contains, in order
}

// A union is the lists of a range: those that stand elsewhere, its parts, and per field the rest.
type union struct {
	Range
	inside []*union // the unions directly inside it
	height int      // 0: there are none
	weight float64  // how often a token that has this range is asked for, compared with others
	cost   int64    // of a query that uses it
	size   float64  // in bits, as estimated
	parts  []part
	rest   [NumFields]listRef // pos: in lists; until these are made, only the length, as estimated
	lists  []byte
	bits   uint64 // of lists
	pos    uint64 // where they stand among those of all unions
}

// compare compares unions in the order in which they are stored.
func (u *union) compare(v *union) int {
	return cmp.Or(cmp.Compare(u.lo, v.lo), cmp.Compare(v.hi, u.hi))
}

// direct yields the prefixes of u that are in no union inside it.
func (u *union) direct(yield func(prefix uint32) bool) {
	next := u.lo
	for i := 0; i <= len(u.inside); i++ {
		end, after := u.hi, u.hi
		if i < len(u.inside) {
			end, after = u.inside[i].lo, u.inside[i].hi
		}
		for ; next < end; next++ {
			if !yield(next) {
				return
			}
		}
		next = after
	}
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

// buildUnions makes the unions of c, which has everything else, within the limits; where these leave the rate open, of as many
// ranges as are worth their size beside the given bytes.
func buildUnions(c *Corpus, common []uint16, limits unionLimits, bytes int) []*union {
	b := &unionBuilder{c: c, common: common, unionLimits: limits}
	b.sumUp()
	if b.rate == 0 {
		b.rate = b.rateFor(unionShare(c.articles) * float64(bytes))
	}
	b.choose()
	b.compute()
	slices.SortFunc(b.chosen, (*union).compare)
	return b.chosen
}

// rateFor returns the lowest rate at which the unions most likely have no more than the given bytes.
func (b *unionBuilder) rateFor(bytes float64) float64 {
	const lowest, step, steps = 0.001, 1.05, 280 // up to 856
	rate := func(i int) float64 { return lowest * math.Pow(step, float64(i)) }
	fits := func(i int) bool {
		b.rate = rate(i)
		b.choose()
		total := 0.0
		for _, u := range b.chosen {
			total += u.size / 8
		}
		return total <= bytes
	}
	if fits(0) { // as on small sites, where no other rate needs to be tried
		return lowest
	}
	return rate(sort.Search(steps, fits))
}

// sumUp computes what the lists of each prefix add up to, and finds the lists that may be parts.
func (b *unionBuilder) sumUp() {
	numWords := b.c.dict.numWords
	words := make([]sum, numWords+1) // words[i]: of all words below i
	b.longUpTo = make([]uint32, numWords+1)
	p := &b.c.postings
	for block := uint64(0); block*wordBlock < uint64(numWords); block++ {
		r := p.block(p.offsets.at(block))
		for left := r.present; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			number, f := block*wordBlock+uint64(bit%wordBlock), Field(bit/wordBlock)
			word, list := &words[number+1], r.next(p)
			word.cost += listCost + b.c.universe.readCost(list.length)
			word.postings[f] += int64(list.length)
			if list.length >= b.part {
				b.long = append(b.long, wordList{uint32(number), part{list, f, nil}})
				b.longUpTo[number+1]++
			}
		}
	}
	slices.SortStableFunc(b.long, func(x, y wordList) int { return cmp.Compare(x.word, y.word) })
	for i := range numWords {
		words[i+1] = words[i+1].plus(words[i])
		b.longUpTo[i+1] += b.longUpTo[i]
	}
	n := b.c.dict.numPrefs
	b.sums = make([]sum, n+1)
	for i := range n {
		span := b.c.dict.subtree(b.c.dict.prefix(int(i)))
		b.sums[i+1] = b.sums[i].plus(words[span.end]).minus(words[span.first])
		b.sums[i+1].cost += prefixCost
	}
}

// readCost is the cost of adding a list to a set, once it is found.
func (u *universe) readCost(length uint64) int64 {
	list := u.shape(length)
	if list.code == codeSparse {
		return int64(list.coded)
	}
	return int64(list.coded) + int64(u.n)/bitmapSpeed
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

// consider stores the union of r if it is worth its size where saved is what the unions inside it save. It returns what is
// saved now.
func (b *unionBuilder) consider(r Range, saved int64) int64 {
	cost := b.sums[r.hi].cost - b.sums[r.lo].cost
	if cost-saved <= b.saving {
		return saved
	}
	u := &union{Range: r}
	at := len(b.current)
	for at > 0 && b.current[at-1].lo >= r.lo {
		at--
	}
	u.inside = slices.Clone(b.current[at:])
	for _, inner := range u.inside {
		u.height = max(u.height, inner.height+1)
	}
	b.compose(u)
	if more := cost - u.cost - saved; more <= b.saving || float64(more) <= b.price(u) {
		return saved
	}
	b.current = append(b.current[:at], u)
	b.chosen = append(b.chosen, u)
	return cost - u.cost
}

// price is what u must save to be worth its size.
func (b *unionBuilder) price(u *union) float64 { return u.size * b.rate / u.weight }

package corpus

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// The costs that decide which unions are stored, in nanoseconds as measured. Their ratios matter, not their values.
var (
	prefixCost = tune("PREFIX", 30) // finding the words of a prefix
	wordCost   = tune("WORD", 45)   // finding a list of a word, and beginning with it
	partCost   = tune("PART", 60)   // finding a part of a union, and beginning with it
	readSpeed  = tune("READ", 4) // quarters
	scanSpeed  = tune("SCAN", 512)  // articles of a bitmap per nanosecond

	leastPart     = uint64(tune("LEAST", 16))
	completeWorth = float64(tune("COMPLETE", 200)) / 100
)

// The bound, the cost above which a union is stored, is the lowest that keeps the unions to their share of the corpus, from
// minUnionBound on, below which a union saves nothing.
const (
	minUnionBound = 500
	boundStep     = 1.1 // from one bound to the next
	boundSteps    = 112
)

// readCost is the cost of adding a list to a set, once it is found.
func (u *universe) readCost(length uint64) int64 {
	list := u.shape(length)
	if list.code == codeSparse {
		return int64(list.coded) * readSpeed / 4
	}
	return int64(list.coded)*readSpeed/4 + int64(u.n)/scanSpeed
}

// A unionBuilder chooses the unions and computes them.
type unionBuilder struct {
	c        *Corpus    // the corpus without unions
	common   []uint16   // as in builtDictionary
	sums     []sum      // sums[i]: of all prefixes below i
	long     []wordList // those that may be parts, by word
	longUpTo []uint32   // longUpTo[i]: how many of them are of words below i
	bound    int64
	chosen   []*union
	current  []*union // the chosen unions that no other chosen one contains, in order
}

// A union is the lists of a range: those that stand elsewhere, and per field the rest.
type union struct {
	Range
	inside []*union // the unions directly inside it
	height int      // 0: there are none
	parts  []part
	rest   [NumFields]listRef // pos: in lists
	size   float64            // in bits, as estimated
	cost   int64
	lists  []byte
	bits   uint64 // of lists
	at     uint64 // bit position of lists in their section
}

// A part is a list that a union refers to: of a word, or the rest of another union.
type part struct {
	listRef // pos: of a union's list, 0
	field   Field
	of      *union // nil: of a word
}

// A wordList is a list of a word that may be a part.
type wordList struct {
	word uint32
	part
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

// buildUnions makes the unions of c, which has everything else: of the ranges whose cost exceeds bound, or, where that is
// negative, of as many as are worth their size beside the given bytes.
func buildUnions(c *Corpus, common []uint16, bound int64, bytes int) []*union {
	b := &unionBuilder{c: c, common: common, bound: bound}
	b.sumUp()
	if bound < 0 {
		b.bound = b.boundFor(unionShare(c.articles) * float64(bytes))
	}
	b.choose()
	boundUsed = b.bound
	b.compute()
	slices.SortFunc(b.chosen, func(x, y *union) int {
		return cmp.Or(cmp.Compare(x.lo, y.lo), cmp.Compare(y.hi, x.hi))
	})
	return b.chosen
}

// unionShare returns how large the unions may be together, as a share of all that a search reads besides them. It grows beyond
// 100,000 articles, where more and more of the time of a search is what unions save.
func unionShare(articles int) float64 {
	return float64(tune("SHARE", 97))/100 + 0.33*math.Log10(min(max(float64(articles)/1e5, 1), 10))
}

// boundFor returns the lowest bound whose unions most likely have no more than the given bytes.
func (b *unionBuilder) boundFor(bytes float64) int64 {
	bound := func(step int) int64 { return int64(minUnionBound * math.Pow(boundStep, float64(step))) }
	return bound(sort.Search(boundSteps, func(step int) bool {
		b.bound = bound(step)
		b.choose()
		total := 0.0
		for _, u := range b.chosen {
			total += u.size / 8
		}
		return total <= bytes
	}))
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
			number := block*wordBlock + uint64(bit%wordBlock)
			word, list := &words[number+1], r.next(p)
			word.cost += wordCost + b.c.universe.readCost(list.length)
			word.postings[bit/wordBlock] += int64(list.length)
			if list.length >= leastPart {
				b.long = append(b.long, wordList{uint32(number), part{listRef: list, field: Field(bit / wordBlock)}})
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
	if cost-u.cost <= saved {
		return saved
	}
	b.current = append(b.current[:at], u)
	b.chosen = append(b.chosen, u)
	return cost - u.cost
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

package corpus

import (
	"cmp"
	"math"
	"slices"
)

// A part is a list that a union refers to: of a word, or the rest of a union inside it.
type part struct {
	listRef // pos: of a word's list
	field   Field
	of      *union // nil: of a word
}

// A wordList is a list of a word that may be a part.
type wordList struct {
	word uint32
	part
}

// compareLength compares parts by their length, the longest first, then as compare does.
func (p part) compareLength(q part) int { return cmp.Or(cmp.Compare(q.length, p.length), p.compare(q)) }

// compare compares parts by where they stand.
func (p part) compare(q part) int {
	switch {
	case p.of == nil && q.of == nil:
		return cmp.Compare(p.pos, q.pos)
	case p.of == nil:
		return -1
	case q.of == nil:
		return 1
	}
	return cmp.Or(p.of.compare(q.of), cmp.Compare(p.field, q.field))
}

// compose chooses the parts of u, so that what it takes and what a query of it costs is least together: of the lists that may
// be, the longest 0, 1, 2, 4, 8 ..., or all. The more of them are parts, the smaller is the rest.
func (b *unionBuilder) compose(u *union) {
	candidates, postings := b.candidates(u)
	u.weight = b.weight(u.Range)
	var inParts [NumFields]int64
	cost, best, width := int64(0), 0, int(widthOf(uint64(len(b.long))))
	for n, next := 0, 0; ; next = max(1, 2*next) {
		for ; n < min(next, len(candidates)); n++ {
			p := &candidates[n]
			postings[p.field] -= int64(p.length)
			inParts[p.field] += int64(p.length)
			cost += b.partCost(p.length)
		}
		v := union{weight: u.weight, cost: cost, size: float64(n*width + unionBits)}
		b.estimate(&v, inParts, postings)
		if n == 0 || float64(v.cost)+b.price(&v) < float64(u.cost)+b.price(u) {
			u.cost, u.size, u.rest, best = v.cost, v.size, v.rest, n
		}
		if n == len(candidates) {
			break
		}
	}
	u.parts = slices.Clone(candidates[:best]) // the others are many
}

// weight returns how many words of r there are to an article: a token is most likely asked for as often as it is written.
func (b *unionBuilder) weight(r Range) float64 {
	total := int64(0)
	for _, n := range b.sums[r.hi].minus(b.sums[r.lo]).postings {
		total += n
	}
	return float64(total) / float64(b.c.articles)
}

// unionBits is about what a union takes besides its lists and parts.
const unionBits = 100

func (b *unionBuilder) partCost(length uint64) int64 { return partCost + b.c.universe.readCost(length) }

// candidates returns the lists that may be parts of u, the longest first, and how many numbers are on all lists of u.
func (b *unionBuilder) candidates(u *union) ([]part, [NumFields]int64) {
	var parts []part
	postings := b.sums[u.hi].minus(b.sums[u.lo]).postings
	for _, inner := range u.inside {
		merged := b.sums[inner.hi].minus(b.sums[inner.lo]).postings
		for f, rest := range inner.rest {
			postings[f] += int64(rest.length) - merged[f]
			if rest.length >= b.part {
				parts = append(parts, part{listRef{0, rest.length}, Field(f), inner})
			}
		}
		for _, p := range inner.parts {
			postings[p.field] += int64(p.length)
		}
		parts = append(parts, inner.parts...)
	}
	for i := range u.direct {
		span := b.c.dict.subtree(b.c.dict.prefix(int(i)))
		for _, list := range b.long[b.longUpTo[span.first]:b.longUpTo[span.end]] {
			parts = append(parts, list.part)
		}
	}
	// A word that contains the token twice has its lists here twice.
	slices.SortFunc(parts, part.compareLength)
	var last part
	return slices.DeleteFunc(parts, func(p part) bool {
		again := p == last
		if last = p; again {
			postings[p.field] -= int64(p.length)
		}
		return again
	}), postings
}

// estimate sets how long the rest of u most likely is, and adds what it takes and costs, as if words stood in articles at
// random: so many numbers are on the parts, and so many on the other lists.
func (b *unionBuilder) estimate(u *union, inParts, postings [NumFields]int64) {
	n := float64(b.c.articles)
	free := n // articles that are on no list so far
	for f := range u.rest {
		free *= math.Exp(-float64(inParts[f]) / n)
		rest := free * (1 - math.Exp(-float64(postings[f])/n))
		free -= rest
		length := uint64(math.Round(rest))
		u.rest[f].length = length
		u.size += float64(b.c.universe.shape(length).bits)
		if length > 0 {
			u.cost += b.partCost(length)
		}
	}
}

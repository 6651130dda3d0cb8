package corpus

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// compose chooses the parts of u, and estimates the rest.
func (b *unionBuilder) compose(u *union) {
	candidates, postings := b.candidates(u)
	b.estimate(u, postings)
	complete := *u
	left := b.bound * tune("RB", 100) / 100
	for i := range candidates {
		p := &candidates[i]
		left -= partCost + b.c.universe.readCost(p.length)
		if left < 0 {
			break
		}
		u.parts = candidates[:i+1]
		postings[p.field] -= int64(p.length)
	}
	b.estimate(u, postings)
	if complete.size <= u.size*completeWorth {
		*u = complete
	}
}

// candidates returns the lists that may be parts of u, the longest first, and how many numbers are on all lists of u.
func (b *unionBuilder) candidates(u *union) ([]part, [NumFields]int64) {
	var parts []part
	postings := b.sums[u.hi].minus(b.sums[u.lo]).postings
	for _, inner := range u.inside {
		all := b.sums[inner.hi].minus(b.sums[inner.lo]).postings
		for f := range postings {
			postings[f] += int64(inner.rest[f].length) - all[f]
			if inner.rest[f].length >= leastPart {
				parts = append(parts, part{listRef{0, inner.rest[f].length}, Field(f), inner})
			}
		}
		for _, p := range inner.parts {
			postings[p.field] += int64(p.length)
		}
		parts = append(parts, inner.parts...)
	}
	for i := range u.direct {
		span := b.c.dict.subtree(b.c.dict.prefix(int(i)))
		for _, l := range b.long[b.longUpTo[span.first]:b.longUpTo[span.end]] {
			parts = append(parts, l.part)
		}
	}
	slices.SortFunc(parts, comparePart)
	before := part{}
	return slices.DeleteFunc(parts, func(p part) bool {
		same := p == before
		if before = p; same {
			postings[p.field] -= int64(p.length)
		}
		return same
	}), postings
}

// comparePart compares the longest first.
func comparePart(p, q part) int {
	return cmp.Or(cmp.Compare(q.length, p.length), comparePlace(p, q))
}

// comparePlace compares parts by where they stand.
func comparePlace(p, q part) int {
	if p.of != nil && q.of != nil {
		return cmp.Or(p.of.compare(q.of), cmp.Compare(p.field, q.field))
	}
	if p.of == nil && q.of == nil {
		return cmp.Compare(p.pos, q.pos)
	}
	if p.of == nil {
		return -1
	}
	return 1
}

// compare compares unions in the order in which they are stored.
func (u *union) compare(v *union) int {
	return cmp.Or(cmp.Compare(u.lo, v.lo), cmp.Compare(v.hi, u.hi))
}

// estimate sets how long the rest of u most likely is, and what u then takes and costs, as if words stood in articles at
// random: so many numbers are on the lists that are no part of it.
func (b *unionBuilder) estimate(u *union, postings [NumFields]int64) {
	n := float64(b.c.articles)
	var inParts [NumFields]int64
	u.cost = 0
	for _, p := range u.parts {
		inParts[p.field] += int64(p.length)
		u.cost += partCost + b.c.universe.readCost(p.length)
	}
	u.size = float64(len(u.parts)*bits.Len(uint(len(b.long))) + unionBits)
	free := n // articles on no list so far
	for f := range u.rest {
		free *= math.Exp(-float64(inParts[f]) / n)
		found := free * (1 - math.Exp(-float64(postings[f])/n))
		free -= found
		u.rest[f].length = uint64(found + 0.5)
		u.size += float64(b.c.universe.shape(u.rest[f].length).bits)
		if u.rest[f].length > 0 {
			u.cost += partCost + b.c.universe.readCost(u.rest[f].length)
		}
	}
}

// unionBits is about what a union takes besides its lists.
const unionBits = 100

// compute makes the lists, those of the smaller unions first.
func (b *unionBuilder) compute() {
	var byHeight [][]*union
	for _, u := range b.chosen {
		for len(byHeight) <= u.height {
			byHeight = append(byHeight, nil)
		}
		byHeight[u.height] = append(byHeight[u.height], u)
	}
	for _, unions := range byHeight {
		_ = parallel(len(unions), func(i int) error { // no f fails
			b.union(unions[i])
			return nil
		})
	}
}

// union makes the lists of u. Those of the unions inside it are made.
func (b *unionBuilder) union(u *union) {
	u.parts = nil
	b.compose(u)
	var cover Cover
	for i := range u.direct {
		cover.prefixes = append(cover.prefixes, b.c.dict.prefix(int(i)))
	}
	b.c.locate(&cover)
	var w bitWriter
	var set, known Set
	known.Reset(b.c.articles)
	for f := range NumFields {
		set.Reset(b.c.articles)
		b.c.Add(&set, &cover, f)
		for _, inner := range u.inside {
			b.addParts(&set, inner.parts, f)
			b.add(&set, part{inner.rest[f], f, inner})
		}
		b.addParts(&known, u.parts, f)
		rest := set.numbers(&known)
		known.Union(&set)
		u.rest[f] = listRef{w.pos(), uint64(len(rest))}
		b.c.universe.write(&w, rest)
	}
	u.bits = w.pos()
	u.lists = w.finish()
}

func (b *unionBuilder) addParts(s *Set, parts []part, f Field) {
	for _, p := range parts {
		if p.field == f {
			b.add(s, p)
		}
	}
}

// add adds the articles on a list to s.
func (b *unionBuilder) add(s *Set, p part) {
	if p.of != nil {
		rest := p.of.rest[p.field]
		b.c.universe.add(s, p.of.lists, rest.pos, rest.length)
		return
	}
	b.c.universe.add(s, b.c.postings.lists, p.pos, p.length)
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

// writeUnions makes the sections of unions over the given number of prefixes, and returns how many parts they have.
func writeUnions(s [][]byte, unions []*union, h *header) {
	parts, numbers := numberParts(unions)
	h.unions, h.parts = uint32(len(unions)), uint32(len(parts))
	var ranges []uint32
	var offsets []uint64
	var lists bitWriter
	for _, u := range unions {
		ranges = append(ranges, u.lo, u.hi)
		offsets = append(offsets, lists.pos())
		lists.putGamma(uint64(len(u.parts)) + 1)
		slices.SortFunc(u.parts, comparePlace)
		for _, p := range u.parts {
			lists.put(uint64(numbers[p]), widthOf(uint64(len(parts))))
		}
		for _, rest := range u.rest {
			lists.putGamma(rest.length + 1)
		}
		u.at = lists.pos()
		for at := uint64(0); at < u.bits; at += 56 {
			lists.put(peek(u.lists, at)&(1<<min(56, u.bits-at)-1), uint(min(56, u.bits-at)))
		}
	}
	s[secUnionLists] = lists.finish()
	s[secUnionRanges] = pack(ranges, widthOf(uint64(h.prefixes)))
	s[secUnionOffsets] = pack(offsets, offsetWidth(s[secUnionLists]))
	var table []uint64
	for _, p := range parts {
		pos := p.pos
		if p.of != nil {
			pos = uint64(len(s[secLists]))*8 + p.of.at + p.of.rest[p.field].pos
		}
		table = append(table, pos, p.length<<fieldBits|uint64(p.field))
	}
	s[secUnionParts] = pack(table, partWidth(h, s))
}

// numberParts returns the distinct parts of unions, by where they stand, and the number of each.
func numberParts(unions []*union) ([]part, map[part]uint32) {
	var parts []part
	numbers := map[part]uint32{}
	for _, u := range unions {
		for _, p := range u.parts {
			if _, ok := numbers[p]; !ok {
				numbers[p] = 0
				parts = append(parts, p)
			}
		}
	}
	slices.SortFunc(parts, comparePlace)
	for i, p := range parts {
		numbers[p] = uint32(i)
	}
	return parts, numbers
}

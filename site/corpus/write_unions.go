package corpus

import (
	"math/bits"
	"slices"
)

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
			b.merge(unions[i])
			return nil
		})
	}
}

// merge makes the lists of u: what those of its words and of the unions inside it have, but not its parts. These are chosen
// anew, now that the lists inside it are no longer estimates.
func (b *unionBuilder) merge(u *union) {
	b.compose(u)
	var cover Cover
	for i := range u.direct {
		cover.prefixes = append(cover.prefixes, b.c.dict.prefix(int(i)))
	}
	b.c.locate(&cover)
	var set, known Set
	known.Reset(b.c.articles)
	var w bitWriter
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

// addParts adds the articles on those parts that are lists for field f.
func (b *unionBuilder) addParts(s *Set, parts []part, f Field) {
	for _, p := range parts {
		if p.field == f {
			b.add(s, p)
		}
	}
}

// add adds the articles on a part.
func (b *unionBuilder) add(s *Set, p part) {
	if p.of == nil {
		b.c.universe.add(s, b.c.postings.lists, p.pos, p.length)
		return
	}
	rest := p.of.rest[p.field]
	b.c.universe.add(s, p.of.lists, rest.pos, rest.length)
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

// writeUnions makes the sections of unions, and the header's numbers of them. The other sections of the search are made.
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
		slices.SortFunc(u.parts, part.compare)
		for _, p := range u.parts {
			lists.put(uint64(numbers[p]), widthOf(uint64(h.parts)))
		}
		for _, rest := range u.rest {
			lists.putGamma(rest.length + 1)
		}
		u.pos = lists.pos()
		for at := uint64(0); at < u.bits; at += 56 {
			n := min(56, u.bits-at)
			lists.put(peek(u.lists, at)&(1<<n-1), uint(n))
		}
	}
	s[secUnionRanges] = pack(ranges, widthOf(uint64(h.prefixes)))
	s[secUnionLists] = lists.finish()
	s[secUnionOffsets] = pack(offsets, offsetWidth(s[secUnionLists]))
	var places []uint64
	for _, p := range parts {
		pos := p.pos
		if p.of != nil {
			pos = uint64(len(s[secLists]))*8 + p.of.pos + p.of.rest[p.field].pos
		}
		places = append(places, pos, p.length<<fieldBits|uint64(p.field))
	}
	s[secUnionParts] = pack(places, partWidth(h.articles, s))
}

// numberParts returns the distinct parts of unions, by where they stand, and the number of each.
func numberParts(unions []*union) ([]part, map[part]uint32) {
	numbers := make(map[part]uint32)
	var parts []part
	for _, u := range unions {
		for _, p := range u.parts {
			if _, ok := numbers[p]; !ok {
				numbers[p] = 0
				parts = append(parts, p)
			}
		}
	}
	slices.SortFunc(parts, part.compare)
	for i, p := range parts {
		numbers[p] = uint32(i)
	}
	return parts, numbers
}

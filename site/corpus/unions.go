package corpus

// A unionTable holds the precomputed unions: for some ranges of the prefix array the articles, per field, of all
// words that those prefixes lead to. They nest or are disjoint, and stand by start, a longer one first.
type unionTable struct {
	ranges   packed // start and end alternate
	offsets  packed // bit position of each union
	parts    packed // bit position, from the end of the lists of words on in lists; length<<fieldBits | field
	lists    []byte
	n        int
	numParts uint32
	partBits uint   // of the number of a part
	wordBits uint64 // of the lists of words
}

// A unionPart is a list that a union refers to.
type unionPart struct {
	listRef
	field Field
	of    partOf
}

type partOf bool

const (
	ofWords  partOf = false
	ofUnions partOf = true
)

func (t *unionTable) at(i int) Range {
	return Range{uint32(t.ranges.at(2 * uint64(i))), uint32(t.ranges.at(2*uint64(i) + 1))}
}

// from returns the first union from number i on that begins at prefix or behind it.
func (t *unionTable) from(i int, prefix uint32) int {
	for end := t.n; i < end; {
		if mid := int(uint(i+end) / 2); t.at(mid).lo < prefix {
			i = mid + 1
		} else {
			end = mid
		}
	}
	return i
}

// part returns part i.
func (t *unionTable) part(i uint64) unionPart {
	pos, list := t.parts.at(2*i), t.parts.at(2*i+1)
	p := unionPart{listRef{pos, list >> fieldBits}, Field(list & fieldMask), pos >= t.wordBits}
	if p.of == ofUnions {
		p.pos -= t.wordBits
	}
	return p
}

// appendLists appends the lists of union i.
func (t *unionTable) appendLists(cover *Cover, i int, u *universe) {
	parts, pos := gamma(t.lists, t.offsets.at(uint64(i)))
	for range parts - 1 {
		p := t.part(peek(t.lists, pos) & (1<<t.partBits - 1))
		pos += uint64(t.partBits)
		l := &cover.lists[p.field]
		l.total += int(p.length)
		if p.of == ofUnions {
			l.unions = append(l.unions, p.listRef)
		} else {
			l.words = append(l.words, p.listRef)
		}
	}
	var lengths [NumFields]uint64
	for f := range lengths {
		lengths[f], pos = gamma(t.lists, pos)
	}
	for f, length := range lengths {
		if length--; length > 0 {
			l := &cover.lists[f]
			l.unions = append(l.unions, listRef{pos, length})
			l.total += int(length)
			pos += u.shape(length).bits
		}
	}
}

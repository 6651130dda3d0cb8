package corpus

// A unionTable holds the precomputed unions: for some ranges of the prefix array the articles, per field, of all
// words that those prefixes lead to. They nest or are disjoint, and stand by start, a longer one first.
type unionTable struct {
	ranges   packed // start and end alternate
	offsets  packed // bit position of each union
	parts    packed // per part the bit position, and length<<fieldBits | field
	lists    []byte
	n        int
	numParts uint32
	partBits uint   // of the number of a part
	words    uint64 // bits of the lists of words: a part that stands there or behind is in lists
}

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

// part returns the list that part i is, its field, and whether it is the list of a word.
func (t *unionTable) part(i uint64) (ref listRef, f Field, ofWord bool) {
	pos, list := t.parts.at(2*i), t.parts.at(2*i+1)
	ref, f = listRef{pos, list >> fieldBits}, Field(list&fieldMask)
	if pos < t.words {
		return ref, f, true
	}
	ref.pos -= t.words
	return ref, f, false
}

// appendLists appends the lists of union i.
func (t *unionTable) appendLists(cover *Cover, i int, u *universe) {
	parts, pos := gamma(t.lists, t.offsets.at(uint64(i)))
	for range parts - 1 {
		ref, f, ofWord := t.part(peek(t.lists, pos) & (1<<t.partBits - 1))
		pos += uint64(t.partBits)
		l := &cover.lists[f]
		l.total += int(ref.length)
		if ofWord {
			l.words = append(l.words, ref)
		} else {
			l.unions = append(l.unions, ref)
		}
	}
	var lengths [NumFields]uint64
	for f := range lengths {
		lengths[f], pos = gamma(t.lists, pos)
		lengths[f]--
	}
	for f, length := range lengths {
		if length == 0 {
			continue
		}
		l := &cover.lists[f]
		l.total += int(length)
		l.unions = append(l.unions, listRef{pos, length})
		pos += u.shape(length).bits
	}
}

package corpus

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// exactSize is the size that a section must have, by the header and other sections.
type exactSize struct {
	section section
	bytes   uint64
}

func exactSizes(h header, s [][]byte) []exactSize {
	return []exactSize{
		{secNodes, uint64(blocksOf(h.nodes, nodeBlock)) * nodeBlockBytes},
		{secShared, uint64(h.words)},
		{secPrefixes, packedBytes(uint64(h.prefixes), widthOf(uint64(h.nodes)))},
		{secKeys, uint64(blocksOf(h.prefixes, keyStride)) * keyBytes},
		{secOffsets, packedBytes(uint64(blocksOf(h.words, wordBlock)), widthOf(uint64(len(s[secLists]))))},
		{secUnionRanges, packedBytes(2*uint64(h.unions), widthOf(uint64(h.prefixes)))},
		{secUnionOffsets, packedBytes(uint64(h.unions), offsetWidth(s[secUnionLists]))},
		{secUnionParts, packedBytes(2*uint64(h.parts), partWidth(h.articles, s))},
		{secRunes, runeBytes * uint64(h.runes)},
		{secPairFirsts, packedBytes(uint64(h.runes)+1, widthOf(uint64(h.pairs)))},
		{secPairSeconds, packedBytes(uint64(h.pairs), widthOf(uint64(h.runes)))},
		{secPairOffsets, packedBytes(uint64(h.pairs), offsetWidth(s[secPairLists]))},
		{secSegments, packedBytes(2*uint64(h.segments), segmentWidth(h))},
		{secResultOffsets, 4 * (uint64(h.articles) + 1)},
		{secDigests, digestBytes * uint64(h.articles)},
		{secCompanyOffsets, 4 * (uint64(h.companies) + 1)},
		{secNameOffsets, 4 * (uint64(h.companies) + 1)},
	}
}

// prove checks everything that queries rely on, besides the sizes.
func (c *Corpus) prove() error {
	checks := []struct {
		section section
		valid   func() bool
	}{
		{secLists, func() bool { return c.postings.valid(c.dict.numWords) }},
		{secUnionLists, c.validUnions},
		{secUnionParts, c.validParts},
		{secUnionRanges, func() bool { return c.unions.validRanges(c.dict.numPrefs) }},
		{secPairFirsts, c.runs.validFirsts},
		{secPairLists, c.runs.validLists},
		{secSegments, func() bool { return c.runs.validSegments(c.articles) }},
		{secNodes, c.dict.validNodes},
		{secPrefixes, c.dict.validPrefixes},
		{secResultOffsets, c.results.valid},
		{secCompanyOffsets, c.profiles.valid},
		{secNameOffsets, c.names.valid},
		{secNames, c.validNames},
	}
	return parallel(len(checks), func(i int) error {
		if !checks[i].valid() {
			return checks[i].section.error(ErrInvalid)
		}
		return nil
	})
}

// validNodes proves that walks from node to node and from word to word stay inside the dictionary.
func (d *dictionary) validNodes() bool {
	words := uint32(0)
	for b := uint32(0); b < blocksOf(d.numNodes, nodeBlock); b++ {
		block := d.nodes[b*nodeBlockBytes : (b+1)*nodeBlockBytes]
		starts := binary.LittleEndian.Uint64(block[nodeBlock:])
		rest := min(d.numNodes-b*nodeBlock, nodeBlock)
		if b == 0 && starts&1 == 0 || rest < nodeBlock && starts>>rest != 0 {
			return false
		}
		if binary.LittleEndian.Uint32(block[nodeBlock+8:]) != words {
			return false
		}
		words += uint32(bits.OnesCount64(starts))
	}
	return words == d.numWords && d.validWords()
}

// validWords proves that no word shares more with the word before than that has.
func (d *dictionary) validWords() bool {
	word, length := uint32(0), uint32(0)
	begin := uint32(0)
	finish := func(end uint32) bool {
		if uint32(d.shared[word]) > length {
			return false
		}
		length = d.omitted(word) + end - begin
		word++
		return true
	}
	for b := uint32(0); b < blocksOf(d.numNodes, nodeBlock); b++ {
		starts := binary.LittleEndian.Uint64(d.nodes[b*nodeBlockBytes+nodeBlock:])
		if b == 0 {
			starts &^= 1
		}
		for ; starts != 0; starts &= starts - 1 {
			start := b*nodeBlock + uint32(bits.TrailingZeros64(starts))
			if !finish(start) {
				return false
			}
			begin = start
		}
	}
	return d.numWords == 0 || finish(d.numNodes)
}

func (d *dictionary) validPrefixes() bool {
	for i := range uint64(d.numPrefs) {
		if d.prefixes.at(i) >= uint64(d.numNodes) {
			return false
		}
	}
	return true
}

// provedAtOnce is how many blocks or lists one processor proves before it looks for more.
const provedAtOnce = 4096

// proveAll reports whether ok holds for 0 <= i < n, on all processors.
func proveAll(n int, ok func(i int) bool) bool {
	return nil == parallel((n+provedAtOnce-1)/provedAtOnce, func(chunk int) error {
		for i := chunk * provedAtOnce; i < min(n, (chunk+1)*provedAtOnce); i++ {
			if !ok(i) {
				return ErrInvalid
			}
		}
		return nil
	})
}

// valid proves the lists of all words, and counts what is on them.
func (p *postings) valid(words uint32) bool {
	if len(p.lists) < padBytes {
		return false
	}
	var total atomic.Uint64
	ok := proveAll(int(blocksOf(words, wordBlock)), func(b int) bool {
		n, ok := p.validBlock(uint64(b), min(wordBlock, words-uint32(b)*wordBlock))
		total.Add(n)
		return ok
	})
	p.total = total.Load()
	return ok
}

// validBlock proves the lists of a block of words, of which each has one, and counts what is on them.
func (p *postings) validBlock(block uint64, words uint32) (total uint64, ok bool) {
	end := uint64(len(p.lists) - padBytes)
	at := p.offsets.at(block)
	if at+presentBytes > end {
		return 0, false
	}
	present := binary.LittleEndian.Uint64(p.lists[at:])
	lists := bits.OnesCount64(present)
	some := (present | present>>wordBlock | present>>(2*wordBlock) | present>>(3*wordBlock)) & (1<<wordBlock - 1)
	if some != 1<<words-1 || (at+presentBytes)*8+uint64(lists)*lengthBits > end*8 {
		return 0, false
	}
	r := p.block(at)
	if r.pos > end*8 {
		return 0, false
	}
	for range lists {
		ref := r.next(p)
		if _, ok := p.skipValid(p.lists, ref.pos, ref.length, end*8); !ok {
			return 0, false
		}
		total += ref.length
	}
	return total, true
}

// skipValid proves a list at bit pos of b, of which only the bits below end are lists. It returns where the list ends.
func (u *universe) skipValid(b []byte, pos, length, end uint64) (uint64, bool) {
	if length > u.n || pos > end {
		return pos, false
	}
	list := u.shape(length)
	return pos + list.bits, list.bits <= end-pos && u.check(b, pos, list)
}

func (t *unionTable) validRanges(prefixes uint32) bool {
	last := Range{}
	for i := range t.n {
		r := t.at(i)
		if r.lo >= r.hi || r.hi > prefixes || r.lo < last.lo {
			return false
		}
		last = r
	}
	return true
}

// validParts proves the lists that are parts.
func (c *Corpus) validParts() bool {
	words, unions := c.postings.lists, c.unions.lists
	if len(words) < padBytes || len(unions) < padBytes {
		return false
	}
	return proveAll(int(c.unions.numParts), func(i int) bool {
		ref, _, ofWord := c.unions.part(uint64(i))
		lists := unions
		if ofWord {
			lists = words
		}
		_, ok := c.universe.skipValid(lists, ref.pos, ref.length, uint64(len(lists)-padBytes)*8)
		return ok
	})
}

func (c *Corpus) validUnions() bool {
	return len(c.unions.lists) >= padBytes && proveAll(c.unions.n, func(i int) bool { return c.unions.valid(i, c.universe) })
}

// valid proves that union i has parts that there are, and lists.
func (t *unionTable) valid(i int, u *universe) bool {
	pos, end := t.offsets.at(uint64(i)), uint64(len(t.lists)-padBytes)*8
	if pos > end {
		return false
	}
	parts, pos := gamma(t.lists, pos)
	for range parts - 1 {
		if pos > end || peek(t.lists, pos)&(1<<t.partBits-1) >= uint64(t.numParts) {
			return false
		}
		pos += uint64(t.partBits)
	}
	var lengths [NumFields]uint64
	for f := range lengths {
		if pos > end {
			return false
		}
		lengths[f], pos = gamma(t.lists, pos)
	}
	for _, length := range lengths {
		var ok bool
		if pos, ok = u.skipValid(t.lists, pos, length-1, end); !ok {
			return false
		}
	}
	return true
}

func (r *runs) validFirsts() bool {
	for i := range uint64(r.numRunes) {
		if r.firsts.at(i) > r.firsts.at(i+1) {
			return false
		}
	}
	return r.firsts.at(uint64(r.numRunes)) == uint64(r.numPairs)
}

func (r *runs) validLists() bool {
	if len(r.lists) < padBytes {
		return false
	}
	end := uint64(len(r.lists)-padBytes) * 8
	return proveAll(r.numPairs, func(i int) bool {
		pos := r.offsets.at(uint64(i))
		if pos > end {
			return false
		}
		length, pos := gamma(r.lists, pos)
		if length > r.universe.n || pos > end {
			return false
		}
		list := r.universe.sparseShape(codeSparse, length)
		return list.bits <= end-pos && r.universe.check(r.lists, pos, list)
	})
}

// validSegments proves that there is a segment for every position, and an article for every segment.
func (r *runs) validSegments(articles int) bool {
	for i := range r.numSegs {
		if r.segments.at(2*uint64(i)+1)>>fieldBits >= uint64(articles) {
			return false
		}
	}
	return r.numPairs == 0 || r.numSegs > 0
}

func (t table) valid() bool {
	n := len(t.offsets)/4 - 1
	for i := range n {
		if t.start(i) > t.start(i+1) {
			return false
		}
	}
	return t.start(0) == 0 && t.start(n) == len(t.data)
}

// validNames proves that every company has a name and a slug, a zero byte behind each.
func (c *Corpus) validNames() bool {
	if !c.names.valid() {
		return false
	}
	for i := range c.companies {
		if key := c.names.at(i); bytes.Count(key, []byte{0}) != 2 || key[len(key)-1] != 0 {
			return false
		}
	}
	return true
}

package corpus

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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
		{secPresence, uint64(h.words/presenceBlock+1) * uint64(presenceBlockBytes)},
		{secUnionRanges, packedBytes(2*uint64(h.unions), widthOf(uint64(h.prefixes)))},
		{secUnionOffsets, packedBytes(uint64(h.unions), offsetWidth(s[secUnionLists]))},
		{secResultOffsets, 4 * (uint64(h.articles) + 1)},
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
		{secBodyLists, c.postings[Body].valid},
		{secExcerptLists, c.postings[Excerpt].valid},
		{secLabelsLists, c.postings[Labels].valid},
		{secTitleLists, c.postings[Title].valid},
		{secUnionLists, c.validUnions},
		{secUnionRanges, func() bool { return c.unions.validRanges(c.dict.numPrefs) }},
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

// count proves the bitmaps and returns how many words have a list for each field.
func (p presence) count(words uint32) (counts [NumFields]uint32, ok bool) {
	for b := range uint32(len(p) / presenceBlockBytes) {
		block := p[int(b)*presenceBlockBytes:]
		for f := range NumFields {
			present := binary.LittleEndian.Uint64(block[f*8:])
			if binary.LittleEndian.Uint32(block[int(NumFields)*8+int(f)*4:]) != counts[f] {
				return counts, false
			}
			if rest := words - b*presenceBlock; rest < presenceBlock && present>>rest != 0 {
				return counts, false
			}
			counts[f] += uint32(bits.OnesCount64(present))
		}
	}
	return counts, true
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

// valid proves the lists of a field, and counts what is on them.
func (p *postings) valid() bool {
	for block := range uint64(blocksOf(uint32(p.words), wordBlock)) {
		if !p.validBlock(block) {
			return false
		}
	}
	return true
}

func (p *postings) validBlock(block uint64) bool {
	end := uint64(len(p.lists))
	if end < padBytes {
		return false
	}
	end = (end - padBytes) * 8
	pos := p.offsets.at(block)
	if pos+wordBlock*lengthBits > end {
		return false
	}
	codes := peek64(p.lists, pos)
	pos += wordBlock * lengthBits
	for range min(wordBlock, p.words-block*wordBlock) {
		if pos > end {
			return false
		}
		var length uint64
		length, pos = p.length(codes, pos)
		codes >>= lengthBits
		var ok bool
		if pos, ok = p.skipValid(p.lists, pos, length, end); !ok {
			return false
		}
		p.total += length
	}
	return true
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

func (c *Corpus) validUnions() bool {
	if len(c.unions.lists) < padBytes {
		return false
	}
	end := uint64(len(c.unions.lists)-padBytes) * 8
	for i := range c.unions.n {
		pos := c.unions.offsets.at(uint64(i))
		for range NumFields {
			if pos > end {
				return false
			}
			length, list := gamma(c.unions.lists, pos)
			var ok bool
			if pos, ok = c.universe.skipValid(c.unions.lists, list, length-1, end); !ok {
				return false
			}
		}
	}
	return true
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

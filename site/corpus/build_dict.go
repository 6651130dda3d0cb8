package corpus

import (
	"encoding/binary"
	"index/suffixarray"
)

// A builtDictionary is a dictionary in the making, with what the unions are found by.
type builtDictionary struct {
	nodes    []byte
	shared   []byte
	keys     []byte
	numNodes uint32
	prefixes []uint32 // node positions, ordered by their prefix read backwards
	common   []uint16 // per prefix, the bytes it has in common with the one before, backwards, at most maxCommon
}

// maxCommon is more bytes than a folded token can have: folding at most triples the bytes of a query.
const maxCommon = 4096

// buildDictionary builds the dictionary of sorted, distinct words.
func buildDictionary(words []string) *builtDictionary {
	d := &builtDictionary{}
	reversed, nodeAt := d.writeNodes(words)
	d.sortPrefixes(reversed, nodeAt)
	return d
}

// writeNodes writes nodes and shared. It returns the words backwards, a zero byte behind each, and for each byte that
// is the first node of a prefix that ends with a whole UTF-8 sequence, the position of the node plus one.
func (d *builtDictionary) writeNodes(words []string) (reversed []byte, nodeAt []uint32) {
	total := 0
	for _, w := range words {
		total += len(w) + 1
	}
	reversed, nodeAt = make([]byte, 0, total), make([]uint32, total)
	var labels []byte
	var starts []uint32
	previous := ""
	for i, w := range words {
		shared := commonPrefix(previous, w)
		stored := shared
		if i%restartStride == 0 {
			stored = 0
		}
		d.shared = append(d.shared, byte(shared))
		starts = append(starts, uint32(len(labels)))
		for depth := len(w); depth > 0; depth-- {
			if depth > shared && (depth == len(w) || w[depth]&0xC0 != 0x80) {
				nodeAt[len(reversed)] = uint32(len(labels)+depth-stored-1) + 1
			}
			reversed = append(reversed, w[depth-1])
		}
		reversed = append(reversed, 0)
		labels = append(labels, w[stored:]...)
		previous = w
	}
	d.packNodes(labels, starts)
	return reversed, nodeAt
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b), maxShared) && a[n] == b[n] {
		n++
	}
	return n
}

func (d *builtDictionary) packNodes(labels []byte, starts []uint32) {
	d.numNodes = uint32(len(labels))
	blocks := blocksOf(d.numNodes, nodeBlock)
	d.nodes = make([]byte, blocks*nodeBlockBytes)
	word := 0
	for b := range blocks {
		block := d.nodes[b*nodeBlockBytes:][:nodeBlockBytes]
		copy(block[:nodeBlock], labels[b*nodeBlock:])
		binary.LittleEndian.PutUint32(block[nodeBlock+8:], uint32(word))
		bitmap := uint64(0)
		for ; word < len(starts) && starts[word] < (b+1)*nodeBlock; word++ {
			bitmap |= 1 << (starts[word] % nodeBlock)
		}
		binary.LittleEndian.PutUint64(block[nodeBlock:], bitmap)
	}
}

// sortPrefixes makes prefixes, keys and common from a suffix array of the reversed words, in linear time.
func (d *builtDictionary) sortPrefixes(reversed []byte, nodeAt []uint32) {
	sorted := suffixarray.New(reversed)
	last := -1
	for c := 1; c < 256; c++ {
		// The documentation promises no order, but the result is a part of the suffix array: TestPrefixOrder.
		for _, at := range sorted.Lookup([]byte{byte(c)}, -1) {
			if nodeAt[at] == 0 {
				continue
			}
			if len(d.prefixes)%keyStride == 0 {
				d.keys = binary.LittleEndian.AppendUint64(d.keys, prefixKey(reversed[at:]))
			}
			common := 0
			if last >= 0 {
				common = commonReversed(reversed[last:], reversed[at:])
			}
			d.prefixes = append(d.prefixes, nodeAt[at]-1)
			d.common = append(d.common, uint16(common))
			last = at
		}
	}
}

func prefixKey(backwards []byte) uint64 {
	key := uint64(0)
	for i := range keyBytes {
		c := backwards[i]
		if c == 0 {
			return key << (8 * (keyBytes - i))
		}
		key = key<<8 | uint64(c)
	}
	return key
}

// commonReversed counts the bytes that two prefixes have in common, and ends at whole UTF-8 sequences: no token begins inside one.
func commonReversed(a, b []byte) int {
	whole := 0
	for n := 0; n < maxCommon && a[n] == b[n] && a[n] != 0; n++ {
		if a[n]&0xC0 != 0x80 {
			whole = n + 1
		}
	}
	return whole
}

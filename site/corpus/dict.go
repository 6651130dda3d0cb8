package corpus

import (
	"encoding/binary"
	"math/bits"
	"sort"
)

// A dictionary is the sorted list of the distinct words, front coded, and the prefix array over it. See Format.
type dictionary struct {
	nodes    []byte // blocks of nodeBlockBytes
	shared   []byte // per word
	prefixes packed // node positions, ordered by their prefix read backwards
	keys     []byte // of every keyStride-th prefix
	numWords uint32
	numNodes uint32
	numPrefs uint32
}

const (
	nodeBlock      = 64         // nodes in a block
	nodeBlockBytes = 64 + 8 + 4 // their labels, a bit per word start, the number of word starts before the block
	restartStride  = 32         // every word whose number is a multiple of it is stored whole
	maxShared      = 255        // a longer common prefix counts as one of this length
	keyStride      = 32         // prefixes per key
	keyBytes       = 8          // the last bytes of a prefix, the very last one first
)

// word returns the number of the word that node p belongs to, and start the position of that word's first node.
func (d *dictionary) word(p uint32) uint32 {
	b := d.nodes[p/nodeBlock*nodeBlockBytes+nodeBlock:]
	upTo := binary.LittleEndian.Uint64(b) << (nodeBlock - 1 - p%nodeBlock)
	return binary.LittleEndian.Uint32(b[8:]) + uint32(bits.OnesCount64(upTo)) - 1
}

func (d *dictionary) start(p uint32) uint32 {
	block := p / nodeBlock
	starts := d.starts(block) << (nodeBlock - 1 - p%nodeBlock)
	if starts != 0 {
		return p - uint32(bits.LeadingZeros64(starts))
	}
	if block--; d.starts(block) == 0 {
		// A word of many blocks: it begins in the last one before which fewer words begin.
		before := d.startsBefore(block)
		block = uint32(sort.Search(int(block), func(b int) bool { return d.startsBefore(uint32(b)) == before })) - 1
	}
	return block*nodeBlock + nodeBlock - 1 - uint32(bits.LeadingZeros64(d.starts(block)))
}

// starts returns a bit per node of a block that begins a word, startsBefore how many words begin in the blocks before it.
func (d *dictionary) starts(block uint32) uint64 {
	return binary.LittleEndian.Uint64(d.nodes[block*nodeBlockBytes+nodeBlock:])
}

func (d *dictionary) startsBefore(block uint32) uint32 {
	return binary.LittleEndian.Uint32(d.nodes[block*nodeBlockBytes+nodeBlock+8:])
}

func (d *dictionary) label(p uint32) byte { return d.nodes[p/nodeBlock*nodeBlockBytes+p%nodeBlock] }

// omitted returns how many bytes of a word are not stored with it, but with a word before it.
func (d *dictionary) omitted(word uint32) uint32 {
	if word%restartStride == 0 {
		return 0
	}
	return uint32(d.shared[word])
}

// subtree returns the words that begin with the prefix that ends at node p.
func (d *dictionary) subtree(p uint32) wordSpan {
	first := d.word(p)
	return d.subtreeFrom(first, p-d.start(p)+1)
}

// subtreeFrom returns the words that begin with the prefix that ends with byte number stored of what is stored of word first.
func (d *dictionary) subtreeFrom(first, stored uint32) wordSpan {
	depth := d.omitted(first) + stored
	end := first + 1
	for end < d.numWords && uint32(d.shared[end]) >= depth {
		end++
	}
	return wordSpan{first, end}
}

// compare compares the prefix that ends at node p with token, both read backwards, over the length of token:
// 0 means that the prefix ends with token.
func (d *dictionary) compare(p uint32, token string) int {
	word, start := uint32(0), d.start(p)
	known := false
	for i := len(token) - 1; ; {
		for ; ; p-- {
			if c := d.label(p); c != token[i] {
				return int(c) - int(token[i])
			}
			if i--; i < 0 {
				return 0
			}
			if p == start {
				break
			}
		}
		if !known {
			word, known = d.word(start), true
		}
		// The rest of the prefix stands with the nearest word before that does not omit it.
		rest := d.omitted(word)
		if rest == 0 {
			return -1
		}
		for omitted := rest; omitted >= rest; {
			word--
			start = d.start(start - 1)
			omitted = d.omitted(word)
			p = start + rest - omitted - 1
		}
	}
}

// A Range is the part of the prefix array whose prefixes end with one token.
type Range struct{ lo, hi uint32 }

// Empty reports whether no word contains the token.
func (r Range) Empty() bool { return r.lo >= r.hi }

// find returns the range of token, which is not empty.
func (d *dictionary) find(token string) Range {
	low, high := tokenKeys(token)
	numKeys := len(d.keys) / keyBytes
	before := d.firstKey(0, numKeys, low)
	end := before
	for step := 1; end < numKeys && d.key(end) <= high; step *= 2 { // most ranges are short
		end += step
	}
	upTo := before + sort.Search(min(end, numKeys)-before, func(i int) bool { return d.key(before+i) > high })
	// Prefix i*keyStride has key i: those before `before` are too low, and those from upTo on too high.
	from, to := max(before*keyStride-keyStride+1, 0), min(upTo*keyStride, int(d.numPrefs))
	if len(token) <= keyBytes && upTo > before {
		to = before*keyStride + 1 // which ends with the token
	}
	lo := d.search(from, to, token, 0)
	if lo == to || d.compare(d.prefix(lo), token) != 0 {
		return Range{}
	}
	from, to = lo+1, min(upTo*keyStride, int(d.numPrefs))
	if len(token) <= keyBytes {
		from = max(from, upTo*keyStride-keyStride+1)
	}
	for step := 1; from+step < to; step *= 2 {
		if d.compare(d.prefix(from+step), token) > 0 {
			to = from + step
			break
		}
		from += step + 1
	}
	return Range{uint32(lo), uint32(d.search(from, to, token, 1))}
}

func (d *dictionary) prefix(i int) uint32 { return uint32(d.prefixes.at(uint64(i))) }

func (d *dictionary) key(i int) uint64 { return binary.LittleEndian.Uint64(d.keys[i*keyBytes:]) }

// firstKey returns the first key in [from, to) that is not below low, and to if there is none.
func (d *dictionary) firstKey(from, to int, low uint64) int {
	for from < to {
		if mid := int(uint(from+to) / 2); d.key(mid) < low {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// search returns the first prefix in [from, to) that compares with token as at least want, and to if there is none.
func (d *dictionary) search(from, to int, token string, want int) int {
	for from < to {
		mid := int(uint(from+to) / 2)
		if d.compare(d.prefix(mid), token) >= want {
			to = mid
		} else {
			from = mid + 1
		}
	}
	return to
}

// tokenKeys returns the lowest and the highest key that a prefix ending with token can have.
func tokenKeys(token string) (low, high uint64) {
	n := min(len(token), keyBytes)
	for i := range n {
		low = low<<8 | uint64(token[len(token)-1-i])
	}
	free := uint(64 - 8*n)
	return low << free, low<<free | (1<<free - 1)
}

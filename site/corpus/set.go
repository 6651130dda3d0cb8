package corpus

import (
	"iter"
	"math/bits"
)

// A Set is a set of article numbers: a bitmap in blocks of 512 articles, one cache line each, and a bit per block that
// says whether the block is in use. A block not in use holds stale bits, so emptying a set of a million articles
// costs 250 bytes, and a set of three articles is never scanned as a bitmap.
type Set struct {
	Words  []uint64 // bit i of Words[w]: article 64*w + i, valid where the block is in use
	Blocks []uint64 // bit i of Blocks[w]: block 64*w + i is in use
	blocks int      // number of blocks
}

// BlockWords is the number of Words in a block.
const BlockWords = 8

const blockShift = 9 // log2 of the articles in a block

// Reset makes the set an empty one that can hold the articles below n.
func (s *Set) Reset(n int) {
	s.blocks = (n + 1<<blockShift - 1) >> blockShift
	if words := s.blocks * BlockWords; cap(s.Words) < words {
		s.Words = make([]uint64, words)
	} else {
		s.Words = s.Words[:words]
	}
	if words := (s.blocks + 63) / 64; cap(s.Blocks) < words {
		s.Blocks = make([]uint64, words)
	} else {
		s.Blocks = s.Blocks[:words]
		clear(s.Blocks)
	}
}

// Has reports whether the set holds article i.
func (s *Set) Has(i int) bool {
	return s.inUse(i>>blockShift) && s.Words[i>>6]>>(i&63)&1 != 0
}

// Block returns the words of block b, and nil if it is not in use.
func (s *Set) Block(b int) []uint64 {
	if !s.inUse(b) {
		return nil
	}
	return s.Words[b*BlockWords : (b+1)*BlockWords : (b+1)*BlockWords]
}

func (s *Set) inUse(b int) bool { return s.Blocks[b>>6]>>(b&63)&1 != 0 }

func (s *Set) add(i uint64) {
	if b := i >> blockShift; s.Blocks[b>>6]>>(b&63)&1 == 0 {
		s.open(b)
	}
	s.Words[i>>6] |= 1 << (i & 63)
}

func (s *Set) open(b uint64) {
	s.Blocks[b>>6] |= 1 << (b & 63)
	*(*[BlockWords]uint64)(s.Words[b*BlockWords:]) = [BlockWords]uint64{}
}

// openAll takes every block into use, after which Words alone is the set.
func (s *Set) openAll() {
	for w, used := range s.Blocks {
		all := ^uint64(0)
		if rest := s.blocks - w*64; rest < 64 {
			all = 1<<rest - 1
		}
		for free := all &^ used; free != 0; free &= free - 1 {
			s.open(uint64(w*64 + bits.TrailingZeros64(free)))
		}
	}
}

// All yields the blocks in use, ascending.
func (s *Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, used := range s.Blocks {
			for ; used != 0; used &= used - 1 {
				if !yield(w*64 + bits.TrailingZeros64(used)) {
					return
				}
			}
		}
	}
}

// Intersect removes from s every article that other does not hold. Both are of one corpus.
func (s *Set) Intersect(other *Set) {
	for w := range s.Blocks {
		s.Blocks[w] &= other.Blocks[w]
	}
	for b := range s.All() {
		mine, theirs := s.Block(b), other.Block(b)
		for i := range mine {
			mine[i] &= theirs[i]
		}
	}
}

// Len returns the number of articles in the set.
func (s *Set) Len() int {
	n := 0
	for b := range s.All() {
		for _, word := range s.Block(b) {
			n += bits.OnesCount64(word)
		}
	}
	return n
}

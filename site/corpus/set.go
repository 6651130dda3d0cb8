package corpus

import (
	"iter"
	"math/bits"
	"slices"
)

// A Set is a set of article numbers: a bitmap in blocks of 512 articles, one cache line each, and a bit per block that
// says whether the block is open. A closed block holds stale bits, so emptying a set of a million articles costs 250
// bytes, and a set of three articles is never scanned as a bitmap. A set may be confined to some articles: work for those in
// other blocks is then skipped where that is cheap.
type Set struct {
	words   []uint64 // bit i of words[w]: article 64*w + i, valid where the block is open
	open    []uint64 // bit i of open[w]: block 64*w + i is open
	allowed []uint64 // the blocks that may be opened
	blocks  int
	end     uint64 // articles from this one on are in no block that may be opened

	confined bool     // few blocks may be opened
	few      []uint32 // if not nil, the articles that matter, ascending
	allOpen  bool     // all blocks that may be opened are
}

const (
	// BlockWords is the number of 64-bit words in a block of a Set.
	BlockWords = 8

	blockShift = 9 // log2 of the articles in a block
	blockSize  = 1 << blockShift
)

// Reset makes s an empty set for the articles below n. All its blocks may be opened.
func (s *Set) Reset(n int) {
	s.blocks = (n + blockSize - 1) >> blockShift
	s.words = resize(s.words, s.blocks*BlockWords)
	s.open = resize(s.open, (s.blocks+63)/64)
	s.allowed = resize(s.allowed, len(s.open))
	clear(s.open)
	for w := range s.allowed {
		s.allowed[w] = 1<<min(s.blocks-w*64, 64) - 1
	}
	s.end = uint64(s.blocks) << blockShift
	s.confined, s.few, s.allOpen = false, nil, false
}

// AllowFew confines the empty set s to some articles, ascending, which must not change as long as articles are added: of
// others, s takes in only some.
func (s *Set) AllowFew(articles []uint32) {
	s.few, s.confined, s.end = articles, true, 0
	clear(s.allowed)
	for _, i := range articles {
		s.allowed[i>>blockShift>>6] |= 1 << (i >> blockShift & 63)
	}
	if n := len(articles); n > 0 {
		s.end = uint64(articles[n-1]>>blockShift+1) << blockShift
		s.confined = n < s.blocks/2
	}
}

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}

// Has reports whether the set holds article i.
func (s *Set) Has(i int) bool { return s.isOpen(uint64(i)>>blockShift) && s.words[i>>6]>>(i&63)&1 != 0 }

// Block returns the words of block b, and nil if it is closed.
func (s *Set) Block(b int) *[BlockWords]uint64 {
	if !s.isOpen(uint64(b)) {
		return nil
	}
	return (*[BlockWords]uint64)(s.words[b*BlockWords:])
}

// All yields the open blocks, ascending.
func (s *Set) All() iter.Seq2[int, *[BlockWords]uint64] {
	return func(yield func(int, *[BlockWords]uint64) bool) {
		for w, open := range s.open {
			for ; open != 0; open &= open - 1 {
				b := w*64 + bits.TrailingZeros64(open)
				if !yield(b, (*[BlockWords]uint64)(s.words[b*BlockWords:])) {
					return
				}
			}
		}
	}
}

// Union adds to s every article that other holds. Both are of one corpus, and may open the same blocks.
func (s *Set) Union(other *Set) {
	for b, theirs := range other.All() {
		if !s.isOpen(uint64(b)) {
			s.openBlock(uint64(b))
		}
		mine := (*[BlockWords]uint64)(s.words[b*BlockWords:])
		for i := range mine {
			mine[i] |= theirs[i]
		}
	}
}

// Len returns the number of articles in the set.
func (s *Set) Len() int {
	n := 0
	for _, block := range s.All() {
		for _, word := range block {
			n += bits.OnesCount64(word)
		}
	}
	return n
}

func (s *Set) isOpen(block uint64) bool { return s.open[block>>6]>>(block&63)&1 != 0 }

func (s *Set) add(i uint64) {
	if block := i >> blockShift; !s.isOpen(block) && !s.openBlock(block) {
		return
	}
	s.words[i>>6] |= 1 << (i & 63)
}

func (s *Set) openBlock(b uint64) bool {
	bit := uint64(1) << (b & 63)
	if s.allowed[b>>6]&bit == 0 {
		return false
	}
	s.open[b>>6] |= bit
	*(*[BlockWords]uint64)(s.words[b*BlockWords:]) = [BlockWords]uint64{}
	return true
}

// openAll opens every allowed block. After it, writing to words alone adds articles: what is written elsewhere is stale.
func (s *Set) openAll() {
	if s.allOpen {
		return
	}
	s.allOpen = true
	if !s.confined && !slices.ContainsFunc(s.open, func(open uint64) bool { return open != 0 }) {
		clear(s.words)
		copy(s.open, s.allowed)
		return
	}
	for w, allowed := range s.allowed {
		for closed := allowed &^ s.open[w]; closed != 0; closed &= closed - 1 {
			s.openBlock(uint64(w*64 + bits.TrailingZeros64(closed)))
		}
	}
}

// openRange opens every block of the articles from number first on, below end.
func (s *Set) openRange(first, end int) {
	if s.allOpen {
		return
	}
	for b := first >> blockShift; b < (end+blockSize-1)>>blockShift; b++ {
		if !s.isOpen(uint64(b)) {
			s.openBlock(uint64(b))
		}
	}
}

// anyAllowed reports whether an article in [first, last] may be taken in.
func (s *Set) anyAllowed(first, last uint64) bool {
	last = min(last>>blockShift, uint64(s.blocks)-1)
	for b := first >> blockShift; b <= last; b++ {
		if s.allowed[b>>6]>>(b&63)&1 != 0 {
			return true
		}
	}
	return false
}

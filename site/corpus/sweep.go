package corpus

import (
	"math/bits"
	"slices"
)

// A Sweep reads the lists of one field of a cover, from the newest article on and only as far as it is asked to: a search that
// has found enough leaves the rest unread. It is reused from token to token.
type Sweep struct {
	set     Set
	n       uint64
	sparse  []cursor
	missing []cursor
	bitmaps []source
}

// A source is where a list stands.
type source struct {
	b   []byte
	pos uint64
}

// A cursor is how far an Elias-Fano code has been read.
type cursor struct {
	source // of the next low part
	shape  shape
	high   uint64 // where the high parts begin
	base   uint64 // the bits of them that have been read
	number uint64 // the numbers that have been read

	// Of missing numbers only:
	left  uint64 // of the last bits read, those of numbers that have not been
	word  uint64 // the next word of the set
	holes uint64 // what is missing in it, as far as read
}

func newCursor(b []byte, pos uint64, list shape) cursor {
	return cursor{source: source{b, pos}, shape: list, high: pos + list.coded*uint64(list.k)}
}

// Sweep makes w a sweep of the lists for field f of cover. The short ones are not worth a cursor: they are read at once.
func (c *Corpus) Sweep(w *Sweep, cover *Cover, f Field) {
	w.n = uint64(c.articles)
	w.set.Reset(c.articles)
	w.sparse, w.missing, w.bitmaps = w.sparse[:0], w.missing[:0], w.bitmaps[:0]
	l := &cover.lists[f]
	sparse := func(ref listRef) bool { return c.universe.shape(ref.length).code == codeSparse }
	if l.total >= w.set.blocks/openShare && (slices.ContainsFunc(l.words, sparse) || slices.ContainsFunc(l.unions, sparse)) {
		w.set.openAll()
	}
	for _, ref := range l.words {
		cover.touched |= c.postings.lists[ref.pos/8]
	}
	for _, ref := range l.words {
		w.list(c.universe, c.postings.lists, ref)
	}
	for _, ref := range l.unions {
		w.list(c.universe, c.unions.lists, ref)
	}
	for _, segment := range cover.runs {
		if Field(segment&fieldMask) == f {
			w.set.add(uint64(segment >> fieldBits))
		}
	}
}

func (w *Sweep) list(u *universe, b []byte, ref listRef) {
	switch list := u.shape(ref.length); {
	case list.code == codeBitmap:
		w.bitmaps = append(w.bitmaps, source{b, ref.pos})
	case list.code == codeMissing:
		w.missing = append(w.missing, newCursor(b, ref.pos, list))
	case ref.length <= maxShort:
		u.add(&w.set, b, ref.pos, ref.length)
	default:
		w.sparse = append(w.sparse, newCursor(b, ref.pos, list))
	}
}

// Read reads the articles from number first on, below end. Those before have been read, or are not wanted. Both numbers
// are multiples of 64 * BlockWords, but for an end behind the last article.
func (w *Sweep) Read(first, end int) {
	if len(w.bitmaps)+len(w.missing) > 0 {
		w.set.openRange(first, end)
	}
	for i := range w.sparse {
		w.sparse[i].add(&w.set, uint64(first), uint64(end))
	}
	for i := range w.missing {
		w.missing[i].addOthers(&w.set, uint64(first), min(uint64(end), w.n))
	}
	for _, from := range w.bitmaps {
		for block := first >> blockShift; block < (end+blockSize-1)>>blockShift; block++ {
			addBitmapBlock(&w.set, from.b, from.pos, block, w.n)
		}
	}
}

// Block returns the words of block b of what has been read, and nil if none of its articles is.
func (w *Sweep) Block(b int) *[BlockWords]uint64 { return w.set.Block(b) }

// add adds the numbers from first on, below end, and some behind it.
func (r *cursor) add(s *Set, first, end uint64) {
	words, b, pos, base, number := s.words, r.b, r.pos, r.base, r.number
	k, mask := r.shape.k&63, uint64(1)<<(r.shape.k&63)-1
	for ; base < r.shape.high && (base-number)<<k < end; base += highWord {
		w := highBits(b, r.high, base, r.shape.high)
		if ones := uint64(bits.OnesCount64(w)); (base+highWord-number-ones+1)<<k <= first {
			number += ones
			pos += ones * uint64(k)
			continue
		}
		if !s.allOpen {
			for ; w != 0; w &= w - 1 {
				s.add((base+uint64(bits.TrailingZeros64(w))-number)<<k | peek(b, pos)&mask)
				pos += uint64(k)
				number++
			}
			continue
		}
		for ; w != 0; w &= w - 1 {
			i := (base+uint64(bits.TrailingZeros64(w))-number)<<k | peek(b, pos)&mask
			words[i>>6] |= 1 << (i & 63)
			pos += uint64(k)
			number++
		}
	}
	r.pos, r.base, r.number = pos, base, number
}

// addOthers adds the numbers from first on, below end, that are not in the code.
func (r *cursor) addOthers(s *Set, first, end uint64) {
	if r.word < first/64 {
		r.word, r.holes = first/64, 0
	}
	k, mask := r.shape.k&63, uint64(1)<<(r.shape.k&63)-1
	for {
		for ; r.left == 0 && r.base < r.shape.high; r.base += highWord {
			r.left = highBits(r.b, r.high, r.base, r.shape.high)
		}
		if r.left == 0 {
			break
		}
		i := (r.base-highWord+uint64(bits.TrailingZeros64(r.left))-r.number)<<k | peek(r.b, r.pos)&mask
		if i >= end {
			break
		}
		r.left &= r.left - 1
		r.pos += uint64(k)
		r.number++
		if i >= first {
			r.fill(s, i/64)
			r.holes |= 1 << (i & 63)
		}
	}
	r.fill(s, end/64)
	if rest := end % 64; rest > 0 {
		s.words[end/64] |= ^r.holes & (1<<rest - 1)
	}
}

// fill adds what is not missing in the words below end.
func (r *cursor) fill(s *Set, end uint64) {
	for ; r.word < end; r.word++ {
		s.words[r.word] |= ^r.holes
		r.holes = 0
	}
}

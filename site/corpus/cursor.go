package corpus

import "math/bits"

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

// add adds the numbers from first on, below end, and some behind it. The high part of a number is the count of zeros before its
// one, that is the position of the one less the ones before it.
func (r *cursor) add(s *Set, first, end uint64) {
	words, b, pos, base, number := s.words, r.b, r.pos, r.base, r.number
	k, mask := r.shape.k&63, uint64(1)<<(r.shape.k&63)-1
	for ; base < r.shape.high && (base-number)<<k < end; base += highWord {
		w := highBits(b, r.high, base, r.shape.high)
		ones := uint64(bits.OnesCount64(w))
		if next := (base + highWord - number - ones + 1) << k; next <= first || s.confined && !s.anyAllowed((base-number)<<k, next) {
			number += ones
			pos += ones * uint64(k)
			continue
		}
		if !s.allOpen { // a third as fast
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

package corpus

import (
	"encoding/binary"
	"math/bits"
)

// Bits are numbered from the least significant bit of the first byte on. Every bit section ends with padBytes zero
// bytes, so that peek64 may read at any bit of it.
const padBytes = 16

// peek returns at least 57 bits of b from bit pos on.
func peek(b []byte, pos uint64) uint64 {
	return binary.LittleEndian.Uint64(b[pos>>3:]) >> (pos & 7)
}

// peek64 returns the 64 bits of b from bit pos on.
func peek64(b []byte, pos uint64) uint64 {
	return peek(b, pos)&(1<<32-1) | peek(b, pos+32)<<32
}

// gamma decodes an Elias gamma code (Elias, IEEE Trans. Inf. Theory 21, 1975) of a number in [1, 2^28) at bit pos:
// as many zero bits as the number has bits below its highest, a one, and those bits.
func gamma(b []byte, pos uint64) (value, next uint64) {
	w := peek(b, pos)
	z := uint64(bits.TrailingZeros64(w))
	return 1<<z | w>>(z+1)&(1<<z-1), pos + 2*z + 1
}

// A bitWriter appends bit fields to buf.
type bitWriter struct {
	buf []byte
	acc uint64 // the last n bits, not yet in buf
	n   uint
}

// put appends the low width bits of v. width <= 56.
func (w *bitWriter) put(v uint64, width uint) {
	w.acc |= v << w.n
	w.n += width
	for w.n >= 8 {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
		w.n -= 8
	}
}

func (w *bitWriter) putGamma(v uint64) {
	z := uint(bits.Len64(v) - 1)
	w.put(1<<z, z+1)
	w.put(v&(1<<z-1), z)
}

// pos returns the number of bits written.
func (w *bitWriter) pos() uint64 { return uint64(len(w.buf))*8 + uint64(w.n) }

// align fills the last byte with zero bits.
func (w *bitWriter) align() {
	if w.n > 0 {
		w.buf = append(w.buf, byte(w.acc))
		w.acc, w.n = 0, 0
	}
}

// finish returns the bits, padded.
func (w *bitWriter) finish() []byte {
	w.align()
	return append(w.buf, make([]byte, padBytes)...)
}

// A packed array holds n numbers of width bits each, width <= 56.
type packed struct {
	b     []byte
	width uint
	mask  uint64
}

// widthOf returns the width of a packed array whose largest number is most.
func widthOf(most uint64) uint { return uint(bits.Len64(most)) }

func packedBytes(n uint64, width uint) uint64 { return (n*uint64(width)+7)/8 + padBytes }

func newPacked(b []byte, width uint) packed { return packed{b, width, 1<<width - 1} }

func (p packed) at(i uint64) uint64 { return peek(p.b, i*uint64(p.width)) & p.mask }

func pack[T uint32 | uint64](values []T, width uint) []byte {
	w := bitWriter{buf: make([]byte, 0, packedBytes(uint64(len(values)), width))}
	for _, v := range values {
		w.put(uint64(v), width)
	}
	return w.finish()
}

// putZeros appends n zero bits.
func (w *bitWriter) putZeros(n uint64) {
	for ; n > 56; n -= 56 {
		w.put(0, 56)
	}
	w.put(0, uint(n))
}

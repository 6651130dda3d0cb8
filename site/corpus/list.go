package corpus

import (
	"encoding/binary"
	"math/bits"
)

// A universe codes lists of ascending article numbers below n. How a list is coded, and in how many bits, follows from
// its length alone, so only the length is stored:
//
//   - Elias-Fano (Elias, J. ACM 21, 1974): the low k bits of each number, k = floor(log2(n/length)), then the high
//     parts in unary, a one per number and a zero per step. It is as small as Rice coded gaps to a few per cent and
//     decodes about twice as fast, since the low bits do not wait for the high ones;
//   - for more than n/denseRatio numbers, the bitmap of n bits: it is larger, up to n/4 numbers, but read in a tenth of
//     the time, and few words are so frequent; from n/32 numbers on, a corpus would be 8 % larger, and a search 5 % faster;
//   - where no more than n/denseRatio numbers are missing, the Elias-Fano code of these.
type universe struct {
	n         uint64
	short     [maxShort + 1]shape  // of the shortest lists, which are nearly all of them
	shortBits [maxShort + 1]uint16 // their bits
}

const (
	maxShort   = 15
	denseRatio = 16
)

type listCode uint8

const (
	codeSparse listCode = iota
	codeBitmap
	codeMissing
)

// A shape is how a list is coded.
type shape struct {
	code  listCode
	k     uint8  // low bits of a number
	coded uint64 // numbers in the code: those on the list, or those missing
	high  uint64 // bits of the high parts
	bits  uint64 // bits of it all
}

func newUniverse(n int) *universe {
	u := &universe{n: uint64(n)}
	for length := range min(maxShort, uint64(n)) + 1 {
		u.short[length] = u.longShape(length)
		u.shortBits[length] = uint16(u.short[length].bits)
	}
	return u
}

// shape returns the shape of a list of length numbers. length <= n.
func (u *universe) shape(length uint64) shape {
	if length <= maxShort {
		return u.short[length]
	}
	return u.longShape(length)
}

func (u *universe) longShape(length uint64) shape {
	switch {
	case length <= max(1, u.n/denseRatio):
		return u.sparseShape(codeSparse, length)
	case u.n-length <= u.n/denseRatio:
		return u.sparseShape(codeMissing, u.n-length)
	}
	return shape{code: codeBitmap, bits: u.n}
}

func (u *universe) sparseShape(code listCode, coded uint64) shape {
	if coded == 0 {
		return shape{code: code}
	}
	k := uint(bits.Len64(u.n/coded) - 1)
	high := coded + (u.n-1)>>k
	return shape{code, uint8(k), coded, high, coded*uint64(k) + high}
}

// add adds the list at bit pos of b to s.
func (u *universe) add(s *Set, b []byte, pos, length uint64) {
	if length <= maxShort && s.allOpen && u.short[length].code == codeSparse {
		u.addShort(s, b, pos, &u.short[length])
		return
	}
	switch list := u.shape(length); list.code {
	case codeSparse:
		from := newCursor(b, pos, list)
		from.add(s, 0, s.end)
	case codeBitmap:
		s.openAll()
		u.addBitmap(s, b, pos)
	case codeMissing:
		s.openAll()
		from := newCursor(b, pos, list)
		from.addOthers(s, 0, min(s.end, u.n))
	}
}

// highWord is how many bits of the high parts are decoded at once.
const highWord = 56

// highBits returns the next highWord bits of the high parts, which begin at bit pos, from bit base of size on.
func highBits(b []byte, pos, base, size uint64) uint64 {
	w := peek(b, pos+base) & (1<<highWord - 1)
	if rest := size - base; rest < highWord {
		w &= 1<<rest - 1
	}
	return w
}

// addShort is cursor.add for a list of at most maxShort numbers, whose high parts are read at once, and a set all of whose blocks are
// open.
func (u *universe) addShort(s *Set, b []byte, pos uint64, list *shape) {
	k, mask := list.k&63, uint64(1)<<(list.k&63)-1
	number := uint64(0)
	for w := peek(b, pos+list.coded*uint64(k)) & (1<<(list.high&63) - 1); w != 0; w &= w - 1 {
		i := (uint64(bits.TrailingZeros64(w))-number)<<k | peek(b, pos)&mask
		s.words[i>>6] |= 1 << (i & 63)
		pos += uint64(k)
		number++
	}
}

func (u *universe) addBitmap(s *Set, b []byte, pos uint64) {
	if s.few != nil {
		for _, i := range s.few {
			s.words[i>>6] |= peek(b, pos+uint64(i)) & 1 << (i & 63)
		}
		return
	}
	for block := range s.All() {
		addBitmapBlock(s, b, pos, block, u.n)
	}
}

// addBitmapBlock adds block number block of the bitmap of n bits at bit pos of b to that of s, which is open.
func addBitmapBlock(s *Set, b []byte, pos uint64, block int, n uint64) {
	first, whole := block*BlockWords, int(n/64)
	words := (*[BlockWords]uint64)(s.words[first:])
	at := pos + uint64(first)*64
	if first+BlockWords <= whole {
		from, shift := b[at>>3:][:8*BlockWords+8], at&7
		word := binary.LittleEndian.Uint64(from)
		for i := range words {
			next := binary.LittleEndian.Uint64(from[8*i+8:])
			words[i] |= word>>shift | next<<(64-shift)
			word = next
		}
		return
	}
	for i := range words[:max(0, whole-first)] {
		words[i] |= peek64(b, at+uint64(i)*64)
	}
	if rest := n % 64; rest > 0 && first <= whole {
		words[whole-first] |= peek64(b, pos+uint64(whole)*64) & (1<<rest - 1)
	}
}

// write appends the list to w. numbers ascend strictly and are below n.
func (u *universe) write(w *bitWriter, numbers []uint32) {
	switch list := u.shape(uint64(len(numbers))); list.code {
	case codeSparse:
		u.writeSparse(w, numbers, list)
	case codeMissing:
		u.writeSparse(w, u.missing(numbers), list)
	case codeBitmap:
		next := uint64(0)
		for _, i := range numbers {
			w.putZeros(uint64(i) - next)
			w.put(1, 1)
			next = uint64(i) + 1
		}
		w.putZeros(u.n - next)
	}
}

func (u *universe) writeSparse(w *bitWriter, numbers []uint32, list shape) {
	if len(numbers) == 0 {
		return
	}
	for _, i := range numbers {
		w.put(uint64(i)&(1<<list.k-1), uint(list.k))
	}
	high := uint64(0)
	for _, i := range numbers {
		w.putZeros(uint64(i)>>list.k - high)
		w.put(1, 1)
		high = uint64(i) >> list.k
	}
	w.putZeros((u.n-1)>>list.k - high)
}

func (u *universe) missing(numbers []uint32) []uint32 {
	missing := make([]uint32, 0, u.n-uint64(len(numbers)))
	next := uint32(0)
	for _, i := range numbers {
		for ; next < i; next++ {
			missing = append(missing, next)
		}
		next = i + 1
	}
	for ; uint64(next) < u.n; next++ {
		missing = append(missing, next)
	}
	return missing
}

// check reports whether the list at bit pos of b, which ends inside b, names numbers below n only.
func (u *universe) check(b []byte, pos uint64, list shape) bool {
	if list.coded == 0 {
		return true // a bitmap has no bit for another number
	}
	high, ones := pos+list.coded*uint64(list.k), uint64(0)
	for base := uint64(0); base < list.high; base += highWord {
		ones += uint64(bits.OnesCount64(highBits(b, high, base, list.high)))
	}
	if ones != list.coded {
		return false
	}
	// As many ones as numbers leave (n-1)>>k zeros, so only a number with the highest high part can be too large.
	mask := uint64(1)<<list.k - 1
	for i := list.coded; i > 0 && peek(b, high+list.high-1-(list.coded-i))&1 != 0; i-- {
		if peek(b, pos+(i-1)*uint64(list.k))&mask > (u.n-1)&mask {
			return false
		}
	}
	return true
}

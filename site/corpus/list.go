package corpus

import "math/bits"

// A universe codes lists of ascending article numbers below n. How a list is coded, and in how many bits, follows from
// its length alone, so only the length is stored:
//
//   - Elias-Fano (Elias, J. ACM 21, 1974): the low k bits of each number, k = floor(log2(n/length)), then the high
//     parts in unary, a one per number and a zero per step. It is as small as Rice coded gaps to a few per cent and
//     decodes about twice as fast, since the low bits do not wait for the high ones;
//   - where that is larger, the bitmap of n bits;
//   - where it is smaller still, the Elias-Fano code of the numbers that are missing.
type universe struct {
	n     uint64
	short [maxShort + 1]uint64 // bits of the shortest lists, which are nearly all of them
}

const maxShort = 15

type listCode int

const (
	codeSparse listCode = iota
	codeBitmap
	codeMissing
)

func newUniverse(n int) *universe {
	u := &universe{n: uint64(n)}
	for i := range u.short {
		_, u.short[i] = u.code(min(uint64(i), u.n))
	}
	return u
}

// code returns how a list of length numbers is coded, and in how many bits. length <= n.
func (u *universe) code(length uint64) (listCode, uint64) {
	if length > u.n/2 {
		if size := u.sparseBits(u.n - length); size < u.n {
			return codeMissing, size
		}
	} else if size := u.sparseBits(length); size < u.n || length == 0 {
		return codeSparse, size
	}
	return codeBitmap, u.n
}

func (u *universe) bits(length uint64) uint64 {
	if length <= maxShort {
		return u.short[length]
	}
	_, size := u.code(length)
	return size
}

func (u *universe) sparseBits(length uint64) uint64 {
	if length == 0 {
		return 0
	}
	k := u.lowBits(length)
	return length*uint64(k) + u.highBits(length, k)
}

func (u *universe) lowBits(length uint64) uint            { return uint(bits.Len64(u.n/length) - 1) }
func (u *universe) highBits(length uint64, k uint) uint64 { return length + (u.n-1)>>k }

// add adds the list of the given length at bit pos of b to s.
func (u *universe) add(s *Set, b []byte, pos, length uint64) {
	switch code, _ := u.code(length); code {
	case codeSparse:
		u.addSparse(s, b, pos, length)
	case codeBitmap:
		u.addBitmap(s, b, pos)
	case codeMissing:
		u.addMissing(s, b, pos, u.n-length)
	}
}

func (u *universe) addSparse(s *Set, b []byte, pos, length uint64) {
	var batch [batchLen]uint32
	r := u.sparse(b, pos, length)
	if length < uint64(s.blocks) {
		for r.more() {
			for _, i := range batch[:r.next(&batch)] {
				s.add(uint64(i))
			}
		}
		return
	}
	s.openAll()
	for r.more() {
		for _, i := range batch[:r.next(&batch)] {
			s.Words[i>>6] |= 1 << (i & 63)
		}
	}
}

func (u *universe) addBitmap(s *Set, b []byte, pos uint64) {
	s.openAll()
	whole := u.n / 64
	for w := range s.Words[:whole] {
		s.Words[w] |= peek64(b, pos+uint64(w)*64)
	}
	if rest := u.n % 64; rest > 0 {
		s.Words[whole] |= peek64(b, pos+whole*64) & (1<<rest - 1)
	}
}

// addMissing adds every number below n but those coded at pos.
func (u *universe) addMissing(s *Set, b []byte, pos, missing uint64) {
	s.openAll()
	word, holes := uint64(0), uint64(0)
	var batch [batchLen]uint32
	for r := u.sparse(b, pos, missing); r.more(); {
		for _, i := range batch[:r.next(&batch)] {
			for ; word < uint64(i>>6); word++ {
				s.Words[word] |= ^holes
				holes = 0
			}
			holes |= 1 << (i & 63)
		}
	}
	for ; word < u.n/64; word++ {
		s.Words[word] |= ^holes
		holes = 0
	}
	if rest := u.n % 64; rest > 0 {
		s.Words[word] |= ^holes & (1<<rest - 1)
	}
}

// batchLen is how many bits of the high parts are decoded at once, and so the most numbers in a batch.
const batchLen = 56

// A sparseReader decodes an Elias-Fano code.
type sparseReader struct {
	b          []byte
	low, high  uint64 // bit positions of the next low bits, and of the first high part
	base, size uint64 // bits of the high parts read, and of all
	number     uint64 // index of the next number
	k          uint
}

func (u *universe) sparse(b []byte, pos, length uint64) sparseReader {
	if length == 0 {
		return sparseReader{}
	}
	k := u.lowBits(length)
	return sparseReader{b: b, low: pos, high: pos + length*uint64(k), size: u.highBits(length, k), k: k}
}

func (r *sparseReader) more() bool { return r.base < r.size }

// next decodes the numbers of the next batchLen high bits, in ascending order.
func (r *sparseReader) next(batch *[batchLen]uint32) int {
	w := peek(r.b, r.high+r.base) & (1<<batchLen - 1)
	if rest := r.size - r.base; rest < batchLen {
		w &= 1<<rest - 1
	}
	n, b, low, k := 0, r.b, r.low, r.k&63
	mask := uint64(1)<<k - 1
	// The high part of a number is the count of zeros before its one: the position of the one less the ones before it.
	zeros := r.base - r.number
	for ; w != 0 && n < batchLen; w &= w - 1 {
		batch[n] = uint32((zeros+uint64(bits.TrailingZeros64(w)))<<k | peek(b, low)&mask)
		low += uint64(k)
		zeros--
		n++
	}
	r.low, r.number, r.base = low, r.number+uint64(n), r.base+batchLen
	return n
}

// write appends the list to w. numbers ascend strictly and are below n.
func (u *universe) write(w *bitWriter, numbers []uint32) {
	switch code, _ := u.code(uint64(len(numbers))); code {
	case codeSparse:
		u.writeSparse(w, numbers)
	case codeMissing:
		u.writeSparse(w, u.missing(numbers))
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

func (u *universe) writeSparse(w *bitWriter, numbers []uint32) {
	if len(numbers) == 0 {
		return
	}
	k := u.lowBits(uint64(len(numbers)))
	for _, i := range numbers {
		w.put(uint64(i)&(1<<k-1), k)
	}
	high := uint64(0)
	for _, i := range numbers {
		w.putZeros(uint64(i)>>k - high)
		w.put(1, 1)
		high = uint64(i) >> k
	}
	w.putZeros((u.n-1)>>k - high)
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

// check reports whether the list of the given length at bit pos of b, which ends inside b, names numbers below n only.
func (u *universe) check(b []byte, pos, length uint64) bool {
	code, _ := u.code(length)
	switch code {
	case codeBitmap:
		return true // it has no bit for another number
	case codeMissing:
		length = u.n - length
	}
	if length == 0 {
		return true
	}
	k := u.lowBits(length)
	low, high, size := pos, pos+length*uint64(k), u.highBits(length, k)
	ones := uint64(0)
	for base := uint64(0); base < size; base += 56 {
		w := peek(b, high+base) & (1<<56 - 1)
		if rest := size - base; rest < 56 {
			w &= 1<<rest - 1
		}
		ones += uint64(bits.OnesCount64(w))
	}
	if ones != length {
		return false
	}
	// As many ones as numbers leave (n-1)>>k zeros, so only a number with the highest high part can be too large.
	last := u.n - 1
	for i := length; i > 0 && size > 0; i, size = i-1, size-1 {
		if peek(b, high+size-1)&1 == 0 {
			break
		}
		if peek(b, low+(i-1)*uint64(k))&(1<<k-1) > last&(1<<k-1) {
			return false
		}
	}
	return true
}

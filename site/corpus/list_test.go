package corpus

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

var universes = []int{0, 1, 2, 63, 64, 65, 511, 512, 513, 4097}

// lengths returns the lengths to test below n: all of a small universe, and of a large one those around which codes change.
func lengths(n int) []int {
	var list []int
	for i := range n + 1 {
		near := func(x int) bool { return x-3 <= i && i <= x+3 }
		if n <= 513 || i%257 == 0 || near(0) || near(maxShort) || near(n/denseRatio) || near(n/2) || near(n-n/denseRatio) || near(n) {
			list = append(list, i)
		}
	}
	return list
}

// randomList returns length numbers below n: anywhere, close together, at the beginning or at the end.
func randomList(r *rand.Rand, n, length int) []uint32 {
	numbers := make([]uint32, length)
	switch first := 0; r.IntN(4) {
	case 0:
		first = n - length
		fallthrough
	case 1:
		for i := range numbers {
			numbers[i] = uint32(first + i)
		}
	default:
		for i, x := range r.Perm(n)[:length] {
			numbers[i] = uint32(x)
		}
		slices.Sort(numbers)
	}
	return numbers
}

// writeAt writes the list behind skip bits and returns the bits.
func writeAt(u *universe, skip uint64, numbers []uint32) []byte {
	var w bitWriter
	for range skip {
		w.put(1, 1)
	}
	u.write(&w, numbers)
	return w.finish()
}

func TestListRoundTrip(t *testing.T) {
	for _, n := range universes {
		u := newUniverse(n)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		for _, length := range lengths(n) {
			list := u.shape(uint64(length))
			if list != u.longShape(uint64(length)) {
				t.Fatalf("%d of %d: the shape of a short list is %+v, computed %+v", length, n, list, u.longShape(uint64(length)))
			}
			for range 3 {
				numbers, skip := randomList(r, n, length), uint64(r.IntN(70))
				b := writeAt(u, skip, numbers)
				if want := int(skip+list.bits+7)/8 + padBytes; len(b) != want {
					t.Fatalf("%d of %d: %d bytes, want %d", length, n, len(b), want)
				}
				if !u.check(b, skip, list) {
					t.Fatalf("%d of %d: the list is taken for invalid", length, n)
				}
				for _, open := range []bool{false, true} {
					var s Set
					s.Reset(n)
					if open {
						s.openAll()
					}
					u.add(&s, b, skip, uint64(length))
					if got := s.numbers(new(Set).emptied(n)); !slices.Equal(got, numbers) {
						t.Fatalf("%d of %d: got %v, want %v", length, n, got, numbers)
					}
					if s.Len() != length {
						t.Fatalf("%d of %d: Len is %d", length, n, s.Len())
					}
				}
			}
		}
	}
}

func (s *Set) emptied(n int) *Set {
	s.Reset(n)
	return s
}

// A set that is confined to articles takes in each of them that is on a list, and opens no block of others.
func TestConfinedSet(t *testing.T) {
	for _, n := range append(universes, 40_000) {
		u := newUniverse(n)
		r := rand.New(rand.NewPCG(uint64(n), 2))
		for _, length := range lengths(n) {
			if n > 5000 && length%1285 != 0 && length > 3 {
				continue
			}
			numbers := randomList(r, n, length)
			few := randomList(r, n, min(n, r.IntN(5)))
			var s Set
			s.Reset(n)
			s.words = fill(s.words, r.Uint64()) // stale
			s.AllowFew(few)
			u.add(&s, writeAt(u, 5, numbers), 5, uint64(length))
			for i := range n {
				in := slices.Contains(numbers, uint32(i))
				if s.Has(i) && !in || in && !s.Has(i) && slices.Contains(few, uint32(i)) {
					t.Fatalf("%d of %d: Has(%d) is %t, confined to %d", length, n, i, s.Has(i), few)
				}
			}
			for block := range s.All() {
				if !slices.ContainsFunc(few, func(i uint32) bool { return int(i)/blockSize == block }) {
					t.Fatalf("%d of %d: block %d is open, confined to %d", length, n, block, few)
				}
			}
		}
	}
}

func fill(words []uint64, with uint64) []uint64 {
	for i := range words {
		words[i] = with
	}
	return words
}

// A list whose numbers are not below n is refused, whatever the bits are.
func TestCheckAgainstDecoding(t *testing.T) {
	refused := 0
	for _, n := range []int{1, 2, 5, 64, 513, 1000} {
		u := newUniverse(n)
		r := rand.New(rand.NewPCG(uint64(n), 3))
		for range 3000 {
			length := r.IntN(min(n, 80) + 1)
			list := u.shape(uint64(length))
			b := writeAt(u, 0, randomList(r, n, length))
			for range 1 + r.IntN(2) {
				if list.bits > 0 {
					bit := r.Uint64N(list.bits)
					b[bit/8] ^= 1 << (bit % 8)
				}
			}
			valid := u.check(b, 0, list)
			if want := naiveCheck(b, n, list); valid != want {
				t.Fatalf("%d of %d: got %t, want %t", length, n, valid, want)
			}
			if !valid {
				refused++
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d lists were refused", refused)
	}
}

// naiveCheck reads the list bit by bit.
func naiveCheck(b []byte, n int, list shape) bool {
	if list.code == codeBitmap {
		return true
	}
	bit := func(i uint64) uint64 { return uint64(b[i/8]>>(i%8)) & 1 }
	high, numbers := uint64(0), uint64(0)
	for i := range list.high {
		if bit(list.coded*uint64(list.k)+i) == 0 {
			high++
			continue
		}
		if numbers == list.coded {
			return false
		}
		low := uint64(0)
		for j := range uint64(list.k) {
			low |= bit(numbers*uint64(list.k)+j) << j
		}
		if high<<list.k|low >= uint64(n) {
			return false
		}
		numbers++
	}
	return numbers == list.coded
}

func TestGammaRoundTrip(t *testing.T) {
	var w bitWriter
	var values []uint64
	for v := uint64(1); v < 1<<28; v += 1 + v/3 {
		values = append(values, v, v+1)
	}
	values = append(values, 1<<28-1)
	w.put(0b101, 3)
	for _, v := range values {
		before := w.pos()
		w.putGamma(v)
		if want := uint64(2*bits.Len64(v) - 1); w.pos()-before != want {
			t.Fatalf("%d takes %d bits, want %d", v, w.pos()-before, want)
		}
	}
	end := w.pos()
	b, pos := w.finish(), uint64(3)
	for _, want := range values {
		var got uint64
		if got, pos = gamma(b, pos); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
	}
	if pos != end {
		t.Errorf("ended at bit %d, want %d", pos, end)
	}
}

func TestPackedRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for width := range uint(57) {
		values := make([]uint64, r.IntN(200))
		for i := range values {
			values[i] = r.Uint64() & (1<<width - 1)
		}
		b := pack(values, width)
		if uint64(len(b)) != packedBytes(uint64(len(values)), width) {
			t.Errorf("%d numbers of %d bits take %d bytes, packedBytes says %d", len(values), width, len(b), packedBytes(uint64(len(values)), width))
		}
		p := newPacked(b, width)
		for i, want := range values {
			if got := p.at(uint64(i)); got != want {
				t.Errorf("width %d, number %d: got %d, want %d", width, i, got, want)
			}
		}
		if len(values) > 0 && widthOf(slices.Max(values)) > width {
			t.Errorf("widthOf(%d) is over %d", slices.Max(values), width)
		}
	}
}

func TestPeek64(t *testing.T) {
	b := make([]byte, 40)
	r := rand.New(rand.NewPCG(1, 5))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for pos := range uint64(8 * (len(b) - padBytes)) {
		want := uint64(0)
		for i := range uint64(64) {
			want |= uint64(b[(pos+i)/8]>>((pos+i)%8)&1) << i
		}
		if got := peek64(b, pos); got != want {
			t.Fatalf("bit %d: got %x, want %x", pos, got, want)
		}
	}
}

func TestUnion(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		n := []int{1, 64, 512, 513, 5000, 70_000}[r.IntN(6)]
		var a, b Set
		inA, inB := randomSet(r, &a, n), randomSet(r, &b, n)
		a.Union(&b)
		either := 0
		for i := range n {
			if inA[i] || inB[i] {
				either++
			}
			if a.Has(i) != (inA[i] || inB[i]) {
				t.Fatalf("seed %d, %d articles: Has(%d) is %t", seed, n, i, a.Has(i))
			}
		}
		if a.Len() != either {
			t.Fatalf("seed %d, %d articles: Len is %d, want %d", seed, n, a.Len(), either)
		}
		if b.Len() != len(inB) {
			t.Fatalf("seed %d: the other set has changed", seed)
		}
	}
}

func randomSet(r *rand.Rand, s *Set, n int) map[int]bool {
	s.Reset(r.IntN(2 * n)) // of another size before
	s.words = fill(s.words, r.Uint64())
	s.Reset(n)
	numbers := map[int]bool{}
	for range r.IntN(1 + r.IntN(1+min(n, 2000))) {
		i := r.IntN(n)
		s.add(uint64(i))
		numbers[i] = true
	}
	return numbers
}

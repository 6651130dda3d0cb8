package corpus

import (
	"math/rand/v2"
	"testing"
)

// A sweep has every article of the windows that it has read, and no other there, whatever lists it reads, however the windows lie.
func TestSweep(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := []int{1, 63, 512, 513, 1500, 5000, 70_000}[r.IntN(7)]
		c := &Corpus{articles: n, universe: newUniverse(n)}
		var cover Cover
		lists := &cover.lists[Excerpt]
		in := make([]bool, n)
		var words, unions bitWriter
		add := func(w *bitWriter, length int) listRef {
			numbers := randomList(r, n, length)
			for _, i := range numbers {
				in[i] = true
			}
			ref := listRef{w.pos(), uint64(length)}
			c.universe.write(w, numbers)
			lists.total += length
			return ref
		}
		for range r.IntN(20) {
			lists.words = append(lists.words, add(&words, min(n, r.IntN(40))))
		}
		for range r.IntN(3) {
			length := []int{0, n / 40, n / 15, n / 3, n - n/100, n}[r.IntN(6)]
			lists.unions = append(lists.unions, add(&unions, length))
		}
		for range r.IntN(4) {
			i := r.IntN(n)
			in[i] = true
			cover.runs = append(cover.runs, uint32(i)<<fieldBits|uint32(Excerpt), uint32(i)<<fieldBits|uint32(Body))
		}
		c.postings.lists, c.unions.lists = words.finish(), unions.finish()

		var sweep Sweep
		for range 2 { // the second time there is something stale
			c.Sweep(&sweep, &cover, Excerpt)
			for first := 0; first < n; {
				first += r.IntN(3) * r.IntN(20) * blockSize // not wanted
				end := min(first+(1+r.IntN(20))*blockSize, n)
				if first >= n {
					break
				}
				sweep.Read(first, end)
				for i := first; i < end; i++ {
					block := sweep.Block(i / blockSize)
					if got := block != nil && block[i%blockSize/64]>>(i%64)&1 != 0; got != in[i] {
						t.Fatalf("seed %d: %d of %d in window %d to %d: %t, want %t", seed, i, n, first, end, got, in[i])
					}
				}
				if block := sweep.Block((end - 1) / blockSize); block != nil && end == n && n%64 != 0 && block[n%blockSize/64]>>(n%64) != 0 {
					t.Fatalf("seed %d: articles from %d on, of %d", seed, n, n)
				}
				first = end
			}
		}
	}
}

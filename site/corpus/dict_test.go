package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// newDictionary returns the dictionary of words as a corpus has it. words are sorted, and each is removed but once.
func newDictionary(t testing.TB, words []string) (dictionary, *builtDictionary, []string) {
	t.Helper()
	slices.Sort(words)
	words = slices.Compact(words)
	b := buildDictionary(words)
	d := dictionary{
		nodes: b.nodes, shared: b.shared, keys: b.keys,
		prefixes: newPacked(pack(b.prefixes, widthOf(uint64(b.numNodes))), widthOf(uint64(b.numNodes))),
		numWords: uint32(len(words)), numNodes: b.numNodes, numPrefs: uint32(len(b.prefixes)),
	}
	if !d.validNodes() || !d.validPrefixes() {
		t.Fatalf("a dictionary of %d words is taken for invalid", len(words))
	}
	return d, b, words
}

// prefixesOf returns the distinct prefixes of words that end with a whole rune and that the dictionary stores a node of
// its own for: all, but those that repeat the first maxShared bytes and more of the word before.
func prefixesOf(words []string) []string {
	var list []string
	previous := ""
	for _, w := range words {
		shared := commonPrefix(previous, w)
		for end := shared + 1; end <= len(w); end++ {
			if end == len(w) || utf8.RuneStart(w[end]) {
				list = append(list, w[:end])
			}
		}
		previous = w
	}
	return list
}

// checkFind compares find with a look at all words.
func checkFind(t *testing.T, d *dictionary, words []string, token string) {
	t.Helper()
	found := make([]bool, len(words))
	r := d.find(token)
	for i := r.lo; i < r.hi; i++ {
		span := d.subtree(d.prefix(int(i)))
		for w := span.first; w < span.end; w++ {
			found[w] = true
		}
	}
	for i, w := range words {
		if found[i] != strings.Contains(w, token) {
			t.Fatalf("%d words, token of %d bytes %.60q: word %d, %d bytes %.60q: found is %t", len(words), len(token), token, i, len(w), w, found[i])
		}
	}
}

func randomWords(r *rand.Rand, n int) []string {
	letters := []rune("aaabbcé世Ö界🙂-") // 世 and Ö end with the same byte
	words := make([]string, n)
	for i := range words {
		var b strings.Builder
		if i > 0 && r.IntN(3) == 0 {
			b.WriteString(words[r.IntN(i)])
		}
		for range 1 + r.IntN(8) {
			b.WriteRune(letters[r.IntN(1+r.IntN(len(letters)))])
		}
		words[i] = b.String()
	}
	return words
}

func TestFindAgainstStrings(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		d, _, words := newDictionary(t, randomWords(r, []int{0, 1, 2, 31, 32, 33, 64, 65, 400}[r.IntN(9)]))
		for range 150 {
			token := []rune(randomWords(r, 1)[0])
			if len(words) > 0 && r.IntN(3) > 0 {
				token = []rune(words[r.IntN(len(words))])
				begin := r.IntN(len(token))
				token = token[begin : begin+1+r.IntN(len(token)-begin)]
			}
			checkFind(t, &d, words, string(token))
		}
	}
}

// The range that find returns is that of all prefixes that end with the token, no more and no less.
func TestFindIsTheRangeOfASuffix(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		d, _, words := newDictionary(t, randomWords(r, 1+r.IntN(120)))
		prefixes := prefixesOf(words)
		if len(prefixes) != int(d.numPrefs) {
			t.Fatalf("seed %d: %d prefixes, want %d", seed, d.numPrefs, len(prefixes))
		}
		for _, token := range prefixes {
			want := 0
			for _, p := range prefixes {
				if strings.HasSuffix(p, token) {
					want++
				}
			}
			got := d.find(token)
			if int(got.hi-got.lo) != want {
				t.Fatalf("seed %d, token %q: %d prefixes, want %d", seed, token, got.hi-got.lo, want)
			}
			for i := got.lo; i < got.hi; i++ {
				if d.compare(d.prefix(int(i)), token) != 0 {
					t.Fatalf("seed %d, token %q: prefix %d does not end with it", seed, token, i)
				}
			}
		}
	}
}

// Words that share more than the 255 bytes that the format can say, that are longer than 64 KiB, and that differ
// only behind what is shared.
func TestLongWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	long := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteByte("abcdefghijklmnopqrstuvwxyz"[r.IntN(26)])
		}
		return b.String()
	}
	a, huge := long(300), long(66_000)
	words := []string{"a", "b", "z", huge + "a", huge + "b", huge[:65_990] + "x", strings.Repeat("a", 2000), strings.Repeat("世", 500)}
	for _, n := range []int{1, 253, 254, 255, 256, 257, 300} {
		for i := range 40 { // more than a block of front coding
			words = append(words, a[:n]+fmt.Sprint(i), a[:n]+long(i%5))
		}
	}
	d, _, words := newDictionary(t, words)
	tokens := []string{
		a, a[:254], a[:255], a[:256], a[1:], a[200:300] + "3", a[:300] + "17", huge, huge[1:] + "a", huge[64_000:] + "b", huge[65_000:65_990] + "x",
		strings.Repeat("a", 255), strings.Repeat("a", 256), strings.Repeat("a", 2000), strings.Repeat("a", 2001), strings.Repeat("世", 300),
		"a", "zz", "17", huge + "c", huge[:65_989] + "x",
	}
	for range 200 {
		w := words[r.IntN(len(words))]
		begin := r.IntN(len(w))
		if token := w[begin : begin+1+r.IntN(min(600, len(w)-begin))]; utf8.ValidString(token) {
			tokens = append(tokens, token)
		}
	}
	for _, token := range tokens {
		checkFind(t, &d, words, token)
	}
}

// Positions that no article has are told by the nodes alone: word, start and subtree agree with the words.
func TestNodesAgainstWords(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		words := randomWords(r, 1+r.IntN(150))
		words = append(words, strings.Repeat("q", 100+r.IntN(500)), "zz")
		d, _, words := newDictionary(t, words)
		p, previous := uint32(0), ""
		for i, w := range words {
			shared := commonPrefix(previous, w)
			if i%restartStride == 0 {
				shared = 0
			}
			begin := p
			for at := shared; at < len(w); at++ {
				if d.word(p) != uint32(i) || d.start(p) != begin || d.label(p) != w[at] {
					t.Fatalf("seed %d: node %d is %q of word %d from %d on, want %q of word %d from %d on",
						seed, p, d.label(p), d.word(p), d.start(p), w[at], i, begin)
				}
				p++
			}
			previous = w
		}
		if p != d.numNodes {
			t.Fatalf("seed %d: %d nodes, want %d", seed, d.numNodes, p)
		}
	}
}

// TestPrefixOrder proves what the writer takes from index/suffixarray, which does not promise it: that Lookup returns a part
// of the suffix array as it stands, so that prefixes are sorted backwards.
func TestPrefixOrder(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		_, b, words := newDictionary(t, randomWords(r, 1+r.IntN(700)))
		var want []string
		for _, p := range prefixesOf(words) {
			want = append(want, backwards(p))
		}
		slices.Sort(want)
		nodes := nodePrefixes(words)
		last := ""
		for i, node := range b.prefixes {
			got := backwards(nodes[node])
			if got != want[i] {
				t.Fatalf("seed %d: prefix %d is %q backwards, want %q", seed, i, got, want[i])
			}
			common := len(commonRunes(last, got))
			if i > 0 && int(b.common[i]) != common {
				t.Fatalf("seed %d: %q and %q have %d bytes in common, not %d", seed, last, got, common, b.common[i])
			}
			if i%keyStride == 0 {
				key := append([]byte(got), make([]byte, keyBytes)...)[:keyBytes]
				slices.Reverse(key)
				if stored := b.keys[i/keyStride*keyBytes:][:keyBytes]; !bytes.Equal(stored, key) {
					t.Fatalf("seed %d: the key of %q is %q", seed, got, stored)
				}
			}
			last = got
		}
	}
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// nodePrefixes returns the prefix that ends at each node.
func nodePrefixes(words []string) []string {
	var nodes []string
	previous := ""
	for i, w := range words {
		shared := commonPrefix(previous, w)
		if i%restartStride == 0 {
			shared = 0
		}
		for end := shared + 1; end <= len(w); end++ {
			nodes = append(nodes, w[:end])
		}
		previous = w
	}
	return nodes
}

// commonRunes returns what two reversed strings begin with, as far as it is whole sequences of UTF-8.
func commonRunes(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[n-1]) {
		n--
	}
	return a[:n]
}

package corpus

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
	"github.com/read-finder/read-finder/site/text"
)

var generatedAt = time.Unix(1_700_000_000, 0)

// newFilledWriter adds everything in p to a Writer.
func newFilledWriter(t testing.TB, p *site.Publication) *Writer {
	t.Helper()
	w, err := NewWriterOf(p, generatedAt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func encoded(t testing.TB, w *Writer) []byte {
	t.Helper()
	var buf bytes.Buffer
	n, err := w.WriteTo(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(buf.Len()) {
		t.Errorf("WriteTo returns %d, and wrote %d bytes", n, buf.Len())
	}
	return buf.Bytes()
}

func open(t testing.TB, data []byte) *Corpus {
	t.Helper()
	c, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// texts returns the folded text of each field of each article.
func texts(p *site.Publication) [][NumFields]string {
	fold := text.NewFolder(p.FoldDiacritics)
	var all [][NumFields]string
	for _, a := range p.Articles {
		labels := strings.Join(append(slices.Clone(a.Tags), a.Section, a.Author), " ")
		all = append(all, [NumFields]string{fold.String(a.Title), fold.String(labels), fold.String(a.Excerpt), fold.String(a.Body)})
	}
	return all
}

// checkToken compares the articles of a token, field by field, with those in whose text it is.
func checkToken(t *testing.T, c *Corpus, texts [][NumFields]string, token string) {
	t.Helper()
	var cover Cover
	var set, weightier Set
	weightier.Reset(len(texts))
	c.Find(token, &cover)
	c.Locate(&cover)
	for f := range NumFields {
		var want []uint32
		for i := range texts {
			if bestField(texts[i], token) == f {
				want = append(want, uint32(i))
			}
		}
		set.Reset(len(texts))
		c.Add(&set, &cover, f)
		if n := cover.Postings(f); n < set.Len() {
			t.Fatalf("%q in %s: %d postings make %d articles", token, f, n, set.Len())
		}
		got := set.numbers(&weightier)
		weightier.Union(&set)
		if !slices.Equal(got, want) {
			t.Fatalf("%d articles: %q in %s: got %d articles, want %d\n%v\n%v", len(texts), token, f, len(got), len(want), got, want)
		}
	}
}

// bestField returns the first field that contains token, and NumFields if none does.
func bestField(texts [NumFields]string, token string) Field {
	for f, s := range texts {
		if strings.Contains(s, token) {
			return Field(f)
		}
	}
	return NumFields
}

// randomTokens returns the folded tokens of random queries.
func randomTokens(r *rand.Rand, p *site.Publication, queries int) []string {
	fold := text.NewFolder(p.FoldDiacritics)
	var tokens []string
	for range queries {
		tokens = append(tokens, text.Fields(fold.String(sitetest.RandomQuery(r, p)))...)
	}
	return tokens
}

func TestTokensAgainstNaiveScan(t *testing.T) {
	for seed := range uint64(12) {
		t.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		p := sitetest.Random(r, []int{0, 1, 64, 500, 512, 513, 1200}[r.IntN(7)])
		c := open(t, encoded(t, newFilledWriter(t, p)))
		all := texts(p)
		for _, token := range randomTokens(r, p, 100) {
			checkToken(t, c, all, token)
		}
	}
}

// With unions for every range of the prefix array, nested as deep as they can be, the answers are the same; and so they
// are in a corpus that is large enough for unions by itself.
func TestUnionsAgainstNaiveScan(t *testing.T) {
	most, ofWords, ofUnions := 0, 0, 0
	for seed := range uint64(18) {
		t.Logf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 2))
		p := sitetest.Random(r, []int{1, 65, 513, 700, 1300}[r.IntN(5)])
		w := newFilledWriter(t, p)
		switch seed % 3 {
		case 0: // for what they save, whatever they take
			w.collector.unions = unionLimits{rate: 1e-9, saving: 1, part: 1}
		case 1:
			w.collector.unions = unionLimits{rate: 0.003 * math.Exp2(7*r.Float64()), saving: 1, part: 1 + r.Uint64N(8)}
		}
		c := open(t, encoded(t, w))
		most = max(most, depth(&c.unions))
		for i := range uint64(c.unions.numParts) {
			if _, _, ofWord := c.unions.part(i); ofWord {
				ofWords++
			} else {
				ofUnions++
			}
		}
		used := 0
		all := texts(p)
		for _, token := range randomTokens(r, p, 60) {
			checkToken(t, c, all, token)
			var cover Cover
			c.Find(token, &cover)
			c.Locate(&cover)
			used += len(cover.unions)
		}
		if used == 0 && len(p.Articles) > 500 {
			t.Errorf("%d articles, %d unions: no token used one", len(p.Articles), c.unions.n)
		}
	}
	if most < 3 || ofWords < 100 || ofUnions < 5 {
		t.Errorf("unions nest at most %d deep, %d of their parts are lists of words, %d lists of unions", most, ofWords, ofUnions)
	}
}

// depth returns how deep unions nest, and fails where two of them overlap or stand out of order.
func depth(u *unionTable) int {
	deepest := 0
	var around []Range
	for i := range u.n {
		r := u.at(i)
		for len(around) > 0 && around[len(around)-1].hi <= r.lo {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && (r.hi > around[n-1].hi || r == around[n-1]) {
			return -1 << 30
		}
		around = append(around, r)
		deepest = max(deepest, len(around))
	}
	return deepest
}

// A cover has the words of the range or the unions of parts of it, each prefix once.
func TestCoverIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	p := sitetest.Random(r, 400)
	w := newFilledWriter(t, p)
	w.collector.unions = unionLimits{rate: 0.5, saving: 100, part: 4}
	c := open(t, encoded(t, w))
	var cover Cover
	for range 2000 {
		lo := uint32(r.IntN(int(c.dict.numPrefs)))
		hi := lo + uint32(r.IntN(int(c.dict.numPrefs-lo)+1))
		cover.found = Range{lo, hi}
		c.Locate(&cover)
		covered := uint32(len(cover.words))
		end := lo
		for _, i := range cover.unions {
			u := c.unions.at(i)
			if u.lo < end || u.hi > hi {
				t.Fatalf("the cover of [%d, %d) has the union of [%d, %d)", lo, hi, u.lo, u.hi)
			}
			covered += u.hi - u.lo
			end = u.hi
		}
		if covered != hi-lo {
			t.Fatalf("the cover of [%d, %d) has %d prefixes", lo, hi, covered)
		}
	}
}

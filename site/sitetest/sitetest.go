// Package sitetest makes publications and queries for tests and benchmarks: as many articles as asked for, of a prose
// whose statistics are those of real sites, or of words that collide, the same for the same seed. It also answers queries the
// naive way, for tests to compare with.
//
// The statistics are fitted to 3,748 pages, 1.7 million words, of a public-domain government publication: a
// Zipf-Mandelbrot law of common words (Mandelbrot, 1953), a vocabulary that grows by Heaps' law as 12 n^0.61, words that
// recur within their article, attached punctuation, inflections, names, numbers and addresses. At that size both have 78,000
// distinct words of 9.2 bytes; the prose made here is a little harder: its words have 0.32 nodes in a trie for each
// byte of theirs (0.34), its postings an entropy of 0.071 of the text (0.057).
package sitetest

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/read-finder/read-finder/site"
)

// A Size is a corpus as benchmarks measure it.
type Size struct {
	Articles           int
	MinWords, MaxWords int // of a body
}

// Sizes are the corpora that benchmarks measure: a small site, the short articles of a large one, an archive of full articles,
// and a million short ones.
var Sizes = []Size{
	{1_000, 600, 900},
	{20_000, 100, 240},
	{100_000, 600, 900},
	{1_000_000, 150, 300},
}

const (
	commonWords = 9_000 // words that every article draws from
	zipfShift   = 2.7
	zipfPower   = 1.05
)

// A prose draws words.
type prose struct {
	rand   *rand.Rand
	common []string
	first  []int // guide table: where in cumulative to begin
	sums   []float64
	rare   []string // rare words so far, as often as they occurred
	tokens float64
}

func newProse(seed uint64) *prose {
	p := &prose{rand: rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))}
	seen := map[string]bool{}
	for len(p.common) < commonWords {
		n := len(p.common)
		stem, inflections := p.shortWord(), 1 // the most frequent words are short
		if n >= 150 {
			stem, inflections = p.stem(1+p.rand.IntN(1+min(2, 1+n/3000))), 1+p.rand.IntN(4)
		}
		for _, ending := range endings[:inflections] {
			if w := stem + ending; !seen[w] {
				seen[w] = true
				p.common = append(p.common, w)
			}
		}
	}
	p.common = p.common[:commonWords]
	p.weigh()
	return p
}

// weigh gives the common words their frequencies.
func (p *prose) weigh() {
	sum := 0.0
	for i := range p.common {
		sum += math.Pow(float64(i)+zipfShift, -zipfPower)
		p.sums = append(p.sums, sum)
	}
	const guides = 1 << 16
	at := 0
	for g := range guides {
		for p.sums[at] < sum*float64(g)/guides {
			at++
		}
		p.first = append(p.first, at)
	}
}

var (
	onsets  = strings.Fields("b c d f g h j l m n p r s t v w br ch cl cr dr fl fr gr pl pr qu sc sh sl sp st str th tr tw wh")
	vowels  = strings.Fields("a e i o u a e i o e ea ee ou io ai au oa ie")
	codas   = strings.Fields("n r s t l m d n r s t ck ct ld ll nd ng nt rd rm rt sh ss st th x p g")
	endings = []string{"", "s", "ing", "ed", "er", "ion", "al", "ly", "ment", "ness", "ity", "able"}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// stem returns a word of so many syllables, the earlier ones of a list being likelier.
func (p *prose) stem(syllables int) string {
	var b strings.Builder
	for i := range syllables {
		b.WriteString(p.skewed(onsets))
		b.WriteString(p.skewed(vowels))
		if i == syllables-1 || p.rand.IntN(3) == 0 {
			b.WriteString(p.skewed(codas))
		}
	}
	return b.String()
}

func (p *prose) shortWord() string {
	w := p.skewed(vowels[:5])
	if p.rand.IntN(5) > 0 {
		w = p.skewed(onsets[:15]) + w
	}
	if p.rand.IntN(2) > 0 {
		w += p.skewed(codas[:10])
	}
	return w
}

func (p *prose) skewed(list []string) string {
	return list[min(p.rand.IntN(len(list)), p.rand.IntN(len(list)))]
}

// word returns the next word, without punctuation.
func (p *prose) word(article *[]string) string {
	p.tokens++
	var w string
	// Heaps' law gives the chance of a new word; those that punctuation makes of known ones are half of it.
	if p.rand.Float64() < 0.5*12*0.61*math.Pow(p.tokens+500, -0.39) {
		w = p.newWord()
		p.remember(w)
	} else if n := p.rand.IntN(100); n < 30 && len(*article) > 20 {
		w = pick(p.rand, *article) // an article speaks of one thing
	} else if n < 31 && len(p.rare) > 0 {
		w = pick(p.rand, p.rare)
	} else {
		w = p.commonWord()
	}
	*article = append(*article, w)
	return w
}

const remembered = 1 << 20

func (p *prose) remember(w string) {
	if len(p.rare) < remembered {
		p.rare = append(p.rare, w)
		return
	}
	p.rare[p.rand.IntN(remembered)] = w
}

func (p *prose) commonWord() string {
	u := p.rand.Float64()
	at := p.first[int(u*float64(len(p.first)))]
	for u *= p.sums[len(p.sums)-1]; p.sums[at] < u; {
		at++
	}
	return p.common[at]
}

// newWord returns a word that has hardly been seen before: a name, a number, a compound, an inflection, a code, an address.
func (p *prose) newWord() string {
	r := p.rand
	switch n := r.IntN(100); {
	case n < 30:
		return capital(p.stem(1+r.IntN(2)) + pick(r, []string{"", "son", "berg", "ez", "ton", "ville", "a", "i"}))
	case n < 52:
		return p.commonWord() + pick(r, endings[1:])
	case n < 66:
		return p.commonWord() + "-" + p.commonWord()
	case n < 76:
		return pick(r, []string{"un", "re", "pre", "over", "non", "multi"}) + p.commonWord()
	case n < 86:
		return fmt.Sprintf(pick(r, []string{"%d", "$%d", "%d%%", "%d,000", "%d.5"}), r.IntN(10_000))
	case n < 90:
		return strings.ToUpper(p.stem(1))
	case n < 93:
		return fmt.Sprintf("%s%d", strings.ToUpper(p.stem(1)[:2]), r.IntN(100_000))
	case n < 96:
		return "https://www." + p.commonWord() + ".example/" + p.commonWord() + "/" + p.commonWord()
	case n < 97:
		return "@" + p.commonWord() + p.stem(1)
	}
	return p.stem(2 + r.IntN(3))
}

func capital(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

// text appends n words of sentences to b.
func (p *prose) text(b *strings.Builder, n int, article *[]string) {
	sentence := 0
	for i := range n {
		w := p.word(article)
		if sentence == 0 {
			w = capital(w)
			sentence = 8 + p.rand.IntN(18)
		}
		sentence--
		if i > 0 {
			b.WriteByte(' ')
		}
		switch r := p.rand.IntN(1000); {
		case sentence == 0 || i == n-1:
			w += "."
		case r < 55:
			w += ","
		case r < 60:
			w += "’s"
		case r < 66:
			w = "(" + w + ")"
		case r < 72:
			w = "“" + w + "”"
		case r < 77:
			w += ":"
		}
		b.WriteString(w)
	}
}

// Articles yields n articles in answer order.
func Articles(seed uint64, size Size) iter.Seq[*site.Article] {
	return func(yield func(*site.Article) bool) {
		p := newProse(seed)
		newest := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
		var tags, authors []string
		for range 400 {
			tags = append(tags, p.stem(2))
		}
		for range 20 + size.Articles/300 {
			authors = append(authors, capital(p.stem(1))+" "+capital(p.stem(2)))
		}
		for i := range size.Articles {
			a := p.article(size, tags, authors)
			a.Path = fmt.Sprintf("/%s/%s/%07d", a.Section, a.Tags[0], i)
			a.URL = "https://www.example.org" + a.Path + "/"
			a.Date = newest.Add(-time.Duration(i) * time.Hour)
			if !yield(a) {
				return
			}
		}
	}
}

var sections = strings.Fields("news opinion reviews interviews research events guides archive")

func (p *prose) article(size Size, tags, authors []string) *site.Article {
	var title, body strings.Builder
	var rare []string
	p.text(&title, 4+p.rand.IntN(7), &rare)
	p.text(&body, size.MinWords+p.rand.IntN(size.MaxWords-size.MinWords+1), &rare)
	a := &site.Article{
		Title:   strings.TrimSuffix(title.String(), "."),
		Section: p.skewed(sections),
		Author:  authors[min(p.rand.IntN(len(authors)), p.rand.IntN(len(authors)))],
		Body:    body.String(),
	}
	for range 1 + p.rand.IntN(4) {
		a.Tags = append(a.Tags, p.skewed(tags))
	}
	// An excerpt is mostly the beginning of the text, as Hugo's summary is.
	words := strings.SplitN(a.Body, " ", 31)
	a.Excerpt = strings.Join(words[:min(30, len(words))], " ")
	return a
}

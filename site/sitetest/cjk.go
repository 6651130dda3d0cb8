package sitetest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/read-finder/read-finder/site"
)

// A Script is a way to write without white space between words.
type Script string

// The scripts, by the language that is written in them.
const (
	Chinese  Script = "zh"
	Japanese Script = "ja"
)

// Unspaced yields articles in answer order in a script without spaces; the words of size are those that a reader tells apart.
//
// Chinese is fitted to 407 issues, 2.5 million characters, of a weekly, measured at the same size (in parentheses: what is
// made here). 0.70 (0.73) of the characters are ideographs, half of their runs are of at most 6 (6) and nine tenths of at most
// 13 (14). The 100, 500 and 1,000 most frequent make up 0.44, 0.82 and 0.94 (0.46, 0.82, 0.95); of all sequences of 2, 3, 4
// and 6 within a run 0.13, 0.44, 0.71 and 0.92 are distinct (0.16, 0.47, 0.66, 0.92); an issue of 6,100 characters has 940
// distinct ones and 2,560 distinct pairs (990, 2,480). xz packs the text to 0.30 of its bytes (0.32). Japanese has the same
// law of words, which particles join.
func Unspaced(seed uint64, script Script, size Size) iter.Seq[*site.Article] {
	return func(yield func(*site.Article) bool) {
		p := newUnspaced(seed, script)
		newest := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
		var names []string
		for range 60 + size.Articles/300 {
			names = append(names, p.compound(2))
		}
		for i := range size.Articles {
			p.theme = nil
			a := &site.Article{
				Title:   strings.Trim(p.text(4+p.rand.IntN(7)), "，、。\n "),
				Body:    p.text(size.MinWords + p.rand.IntN(size.MaxWords-size.MinWords+1)),
				Tags:    []string{p.skewed(names), p.skewed(names)},
				Section: sections[i%len(sections)],
				Author:  p.skewed(names),
				Path:    fmt.Sprintf("/%s/%07d", script, i),
				Date:    newest.Add(-time.Duration(i) * time.Hour),
			}
			a.URL = "https://www.example.org" + a.Path + "/"
			letters := []rune(a.Body)
			a.Excerpt = string(letters[:min(90, len(letters))])
			if !yield(a) {
				return
			}
		}
	}
}

// An unspaced draws words that are written one behind the other, by the law of prose.
type unspaced struct {
	prose
	script  Script
	letters []rune   // ideographs, the frequent ones first
	phrases []string // words that are said together
	theme   []string // what the article has said so far
	comma   string
}

func newUnspaced(seed uint64, script Script) *unspaced {
	p := &unspaced{prose: prose{rand: rand.New(rand.NewPCG(seed, 0xA0761D6478BD642F))}, script: script}
	ideographs := 4000
	p.comma = "，"
	if script == Japanese {
		ideographs, p.comma = 2000, "、"
	}
	const first, last = 0x4E00, 0x9FA5
	for _, i := range p.rand.Perm(last - first + 1)[:ideographs] {
		p.letters = append(p.letters, rune(first+i))
	}
	seen := map[string]bool{}
	for len(p.common) < commonWords {
		w := p.chinese(len(p.common))
		if script == Japanese {
			w = p.japanese()
		}
		if !seen[w] {
			seen[w] = true
			p.common = append(p.common, w)
		}
	}
	p.weigh()
	for range 30_000 {
		p.phrases = append(p.phrases, p.join(p.commonWord())+p.commonWord())
	}
	return p
}

// chinese returns the n-th most frequent word: the most frequent ones are of one character.
func (p *unspaced) chinese(n int) string {
	r := p.rand.IntN(100)
	switch {
	case n < 150 && r < 70 || r < 8:
		return p.compound(1)
	case r < 75:
		return p.compound(2)
	case r < 90:
		return p.compound(3)
	}
	return p.compound(4)
}

var (
	particles = strings.Fields("の は を に が と で も する して から した な まで として ます です という")
	okurigana = strings.Fields("い う く る き り け える った って める かい われる しい")
	katakana  = []rune("アイウエオカキクサシスタチテトナニネノフホマミムメモラリルレロンーッドプ")
	hiragana  = []rune("あいうかきくけこさしすそたちつてとなにのはまみもやよられろわん")
)

// japanese returns a word in kanji, kanji and kana, or kana.
func (p *unspaced) japanese() string {
	switch r := p.rand.IntN(100); {
	case r < 45:
		return p.compound(2)
	case r < 75:
		return p.compound(1) + p.skewed(okurigana)
	case r < 90:
		return p.kana(katakana, 3+p.rand.IntN(4))
	}
	return p.kana(hiragana, 2+p.rand.IntN(3))
}

func (p *unspaced) kana(of []rune, n int) string {
	w := make([]rune, n)
	for i := range w {
		w[i] = pick(p.rand, of)
	}
	return string(w)
}

// join returns w with what joins it to the next word.
func (p *unspaced) join(w string) string {
	if p.script == Japanese && p.rand.IntN(5) > 0 {
		return w + p.skewed(particles)
	}
	return w
}

// compound returns a word of n ideographs.
func (p *unspaced) compound(n int) string {
	w := make([]rune, n)
	for i := range w {
		at := int(p.rand.ExpFloat64() * float64(len(p.letters)) / 9)
		if at >= len(p.letters) || p.rand.IntN(50) == 0 {
			at = p.rand.IntN(len(p.letters))
		}
		w[i] = p.letters[at]
	}
	return string(w)
}

// word returns the next word, or the next two.
func (p *unspaced) word() string {
	var w string
	switch n := p.rand.IntN(1000); {
	case n < 15:
		w = p.compound(2 + p.rand.IntN(2)) // a name
	case n < 120 && len(p.theme) > 20:
		w = pick(p.rand, p.theme) // an article speaks of one thing
	case n < 270:
		w = p.phrases[min(p.rand.IntN(len(p.phrases)), p.rand.IntN(len(p.phrases)))]
	default:
		w = p.commonWord()
	}
	p.theme = append(p.theme, w)
	return p.join(w)
}

// text returns n words in clauses, sentences and paragraphs.
func (p *unspaced) text(n int) string {
	var b strings.Builder
	clause, clauses, sentences := 0, 0, 0
	for i := range n {
		if clause == 0 {
			clause = 1 + p.rand.IntN(7)
		}
		switch n := p.rand.IntN(1000); {
		case n < 50:
			b.WriteString(" " + capital(p.stem(1+p.rand.IntN(2))) + " ")
		case n < 85:
			fmt.Fprint(&b, p.rand.IntN(3000))
		default:
			b.WriteString(p.word())
		}
		clause--
		switch {
		case i < n-1 && clause > 0:
		case i < n-1 && clauses < p.rand.IntN(5):
			b.WriteString(p.comma)
			clauses++
		default:
			b.WriteString("。")
			clauses = 0
			if sentences++; sentences > p.rand.IntN(5) {
				b.WriteString("\n")
				sentences = 0
			}
		}
	}
	return b.String()
}

// UnspacedQueries returns n queries about articles, all different: of single characters, two to six in a row, two such
// pieces, and what is nowhere.
func UnspacedQueries(seed uint64, articles []site.Article, n int) []Query {
	r := rand.New(rand.NewPCG(seed, 0xE7037ED1A0B428DB))
	seen := map[string]bool{}
	var queries []Query
	for tries := 0; len(queries) < n && tries < 100*n; tries++ {
		a := &articles[r.IntN(len(articles))]
		words := strings.Fields(a.Title + " " + a.Body)
		piece := func(least, most int) string {
			word := []rune(pick(r, words))
			n := min(least+r.IntN(most-least+1), len(word))
			begin := r.IntN(len(word) - n + 1)
			return string(word[begin : begin+n])
		}
		var q Query
		switch n := r.IntN(100); {
		case n < 10:
			q = Query{Short, piece(1, 1)}
		case n < 60:
			q = Query{Fragment, piece(2, 6)}
		case n < 90:
			q = Query{Several, piece(2, 3) + " " + piece(2, 3)}
		default:
			q = Query{None, piece(3, 4) + "zq" + piece(1, 1)}
		}
		if !seen[q.Text] {
			seen[q.Text] = true
			queries = append(queries, q)
		}
	}
	return queries
}

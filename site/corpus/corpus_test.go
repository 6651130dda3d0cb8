package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// randomArticles makes articles that share few, short, colliding words, so that every structure is exercised.
func randomArticles(r *rand.Rand, n int) []site.Article {
	alphabet := []rune("abcde-ß’é世界界🙂,")
	word := func() string {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteRune(alphabet[r.IntN(1+r.IntN(len(alphabet)))])
		}
		return b.String()
	}
	var vocabulary []string
	for range 20 + r.IntN(2000) {
		vocabulary = append(vocabulary, word())
	}
	words := func(n int) string {
		var list []string
		for range r.IntN(n + 1) {
			list = append(list, vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))])
		}
		return strings.Join(list, " ")
	}
	var articles []site.Article
	for i := range n {
		articles = append(articles, site.Article{
			Path: fmt.Sprintf("/news/%06d", i), URL: fmt.Sprintf("https://www.example.org/news/%06d/", i),
			Title: words(5), Excerpt: words(12), Tags: strings.Fields(words(3)), Section: "news", Author: words(2),
			Date: time.Unix(int64(1_700_000_000-i), 0), Body: words(60),
		})
	}
	return articles
}

func build(t testing.TB, articles []site.Article) *Corpus {
	t.Helper()
	w := NewWriter(Options{Language: "en", GeneratedAt: time.Unix(1_700_000_000, 0)})
	for i := range articles {
		if err := w.Add(&articles[i]); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	c, err := Open(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fieldTexts returns the folded text of each field.
func fieldTexts(a *site.Article) (texts [NumFields]string) {
	fold := text.NewFolder(false)
	texts[Title] = fold.String(a.Title)
	texts[Labels] = fold.String(strings.Join(a.Tags, " ") + " " + a.Section + " " + a.Author)
	texts[Excerpt] = fold.String(a.Excerpt)
	texts[Body] = fold.String(a.Body)
	return texts
}

func TestMatchAgainstNaiveScan(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		articles := randomArticles(r, r.IntN(1500))
		c := build(t, articles)
		var texts [][NumFields]string
		for i := range articles {
			texts = append(texts, fieldTexts(&articles[i]))
		}
		var cover Cover
		var set Set
		for range 100 {
			token := randomToken(r, texts)
			c.Cover(c.Find(token), &cover)
			var weightier Set
			weightier.Reset(len(articles))
			for f := range NumFields {
				set.Reset(len(articles))
				c.Add(&set, &cover, f)
				var want []uint32
				for i := range texts {
					if bestField(texts[i], token) == f {
						want = append(want, uint32(i))
					}
				}
				got := set.numbers(&weightier)
				weightier.Union(&set)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, %d articles: %q in %s: got %d articles, want %d\n%v\n%v", seed, len(articles), token, f, len(got), len(want), got, want)
				}
			}
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

// randomToken returns a piece of a word of the texts, or something like one.
func randomToken(r *rand.Rand, texts [][NumFields]string) string {
	if len(texts) > 0 && r.IntN(5) > 0 {
		if words := strings.Fields(strings.Join(texts[r.IntN(len(texts))][:], " ")); len(words) > 0 {
			word := []rune(words[r.IntN(len(words))])
			begin := r.IntN(len(word))
			return string(word[begin : begin+1+r.IntN(len(word)-begin)])
		}
	}
	return []string{"zzz", "ab", "a", "é", "界世", "abcdeabcdeabcde", ",,", "ss"}[r.IntN(8)]
}

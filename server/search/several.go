package search

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// several answers a query of several tokens.
func (s *scratch) several(dst []int, c *corpus.Corpus, limit int) []int {
	n := c.NumArticles()
	highest, share := 0, 1.0
	for i := range s.terms {
		t := &s.terms[i]
		t.highest, t.postings = 0, 0
		for f := corpus.Body; f >= corpus.Title; f-- {
			if p := t.cover.Postings(f); p > 0 {
				t.highest = t.extra(f)
				t.postings += p
			}
		}
		highest += t.highest
		share *= min(1, float64(t.postings)/float64(n))
	}
	slices.SortFunc(s.terms, func(a, b term) int { return cmp.Compare(a.postings, b.postings) })
	s.ranking.reset(limit, highest)
	if s.terms[0].postings <= n/fewShare {
		s.narrow(c)
	} else {
		s.sweep(c, float64(limit)/(share*float64(n)))
	}
	return s.ranking.appendTo(dst)
}

// fewShare: a token of one in so many articles and fewer is looked for first, and the others among its articles only.
const fewShare = 256

// extra returns what the term adds to the extra of an article in which f is its best field.
func (t *term) extra(f corpus.Field) int { return (weight(f) - 1) * t.times }

// last returns the last field in which the term adds need to the extra of an article. need <= t.highest.
func (t *term) last(need int) corpus.Field {
	f := corpus.Body
	for t.extra(f) < need {
		f--
	}
	return f
}

// sweep ranks the articles in which all terms occur. It goes through all articles in windows, the newest first. The more it has
// ranked, the more an article must have to come before them: in fields in which a term adds too little for that, whatever the others add,
// the term is not looked for any more, and when no field is left, it is done.
func (s *scratch) sweep(c *corpus.Corpus, share float64) {
	for i := range s.terms {
		t := &s.terms[i]
		for f := range t.sweeps {
			c.Sweep(&t.sweeps[f], &t.cover, corpus.Field(f))
		}
	}
	for first, end := range windows(c.NumArticles(), share) {
		for i := range s.terms {
			t := &s.terms[i]
			t.fields = t.last(s.ranking.floor+1-(s.ranking.highest-t.highest)) + 1
			for f := range t.fields {
				t.sweeps[f].Read(first, end)
			}
		}
		s.rank(first, end)
		if s.ranking.full() {
			return
		}
	}
}

// candidates are articles, ascending, with their extras.
type candidates struct {
	articles []uint32
	extras   []int
	settled  []bool // a term's best field is known
}

// narrow ranks the articles in which all terms occur. It looks for each term among those of the terms before.
func (s *scratch) narrow(c *corpus.Corpus) {
	s.match.Reset(c.NumArticles())
	for f := range corpus.NumFields {
		c.Add(&s.match, &s.terms[0].cover, f)
	}
	l := &s.few
	l.list(&s.match)
	for i := range s.terms {
		t := &s.terms[i]
		s.match.Reset(c.NumArticles())
		s.match.AllowFew(l.articles)
		clear(l.settled)
		for f := range corpus.Body {
			if t.cover.Postings(f) > 0 {
				c.Add(&s.match, &t.cover, f)
				l.settle(&s.match, t.extra(f))
			}
		}
		if i > 0 {
			c.Add(&s.match, &t.cover, corpus.Body)
			l.keep(&s.match)
		}
	}
	for place, article := range l.articles {
		s.ranking.add(int(article), l.extras[place])
	}
}

// list lists the articles of found.
func (l *candidates) list(found *corpus.Set) {
	l.articles = l.articles[:0]
	for b, block := range found.All() {
		for i, word := range block {
			for ; word != 0; word &= word - 1 {
				l.articles = append(l.articles, uint32((b*corpus.BlockWords+i)*64+bits.TrailingZeros64(word)))
			}
		}
	}
	n := len(l.articles)
	l.extras, l.settled = slices.Grow(l.extras[:0], n)[:n], slices.Grow(l.settled[:0], n)[:n]
	clear(l.extras)
}

// settle adds extra to the articles in found that are not settled, which settles them.
func (l *candidates) settle(found *corpus.Set, extra int) {
	for place, article := range l.articles {
		if !l.settled[place] && found.Has(int(article)) {
			l.extras[place] += extra
			l.settled[place] = true
		}
	}
}

// keep leaves the articles in found.
func (l *candidates) keep(found *corpus.Set) {
	left := 0
	for place, article := range l.articles {
		if found.Has(int(article)) {
			l.articles[left], l.extras[left] = article, l.extras[place]
			left++
		}
	}
	l.articles, l.extras, l.settled = l.articles[:left], l.extras[:left], l.settled[:left]
}

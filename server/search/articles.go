package search

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// weight is what a token adds to the score of an article in which f is the weightiest field that contains it:
// title 8, tags, section and author 4, excerpt 2, body 1.
func weight(f corpus.Field) int { return 8 >> f }

// scratch is the working memory of one query: up to 13 bits an article.
type scratch struct {
	terms     []term
	found     corpus.Set // the articles that all tokens so far occur in
	rest      corpus.Set // those of them in which a further token has not been found yet
	match     corpus.Set // those of one token and field
	ledger    ledger
	best      []scored
	pending   []uint32 // articles of best in which a further token has not been found yet
	places    []int    // where in best they are
	companies [numFits][]int
}

// A term is a token of a query with its words, and how often the query has it.
type term struct {
	token string
	cover corpus.Cover
	times int

	postings int // on its lists
}

// Articles appends to dst the numbers of the first limit articles that contain every token of q: by score, the higher
// first, then in the order of the corpus. The score is the sum over the tokens of the weight of the best field.
func (e *Engine) Articles(dst []int, q Query, limit int) []int {
	if len(q.Tokens) == 0 || limit <= 0 || e.corpus.NumArticles() == 0 {
		return dst
	}
	s := <-e.idle
	defer func() { e.idle <- s }()
	if !s.resolve(e.corpus, q.Tokens) {
		return dst
	}
	if len(s.terms) == 1 {
		return s.single(dst, e.corpus, limit)
	}
	return s.several(dst, e.corpus, limit)
}

// resolve finds the words of each token. It reports whether every token has any.
func (s *scratch) resolve(c *corpus.Corpus, tokens []string) bool {
	n := 0
next:
	for _, token := range tokens {
		for i := range s.terms[:n] {
			if s.terms[i].token == token {
				s.terms[i].times++
				continue next
			}
		}
		s.terms = slices.Grow(s.terms[:n], 1)[:n+1] // what a longer query has left there is used again
		t := &s.terms[n]
		if t.token, t.times = token, 1; !c.Find(token, &t.cover) {
			return false
		}
		n++
	}
	s.terms = s.terms[:n]
	for i := range s.terms {
		c.Locate(&s.terms[i].cover)
	}
	return true
}

// single answers a query of one token. The score of an article is the weight of its best field, so the fields are taken
// one after the other, until limit articles are found.
func (s *scratch) single(dst []int, c *corpus.Corpus, limit int) []int {
	s.found.Reset(c.NumArticles())
	for f := corpus.Title; f <= corpus.Body && limit > 0; f++ {
		n := len(dst)
		dst = s.field(dst, c, f, limit)
		for _, article := range dst[n:] {
			s.found.Add(article)
		}
		limit -= len(dst) - n
	}
	return dst
}

// field appends the first limit articles in whose field f the only token occurs, but those found already. It looks through the
// newest articles first, as many as most likely hold enough.
func (s *scratch) field(dst []int, c *corpus.Corpus, f corpus.Field, limit int) []int {
	cover, begin := &s.terms[0].cover, len(dst)
	all := c.NumArticles()
	set, newest := &s.match, all
	if n := cover.Postings(f); n > 0 {
		newest = min(all, 3*limit*all/n) // words share articles
	}
	for {
		set.Reset(all)
		set.AllowBelow(newest)
		c.Add(set, cover, f)
		dst = appendNew(dst[:begin], set, &s.found, limit)
		if newest == all || len(dst)-begin == limit {
			return dst
		}
		newest = all
	}
}

// appendNew appends the first limit articles of set that are not in old, which may be nil.
func appendNew(dst []int, set, old *corpus.Set, limit int) []int {
	for b, block := range set.All() {
		var known *[corpus.BlockWords]uint64
		if old != nil {
			known = old.Block(b)
		}
		for i, word := range block {
			if known != nil {
				word &^= known[i]
			}
			for ; word != 0; word &= word - 1 {
				if limit == 0 {
					return dst
				}
				limit--
				dst = append(dst, (b*corpus.BlockWords+i)*64+bits.TrailingZeros64(word))
			}
		}
	}
	return dst
}

// several answers a query of several tokens: it takes the rarest first, looks for the others among its articles, and scores
// those that are left.
func (s *scratch) several(dst []int, c *corpus.Corpus, limit int) []int {
	tokens := 0
	for i := range s.terms {
		t := &s.terms[i]
		tokens += t.times
		t.postings = 0
		for f := corpus.Title; f <= corpus.Body; f++ {
			t.postings += t.cover.Postings(f)
		}
	}
	slices.SortFunc(s.terms, func(a, b term) int { return cmp.Compare(a.postings, b.postings) })
	s.ledger.reset(c.NumArticles(), len(s.terms))
	s.found.Reset(c.NumArticles())
	for f := corpus.Title; f <= corpus.Body; f++ {
		c.Add(&s.found, &s.terms[0].cover, f)
	}
	for i := range s.terms {
		if s.found.Len() <= c.NumArticles()/fewShare {
			return s.few(dst, c, i, limit)
		}
		s.narrow(c, i)
	}
	return s.top(dst, limit, tokens)
}

// fields returns the last field that a term is looked for in: what has been found for having the first one needs no other
// proof than that no weightier field has it.
func fields(term int) corpus.Field {
	if term == 0 {
		return corpus.Excerpt
	}
	return corpus.Body
}

// narrow leaves the articles found in which a term occurs. A field is looked through only for those that no weightier field
// has settled.
func (s *scratch) narrow(c *corpus.Corpus, term int) {
	s.rest.Copy(&s.found, c.NumArticles())
	for f := corpus.Title; f <= fields(term); f++ {
		s.match.Reset(c.NumArticles())
		s.match.Allow(&s.rest)
		c.Add(&s.match, &s.terms[term].cover, f)
		s.ledger.settle(&s.found, &s.rest, &s.match, term, f)
	}
	if term > 0 {
		s.found.Remove(&s.rest)
	}
}

// fewShare: of one in so many articles and fewer, a list is faster than a set.
const fewShare = 32

// few is narrow and top for few articles: it answers the query from the terms before number begin, which have found them.
func (s *scratch) few(dst []int, c *corpus.Corpus, begin, limit int) []int {
	s.list(begin)
	for i := begin; i < len(s.terms); i++ {
		s.narrowFew(c, i)
	}
	var count [MaxTokens*maxExtra + 1]int
	for _, a := range s.best {
		count[a.extra]++
	}
	return sorted(dst, limit, s.best, count[:])
}

// list lists the articles found, with the extras of the first terms.
func (s *scratch) list(terms int) {
	s.best = s.best[:0]
	for b, block := range s.found.All() {
		sums := s.ledger.sum(b, s.terms[:terms])
		for i, found := range block {
			for ; found != 0; found &= found - 1 {
				bit := bits.TrailingZeros64(found)
				s.best = append(s.best, scored{(b*corpus.BlockWords+i)*64 + bit, sums[i].of(bit, maxPlanes)})
			}
		}
	}
}

// narrowFew leaves the articles listed in which a term occurs, and adds its extras.
func (s *scratch) narrowFew(c *corpus.Corpus, term int) {
	t := &s.terms[term]
	s.pending, s.places = s.pending[:0], s.places[:0]
	for place, a := range s.best {
		s.pending, s.places = append(s.pending, uint32(a.article)), append(s.places, place)
	}
	for f := corpus.Title; f <= fields(term) && len(s.pending) > 0; f++ {
		if t.cover.Postings(f) == 0 {
			continue
		}
		s.match.Reset(c.NumArticles())
		s.match.AllowFew(s.pending)
		c.Add(&s.match, &t.cover, f)
		left := 0
		for i, article := range s.pending {
			if place := s.places[i]; s.match.Has(int(article)) {
				s.best[place].extra += (weight(f) - 1) * t.times
			} else {
				s.pending[left], s.places[left] = article, place
				left++
			}
		}
		s.pending, s.places = s.pending[:left], s.places[:left]
	}
	if term > 0 && len(s.places) > 0 {
		for _, place := range s.places {
			s.best[place].article = -1
		}
		s.best = slices.DeleteFunc(s.best, func(a scored) bool { return a.article < 0 })
	}
}

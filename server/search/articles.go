package search

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/read-finder/read-finder/site/corpus"
)

// Weights are powers of two, so the scores of 64 articles are added at once, bit by bit: plane p holds bit p of each score.
const (
	maxWeight = 8
	maxPlanes = 9 // MaxTokens * maxWeight = 256
)

// scratch is the working memory of one query, 14 bits an article.
type scratch struct {
	terms   []term
	matches corpus.Matches // of the token in hand
	found   corpus.Set     // the articles that all tokens so far match
	planes  [maxPlanes][]uint64
	used    int // planes in use
	best    []scored
	count   [MaxTokens*maxWeight + 1]int // per score, the articles in best

	companies [numFits][]int
}

// A term is a token with its words, and how often the query has it.
type term struct {
	token string
	words corpus.Range
	times int
}

type scored struct{ article, score int }

// Articles appends to dst the numbers of the first limit articles that contain every token of q: by score, the higher
// first, then in the order of the corpus. The score is the sum over the tokens of the weight of the best field.
func (e *Engine) Articles(dst []int, q Query, limit int) []int {
	if len(q.Tokens) == 0 || limit <= 0 || e.corpus.NumArticles() == 0 {
		return dst
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	if !s.resolve(e.corpus, q.Tokens) {
		return dst
	}
	s.used = bits.Len(uint(maxWeight * len(q.Tokens)))
	for i, t := range s.terms {
		e.corpus.Match(t.words, &s.matches)
		if i == 0 {
			s.begin()
		} else {
			s.found.Intersect(&s.matches[corpus.Anywhere])
		}
		for range t.times {
			s.score()
		}
	}
	return s.top(dst, limit, maxWeight*len(q.Tokens))
}

// resolve finds the words of each token, the fewest first. It reports whether every token has any.
func (s *scratch) resolve(c *corpus.Corpus, tokens []string) bool {
	s.terms = s.terms[:0]
next:
	for _, token := range tokens {
		for i := range s.terms {
			if s.terms[i].token == token {
				s.terms[i].times++
				continue next
			}
		}
		words := c.Find(token)
		if words.Empty() {
			return false
		}
		s.terms = append(s.terms, term{token, words, 1})
	}
	slices.SortFunc(s.terms, func(a, b term) int { return cmp.Compare(a.words.Len(), b.words.Len()) })
	return true
}

// begin makes the articles of the first token those found, and all scores zero.
func (s *scratch) begin() {
	s.found, s.matches[corpus.Anywhere] = s.matches[corpus.Anywhere], s.found
	for p := range s.planes[:s.used] {
		if len(s.planes[p]) < len(s.found.Words) {
			s.planes[p] = make([]uint64, len(s.found.Words))
		}
	}
	for b := range s.found.All() {
		for p := range s.planes[:s.used] {
			clear(s.planes[p][b*corpus.BlockWords : (b+1)*corpus.BlockWords])
		}
	}
}

var noArticles [corpus.BlockWords]uint64

// score adds the weights of the token in hand to the scores of the articles found.
func (s *scratch) score() {
	for b := range s.found.All() {
		found := s.found.Block(b)
		title, labels, excerpt := block(&s.matches[corpus.Title], b), block(&s.matches[corpus.Labels], b), block(&s.matches[corpus.Excerpt], b)
		for i, anywhere := range found {
			if anywhere == 0 {
				continue
			}
			l := labels[i] &^ title[i]
			x := excerpt[i] &^ (title[i] | labels[i])
			body := anywhere &^ (title[i] | labels[i] | excerpt[i])
			s.addWeight(b*corpus.BlockWords+i, [4]uint64{body, x, l, title[i]})
		}
	}
}

// block returns the words of block b, zeros where the set has none.
func block(s *corpus.Set, b int) []uint64 {
	if words := s.Block(b); words != nil {
		return words
	}
	return noArticles[:]
}

// addWeight adds to the scores in word w the numbers whose bits are addend: a ripple-carry adder.
func (s *scratch) addWeight(w int, addend [4]uint64) {
	carry := uint64(0)
	for p := range s.planes[:s.used] {
		a, b := s.planes[p][w], uint64(0)
		if p < len(addend) {
			b = addend[p]
		} else if carry == 0 {
			return
		}
		s.planes[p][w] = a ^ b ^ carry
		carry = a&b | a&carry | b&carry
	}
}

// top appends the best limit articles found. Articles come in answer order, so once limit of them have some score, only
// a higher one is of interest, and once that is the highest possible, nothing is.
func (s *scratch) top(dst []int, limit, highest int) []int {
	s.best = s.best[:0]
	clear(s.count[:])
	floor, above := 0, 0 // above: how many of best score more than floor
	for b := range s.found.All() {
		for i, found := range s.found.Block(b) {
			w := b*corpus.BlockWords + i
			for found = s.over(w, found, floor); found != 0; found &= found - 1 {
				bit := bits.TrailingZeros64(found)
				score := s.scoreOf(w, bit)
				if score <= floor {
					continue
				}
				s.best = append(s.best, scored{w*64 + bit, score})
				s.count[score]++
				above++
				for above >= limit {
					floor++
					above -= s.count[floor]
				}
			}
		}
		if floor >= highest {
			break
		}
	}
	return s.sorted(dst, limit)
}

// over returns the articles of found, in word w, whose score is over floor.
func (s *scratch) over(w int, found uint64, floor int) uint64 {
	if found == 0 || floor == 0 {
		return found
	}
	greater, equal := uint64(0), found
	for p := s.used - 1; p >= 0; p-- {
		plane := s.planes[p][w]
		if floor>>p&1 == 0 {
			greater |= equal & plane
			equal &^= plane
		} else {
			equal &= plane
		}
	}
	return greater
}

func (s *scratch) scoreOf(w, bit int) int {
	score := 0
	for p := range s.planes[:s.used] {
		score |= int(s.planes[p][w]>>bit&1) << p
	}
	return score
}

// sorted appends the first limit of best by score, a counting sort that keeps their order.
func (s *scratch) sorted(dst []int, limit int) []int {
	place := 0
	for score := len(s.count) - 1; score >= 0; score-- {
		n := s.count[score]
		s.count[score] = place
		place += n
	}
	begin, n := len(dst), min(place, limit)
	dst = slices.Grow(dst, n)[:begin+n]
	for _, a := range s.best {
		if at := s.count[a.score]; at < n {
			dst[begin+at] = a.article
		}
		s.count[a.score]++
	}
	return dst
}

package corpus

import (
	"encoding/binary"
	"math/bits"
)

// A Field is a group of article fields that weigh the same in the ranking.
type Field int

// The fields, the weightiest first.
const (
	Title  Field = iota
	Labels       // tags, section and author
	Excerpt
	Body
	NumFields
)

func (f Field) String() string {
	return [...]string{"title", "tags, section or author", "excerpt", "body"}[f]
}

const (
	wordBlock  = 16 // words whose lists stand together
	longList   = 15 // the length code of a list of more than maxShort articles
	lengthBits = 4
)

// A postings is, for one field, the lists of the words that have any: the articles in which the word occurs in this field, and
// in no weightier one.
type postings struct {
	*universe
	lists   []byte
	offsets packed // bit position of each block of lists
	words   uint64
	total   uint64 // numbers on all lists
}

// A listRef is where a list stands.
type listRef struct {
	pos    uint64 // bit position, in the lists of the field or of the unions
	length uint64
}

// appendRefs appends the lists of the words from first on, below end.
func (p *postings) appendRefs(refs []listRef, first, end uint32) []listRef {
	for word := first; word < end; {
		pos := p.offsets.at(uint64(word / wordBlock))
		codes := peek64(p.lists, pos)
		pos += wordBlock * lengthBits
		stop := min(end, (word/wordBlock+1)*wordBlock)
		for i := word &^ (wordBlock - 1); i < stop; i++ {
			var length uint64
			length, pos = p.length(codes, pos)
			codes >>= lengthBits
			if i >= word {
				refs = append(refs, listRef{pos, length})
			}
			pos += p.shape(length).bits
		}
		word = stop
	}
	return refs
}

// eachLength calls f with the length of every list.
func (p *postings) eachLength(f func(length uint64)) {
	for word := uint64(0); word < p.words; word += wordBlock {
		pos := p.offsets.at(word / wordBlock)
		codes := peek64(p.lists, pos)
		pos += wordBlock * lengthBits
		for range min(wordBlock, p.words-word) {
			var length uint64
			length, pos = p.length(codes, pos)
			codes >>= lengthBits
			pos += p.shape(length).bits
			f(length)
		}
	}
}

// length decodes the length of the next list: lengths of 1 to 15 are in the codes, a longer one stands before its list.
func (p *postings) length(codes, pos uint64) (length, list uint64) {
	code := codes & (1<<lengthBits - 1)
	if code < longList {
		return code + 1, pos
	}
	length, list = gamma(p.lists, pos)
	return length + maxShort, list
}

// A presence says which words have a list for a field: for each block of 64 words a bitmap per field, and per field the
// number of such words before the block.
type presence []byte

const (
	presenceBlock      = 64
	presenceBlockBytes = int(NumFields) * (8 + 4)
)

// rank returns how many words before word have a list for f.
func (p presence) rank(f Field, word uint32) uint32 {
	b := p[int(word/presenceBlock)*presenceBlockBytes:]
	before := binary.LittleEndian.Uint64(b[f*8:]) & (1<<(word%presenceBlock) - 1)
	return binary.LittleEndian.Uint32(b[int(NumFields)*8+int(f)*4:]) + uint32(bits.OnesCount64(before))
}

// A unionTable holds the precomputed unions: for some ranges of the prefix array the articles, per field, of all
// words that those prefixes lead to. They nest or are disjoint, and stand by start, a longer one first.
type unionTable struct {
	ranges  packed // start and end alternate
	offsets packed // bit position of each union's lists, which follow one another by field
	lists   []byte
	n       int
}

func (t *unionTable) at(i int) Range {
	return Range{uint32(t.ranges.at(2 * uint64(i))), uint32(t.ranges.at(2*uint64(i) + 1))}
}

// from returns the first union from number i on that begins at prefix or behind it.
func (t *unionTable) from(i int, prefix uint32) int {
	for end := t.n; i < end; {
		if mid := int(uint(i+end) / 2); t.at(mid).lo < prefix {
			i = mid + 1
		} else {
			end = mid
		}
	}
	return i
}

// Find returns the range of a folded token, which is empty where no word of the corpus contains it.
func (c *Corpus) Find(token string) Range {
	if token == "" || c.dict.numPrefs == 0 {
		return Range{}
	}
	return c.dict.find(token)
}

// A Cover is the words and the unions that together have the articles of a token. It is reused from token to token.
type Cover struct {
	words  []wordSpan
	unions []int
	fields [NumFields]struct {
		located bool
		words   []listRef
		unions  []listRef
		total   int // numbers on all of them
	}
}

// A wordSpan is the words from first on, below end.
type wordSpan struct{ first, end uint32 }

// Cover sets cover to that of r.
func (c *Corpus) Cover(r Range, cover *Cover) {
	cover.words, cover.unions = cover.words[:0], cover.unions[:0]
	for f := range cover.fields {
		cover.fields[f].located = false
	}
	next := c.unions.from(0, r.lo)
	for pos := r.lo; pos < r.hi; {
		// A union that begins with r may reach beyond it; one inside it stands behind those.
		union := Range{r.hi, r.hi}
		for ; next < c.unions.n; next++ {
			if u := c.unions.at(next); u.lo >= r.hi || u.hi <= r.hi {
				union = Range{min(u.lo, r.hi), min(u.hi, r.hi)}
				break
			}
		}
		for ; pos < union.lo; pos++ {
			cover.words = append(cover.words, c.dict.subtree(c.dict.prefix(int(pos))))
		}
		if union.lo < r.hi {
			cover.unions = append(cover.unions, next)
			pos = union.hi
			next = c.unions.from(next+1, pos)
		}
	}
}

// Postings returns how many articles the lists of cover for field f name in all: the articles that Add adds are as many as the
// longest list has at least, and as this at most.
func (c *Corpus) Postings(cover *Cover, f Field) int {
	l := &cover.fields[f]
	if l.located {
		return l.total
	}
	l.located, l.words, l.unions, l.total = true, l.words[:0], l.unions[:0], 0
	for _, span := range cover.words {
		if first, end := c.present.rank(f, span.first), c.present.rank(f, span.end); first < end {
			l.words = c.postings[f].appendRefs(l.words, first, end)
		}
	}
	for _, i := range cover.unions {
		l.unions = append(l.unions, c.unionRef(i, f))
	}
	for _, ref := range l.words {
		l.total += int(ref.length)
	}
	for _, ref := range l.unions {
		l.total += int(ref.length)
	}
	return l.total
}

// Add adds to s the articles in whose field f a word of cover occurs, but for some of those in which one occurs in a
// weightier field. So the sets of all fields together are the articles of the token, and the best field of each is
// the first whose set has it.
func (c *Corpus) Add(s *Set, cover *Cover, f Field) {
	if c.Postings(cover, f) == 0 {
		return
	}
	l := &cover.fields[f]
	for _, ref := range l.words {
		c.universe.add(s, c.postings[f].lists, ref.pos, c.universe.shape(ref.length))
	}
	for _, ref := range l.unions {
		c.universe.add(s, c.unions.lists, ref.pos, c.universe.shape(ref.length))
	}
}

// unionRef returns where union i has its list for f.
func (c *Corpus) unionRef(i int, f Field) listRef {
	pos := c.unions.offsets.at(uint64(i))
	for g := Title; ; g++ {
		length, at := gamma(c.unions.lists, pos)
		if length--; g == f {
			return listRef{at, length}
		}
		pos = at + c.universe.shape(length).bits
	}
}

package corpus

import (
	"encoding/binary"
	"math/bits"
)

// A Field is a group of article fields that weigh the same in the ranking. Every article that a token occurs in
// is in the token's set of Anywhere; the sets of the other fields say where it occurs besides the body.
type Field int

// The fields, the weightiest first.
const (
	Title  Field = iota
	Labels       // tags, section and author
	Excerpt
	Anywhere
	numFields
)

func (f Field) String() string { return [...]string{"title", "labels", "excerpt", "anywhere"}[f] }

const (
	wordBlock  = 16 // words whose lists stand together
	longList   = 15 // the length code of a list of more than maxShort articles
	lengthBits = 4
)

// A postings is the lists of articles of consecutive words, for one field.
type postings struct {
	*universe
	lists   []byte
	offsets packed // bit position of each block of lists
	words   uint64
	total   uint64 // numbers on all lists
}

// add adds the lists of the words from first on, below end, to s.
func (p *postings) add(s *Set, first, end uint32) {
	for word := first; word < end; {
		block := uint64(word / wordBlock)
		pos := p.offsets.at(block)
		codes := peek64(p.lists, pos)
		pos += wordBlock * lengthBits
		stop := min(end, (word/wordBlock+1)*wordBlock)
		for i := word &^ (wordBlock - 1); i < stop; i++ {
			var length uint64
			length, pos = p.length(codes, pos)
			codes >>= lengthBits
			if i >= word {
				p.universe.add(s, p.lists, pos, length)
			}
			pos += p.bits(length)
		}
		word = stop
	}
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
			pos += p.bits(length)
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

// A presence says which words occur in the fields other than Anywhere: for each block of 64 words a bitmap per
// field, and per field the number of words before the block.
type presence []byte

const (
	presenceBlock      = 64
	presenceFields     = int(Anywhere)
	presenceBlockBytes = presenceFields * (8 + 4)
)

// rank returns how many words before word occur in f.
func (p presence) rank(f Field, word uint32) uint32 {
	b := p[int(word/presenceBlock)*presenceBlockBytes:]
	before := binary.LittleEndian.Uint64(b[f*8:]) & (1<<(word%presenceBlock) - 1)
	return binary.LittleEndian.Uint32(b[presenceFields*8+int(f)*4:]) + uint32(bits.OnesCount64(before))
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

// Matches are the articles that a token occurs in, by field.
type Matches [numFields]Set

// Find returns the range of a folded token, which is empty where no word of the corpus contains it.
func (c *Corpus) Find(token string) Range {
	if token == "" || c.dict.numPrefs == 0 {
		return Range{}
	}
	return c.dict.find(token)
}

// Match sets m to the articles in which a word of r occurs.
func (c *Corpus) Match(r Range, m *Matches) {
	for f := range m {
		m[f].Reset(c.articles)
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
			c.matchPrefix(pos, m)
		}
		if union.lo < r.hi {
			c.matchUnion(next, m)
			pos = union.hi
			next = c.unions.from(next+1, pos)
		}
	}
}

func (c *Corpus) matchPrefix(i uint32, m *Matches) {
	first, end := c.dict.subtree(uint32(c.dict.prefixes.at(uint64(i))))
	c.postings[Anywhere].add(&m[Anywhere], first, end)
	for f := Title; f < Anywhere; f++ {
		if a, b := c.present.rank(f, first), c.present.rank(f, end); a < b {
			c.postings[f].add(&m[f], a, b)
		}
	}
}

func (c *Corpus) matchUnion(i int, m *Matches) {
	c.matchLists(c.unions.lists, c.unions.offsets.at(uint64(i)), m)
}

// matchLists adds the lists of a union, which begin at bit pos of lists.
func (c *Corpus) matchLists(lists []byte, pos uint64, m *Matches) {
	for f := range m {
		length, list := gamma(lists, pos)
		c.universe.add(&m[f], lists, list, length-1)
		pos = list + c.universe.bits(length-1)
	}
}

package corpus

import "math/bits"

// Find sets cover to what contains a folded token, and reports whether anything does. What it covers is not known before Locate.
func (c *Corpus) Find(token string, cover *Cover) bool {
	cover.found, cover.runs = Range{}, cover.runs[:0]
	if token == "" {
		return false
	}
	if c.dict.numPrefs > 0 {
		cover.found = c.dict.find(token)
	}
	c.runs.match(cover, token)
	return !cover.found.Empty() || len(cover.runs) > 0
}

// A Cover is the lists that together have the articles of a token: those of words, and of unions of many words. It is
// reused from token to token.
//
// What leads to the lists stands all over the corpus, far from any cache, and one step needs the result of the one before.
// So each step is taken for all words before the next one, and what the next will read is touched first: the processor then
// waits for ten lines of memory at once and not for one after the other, which is twice as fast.
type Cover struct {
	found    Range
	runs     []uint32 // article<<fieldBits | field of each segment
	cursors  []runCursor
	prefixes []uint32 // node positions
	words    []wordSpan
	blocks   []blockSpan
	unions   []int
	lists    [NumFields]fieldLists
	touched  byte
}

// fieldLists is the lists of one field.
type fieldLists struct {
	words  []listRef
	unions []listRef
	total  int // numbers on all of them
}

// A wordSpan is the words from first on, below end.
type wordSpan struct{ first, end uint32 }

// A blockSpan is the words from first on, below end, of the block of lists at byte at.
type blockSpan struct {
	at         uint64
	first, end uint32
}

// Locate finds the lists of what Find has found.
func (c *Corpus) Locate(cover *Cover) {
	r := cover.found
	cover.reset()
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
			cover.prefixes = append(cover.prefixes, c.dict.prefix(int(pos)))
		}
		if union.lo < r.hi {
			cover.unions = append(cover.unions, next)
			pos = union.hi
			next = c.unions.from(next+1, pos)
		}
	}
	c.locate(cover)
	for _, segment := range cover.runs {
		cover.lists[segment&fieldMask].total++
	}
}

func (cover *Cover) reset() {
	cover.prefixes, cover.unions = cover.prefixes[:0], cover.unions[:0]
	for f := range cover.lists {
		l := &cover.lists[f]
		l.words, l.unions, l.total = l.words[:0], l.unions[:0], 0
	}
}

// locate finds the lists of the prefixes and unions of cover.
func (c *Corpus) locate(cover *Cover) {
	c.dict.subtrees(cover)
	cover.blocks = cover.blocks[:0]
	for _, span := range cover.words {
		for first := span.first; first < span.end; {
			block := first / wordBlock
			end := min(span.end, (block+1)*wordBlock)
			cover.blocks = append(cover.blocks, blockSpan{c.postings.offsets.at(uint64(block)), first % wordBlock, end - block*wordBlock})
			first = end
		}
	}
	for _, b := range cover.blocks {
		cover.touched |= c.postings.lists[b.at]
	}
	for _, b := range cover.blocks {
		c.postings.appendLists(cover, b)
	}
	for _, i := range cover.unions {
		c.unions.appendLists(cover, i, c.universe)
	}
}

// subtrees finds the words that begin with the prefixes of cover.
func (d *dictionary) subtrees(cover *Cover) {
	cover.words = cover.words[:0]
	for _, p := range cover.prefixes {
		cover.words = append(cover.words, wordSpan{first: d.word(p), end: p - d.start(p) + 1}) // end: yet the bytes stored of it
	}
	for _, span := range cover.words {
		cover.touched |= d.shared[span.first]
	}
	for i, span := range cover.words {
		cover.words[i] = d.subtreeFrom(span.first, span.end)
	}
}

// appendLists appends the lists of the words of b.
func (p *postings) appendLists(cover *Cover, b blockSpan) {
	r := p.block(b.at)
	wanted := (uint64(1)<<b.end - uint64(1)<<b.first) * eachField
	wanted &= r.present
	for left := r.present; wanted != 0; left &= left - 1 {
		ref, bit := r.next(p), left&-left
		if wanted&bit == 0 {
			continue
		}
		wanted &^= bit
		l := &cover.lists[bits.TrailingZeros64(bit)/wordBlock]
		l.words = append(l.words, ref)
		l.total += int(ref.length)
	}
}

// Postings returns how many articles the lists for field f name in all: the articles that Add adds are as many as the
// longest list has at least, and as this at most.
func (cover *Cover) Postings(f Field) int { return cover.lists[f].total }

// openShare: where a token has one article for so many blocks of a set, opening all of them is faster than looking, for
// each article, whether its block is open.
const openShare = 4

// Add adds to s the articles in whose field f a word of cover occurs, but for some of those in which one occurs in a
// weightier field. So the sets of all fields together are the articles of the token, and the best field of each is
// the first whose set has it.
func (c *Corpus) Add(s *Set, cover *Cover, f Field) {
	l := &cover.lists[f]
	if l.total == 0 || s.end == 0 {
		return
	}
	if l.total >= s.blocks/openShare {
		s.openAll()
	}
	for _, ref := range l.words {
		cover.touched |= c.postings.lists[ref.pos/8]
	}
	for _, ref := range l.words {
		c.universe.add(s, c.postings.lists, ref.pos, ref.length)
	}
	for _, ref := range l.unions {
		c.universe.add(s, c.unions.lists, ref.pos, ref.length)
	}
	for _, segment := range cover.runs {
		if Field(segment&fieldMask) == f {
			s.add(uint64(segment >> fieldBits))
		}
	}
}

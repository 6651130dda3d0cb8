package corpus

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	maxWordBytes = 255 // a longer word is a run
	minRunBytes  = 13  // a shorter word is none, whatever it is written in: names and tags, which recur

	maxPositions = 1<<28 - 1
)

// unspaced are the scripts in which white space stands between clauses and not between words: those that a line can be broken
// in anywhere or by a dictionary only, classes ID, CJ and SA of Unicode Standard Annex 14.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar, unicode.New_Tai_Lue, unicode.Tai_Le, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
}

// isRun reports whether a folded word is indexed as a run of characters: where words are clauses hardly any occurs twice, and
// a dictionary of them takes more than twice their size.
func isRun(word []byte) bool {
	if len(word) > maxWordBytes {
		return true
	}
	if len(word) < minRunBytes {
		return false
	}
	for i := 0; i < len(word); {
		if word[i] < 0xE0 { // no character below U+0800 is in one of the scripts
			i++
			continue
		}
		r, n := utf8.DecodeRune(word[i:])
		if unicode.In(r, unspaced...) {
			return true
		}
		i += n
	}
	return false
}

// A runCollector numbers the characters of runs.
type runCollector struct {
	text     []rune   // of all runs, a zero behind each
	starts   []uint32 // per segment
	segments []uint32 // article<<fieldBits | field
}

// add adds the next run. Segments ascend.
func (c *runCollector) add(word []byte, segment uint32) error {
	if len(c.text)+len(word) >= maxPositions {
		return fmt.Errorf("too much for one corpus: more than %d characters in scripts without spaces or in long words", maxPositions)
	}
	if n := len(c.segments); n == 0 || c.segments[n-1] != segment {
		c.starts = append(c.starts, uint32(len(c.text)))
		c.segments = append(c.segments, segment)
	}
	for len(word) > 0 {
		r, n := utf8.DecodeRune(word)
		c.text = append(c.text, r)
		word = word[n:]
	}
	c.text = append(c.text, 0) // no token goes from one word to the next
	return nil
}

// sections makes the sections of the runs, and the header's numbers of them.
func (c *runCollector) sections(s [][]byte, h *header) {
	runes := slices.Compact(slices.Sorted(slices.Values(c.text)))
	if len(runes) > 0 {
		runes = runes[1:] // the zero
	}
	h.positions, h.runes, h.segments = uint32(len(c.text)), uint32(len(runes)), uint32(len(c.segments))
	numbers := make(map[rune]uint32, len(runes))
	for i, r := range runes {
		s[secRunes] = binary.LittleEndian.AppendUint32(s[secRunes], uint32(r))
		numbers[r] = uint32(i)
	}
	text := make([]uint32, len(c.text))
	for i, r := range c.text {
		text[i] = numbers[r]
	}

	u := newUniverse(len(c.text))
	firsts := make([]uint32, len(runes)+1)
	var seconds []uint32
	var offsets []uint64
	var w bitWriter
	positions := c.byPair(text, len(runes))
	for begin := 0; begin < len(positions); {
		first, second := text[positions[begin]], text[positions[begin]+1]
		end := begin
		for end < len(positions) && text[positions[end]] == first && text[positions[end]+1] == second {
			end++
		}
		list := positions[begin:end]
		begin = end
		firsts[first+1]++
		seconds = append(seconds, second)
		offsets = append(offsets, w.pos())
		w.putGamma(uint64(len(list)))
		u.writeSparse(&w, list, u.sparseShape(codeSparse, uint64(len(list))))
	}
	for i := range runes {
		firsts[i+1] += firsts[i]
	}
	h.pairs = uint32(len(seconds))
	s[secPairFirsts] = pack(firsts, widthOf(uint64(h.pairs)))
	s[secPairSeconds] = pack(seconds, widthOf(uint64(h.runes)))
	s[secPairLists] = w.finish()
	s[secPairOffsets] = pack(offsets, offsetWidth(s[secPairLists]))
	segments := make([]uint32, 0, 2*len(c.segments))
	for i, segment := range c.segments {
		segments = append(segments, c.starts[i], segment)
	}
	s[secSegments] = pack(segments, segmentWidth(*h))
}

// byPair returns the positions at which a pair begins, ordered by its first character, its second, and position: two counting
// sorts. text is c.text with the numbers of the characters.
func (c *runCollector) byPair(text []uint32, runes int) []uint32 {
	var positions []uint32
	for i, r := range c.text {
		if r != 0 && c.text[i+1] != 0 {
			positions = append(positions, uint32(i))
		}
	}
	sorted := make([]uint32, len(positions))
	for _, character := range []uint32{1, 0} {
		next := make([]int, runes+1)
		for _, p := range positions {
			next[text[p+character]+1]++
		}
		for i := range runes {
			next[i+1] += next[i]
		}
		for _, p := range positions {
			r := text[p+character]
			sorted[next[r]] = p
			next[r]++
		}
		positions, sorted = sorted, positions
	}
	return positions
}

// segmentWidth returns the bits of a position, or of an article and a field.
func segmentWidth(h header) uint {
	return widthOf(max(uint64(h.positions), uint64(h.articles)<<fieldBits))
}

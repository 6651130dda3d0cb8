package corpus

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
	"unicode/utf8"
)

// A runs is the index of what has no words to speak of, by pairs of characters and their positions. See Format.
type runs struct {
	runes    []byte // u32 per distinct character, ascending
	firsts   packed // per character, the first pair that begins with it, and at the end the number of pairs
	seconds  packed // per pair, the number of its second character
	offsets  packed // per pair, the bit position of its list
	lists    []byte
	segments packed // first position and article<<fieldBits | field alternate
	universe *universe
	numRunes int
	numPairs int
	numSegs  int
}

const runeBytes = 4

// rune returns the number of a character, ok if any run has it.
func (r *runs) rune(c rune) (i uint64, ok bool) {
	at := func(i int) rune { return rune(binary.LittleEndian.Uint32(r.runes[i*runeBytes:])) }
	n := sort.Search(r.numRunes, func(i int) bool { return at(i) >= c })
	return uint64(n), n < r.numRunes && at(n) == c
}

// pair returns the number of a pair of characters, ok if any run has it.
func (r *runs) pair(first, second uint64) (i uint64, ok bool) {
	from, to := r.firsts.at(first), r.firsts.at(first+1)
	i = from + uint64(sort.Search(int(to-from), func(i int) bool { return r.seconds.at(from+uint64(i)) >= second }))
	return i, i < to && r.seconds.at(i) == second
}

func (r *runs) start(segment int) uint64 { return r.segments.at(2 * uint64(segment)) }

// segmentOf returns the segment from number from on that position pos lies in.
func (r *runs) segmentOf(pos uint64, from int) int {
	step := 1
	for from+step < r.numSegs && r.start(from+step) <= pos {
		from += step
		step *= 2
	}
	return from + sort.Search(min(step, r.numSegs-from)-1, func(i int) bool { return r.start(from+i+1) > pos })
}

// match appends article<<fieldBits | field of each segment that contains token to cover.runs, ascending. The positions of its
// pairs are joined by leapfrogging (Veldhuizen, ICDT 2014): none moves on but to where all can be.
func (r *runs) match(cover *Cover, token string) {
	if r.numRunes == 0 || !utf8.ValidString(token) {
		return
	}
	cursors, characters := cover.cursors[:0], uint64(0)
	var last uint64
	for _, c := range token {
		number, ok := r.rune(c)
		if !ok {
			return
		}
		if characters > 0 {
			pair, ok := r.pair(last, number)
			if !ok {
				return
			}
			cursors = append(cursors, r.cursor(pair, characters-1))
		}
		last = number
		characters++
	}
	if len(cursors) == 0 {
		return // single characters are words of the dictionary
	}
	cover.cursors = cursors
	slices.SortFunc(cursors, func(a, b runCursor) int { return int(a.length) - int(b.length) })
	for segment := 0; segment < r.numSegs; segment++ {
		pos, ok := join(cursors, r.start(segment))
		if !ok {
			return
		}
		segment = r.segmentOf(pos, segment)
		cover.runs = append(cover.runs, uint32(r.segments.at(2*uint64(segment)+1)))
	}
}

// join returns the first position from pos on at which all cursors are.
func join(cursors []runCursor, pos uint64) (uint64, bool) {
	for i := 0; i < len(cursors); {
		at := cursors[i].seek(pos)
		switch {
		case at == noPosition:
			return 0, false
		case at == pos || i == 0:
			pos = at
			i++
		default:
			pos, i = at, 0
		}
	}
	return pos, true
}

// noPosition is where a cursor is that has no position left.
const noPosition = 1<<64 - 1

// A runCursor walks the list of a pair of a token, which is Elias-Fano coded: its positions, less that of the pair in the
// token.
type runCursor struct {
	b      []byte
	lows   uint64 // bit position of the low parts
	high   uint64 // and of the high parts
	size   uint64 // bits of the high parts
	base   uint64 // of the word w of the high parts
	w      uint64 // its ones that are left
	number uint64 // ones before those
	at     uint64 // the current position, plus shift
	shift  uint64
	length uint64
	k      uint8
}

func (r *runs) cursor(pair, shift uint64) runCursor {
	length, pos := gamma(r.lists, r.offsets.at(pair))
	list := r.universe.sparseShape(codeSparse, length)
	c := runCursor{
		b: r.lists, lows: pos, high: pos + list.coded*uint64(list.k), size: list.high, length: length, k: list.k, shift: shift,
	}
	c.w = highBits(c.b, c.high, 0, c.size)
	c.next()
	return c
}

func (c *runCursor) next() {
	for c.w == 0 {
		if c.base += highWord; c.base >= c.size {
			c.at = noPosition
			return
		}
		c.w = highBits(c.b, c.high, c.base, c.size)
	}
	k := c.k & 63
	c.at = (c.base+uint64(bits.TrailingZeros64(c.w))-c.number)<<k | peek(c.b, c.lows+c.number*uint64(k))&(1<<k-1)
	c.w &= c.w - 1
	c.number++
}

// seek moves to the first position from pos on, and returns it.
func (c *runCursor) seek(pos uint64) uint64 {
	pos += c.shift
	for c.at < pos {
		// The zeros up to the end of the word are the highest high part that a one in it can have.
		if ones := uint64(bits.OnesCount64(c.w)); c.base+highWord-c.number-ones < pos>>(c.k&63) {
			c.number += ones
			c.w = 0
		}
		c.next()
	}
	if c.at == noPosition {
		return noPosition
	}
	return c.at - c.shift
}

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
	wordBlock    = 16 // words whose lists stand together
	lengthBits   = 4  // of the code of a list's length
	longList     = 15 // the code of a list of more than maxShort articles
	presentBytes = 8  // what a block begins with: a bit per field and word

	eachField = 1 | 1<<wordBlock | 1<<(2*wordBlock) | 1<<(3*wordBlock) // the first word's bit for each field
)

// A postings is the lists of all words: for each field, the articles in which the word occurs in this field, and in no
// weightier one.
type postings struct {
	*universe
	lists       []byte
	offsets     packed // where each block of lists begins
	lengthWidth uint   // bits of the length of a long list
	total       uint64 // numbers on all lists
}

// A listRef is where a list stands.
type listRef struct {
	pos    uint64 // bit position, in the lists of the words or of the unions
	length uint64
}

// A blockReader reads the lengths of a block's lists one after the other, and finds where the lists stand.
type blockReader struct {
	present uint64
	codes   uint64 // bit position of the next code
	long    uint64 // bit position of the next long length
	pos     uint64 // bit position of the next list
}

// block returns a reader of the block that begins at byte at.
func (p *postings) block(at uint64) blockReader {
	r := blockReader{present: binary.LittleEndian.Uint64(p.lists[at:]), codes: (at + presentBytes) * 8}
	lists := uint64(bits.OnesCount64(r.present))
	r.long = r.codes + lists*lengthBits
	long := uint64(0)
	for i := uint64(0); i < lists; i += 64 / lengthBits {
		codes := peek64(p.lists, r.codes+i*lengthBits)
		if rest := lists - i; rest < 64/lengthBits {
			codes &= 1<<(rest*lengthBits) - 1
		}
		long += uint64(bits.OnesCount64(codes & (codes >> 1) & (codes >> 2) & (codes >> 3) & 0x1111111111111111))
	}
	r.pos = r.long + long*uint64(p.lengthWidth)
	return r
}

// next returns the next list.
func (r *blockReader) next(p *postings) listRef {
	code := peek(p.lists, r.codes) & (1<<lengthBits - 1)
	r.codes += lengthBits
	ref := listRef{r.pos, code + 1}
	if code < longList {
		r.pos += uint64(p.shortBits[code+1])
		return ref
	}
	ref.length = peek(p.lists, r.long) & (1<<p.lengthWidth - 1)
	r.long += uint64(p.lengthWidth)
	r.pos += p.shape(ref.length).bits
	return ref
}

package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site/text"
)

// What is wrong with a file that Open refuses. Errors wrap one of them.
var (
	ErrMagic    = errors.New("not a read-finder corpus")
	ErrVersion  = errors.New("unsupported version")
	ErrSize     = errors.New("wrong size: the file is truncated, or is followed by something else")
	ErrChecksum = errors.New("checksum mismatch: the file is damaged")
	ErrInvalid  = errors.New("invalid content")
	ErrLimit    = errors.New("larger than allowed")
)

// A SectionError names the section that an error was found in.
type SectionError struct {
	Section string
	Err     error
}

func (e *SectionError) Error() string { return fmt.Sprintf("section %q: %v", e.Section, e.Err) }
func (e *SectionError) Unwrap() error { return e.Err }

func (s section) error(err error) error { return &SectionError{s.String(), err} }

// Open verifies data and returns the corpus in it, which keeps data. The caller must not change it any more. Every checksum is
// compared and every number that a query relies on is proved, so that no corpus, however made, can make a query
// fail. Errors wrap ErrMagic, ErrVersion, ErrSize, ErrChecksum or ErrInvalid, the last three in a *SectionError where they
// concern one section.
func Open(data []byte) (*Corpus, error) {
	h, sections, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	return build(h, sections)
}

// build makes a corpus of sections whose checksums are right.
func build(h header, sections [][]byte) (*Corpus, error) {
	for _, e := range exactSizes(h, sections) {
		if uint64(len(sections[e.section])) != e.bytes {
			return nil, e.section.error(ErrInvalid)
		}
	}
	c, err := attach(h, sections)
	if err != nil {
		return nil, err
	}
	if err := c.prove(); err != nil {
		return nil, err
	}
	c.describe(h, sections)
	return c, nil
}

// readHeader returns what data begins with, and its sections.
func readHeader(data []byte) (header, [][]byte, error) {
	h, err := parseHeader(data)
	if err != nil {
		return header{}, nil, err
	}
	sections, rest := make([][]byte, numSections), data[fixedBytes:]
	for i, e := range h.entries {
		if e.bytes > uint64(len(rest)) {
			return header{}, nil, section(i).error(ErrSize)
		}
		sections[i], rest = rest[:e.bytes:e.bytes], rest[e.bytes:]
	}
	if len(rest) > 0 {
		return header{}, nil, ErrSize
	}
	return h, sections, h.compare(sections)
}

// parseHeader reads the fixed part, which data begins with, or is where data ends before it.
func parseHeader(data []byte) (header, error) {
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return header{}, ErrMagic
	}
	if len(data) < headerBytes {
		return header{}, fmt.Errorf("header: %w", ErrSize)
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	if v := u32(8); v != FormatVersion {
		return header{}, fmt.Errorf("%w: format %d, this program reads %d: write the corpus again, or update", ErrVersion, v, FormatVersion)
	}
	if len(data) < fixedBytes {
		return header{}, fmt.Errorf("header: %w", ErrSize)
	}
	if xxhash.Sum64(data[:fixedBytes-sumBytes]) != u64(fixedBytes-sumBytes) {
		return header{}, fmt.Errorf("header: %w", ErrChecksum)
	}
	h := header{
		foldVersion: int(u32(12)), flags: u32(16), fingerprint: u64(24), generatedAt: int64(u64(32)),
		articles: u32(40), companies: u32(44), words: u32(48), nodes: u32(52), prefixes: u32(56), unions: u32(60),
		parts: u32(64), positions: u32(68), runes: u32(72), pairs: u32(76), segments: u32(80),
	}
	if h.foldVersion != text.Version {
		return header{}, fmt.Errorf("%w: fold %d, this program folds by %d: write the corpus again, or update", ErrVersion, h.foldVersion, text.Version)
	}
	if n := u32(20); n != uint32(numSections) || h.articles > MaxArticles || h.positions > maxPositions || h.flags&^flagFoldDiacritics != 0 {
		return header{}, fmt.Errorf("header: %w", ErrInvalid)
	}
	for i := range h.entries {
		at := headerBytes + i*entryBytes
		h.entries[i] = entry{u64(at), u64(at + 8)}
	}
	return h, nil
}

// compare compares the checksums of all sections.
func (h *header) compare(sections [][]byte) error {
	return parallel(len(sections), func(i int) error {
		if xxhash.Sum64(sections[i]) != h.entries[i].sum {
			return section(i).error(ErrChecksum)
		}
		return nil
	})
}

// parallel calls f for 0 <= i < n on all processors, and returns the error of the lowest i.
func parallel(n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = f(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// attach makes a corpus of sections whose sizes are right, as far as they depend on the header alone.
func attach(h header, sections [][]byte) (*Corpus, error) {
	c := &Corpus{
		articles:  int(h.articles),
		companies: int(h.companies),
		universe:  newUniverse(int(h.articles)),
		dict: dictionary{
			nodes: sections[secNodes], shared: sections[secShared], keys: sections[secKeys],
			prefixes: newPacked(sections[secPrefixes], widthOf(uint64(h.nodes))),
			numWords: h.words, numNodes: h.nodes, numPrefs: h.prefixes,
		},
		postings: postings{
			lists:   sections[secLists],
			offsets: newPacked(sections[secOffsets], widthOf(uint64(len(sections[secLists])))),
		},
		unions: unionTable{
			ranges:   newPacked(sections[secUnionRanges], widthOf(uint64(h.prefixes))),
			offsets:  newPacked(sections[secUnionOffsets], offsetWidth(sections[secUnionLists])),
			parts:    newPacked(sections[secUnionParts], partWidth(h.articles, sections)),
			lists:    sections[secUnionLists],
			n:        int(h.unions),
			numParts: h.parts,
			partBits: widthOf(uint64(h.parts)),
			words:    uint64(len(sections[secLists])) * 8,
		},
		runs: runs{
			runes:    sections[secRunes],
			firsts:   newPacked(sections[secPairFirsts], widthOf(uint64(h.pairs))),
			seconds:  newPacked(sections[secPairSeconds], widthOf(uint64(h.runes))),
			offsets:  newPacked(sections[secPairOffsets], offsetWidth(sections[secPairLists])),
			lists:    sections[secPairLists],
			segments: newPacked(sections[secSegments], segmentWidth(h)),
			universe: newUniverse(int(h.positions)),
			numRunes: int(h.runes),
			numPairs: int(h.pairs),
			numSegs:  int(h.segments),
		},
		results:  table{sections[secResultOffsets], sections[secResults]},
		profiles: table{sections[secCompanyOffsets], sections[secCompanies]},
		names:    table{sections[secNameOffsets], sections[secNames]},
		digests:  sections[secDigests],
		index:    make(map[string][]byte, len(codings)),
	}
	for i, coding := range codings {
		c.index[coding] = sections[int(secIndex)+i]
	}
	c.postings.universe, c.postings.lengthWidth = c.universe, widthOf(uint64(h.articles))
	return c, nil
}

// offsetWidth returns the width of bit positions in lists.
func offsetWidth(lists []byte) uint { return widthOf(uint64(len(lists)) * 8) }

// partWidth returns the width of what says where a part stands, and how long it is.
func partWidth(articles uint32, sections [][]byte) uint {
	lists := uint64(len(sections[secLists]) + len(sections[secUnionLists]))
	return max(widthOf(lists*8), widthOf(uint64(articles)<<fieldBits|fieldMask))
}

func (c *Corpus) describe(h header, sections [][]byte) {
	c.meta = Meta{
		FormatVersion:  FormatVersion,
		FoldVersion:    h.foldVersion,
		FoldDiacritics: h.flags&flagFoldDiacritics != 0,
		Language:       string(sections[secLanguage]),
		Prefix:         string(sections[secPrefix]),
		Fingerprint:    fmt.Sprintf("%016x", h.fingerprint),
		GeneratedAt:    time.Unix(h.generatedAt, 0).UTC(),
		Articles:       c.articles,
		Companies:      c.companies,
		Words:          int(h.words),
		Postings:       int(c.postings.total),
		Unions:         c.unions.n,
		Bytes:          int64(fixedBytes),
	}
	for i, s := range sections {
		c.meta.Sections = append(c.meta.Sections, SectionInfo{section(i).String(), int64(len(s))})
		c.meta.Bytes += int64(len(s))
	}
}

func blocksOf(n, size uint32) uint32 { return n/size + min(1, n%size) }

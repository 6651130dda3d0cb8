package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
)

var sentinels = []error{ErrMagic, ErrVersion, ErrSize, ErrChecksum, ErrInvalid}

// smallCorpus returns a few KiB that have something in every section, several unions included.
func smallCorpus(t testing.TB) []byte {
	t.Helper()
	p := sitetest.Random(rand.New(rand.NewPCG(3, 1)), 12)
	p.Language, p.Prefix = "fr", "/fr"
	w := newFilledWriter(t, p)
	w.collector.unions = unionLimits{rate: 0.1, saving: 1, part: 2}
	data := encoded(t, w)
	for i, s := range open(t, data).Meta().Sections {
		if s.Bytes == 0 {
			t.Fatalf("section %q is empty: the tests need something there", section(i))
		}
	}
	return data
}

// sectionAt returns the section that a byte of data lies in, and numSections before the first one.
func sectionAt(c *Corpus, at int) section {
	end := int64(fixedBytes)
	if int64(at) < end {
		return numSections
	}
	for i, s := range c.meta.Sections {
		if end += s.Bytes; int64(at) < end {
			return section(i)
		}
	}
	return numSections
}

// checkRefused fails unless data is refused with want, and with the name of the section where there is one.
func checkRefused(t *testing.T, what string, at int, data []byte, want error, in section) {
	t.Helper()
	c, err := Open(data)
	if c != nil || !errors.Is(err, want) {
		t.Fatalf("%s %d: got %v, want %v", what, at, err, want)
	}
	var named *SectionError
	if errors.As(err, &named) != (in != numSections) || named != nil && named.Section != in.String() {
		t.Fatalf("%s %d: the error is %q, want section %d named", what, at, err, in)
	}
	if _, read := Read(bytes.NewReader(data), 1<<30); read == nil || read.Error() != err.Error() {
		t.Fatalf("%s %d: Open says %q, Read %v", what, at, err, read)
	}
}

func TestEveryFlippedByteIsSeen(t *testing.T) {
	data := smallCorpus(t)
	c := open(t, slices.Clone(data))
	for at := range data {
		want := ErrChecksum
		switch {
		case at < len(magic):
			want = ErrMagic
		case at < len(magic)+4:
			want = ErrVersion
		}
		for _, mask := range []byte{1, 0x80, 0xFF} {
			data[at] ^= mask
			checkRefused(t, "flipped byte", at, data, want, sectionAt(c, at))
			data[at] ^= mask
		}
	}
	if _, err := Open(data); err != nil {
		t.Error(err)
	}
}

func TestEveryTruncationIsSeen(t *testing.T) {
	data := smallCorpus(t)
	c := open(t, slices.Clone(data))
	for n := range data {
		want := ErrSize
		if n < len(magic) {
			want = ErrMagic
		}
		checkRefused(t, "truncated at", n, data[:n:n], want, sectionAt(c, n))
	}
	checkRefused(t, "longer by", 1, append(data, 0), ErrSize, numSections)
}

func TestNoCorpus(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		data := make([]byte, r.IntN(5000))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		checkRefused(t, "random bytes", len(data), data, ErrMagic, numSections)
		if _, err := Open(append([]byte(magic+"\x01\x00\x00\x00"), data...)); err == nil {
			t.Fatal("random bytes are taken for a corpus")
		}
	}
}

// split returns a copy of the parts of a corpus, reseal the file of such parts, with all checksums as they should be.
func split(t testing.TB, data []byte) (header, [][]byte) {
	t.Helper()
	h, sections, err := readHeader(slices.Clone(data))
	if err != nil {
		t.Fatal(err)
	}
	return h, sections
}

func reseal(h header, sections [][]byte) []byte {
	return slices.Concat(append([][]byte{encodeHeader(h, sections)}, sections...)...)
}

// What checksums cannot tell is proved: a file may be wrong and have the right ones.
func TestInvalidContent(t *testing.T) {
	le := binary.LittleEndian
	data := smallCorpus(t)
	for _, tt := range []struct {
		name string
		in   section
		edit func(h *header, s [][]byte)
	}{
		{"too many articles", numSections, func(h *header, s [][]byte) { h.articles = MaxArticles + 1 }},
		{"an unknown flag", numSections, func(h *header, s [][]byte) { h.flags |= 2 }},
		{"another number of articles", secResultOffsets, func(h *header, s [][]byte) { h.articles++ }},
		{"another number of companies", secCompanyOffsets, func(h *header, s [][]byte) { h.companies++ }},
		{"another number of words", secShared, func(h *header, s [][]byte) { h.words++ }},
		{"another number of nodes", secNodes, func(h *header, s [][]byte) { h.nodes += nodeBlock }},
		{"another number of prefixes", secKeys, func(h *header, s [][]byte) {
			h.prefixes += keyStride
			s[secPrefixes] = make([]byte, packedBytes(uint64(h.prefixes), widthOf(uint64(h.nodes))))
		}},
		{"more unions", secUnionRanges, func(h *header, s [][]byte) { h.unions += 8 }},
		{"the first node begins no word", secNodes, func(h *header, s [][]byte) { s[secNodes][nodeBlock] &^= 1 }},
		{"another count of word beginnings", secNodes, func(h *header, s [][]byte) { s[secNodes][nodeBlock+8] = 1 }},
		{"the first word shares", secNodes, func(h *header, s [][]byte) { s[secShared][0] = 1 }},
		{"a word shares more than there is", secNodes, func(h *header, s [][]byte) { s[secShared][len(s[secShared])-1] = 255 }},
		{"a prefix behind the nodes", secPrefixes, func(h *header, s [][]byte) {
			for i := range s[secPrefixes] {
				s[secPrefixes][i] = 0xFF
			}
		}},
		{"a word without a list", secLists, func(h *header, s [][]byte) { s[secLists][0] ^= 1 }},
		{"a list of no word", secLists, func(h *header, s [][]byte) {
			offsets := newPacked(s[secOffsets], widthOf(uint64(len(s[secLists]))))
			s[secLists][offsets.at(uint64(h.words/wordBlock))+presentBytes-1] |= 0x80
		}},
		{"lists without padding", secLists, func(h *header, s [][]byte) { s[secLists], s[secOffsets] = nil, make([]byte, padBytes) }},
		{"lists out of the section", secLists, func(h *header, s [][]byte) { s[secOffsets][0] = 0xFF }},
		{"long lists everywhere", secLists, func(h *header, s [][]byte) { s[secLists] = bytes.Repeat([]byte{0xFF}, len(s[secLists])) }},
		{"zeros everywhere", secLists, func(h *header, s [][]byte) { clear(s[secLists]) }},
		{"an empty range", secUnionRanges, func(h *header, s [][]byte) { clear(s[secUnionRanges]) }},
		{"ranges out of order", secUnionRanges, func(h *header, s [][]byte) {
			width := widthOf(uint64(h.prefixes))
			ranges := newPacked(s[secUnionRanges], width)
			var turned []uint64
			for i := 2 * uint64(h.unions); i > 0; i -= 2 {
				turned = append(turned, ranges.at(i-2), ranges.at(i-1))
			}
			s[secUnionRanges] = pack(turned, width)
		}},
		{"a part behind the lists", secUnionParts, func(h *header, s [][]byte) { s[secUnionParts] = bytes.Repeat([]byte{0xFF}, len(s[secUnionParts])) }},
		{"another number of parts", secUnionParts, func(h *header, s [][]byte) { h.parts++ }},
		{"parts that there are not", secUnionLists, func(h *header, s [][]byte) {
			h.parts, s[secUnionParts] = 0, make([]byte, padBytes)
		}},
		{"a part that there is not", secUnionLists, func(h *header, s [][]byte) {
			for i := range s[secUnionLists] {
				s[secUnionLists][i] = 0xFE
			}
		}},
		{"unions of nothing", secUnionLists, func(h *header, s [][]byte) { clear(s[secUnionLists]) }},
		{"unions without padding", secUnionLists, func(h *header, s [][]byte) {
			h.unions, s[secUnionLists], s[secUnionRanges], s[secUnionOffsets] = 1<<32-1, nil, nil, nil
			h.prefixes, s[secPrefixes], s[secKeys] = 0, make([]byte, padBytes), nil
			s[secUnionRanges], s[secUnionOffsets] = make([]byte, padBytes), make([]byte, padBytes)
			h.parts, s[secUnionParts] = 0, make([]byte, padBytes)
		}},
		{"a pair without a list", secPairLists, func(h *header, s [][]byte) { s[secPairOffsets][1] = 0xFF }},
		{"pairs without padding", secPairLists, func(h *header, s [][]byte) {
			s[secPairLists], s[secPairOffsets] = nil, make([]byte, packedBytes(uint64(h.pairs), 0))
		}},
		{"positions everywhere", secPairLists, func(h *header, s [][]byte) { s[secPairLists] = bytes.Repeat([]byte{0xFF}, len(s[secPairLists])) }},
		{"pairs of a character descend", secPairFirsts, func(h *header, s [][]byte) { s[secPairFirsts][0] = 0xFF }},
		{"the last pair is not the end", secPairFirsts, func(h *header, s [][]byte) { clear(s[secPairFirsts]) }},
		{"another number of pairs", secPairFirsts, func(h *header, s [][]byte) { h.pairs *= 2 }},
		{"too many positions", numSections, func(h *header, s [][]byte) { h.positions = maxPositions + 1 }},
		{"a segment of no article", secSegments, func(h *header, s [][]byte) { s[secSegments] = bytes.Repeat([]byte{0xFF}, len(s[secSegments])) }},
		{"no segment", secSegments, func(h *header, s [][]byte) { h.segments, s[secSegments] = 0, make([]byte, padBytes) }},
		{"a digest too few", secDigests, func(h *header, s [][]byte) { s[secDigests] = s[secDigests][8:] }},
		{"the first offset is not zero", secResultOffsets, func(h *header, s [][]byte) { s[secResultOffsets][0] = 1 }},
		{"offsets descend", secCompanyOffsets, func(h *header, s [][]byte) { le.PutUint32(s[secCompanyOffsets][4:], 1<<31) }},
		{"the last offset is not the end", secNameOffsets, func(h *header, s [][]byte) { s[secNames] = append(s[secNames], 0) }},
		{"a name without its zero", secNames, func(h *header, s [][]byte) { s[secNames][len(s[secNames])-1] = 'x' }},
		{"a zero too many", secNames, func(h *header, s [][]byte) { s[secNames][0] = 0 }},
	} {
		h, sections := split(t, data)
		tt.edit(&h, sections)
		checkRefused(t, tt.name, 0, reseal(h, sections), ErrInvalid, tt.in)
	}
	h, sections := split(t, data)
	h.foldVersion++
	bad := reseal(h, sections)
	le.PutUint32(bad[12:], uint32(h.foldVersion))
	le.PutUint64(bad[fixedBytes-sumBytes:], xxhash.Sum64(bad[:fixedBytes-sumBytes]))
	checkRefused(t, "another fold", h.foldVersion, bad, ErrVersion, numSections)
}

// A small file that claims to be large is refused before anything of that size is allocated.
func TestClaimsAllocateNothing(t *testing.T) {
	data := smallCorpus(t)
	claims := []func(h *header) *uint32{
		func(h *header) *uint32 { return &h.articles }, func(h *header) *uint32 { return &h.companies },
		func(h *header) *uint32 { return &h.words }, func(h *header) *uint32 { return &h.nodes },
		func(h *header) *uint32 { return &h.prefixes }, func(h *header) *uint32 { return &h.unions },
		func(h *header) *uint32 { return &h.parts },
	}
	for i, claim := range claims {
		for _, n := range []uint32{MaxArticles, 1<<32 - 1} {
			h, sections := split(t, data)
			*claim(&h) = n
			claimed := reseal(h, sections)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Open(claimed)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("number %d of the header may be %d", i, n)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
				t.Errorf("number %d of the header is %d: Open allocates %d bytes for a file of %d", i, n, got, len(claimed))
			}
		}
	}
}

func TestReadFileNamesTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.corpus")
	if _, err := ReadFile(file); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), file) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(file, []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(file); !errors.Is(err, ErrMagic) || !strings.Contains(err.Error(), file) {
		t.Errorf("another file: %v", err)
	}
}

// TestBadCorpora opens damaged files that are kept, each named after what is wrong with it.
func TestBadCorpora(t *testing.T) {
	files, err := filepath.Glob("../../testdata/corpus/bad/*.corpus")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		want := map[string]error{"magic": ErrMagic, "version": ErrVersion, "size": ErrSize, "checksum": ErrChecksum, "invalid": ErrInvalid}
		kind, _, _ := strings.Cut(filepath.Base(file), "-")
		if _, err := ReadFile(file); want[kind] == nil || !errors.Is(err, want[kind]) {
			t.Errorf("got %v, want %v", err, want[kind])
		}
	}
}

// FuzzOpen edits a corpus and puts the checksums right. Open must refuse it, or every query on it must work.
func FuzzOpen(f *testing.F) {
	base := smallCorpus(f)
	empty := encoded(f, newFilledWriter(f, &site.Publication{}))
	f.Add(false, []byte{})
	f.Add(true, []byte{})
	for op := range byte(numEdits) {
		for in := range byte(numSections) {
			f.Add(false, []byte{op, in, 3, 0, 1, 0, 0, 0})
		}
		f.Add(true, []byte{op, 3, 0, 0, 200, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, small bool, program []byte) {
		data := base
		if small {
			data = empty
		}
		h, sections := split(t, data)
		edit(&h, sections, program)
		c, err := Open(reseal(h, sections))
		if err != nil {
			if !slices.ContainsFunc(sentinels, func(s error) bool { return errors.Is(err, s) }) {
				t.Errorf("the error wraps none that is documented: %v", err)
			}
			return
		}
		query(t, c)
	})
}

const numEdits = 7

// edit changes the parts of a corpus as program says: eight bytes an edit, what to do, where, and with what.
func edit(h *header, sections [][]byte, program []byte) {
	for ; len(program) >= 8; program = program[8:] {
		in := int(program[1]) % len(sections)
		s, at, value := sections[in], int(binary.LittleEndian.Uint16(program[2:])), binary.LittleEndian.Uint32(program[4:])
		switch program[0] % numEdits {
		case 0:
			if len(s) > 0 {
				s[at%len(s)] = byte(value)
			}
		case 1:
			if len(s) >= 4 {
				binary.LittleEndian.PutUint32(s[at%(len(s)-3):], value)
			}
		case 2:
			if len(s) > 0 {
				s[at%len(s)] ^= 1 << (value % 8)
			}
		case 3:
			sections[in] = s[:at%(len(s)+1)]
		case 4:
			sections[in] = append(s, bytes.Repeat([]byte{byte(value)}, at%256)...)
		case 5:
			sections[in] = slices.Insert(s, at%(len(s)+1), program[4:8]...)
		case 6:
			number := []*uint32{&h.articles, &h.companies, &h.words, &h.nodes, &h.prefixes, &h.unions, &h.parts}[in%7]
			if at%2 == 0 {
				*number = value
			} else {
				*number += uint32(int8(value)) // a little more or less
			}
		}
	}
}

// query asks an opened corpus everything that it can be asked.
func query(t *testing.T, c *Corpus) {
	t.Helper()
	var cover Cover
	var set, confined Set
	var sweep Sweep
	tokens := []string{"a", "b", "ab", "é", "世界", "-", "zzz", "ss", "\x00", "\xff", strings.Repeat("a", 300), strings.Repeat("b", 3072)}
	for i := range min(c.dict.numPrefs, 20) { // something that is there
		p := c.dict.prefix(int(i))
		var token []byte
		for q := c.dict.start(p); q <= p; q++ {
			token = append(token, c.dict.label(q))
		}
		tokens = append(tokens, string(token))
	}
	for _, token := range tokens {
		c.Find(token, &cover)
		c.Locate(&cover)
		for field := range NumFields {
			set.Reset(c.NumArticles())
			c.Add(&set, &cover, field)
			for _, i := range set.numbers(new(Set).emptied(c.NumArticles())) {
				c.Article(int(i))
			}
			confined.Reset(c.NumArticles())
			confined.AllowFew(set.numbers(new(Set).emptied(c.NumArticles())))
			c.Add(&confined, &cover, field)
			confined.Union(&set)
			if confined.Len() > c.NumArticles() {
				t.Errorf("%q: %d articles of %d", token, confined.Len(), c.NumArticles())
			}
			c.Sweep(&sweep, &cover, field)
			for first := 0; first < c.NumArticles(); first += 4 * blockSize {
				sweep.Read(first, min(first+4*blockSize, c.NumArticles()))
			}
		}
	}
	for i := range c.NumCompanies() {
		c.Company(i)
		if key := c.CompanyKeys()[c.CompanyKey(i):c.CompanyKey(i+1)]; bytes.Count(key, []byte{0}) != 2 || key[len(key)-1] != 0 {
			t.Errorf("company %d has the key %q", i, key)
		}
	}
	for _, coding := range codings {
		c.Index(coding)
	}
	if c.Meta().Postings < 0 {
		t.Error("a negative number of postings")
	}
}

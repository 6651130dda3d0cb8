package corpus

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
)

var update = flag.Bool("update", false, "write the frozen corpora of this version anew")

var padding = strings.Repeat("\x00", padBytes)

// TestFormat spells out what the format's description says, byte by byte, for two words in two articles.
func TestFormat(t *testing.T) {
	p := twoArticles()
	data := encoded(t, newFilledWriter(t, p))

	// Magic, format, fold, flags, sections; behind the fingerprint and the time: 2 articles, 1 company, 2 words "ab" and
	// "abc", 3 nodes "a", "b" and "c", 3 prefixes.
	head := "rfcorpus" + "\x03\x00\x00\x00" + "\x01\x00\x00\x00" + "\x00\x00\x00\x00" + "\x1d\x00\x00\x00"
	numbers := "\x02\x00\x00\x00" + "\x01\x00\x00\x00" + "\x02\x00\x00\x00" + "\x03\x00\x00\x00" + "\x03\x00\x00\x00"
	if string(data[:24]) != head || string(data[40:84]) != numbers+zeros(24) {
		t.Errorf("the header is %q", data[:84])
	}

	_, sections := split(t, data)
	for in, want := range map[section]string{
		secLanguage: "en",
		secPrefix:   "/en",
		// 64 labels; words begin with nodes 0 and 2; none begins before this block.
		secNodes:  "abc" + zeros(61) + "\x05" + zeros(7) + zeros(4),
		secShared: "\x00\x02",
		// Backwards the prefixes are "a", "ba", "cba": nodes 0, 1, 2 in two bits each, 10 01 00.
		secPrefixes: "\x24" + padding,
		secKeys:     zeros(7) + "a", // the first of 32 prefixes is "a"
		// The title has both words, bits 0 and 1, the body the second, bit 49. Three codes 0: lists of one article. Of two articles,
		// a list of one has a low bit and a one, the high part: "ab" is in the title of article 0, bits 0 1, "abc" in that of
		// article 1, bits 1 1, and in the body of article 0, whose title does not have it, bits 0 1.
		secLists:   "\x03\x00\x00\x00\x00\x00\x02\x00" + "\x00\xe0\x02" + padding,
		secOffsets: "\x00" + padding, // 5 bits, enough for 27 bytes

		secResults: `{"title":"Ab","excerpt":"","path":"/a","url":"https://e.org/a/"}` +
			`{"title":"ABC","excerpt":"","path":"/b","url":"https://e.org/b/"}`,
		secResultOffsets: "\x00\x00\x00\x00" + "\x40\x00\x00\x00" + "\x81\x00\x00\x00",
		secCompanies: `{"slug":"at-t","name":"AT&T","articleCount":1,"articles":` +
			`[{"title":"ABC","path":"/b","url":"https://e.org/b/"}]}`,
		secCompanyOffsets: "\x00\x00\x00\x00" + "\x70\x00\x00\x00",
		secNames:          "at&t\x00at-t\x00",
		secNameOffsets:    "\x00\x00\x00\x00" + "\x0a\x00\x00\x00",
	} {
		if got := string(sections[in]); got != want {
			t.Errorf("section %q:\ngot  %q\nwant %q", in, got, want)
		}
	}
	want := `{"version":1,"generatedAt":"2023-11-14T22:13:20Z","fingerprint":"` + Fingerprint(p) + `","articles":[` +
		`{"path":"/a","title":"Ab","excerpt":"","tags":[],"tagsJoined":"","section":"","author":"","date":""},` +
		`{"path":"/b","title":"ABC","excerpt":"","tags":[],"tagsJoined":"","section":"","author":"","date":""}]}` + "\n"
	if got := string(sections[secIndex]); got != want {
		t.Errorf("the index:\ngot  %s\nwant %s", got, want)
	}
}

func twoArticles() *site.Publication {
	return &site.Publication{Language: "en", Prefix: "/en", Articles: []site.Article{
		{Path: "/a", URL: "https://e.org/a/", Title: "Ab", Body: "abc"},
		{Path: "/b", URL: "https://e.org/b/", Title: "ABC"},
	}, Companies: []site.Company{{Slug: "at-t", Name: "AT&T", Articles: []int{1}}}}
}

// TestFormatOfUnions does so for the union of "c", in no union of fewer words, and that of all words, which refers to it.
func TestFormatOfUnions(t *testing.T) {
	p := twoArticles()
	h, sections := split(t, encoded(t, newFilledWriter(t, p)))
	var lists bitWriter
	newUniverse(2).write(&lists, []uint32{1})
	newUniverse(2).write(&lists, []uint32{0})
	inner := &union{Range: Range{2, 3}, bits: lists.pos(), lists: lists.finish(), rest: [NumFields]listRef{Title: {0, 1}, Body: {2, 1}}}
	outer := &union{Range: Range{0, 3}, parts: []part{{listRef{0, 1}, Title, inner}, {listRef{76, 1}, Title, nil}}}
	writeUnions(sections, []*union{outer, inner}, &h)
	if h.unions != 2 || h.parts != 2 {
		t.Errorf("%d unions, %d parts", h.unions, h.parts)
	}
	for in, want := range map[section]string{
		secUnionRanges: "\xec" + padding, // [0, 3) [2, 3), two bits each: 00 11, 01 11
		// The outer: two parts, gamma of 3: 0 1 1, numbers 0 and 1 in two bits each: 00 10, nothing else, gamma of 1 for
		// each field: 1 1 1 1. The inner: no part, 1, title, gamma of 2: 0 1 0, labels and excerpt: 1 1, body: 0 1 0; then
		// article 1: 1 1, and article 0: 0 1. All from the least significant bit on:
		// 0 1 1  0 0  1 0  1|1 1 1  1  0 1 0  1|1  0 1 0  1 1  0 1
		secUnionLists:   "\xa6\xaf\xb5" + padding,
		secUnionOffsets: "\x00\x0b" + padding,
		// The title of "ab", bit 76 of the lists of words, and that of the inner union, bit 20 behind these 27 bytes. Each is one
		// article of a title, 1<<2 | 0. Nine bits each.
		secUnionParts: "\x4c\x08\xb0\x23\x00" + padding,
	} {
		if got := string(sections[in]); got != want {
			t.Errorf("section %q:\ngot  %q\nwant %q", in, got, want)
		}
	}
	c := open(t, reseal(h, sections))
	for _, token := range []string{"a", "b", "c", "ab", "bc", "abc"} {
		checkToken(t, c, texts(p), token)
	}
}

// TestFormatOfRuns does so for a clause that has no words.
func TestFormatOfRuns(t *testing.T) {
	data := encoded(t, newFilledWriter(t, &site.Publication{Articles: []site.Article{{Path: "/a", Body: "世界世界世"}}}))
	// 6 positions, the last behind the clause, 2 characters, 2 pairs, 1 segment.
	if got, want := string(data[68:84]), "\x06\x00\x00\x00"+"\x02\x00\x00\x00"+"\x02\x00\x00\x00"+"\x01\x00\x00\x00"; got != want {
		t.Errorf("the header ends with %q, want %q", got, want)
	}
	_, sections := split(t, data)
	for in, want := range map[section]string{
		secRunes:       "\x16\x4e\x00\x00" + "\x4c\x75\x00\x00",
		secPairFirsts:  "\x24" + padding, // 0, 1 and 2 in two bits each: 00 10 01
		secPairSeconds: "\x01" + padding, // 世界: 1, 界世: 0, two bits each: 10 00
		// Two of six positions each have one low bit, 3 values of the high parts. 世界 at 0 and 2: gamma of 2: 0 1 0, low bits 0 0,
		// high parts 0 and 1: 1 0 1 0. 界世 at 1 and 3: 0 1 0, 1 1, 1 0 1 0. All from the least significant bit on:
		// 0 1 0  0 0  1 0 1|0  0 1 0  1 1  1 0|1 0
		secPairLists:   "\xa2\x74\x01" + padding,
		secPairOffsets: "\x00\x09" + padding,
		secSegments:    "\x18" + padding, // position 0, and the body of article 0: 3, three bits each: 000 110
	} {
		if got := string(sections[in]); got != want {
			t.Errorf("section %q:\ngot  %q\nwant %q", in, got, want)
		}
	}
	// The characters are words of the dictionary.
	if c := open(t, data); c.Meta().Words != 2 {
		t.Errorf("%d words", c.Meta().Words)
	}
}

func zeros(n int) string { return strings.Repeat("\x00", n) }

// The folder of frozen corpora: v3.corpus is one of format version 3, v3.txt what it answers, bad/ holds damaged ones.
const frozenDir = "../../testdata/corpus"

// TestFrozen opens corpora that earlier programs wrote. They answer as they did then, or a version has to change.
func TestFrozen(t *testing.T) {
	name := filepath.Join(frozenDir, fmt.Sprintf("v%d", FormatVersion))
	if *update {
		writeFrozen(t, name)
	}
	files, err := filepath.Glob(filepath.Join(frozenDir, "v*.corpus"))
	if err != nil || !slices.Contains(files, name+".corpus") {
		t.Fatalf("no corpus of version %d: %q, %v", FormatVersion, files, err)
	}
	want, err := os.ReadFile(name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadFile(name + ".corpus")
	if err != nil {
		t.Fatalf("%v\nhas the format changed? see FormatVersion", err)
	}
	var got bytes.Buffer
	for line := range strings.Lines(string(want)) {
		token, _, _ := strings.Cut(line, "\t")
		var cover Cover
		var sets [NumFields]Set
		c.Find(token, &cover)
		c.Locate(&cover)
		for f := range sets {
			sets[f].Reset(c.NumArticles())
			c.Add(&sets[f], &cover, Field(f))
		}
		printAnswer(&got, token, c.NumArticles(), func(article int) Field {
			return Field(slices.IndexFunc(sets[:], func(s Set) bool { return s.Has(article) }))
		})
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
	if n := strings.Count(string(want), "\n"); n < 50 || len(c.Article(c.NumArticles()-1)) == 0 || len(c.Index("br")) == 0 || c.unions.n == 0 {
		t.Errorf("the frozen corpus says little: %d tokens", n)
	}
}

// printAnswer prints a token, and the weightiest field of each article that has it.
func printAnswer(b *bytes.Buffer, token string, articles int, field func(article int) Field) {
	b.WriteString(token + "\t")
	for i := range articles {
		if f := field(i); f >= 0 && f < NumFields {
			fmt.Fprintf(b, " %d:%d", i, f)
		}
	}
	b.WriteByte('\n')
}

// writeFrozen writes the corpus of this version, the answers that a scan of its publication gives, and what damages of it
// there are.
func writeFrozen(t *testing.T, name string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	p := sitetest.Random(r, 10)
	w := newFilledWriter(t, p)
	w.collector.unions = unionLimits{rate: 0.1, saving: 1, part: 2}
	data := encoded(t, w)
	all := texts(p)
	tokens := randomTokens(r, p, 80)
	slices.Sort(tokens)
	var answers bytes.Buffer
	for _, token := range slices.Compact(tokens) {
		printAnswer(&answers, token, len(all), func(article int) Field { return bestField(all[article], token) })
	}

	invalid := func(edit func(h *header, s [][]byte)) []byte {
		h, s := split(t, data)
		edit(&h, s)
		return reseal(h, s)
	}
	for file, data := range map[string][]byte{
		name + ".corpus":                 data,
		name + ".txt":                    answers.Bytes(),
		"bad/magic-html.corpus":          []byte("<!DOCTYPE html><title>404 Not Found</title>\n"),
		"bad/magic-empty.corpus":         {},
		"bad/version-next-format.corpus": slices.Concat([]byte(magic), []byte{255}, data[len(magic)+1:200]),
		"bad/size-header.corpus":         data[:200],
		"bad/size-download.corpus":       data[:len(data)/2],
		"bad/size-appended.corpus":       append(slices.Clone(data), '\n'),
		"bad/checksum-one-bit.corpus":    append(append(slices.Clone(data[:len(data)-1000]), data[len(data)-1000]^1), data[len(data)-999:]...),
		"bad/invalid-name.corpus":        invalid(func(_ *header, s [][]byte) { s[secNames][0] = 0 }),
		"bad/invalid-shared.corpus":      invalid(func(_ *header, s [][]byte) { s[secShared][0] = 9 }),
		"bad/invalid-parts.corpus":       invalid(func(_ *header, s [][]byte) { s[secUnionParts][1] = 0xFF }),
		"bad/invalid-lists.corpus":       invalid(func(_ *header, s [][]byte) { s[secOffsets][0] = 0xFF }),
	} {
		if strings.HasPrefix(file, "bad/") {
			file = filepath.Join(frozenDir, file)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

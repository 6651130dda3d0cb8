package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
)

func TestSameInputSameBytes(t *testing.T) {
	p := sitetest.Random(rand.New(rand.NewPCG(1, 9)), 900)
	want := encoded(t, newFilledWriter(t, p))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		if !bytes.Equal(encoded(t, newFilledWriter(t, p)), want) {
			t.Errorf("%d processors write other bytes", procs)
		}
	}
}

func TestMeta(t *testing.T) {
	p := &site.Publication{Language: "fr", Prefix: "/fr", FoldDiacritics: true, Articles: []site.Article{
		{Path: "/a", Title: "Un café", Body: "café CAFE résumé"}, {Path: "/b", Excerpt: "resume"},
	}, Companies: []site.Company{{Slug: "x", Name: "X", Articles: []int{0, 1}}}}
	data := encoded(t, newFilledWriter(t, p))
	m := open(t, data).Meta()
	if m.FormatVersion != FormatVersion || m.Language != "fr" || m.Prefix != "/fr" || !m.FoldDiacritics || m.Fingerprint != Fingerprint(p) ||
		!m.GeneratedAt.Equal(generatedAt) || m.GeneratedAt.Location() != time.UTC || m.Articles != 2 || m.Companies != 1 ||
		m.Words != 3 || m.Postings != 4 || m.Bytes != int64(len(data)) {
		t.Errorf("got %+v", m)
	}
	sum := int64(fixedBytes)
	for _, s := range m.Sections {
		sum += s.Bytes
	}
	if sum != m.Bytes {
		t.Errorf("the sections make %d bytes of %d", sum, m.Bytes)
	}
}

// Every stored answer is the JSON of the domain's own type, and every coding of the index decodes to it.
func TestAnswersAreStoredAsSent(t *testing.T) {
	p := sitetest.Random(rand.New(rand.NewPCG(2, 9)), 120)
	w := newFilledWriter(t, p)
	gotIndex, err := w.IndexJSON()
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, encoded(t, w))
	for i := range p.Articles {
		if want := marshal(t, p.Articles[i].SearchResult()); string(c.Article(i)) != want {
			t.Fatalf("article %d: got %s, want %s", i, c.Article(i), want)
		}
	}
	companies := map[string]string{}
	for _, company := range p.Companies {
		result := site.CompanyResult{Slug: company.Slug, Name: company.Name, ArticleCount: len(company.Articles)}
		for _, i := range company.Articles {
			result.Articles = append(result.Articles, p.Articles[i].Ref())
		}
		companies[company.Slug] = marshal(t, result)
	}
	last := site.CompanyResult{ArticleCount: len(p.Articles)}
	for i := range c.NumCompanies() {
		var got site.CompanyResult
		if err := json.Unmarshal(c.Company(i), &got); err != nil || string(c.Company(i)) != companies[got.Slug] {
			t.Fatalf("company %d: got %s, want %s, %v", i, c.Company(i), companies[got.Slug], err)
		}
		if got.ArticleCount > last.ArticleCount {
			t.Errorf("company %q has more articles than %q before it", got.Slug, last.Slug)
		}
		last = got
	}

	index := site.Index{Version: site.IndexVersion, GeneratedAt: site.FormatTime(generatedAt), Fingerprint: Fingerprint(p)}
	for i := range p.Articles {
		index.Articles = append(index.Articles, p.Articles[i].IndexEntry())
	}
	want := marshal(t, index) + "\n"
	if string(gotIndex) != want {
		t.Error("the index is not that of the publication")
	}
	for _, coding := range codings {
		if got := decoded(t, coding, c.Index(coding)); got != want {
			t.Errorf("%s: the index decodes to %d bytes, want %d", coding, len(got), len(want))
		}
	}
	if c.Index("deflate") != nil {
		t.Error("there is an index in a coding that is not stored")
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := site.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func decoded(t *testing.T, coding string, data []byte) string {
	t.Helper()
	var r io.Reader = bytes.NewReader(data)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriterErrors(t *testing.T) {
	day := func(n int) time.Time { return time.Unix(int64(n)*86400, 0) }
	start := func() *Writer {
		return newFilledWriter(t, &site.Publication{Articles: []site.Article{{Path: "/m", Date: day(9)}, {Path: "/n", Date: day(8)}}})
	}
	for _, tt := range []struct {
		name string
		add  func(w *Writer) error
		want string
	}{
		{"newer article", func(w *Writer) error { return w.Add(&site.Article{Path: "/z", Date: day(10)}) }, `article "/z" is out of order or repeated`},
		{"same date, lower path", func(w *Writer) error { return w.Add(&site.Article{Path: "/a", Date: day(8)}) }, `article "/a" is out of order or repeated`},
		{"the same article", func(w *Writer) error { return w.Add(&site.Article{Path: "/n", Date: day(8)}) }, `article "/n" is out of order or repeated`},
		{"an article after a company", func(w *Writer) error {
			return errors.Join(w.AddCompany(&site.Company{Slug: "a", Articles: []int{0}}), w.Add(&site.Article{Path: "/z"}))
		}, `article "/z" comes after a company`},
		{"the same company", func(w *Writer) error {
			return errors.Join(w.AddCompany(&site.Company{Slug: "b"}), w.AddCompany(&site.Company{Slug: "b"}))
		}, `company "b" is out of order or repeated`},
		{"a lower company", func(w *Writer) error {
			return errors.Join(w.AddCompany(&site.Company{Slug: "b"}), w.AddCompany(&site.Company{Slug: "a"}))
		}, `company "a" is out of order or repeated`},
		{"a company of no article", func(w *Writer) error { return w.AddCompany(&site.Company{Slug: "a", Articles: []int{2}}) },
			`company "a": article number 2 is out of range or out of order`},
		{"a negative number", func(w *Writer) error { return w.AddCompany(&site.Company{Slug: "a", Articles: []int{-1}}) },
			`company "a": article number -1 is out of range or out of order`},
		{"articles twice", func(w *Writer) error { return w.AddCompany(&site.Company{Slug: "a", Articles: []int{1, 1}}) },
			`company "a": article number 1 is out of range or out of order`},
	} {
		if err := tt.add(start()); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	full := errors.New("disk full")
	for _, after := range []int{0, 1, 5} {
		if _, err := start().WriteTo(&failingWriter{after, full}); !errors.Is(err, full) {
			t.Errorf("a writer that fails after %d writes: %v", after, err)
		}
	}
}

type failingWriter struct {
	left int
	err  error
}

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, w.err
	}
	return len(b), nil
}

func TestFingerprint(t *testing.T) {
	publication := func() *site.Publication {
		return &site.Publication{Language: "en", Prefix: "/en", Articles: []site.Article{
			{Path: "/a", URL: "u", Title: "t", Excerpt: "e", Tags: []string{"x", "y"}, Section: "s", Author: "w", Date: time.Unix(1e9, 0), Body: "b"},
			{Path: "/b"},
		}, Companies: []site.Company{{Slug: "k", Name: "n", Articles: []int{0}}}}
	}
	seen := map[string]string{Fingerprint(publication()): "nothing"}
	for what, change := range map[string]func(p *site.Publication){
		"language":         func(p *site.Publication) { p.Language = "de" },
		"prefix":           func(p *site.Publication) { p.Prefix = "" },
		"diacritics":       func(p *site.Publication) { p.FoldDiacritics = true },
		"path":             func(p *site.Publication) { p.Articles[0].Path = "/A" },
		"URL":              func(p *site.Publication) { p.Articles[0].URL = "U" },
		"title":            func(p *site.Publication) { p.Articles[0].Title = "T" },
		"excerpt":          func(p *site.Publication) { p.Articles[0].Excerpt = "E" },
		"tag":              func(p *site.Publication) { p.Articles[0].Tags[1] = "Y" },
		"order of tags":    func(p *site.Publication) { slices.Reverse(p.Articles[0].Tags) },
		"tags run on":      func(p *site.Publication) { p.Articles[0].Tags = []string{"xy"} },
		"one tag less":     func(p *site.Publication) { p.Articles[0].Tags = p.Articles[0].Tags[:1] },
		"section":          func(p *site.Publication) { p.Articles[0].Section = "S" },
		"author":           func(p *site.Publication) { p.Articles[0].Author = "W" },
		"date":             func(p *site.Publication) { p.Articles[0].Date = time.Unix(1e9+1, 0) },
		"no date":          func(p *site.Publication) { p.Articles[0].Date = time.Time{} },
		"body":             func(p *site.Publication) { p.Articles[0].Body = "B" },
		"text moves":       func(p *site.Publication) { p.Articles[0].Title, p.Articles[0].Excerpt = "te", "" },
		"one article less": func(p *site.Publication) { p.Articles = p.Articles[:1] },
		"slug":             func(p *site.Publication) { p.Companies[0].Slug = "K" },
		"name":             func(p *site.Publication) { p.Companies[0].Name = "N" },
		"its articles":     func(p *site.Publication) { p.Companies[0].Articles = []int{1} },
		"one more of them": func(p *site.Publication) { p.Companies[0].Articles = []int{0, 1} },
		"no company":       func(p *site.Publication) { p.Companies = nil },
	} {
		p := publication()
		change(p)
		fingerprint := Fingerprint(p)
		if other, ok := seen[fingerprint]; ok {
			t.Errorf("a change of %s has the fingerprint of a change of %s", what, other)
		}
		seen[fingerprint] = what
		if got := newFilledWriter(t, p).Fingerprint(); got != fingerprint {
			t.Errorf("%s: the Writer says %s, Fingerprint %s", what, got, fingerprint)
		}
	}

	p := publication()
	p.Articles[0].Date = p.Articles[0].Date.In(time.FixedZone("", 3600)).Add(time.Millisecond)
	later := NewWriter(Options{Language: p.Language, Prefix: p.Prefix, GeneratedAt: generatedAt.Add(time.Hour)})
	for i := range p.Articles {
		if err := later.Add(&p.Articles[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := later.AddCompany(&p.Companies[0]); err != nil {
		t.Fatal(err)
	}
	if got := open(t, encoded(t, later)).Meta().Fingerprint; got != Fingerprint(publication()) {
		t.Error("the time of generation, or how a date is written, changes the fingerprint")
	}
}

// A word longer than anything that has one, and a text without white space, are found like any other.
func TestHugeWord(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	var b strings.Builder
	for b.Len() < 200_000 {
		fmt.Fprintf(&b, "%c%c", 'a'+r.IntN(20), []rune("世界漢字仮名")[r.IntN(6)])
	}
	p := &site.Publication{Articles: []site.Article{{Path: "/a", Body: b.String()}, {Path: "/b", Title: "世界", Body: "a漢 word"}}}
	c := open(t, encoded(t, newFilledWriter(t, p)))
	all := texts(p)
	runes := []rune(b.String())
	for range 300 {
		at := r.IntN(len(runes) - 40)
		checkToken(t, c, all, string(runes[at:at+1+r.IntN(40)]))
	}
	for _, token := range []string{"世界", "a漢", "word", "a漢a", "zz"} {
		checkToken(t, c, all, token)
	}
}

package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// Options are what a corpus records besides its articles and companies.
type Options struct {
	Language       string // BCP 47 tag as the site configures it
	Prefix         string // URL prefix of the language, "" or "/fr"
	FoldDiacritics bool
	GeneratedAt    time.Time // recorded to the second
}

// A Writer collects articles and companies and writes them as one corpus. It keeps no text: of an article only the numbers
// of its words and its answers, so that a corpus can be larger than memory would hold as text. The same articles and
// options make the same bytes. A Writer is not safe for concurrent use.
type Writer struct {
	options   Options
	print     *fingerprinter
	collector collector
	results   tableWriter
	refs      tableWriter // site.ArticleRef per article, for the companies
	entries   tableWriter // site.IndexEntry per article, for the index
	digests   []byte
	companies []company
	lastSlug  string
	last      site.Article // for the order; without its body
}

type company struct {
	key, json string // as in the sections names and companies
	articles  int
}

// NewWriter returns an empty Writer.
func NewWriter(o Options) *Writer {
	w := &Writer{options: o, print: newFingerprinter(o.Language, o.Prefix, o.FoldDiacritics)}
	w.collector.init(o.FoldDiacritics)
	return w
}

// NewWriterOf returns a Writer to which everything in p has been added. Errors are those of Add and AddCompany.
func NewWriterOf(p *site.Publication, generatedAt time.Time) (*Writer, error) {
	w := NewWriter(Options{Language: p.Language, Prefix: p.Prefix, FoldDiacritics: p.FoldDiacritics, GeneratedAt: generatedAt})
	for i := range p.Articles {
		if err := w.Add(&p.Articles[i]); err != nil {
			return nil, err
		}
	}
	for i := range p.Companies {
		if err := w.AddCompany(&p.Companies[i]); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Add adds the next article. Articles come in answer order, as site.CompareArticles has it, each path once.
func (w *Writer) Add(a *site.Article) error {
	switch n := w.results.len(); {
	case n == MaxArticles:
		return fmt.Errorf("more than %d articles", MaxArticles)
	case n > 0 && site.CompareArticles(w.last, *a) >= 0:
		return fmt.Errorf("article %q is out of order or repeated", a.Path)
	case len(w.companies) > 0:
		return fmt.Errorf("article %q comes after a company", a.Path)
	}
	w.last = site.Article{Path: a.Path, Date: a.Date}
	var answers error
	var wg sync.WaitGroup
	wg.Go(func() { // takes about as long as the words do
		w.digests = binary.LittleEndian.AppendUint64(w.digests, w.print.article(a))
		answers = errors.Join(w.results.add(a.SearchResult()), w.refs.add(a.Ref()), w.entries.add(a.IndexEntry()))
	})
	words := w.collector.add(a)
	wg.Wait()
	return errors.Join(words, answers)
}

// AddCompany adds the next company, after all articles. Companies come by slug, each slug once.
func (w *Writer) AddCompany(c *site.Company) error {
	if len(w.companies) > 0 && w.lastSlug >= c.Slug {
		return fmt.Errorf("company %q is out of order or repeated", c.Slug)
	}
	w.lastSlug = c.Slug
	w.print.company(c)
	fragment, err := site.Marshal(site.CompanyResult{Slug: c.Slug, Name: c.Name, ArticleCount: len(c.Articles), Articles: []site.ArticleRef{}})
	if err != nil {
		return err
	}
	buf := fragment[:len(fragment)-len("]}")]
	for i, a := range c.Articles {
		if a < 0 || a >= w.refs.len() || i > 0 && c.Articles[i-1] >= a {
			return fmt.Errorf("company %q: article number %d is out of range or out of order", c.Slug, a)
		}
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, w.refs.at(a)...)
	}
	fold := w.collector.fold // a new one is slow to make, and there may be 10,000 companies
	name := strings.Join(text.Fields(fold.String(c.Name)), " ")
	w.companies = append(w.companies, company{
		key: name + "\x00" + fold.String(c.Slug) + "\x00", json: string(buf) + "]}", articles: len(c.Articles),
	})
	return nil
}

// Fingerprint returns the fingerprint of what has been added, 16 hex digits.
func (w *Writer) Fingerprint() string { return fmt.Sprintf("%016x", w.print.sum()) }

// IndexJSON returns read-finder-index.json, once everything is added and before WriteTo.
func (w *Writer) IndexJSON() ([]byte, error) {
	head, err := site.Marshal(site.Index{
		Version:     site.IndexVersion,
		GeneratedAt: site.FormatTime(w.options.GeneratedAt),
		Fingerprint: w.Fingerprint(),
		Articles:    []site.IndexEntry{},
	})
	if err != nil {
		return nil, err
	}
	buf := make([]byte, 0, len(head)+len(w.entries.data)+w.entries.len())
	buf = append(buf, head[:len(head)-len("]}")]...)
	for i := range w.entries.len() {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, w.entries.at(i)...)
	}
	return append(buf, "]}\n"...), nil
}

// WriteTo writes the corpus, once everything is added, and once only: it lets go of what it has used. It implements
// io.WriterTo.
func (w *Writer) WriteTo(dst io.Writer) (int64, error) {
	sections, h, err := w.sections()
	if err != nil {
		return 0, err
	}
	h.fingerprint = w.print.sum()
	h.generatedAt = w.options.GeneratedAt.Unix()
	if w.options.FoldDiacritics {
		h.flags = flagFoldDiacritics
	}
	total := int64(0)
	for _, part := range slices.Concat([][]byte{encodeHeader(h, sections)}, sections) {
		n, err := dst.Write(part)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func (w *Writer) sections() ([][]byte, header, error) {
	index, err := w.IndexJSON()
	if err != nil {
		return nil, header{}, err
	}
	w.entries, w.refs = tableWriter{}, tableWriter{}
	s := make([][]byte, numSections)
	s[secLanguage], s[secPrefix] = []byte(w.options.Language), []byte(w.options.Prefix)
	var h header
	var encoded [len(codings)][]byte
	err = parallel(1+len(codings), func(i int) (err error) {
		if i == 0 {
			h, err = w.collector.sections(s)
		} else {
			encoded[i-1], err = encode(codings[i-1], index)
		}
		return err
	})
	if err != nil {
		return nil, header{}, err
	}
	copy(s[secIndex:], encoded[:])

	slices.SortFunc(w.companies, compareCompanies)
	var companies, names tableWriter
	for _, c := range w.companies {
		companies.append(c.json)
		names.append(c.key)
	}
	h.companies = uint32(len(w.companies))
	s[secDigests] = w.digests
	s[secResultOffsets], s[secResults] = w.results.offsets(), w.results.data
	s[secCompanyOffsets], s[secCompanies] = companies.offsets(), companies.data
	s[secNameOffsets], s[secNames] = names.offsets(), names.data
	for _, sec := range []section{secResults, secCompanies, secNames} {
		if len(s[sec]) > math.MaxUint32 {
			return nil, header{}, sec.error(fmt.Errorf("%d bytes exceed 4 GiB", len(s[sec])))
		}
	}
	return s, h, nil
}

// compareCompanies orders companies as answers list them among their like.
func compareCompanies(a, b company) int {
	if a.articles != b.articles {
		return b.articles - a.articles
	}
	return strings.Compare(a.key, b.key) // begins with the name; the slug makes it unique
}

// Package corpus is the compact search corpus: the format, its Writer and its reader.
package corpus

import (
	"errors"
	"io"
	"time"

	"github.com/read-finder/read-finder/site"
)

// Options are what a corpus records besides its content.
type Options struct {
	Language       string
	Prefix         string
	FoldDiacritics bool
	GeneratedAt    time.Time
}

// A Writer collects articles and companies and writes them as one corpus.
type Writer struct{}

// NewWriter returns an empty Writer.
func NewWriter(o Options) *Writer { return &Writer{} }

// Add adds the next article. Articles are added in answer order.
func (w *Writer) Add(a *site.Article) error { return errors.New("stub") }

// AddCompany adds the next company, after all articles, in slug order.
func (w *Writer) AddCompany(c *site.Company) error { return errors.New("stub") }

// IndexJSON returns read-finder-index.json, after everything is added.
func (w *Writer) IndexJSON() []byte { return nil }

// WriteTo writes the corpus.
func (w *Writer) WriteTo(dst io.Writer) (int64, error) { return 0, errors.New("stub") }

// Fingerprint returns the XXH64, as 16 hex digits, of everything in p that can change an answer.
func Fingerprint(p *site.Publication) string { return "" }

// A Corpus is an opened, verified corpus. It is immutable and safe for concurrent use.
type Corpus struct{}

// Meta describes a corpus.
type Meta struct {
	FormatVersion, FoldVersion           int
	FoldDiacritics                       bool
	Language, Prefix                     string
	Fingerprint                          string // 16 hex digits
	GeneratedAt                          time.Time
	Articles, Companies, Words, Postings int
	Bytes                                int64
	Sections                             []SectionInfo
}

// SectionInfo is the size of one section of the file.
type SectionInfo struct {
	Name  string
	Bytes int64
}

// Open verifies data and returns the corpus in it. It keeps data.
func Open(data []byte) (*Corpus, error) { return nil, errors.New("stub") }

// ReadFile reads a corpus file into memory and opens it.
func ReadFile(path string) (*Corpus, error) { return nil, errors.New("stub") }

// Meta returns what Open learnt.
func (c *Corpus) Meta() *Meta { return nil }

// NumArticles returns the number of articles.
func (c *Corpus) NumArticles() int { return 0 }

// Article returns the ready JSON of a site.SearchResult. 0 <= i < NumArticles().
func (c *Corpus) Article(i int) []byte { return nil }

// NumCompanies returns the number of companies.
func (c *Corpus) NumCompanies() int { return 0 }

// Company returns the ready JSON of a site.CompanyResult. 0 <= i < NumCompanies().
func (c *Corpus) Company(i int) []byte { return nil }

// Index returns read-finder-index.json in a content coding of RFC 9110: "identity", "gzip", "br" or "zstd";
// nil for another coding, and for a coding that would not make it smaller.
func (c *Corpus) Index(coding string) []byte { return nil }

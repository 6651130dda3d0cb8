package corpus

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"
)

// A Corpus is an opened, verified corpus. It is immutable and safe for concurrent use.
type Corpus struct {
	meta      Meta
	articles  int
	companies int
	dict      dictionary
	universe  *universe
	postings  postings
	unions    unionTable
	runs      runs
	results   table // article search results
	profiles  table // company results
	names     table // what companies are found by
	digests   []byte
	index     map[string][]byte
}

// Meta describes a corpus.
type Meta struct {
	FormatVersion  int
	FoldVersion    int
	FoldDiacritics bool
	Language       string    // BCP 47 tag as the site configures it
	Prefix         string    // URL prefix of the language, "" or "/fr"
	Fingerprint    string    // XXH64 of all content, 16 hex digits
	GeneratedAt    time.Time // UTC, whole seconds
	Articles       int
	Companies      int
	Words          int   // distinct words
	Postings       int   // pairs of a word and an article that it occurs in
	Unions         int   // precomputed unions
	Bytes          int64 // of the whole file
	Sections       []SectionInfo
}

// SectionInfo is the size of one section of a corpus.
type SectionInfo struct {
	Name  string
	Bytes int64
}

// ReadFile reads a corpus into memory and opens it. Errors name the file.
func ReadFile(path string) (*Corpus, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := Open(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Meta returns the description of the corpus. The caller must not change it.
func (c *Corpus) Meta() *Meta { return &c.meta }

// NumArticles returns the number of articles.
func (c *Corpus) NumArticles() int { return c.articles }

// Article returns the JSON of a site.SearchResult, 0 <= i < NumArticles(). The caller must not change it.
func (c *Corpus) Article(i int) []byte { return c.results.at(i) }

const digestBytes = 8

// Digest returns the XXH64 of everything in article i that can change an answer, 0 <= i < NumArticles().
func (c *Corpus) Digest(i int) uint64 { return binary.LittleEndian.Uint64(c.digests[i*digestBytes:]) }

// NumCompanies returns the number of companies.
func (c *Corpus) NumCompanies() int { return c.companies }

// Company returns the JSON of a site.CompanyResult, 0 <= i < NumCompanies(): companies with more articles come first,
// then those with the lower name. The caller must not change it.
func (c *Corpus) Company(i int) []byte { return c.profiles.at(i) }

// CompanyKeys returns, for all companies one after another, the folded name, a zero byte, the folded slug, and a zero
// byte; CompanyKey returns where company i's begin. The caller must not change them.
func (c *Corpus) CompanyKeys() []byte { return c.names.data }

// CompanyKey returns the offset in CompanyKeys of company i, 0 <= i <= NumCompanies().
func (c *Corpus) CompanyKey(i int) int { return c.names.start(i) }

// Index returns read-finder-index.json in a content coding of RFC 9110: "identity", "gzip", "br" or "zstd". It is nil
// for any other coding. The caller must not change it.
func (c *Corpus) Index(coding string) []byte { return c.index[coding] }

// A table is a sequence of byte strings.
type table struct {
	offsets []byte // 4 bytes each, one more than there are strings
	data    []byte
}

func (t table) start(i int) int { return int(binary.LittleEndian.Uint32(t.offsets[4*i:])) }

func (t table) at(i int) []byte { return t.data[t.start(i):t.start(i+1):t.start(i+1)] }

package corpus

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// Fingerprint returns the XXH64, as 16 hex digits, of everything in p that can change an answer, and of the versions
// of index, format and fold. The same publication has the same fingerprint on every machine and at any time.
func Fingerprint(p *site.Publication) string {
	f := newFingerprinter(p.Language, p.Prefix, p.FoldDiacritics)
	for i := range p.Articles {
		f.article(&p.Articles[i])
	}
	for i := range p.Companies {
		f.company(&p.Companies[i])
	}
	return fmt.Sprintf("%016x", f.sum())
}

// A fingerprinter hashes content. Numbers are 8 bytes and strings begin with their length, so that no two contents run
// together to the same bytes.
type fingerprinter struct {
	hash xxhash.Digest
	buf  [8]byte
}

func newFingerprinter(language, prefix string, foldDiacritics bool) *fingerprinter {
	f := &fingerprinter{hash: *xxhash.New()}
	f.number(site.IndexVersion)
	f.number(FormatVersion)
	f.number(text.Version)
	f.strings(language, prefix, fmt.Sprint(foldDiacritics))
	return f
}

// article adds an article by its digest, which it returns: the XXH64 of everything in it that can change an answer.
func (f *fingerprinter) article(a *site.Article) uint64 {
	date := ""
	if !a.Date.IsZero() {
		date = site.FormatTime(a.Date)
	}
	own := fingerprinter{hash: *xxhash.New()}
	own.strings(a.Path, a.URL, a.Title, a.Excerpt, a.Section, a.Author, date, a.Body)
	own.strings(a.Tags...)
	digest := own.sum()
	f.strings("article")
	f.number(int(digest))
	return digest
}

func (f *fingerprinter) company(c *site.Company) {
	f.strings("company", c.Slug, c.Name)
	f.number(len(c.Articles))
	for _, a := range c.Articles {
		f.number(a)
	}
}

func (f *fingerprinter) strings(list ...string) {
	for _, s := range list {
		f.number(len(s))
		_, _ = f.hash.WriteString(s) // never fails
	}
}

func (f *fingerprinter) number(n int) {
	binary.LittleEndian.PutUint64(f.buf[:], uint64(n))
	_, _ = f.hash.Write(f.buf[:]) // never fails
}

func (f *fingerprinter) sum() uint64 { return f.hash.Sum64() }

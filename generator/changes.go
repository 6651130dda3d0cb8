package generator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// Changes are the paths of the articles that differ from the artifacts before, sorted. A changed article is one of which
// anything differs that can change an answer, its body included; beside a corpus that cannot be read, its entry in the index.
type Changes struct {
	Added   []string `json:"added"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`

	// Texts tells that no article differs and yet the fingerprint does: companies, how is matched, or texts that
	// nothing beside the index tells of.
	Texts bool `json:"texts"`
}

// A DropError says that so many articles are gone that it looks like a mistake. Nothing has been written.
type DropError struct {
	Before, Now, MaxPercent int
	Removed                 []string // paths
}

func (e *DropError) Error() string {
	const most = 10
	gone := e.Removed[:min(len(e.Removed), most)]
	return fmt.Sprintf("%s where there were %d: more than %d %% fewer, and --max-drop (or maxDrop) does not allow it\n  gone are %s%s",
		plural(e.Now, "article", "articles"), e.Before, e.MaxPercent, strings.Join(gone, ", "),
		strings.Repeat(", ...", min(len(e.Removed)-len(gone), 1)))
}

// checkDrop compares the number of articles with that of the artifacts in dir.
func checkDrop(dir string, x *extraction) error {
	pub, maxPercent := x.pub, x.settings.maxDrop
	if maxPercent == 100 {
		return nil
	}
	before, err := readPrevious(dir)
	if err != nil || before == nil {
		return err
	}
	if drop := len(before.entries) - len(pub.Articles); drop*100 <= maxPercent*len(before.entries) {
		return nil
	}
	now := map[string]bool{}
	for i := range pub.Articles {
		now[pub.Articles[i].Path] = true
	}
	e := &DropError{Before: len(before.entries), Now: len(pub.Articles), MaxPercent: maxPercent}
	for path := range before.entries {
		if !now[path] {
			e.Removed = append(e.Removed, path)
		}
	}
	slices.Sort(e.Removed)
	return e
}

// A previous is the index that is to be replaced.
type previous struct {
	fingerprint string
	entries     map[string]string // path -> JSON
	digests     map[string]uint64 // path -> corpus.Digest; nil where the corpus beside is not of this index
}

// readPrevious reads the index in dir. It returns nil where there is none or a damaged one, which is replaced.
func readPrevious(dir string) (*previous, error) {
	data, err := os.ReadFile(filepath.Join(dir, IndexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := corpus.ReadFile(filepath.Join(dir, CorpusName))
	if err != nil || !bytes.Equal(c.Index("identity"), data) {
		c = nil // replaced as well: it says nothing of this index
	}
	return decodePrevious(data, c), nil
}

// decodePrevious decodes an index; c is its corpus, or nil.
func decodePrevious(data []byte, c *corpus.Corpus) *previous {
	var index struct {
		Fingerprint string
		Articles    []json.RawMessage
	}
	if json.Unmarshal(data, &index) != nil {
		return nil
	}
	p := &previous{fingerprint: index.Fingerprint, entries: make(map[string]string, len(index.Articles))}
	if c != nil {
		p.digests = make(map[string]uint64, len(index.Articles))
	}
	for i, raw := range index.Articles {
		var key struct{ Path string }
		if json.Unmarshal(raw, &key) == nil {
			p.entries[key.Path] = string(raw)
			if c != nil && i < c.NumArticles() {
				p.digests[key.Path] = c.Digest(i)
			}
		}
	}
	return p
}

// changes says how pub differs, whose corpus is now.
func (p *previous) changes(pub *site.Publication, now *corpus.Corpus) (*Changes, error) {
	c := &Changes{Added: []string{}, Changed: []string{}, Removed: []string{}}
	for i := range pub.Articles {
		path := pub.Articles[i].Path
		entry, err := site.Marshal(pub.Articles[i].IndexEntry())
		if err != nil {
			return nil, err
		}
		switch old, ok := p.entries[path]; {
		case !ok:
			c.Added = append(c.Added, path)
		case old != string(entry), p.digests != nil && p.digests[path] != now.Digest(i):
			c.Changed = append(c.Changed, path)
		}
		delete(p.entries, path)
	}
	for path := range p.entries {
		c.Removed = append(c.Removed, path)
	}
	differ := 0
	for _, list := range [][]string{c.Added, c.Changed, c.Removed} {
		slices.Sort(list)
		differ += len(list)
	}
	c.Texts = differ == 0 && p.fingerprint != now.Meta().Fingerprint
	return c, nil
}

package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A bleveIndex holds the words as white space delimits them, and nothing else: no text, no positions, no values to sort
// by. It is written by Bleve's offline builder, as few segments as that makes. A token is a regular expression, which the
// dictionary of words is walked with; the terms found are united.
type bleveIndex struct {
	fold    *text.Folder
	path    string
	builder bleve.Builder
	index   bleve.Index
	next    int
}

const field = "text"

func newBleve(dir string) (*bleveIndex, error) {
	m, err := newMapping()
	if err != nil {
		return nil, err
	}
	b := &bleveIndex{fold: text.NewFolder(false), path: filepath.Join(dir, "articles.bleve")}
	b.builder, err = bleve.NewBuilder(b.path, m, map[string]any{"buildPathPrefix": dir})
	return b, err
}

func newMapping() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	if err := m.AddCustomAnalyzer("words", map[string]any{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		return nil, err
	}
	words := bleve.NewTextFieldMapping()
	words.Analyzer = "words"
	words.Store, words.IncludeTermVectors, words.IncludeInAll, words.DocValues = false, false, false, false
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	m.DefaultMapping.AddFieldMappingsAt(field, words)
	return m, nil
}

func (b *bleveIndex) add(a *site.Article) error {
	id := strconv.Itoa(b.next)
	b.next++
	return b.builder.Index(id, map[string]any{field: b.fold.String(joined(a))})
}

func (b *bleveIndex) finish() (err error) {
	if err := b.builder.Close(); err != nil {
		return err
	}
	b.index, err = bleve.Open(b.path)
	return err
}

func (b *bleveIndex) bytes() (index, stored int64, err error) {
	err = filepath.WalkDir(b.path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			stored += info.Size()
		}
		return err
	})
	return stored, stored, err
}

func (b *bleveIndex) search(dst []int, q string, limit int) ([]int, error) {
	var tokens []query.Query
	for _, token := range text.Fields(b.fold.String(q)) {
		// What a wildcard query makes of *token*, which cannot escape a * or ? of the token.
		part := bleve.NewRegexpQuery(".*" + regexp.QuoteMeta(token) + ".*")
		part.SetField(field)
		tokens = append(tokens, part)
	}
	request := bleve.NewSearchRequestOptions(bleve.NewConjunctionQuery(tokens...), limit, 0, false)
	request.Score = "none"
	result, err := b.index.Search(request)
	if err != nil {
		return nil, err
	}
	for _, hit := range result.Hits {
		article, err := strconv.Atoi(hit.ID)
		if err != nil {
			return nil, err
		}
		dst = append(dst, article)
	}
	return dst, nil
}

func (b *bleveIndex) close() error {
	if b.index == nil {
		return nil // the builder failed
	}
	return b.index.Close()
}

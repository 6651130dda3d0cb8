package main

import (
	"bytes"
	"errors"
	"strings"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// A finder is read-finder's own engine.
type finder struct {
	writer *corpus.Writer
	engine *search.Engine
}

func newFinder() *finder {
	return &finder{writer: corpus.NewWriter(corpus.Options{Language: "en"})}
}

func (f *finder) add(a *site.Article) error { return f.writer.Add(a) }

func (f *finder) finish() error {
	var file bytes.Buffer
	if _, err := f.writer.WriteTo(&file); err != nil {
		return err
	}
	f.writer = nil
	c, err := corpus.Open(file.Bytes())
	if err != nil {
		return err
	}
	f.engine = search.New(c)
	return nil
}

// answers are the sections that hold what is sent, not what is searched, by the first word of their names.
const answers = " language prefix result results company companies name names digests index "

func (f *finder) bytes() (index, stored int64, err error) {
	m := f.engine.Corpus().Meta()
	for _, s := range m.Sections {
		if !strings.Contains(answers, " "+strings.Fields(s.Name)[0]+" ") {
			index += s.Bytes
		}
	}
	if index == 0 {
		return 0, 0, errors.New("the corpus has nothing to search")
	}
	return index, m.Bytes, nil
}

func (f *finder) search(dst []int, q string, limit int) ([]int, error) {
	query, err := f.engine.Parse(q)
	if err != nil {
		return nil, err
	}
	return f.engine.Articles(dst, query, limit), nil
}

func (f *finder) close() error { return nil }

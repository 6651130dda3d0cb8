package main

import (
	"encoding/base64"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
)

// A work is what is measured: articles, and what is asked about them.
type work struct {
	name     string
	size     int // articles
	articles func() iter.Seq[*site.Article]
	queries  func(seed uint64, articles []site.Article, n int) []sitetest.Query
}

const seed = 1

func newWork(text string, articles int) (work, error) {
	switch text {
	case "prose":
		i := slices.IndexFunc(sitetest.Sizes, func(s sitetest.Size) bool { return s.Articles == articles })
		if i < 0 {
			return work{}, fmt.Errorf("-articles %d is not one of the sizes of package sitetest", articles)
		}
		size := sitetest.Sizes[i]
		return work{fmt.Sprintf("%d articles of %d to %d words", articles, size.MinWords, size.MaxWords), articles,
			func() iter.Seq[*site.Article] { return sitetest.Articles(seed, size) }, sitetest.Queries}, nil
	case "chinese":
		return unspaced(text, sitetest.Chinese, articles), nil
	case "japanese":
		return unspaced(text, sitetest.Japanese, articles), nil
	case "word":
		return work{"one word of 1 MB", 1, oneWord, sitetest.UnspacedQueries}, nil
	}
	return work{}, fmt.Errorf("-text %q is neither prose, chinese, japanese nor word", text)
}

func unspaced(name string, script sitetest.Script, articles int) work {
	size := sitetest.Size{Articles: articles, MinWords: 200, MaxWords: 600}
	return work{fmt.Sprintf("%d articles in %s of %d to %d words", articles, name, size.MinWords, size.MaxWords), articles,
		func() iter.Seq[*site.Article] { return sitetest.Unspaced(seed, script, size) }, sitetest.UnspacedQueries}
}

// oneWord yields an article that holds what nobody writes, but a page may have: a picture in its text.
func oneWord() iter.Seq[*site.Article] {
	return func(yield func(*site.Article) bool) {
		r := rand.New(rand.NewPCG(seed, 0))
		picture := make([]byte, 750_000)
		for i := range picture {
			picture[i] = byte(r.Uint32())
		}
		yield(&site.Article{Path: "/word", URL: "https://www.example.org/word/", Title: "Word", Body: base64.StdEncoding.EncodeToString(picture)})
	}
}

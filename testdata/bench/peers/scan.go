package main

import (
	"strings"
	"unicode/utf8"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// joined returns all that is searched of an article.
func joined(a *site.Article) string {
	return strings.Join([]string{a.Title, a.Excerpt, strings.Join(a.Tags, " "), a.Section, a.Author, a.Body}, " ")
}

// newTokens returns the folded tokens of q.
func newTokens(q string) []string { return text.Fields(text.NewFolder(false).String(q)) }

func isShort(token string) bool { return utf8.RuneCountInString(token) < 3 }

// A scan keeps all text, and looks through it.
type scan struct {
	fold  *text.Folder
	texts []string
	size  int64
}

func newScan() *scan { return &scan{fold: text.NewFolder(false)} }

func (s *scan) add(a *site.Article) error {
	t := s.fold.String(joined(a))
	s.texts = append(s.texts, t)
	s.size += int64(len(t))
	return nil
}

func (s *scan) finish() error { return nil }

func (s *scan) bytes() (index, stored int64, err error) { return s.size, s.size, nil }

// search looks at every article: which are the first by score is known only then.
func (s *scan) search(dst []int, q string, limit int) ([]int, error) {
	tokens := text.Fields(s.fold.String(q))
next:
	for i, t := range s.texts {
		for _, token := range tokens {
			if !strings.Contains(t, token) {
				continue next
			}
		}
		dst = append(dst, i)
	}
	return dst[:min(limit, len(dst))], nil
}

func (s *scan) close() error { return nil }

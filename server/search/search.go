// Package search answers queries over an opened corpus: it parses, evaluates and ranks. It knows nothing of HTTP.
package search

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/text"
)

// Limits of a query, which bound the work it can ask for.
const (
	MaxQueryBytes = 1024
	MaxTokens     = 32
)

// A QueryError says what is wrong with a query. Its text is fit for the client.
type QueryError struct{ Reason string }

func (e *QueryError) Error() string { return e.Reason }

// A Query is a parsed query. Its tokens are folded as the corpus of the Engine that parsed it.
type Query struct {
	Text   string   // the query as sent, trimmed
	Tokens []string // none is empty; no token: nothing is asked, and nothing answers
}

// Normal returns the text that decides the answer: queries with the same one have the same answers, save for
// the query they repeat.
func (q Query) Normal() string { return strings.Join(q.Tokens, " ") }

// An Engine answers queries over one corpus. It is safe for concurrent use.
type Engine struct {
	corpus  *corpus.Corpus
	folders sync.Pool // of *text.Folder
	idle    chan *scratch
}

// New returns an Engine over c.
func New(c *corpus.Corpus) *Engine {
	e := &Engine{corpus: c}
	e.folders.New = func() any { return text.NewFolder(c.Meta().FoldDiacritics) }
	// As many queries are evaluated at once as there are processors. More would take no less time, but more memory.
	e.idle = make(chan *scratch, runtime.GOMAXPROCS(0))
	for range cap(e.idle) {
		e.idle <- new(scratch)
	}
	return e
}

// Corpus returns the corpus that is searched.
func (e *Engine) Corpus() *corpus.Corpus { return e.corpus }

// Parse splits a query at white space and folds its tokens. A token of which the fold leaves nothing is dropped.
// Errors are *QueryError: q is not UTF-8, is longer than MaxQueryBytes or has more than MaxTokens tokens.
func (e *Engine) Parse(q string) (Query, error) {
	if len(q) > MaxQueryBytes {
		return Query{}, &QueryError{fmt.Sprintf("q has %d bytes, %d are allowed", len(q), MaxQueryBytes)}
	}
	if !utf8.ValidString(q) {
		return Query{}, &QueryError{"q is not valid UTF-8"}
	}
	fold := e.folders.Get().(*text.Folder)
	defer e.folders.Put(fold)
	query := Query{Text: strings.TrimSpace(q), Tokens: text.Fields(q)}
	if n := len(query.Tokens); n > MaxTokens {
		return Query{}, &QueryError{fmt.Sprintf("q has %d tokens, %d are allowed", n, MaxTokens)}
	}
	kept := query.Tokens[:0]
	for _, token := range query.Tokens {
		if folded := fold.String(token); folded != "" {
			kept = append(kept, folded)
		}
	}
	query.Tokens = kept
	return query, nil
}

// A Match says where a token of a query matches best in an article.
type Match struct {
	Token  string       // folded
	Field  corpus.Field // the weightiest that contains it
	Weight int          // what it adds to the score
}

// Explain returns one Match per token of q, in order, and nil if article, 0 <= article < NumArticles(), does not match q.
func (e *Engine) Explain(q Query, article int) []Match {
	matches := make([]Match, 0, len(q.Tokens))
	var cover corpus.Cover
	var set corpus.Set
	for _, token := range q.Tokens {
		e.corpus.Find(token, &cover)
		e.corpus.Locate(&cover)
		for f := corpus.Title; f <= corpus.Body; f++ {
			set.Reset(e.corpus.NumArticles())
			if e.corpus.Add(&set, &cover, f); set.Has(article) {
				matches = append(matches, Match{token, f, weight(f)})
				break
			}
		}
	}
	if len(matches) < len(q.Tokens) {
		return nil
	}
	return matches
}

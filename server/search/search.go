// Package search parses queries, evaluates them over an opened corpus, and ranks.
package search

import "github.com/read-finder/read-finder/site/corpus"

// Limits of a query.
const (
	MaxQueryBytes = 1024
	MaxTokens     = 32
)

// A QueryError says what is wrong with a query. Its text is fit for the client.
type QueryError struct{ Reason string }

func (e *QueryError) Error() string { return e.Reason }

// A Query is a parsed query for one Engine.
type Query struct {
	Text   string   // the query as sent, trimmed
	Tokens []string // folded, at least one byte each; empty: nothing is asked
}

// An Engine answers queries over one corpus. It is safe for concurrent use.
type Engine struct{ c *corpus.Corpus }

// New returns an Engine over c.
func New(c *corpus.Corpus) *Engine { return &Engine{c} }

// Corpus returns the corpus searched.
func (e *Engine) Corpus() *corpus.Corpus { return e.c }

// Parse checks and folds a query. Errors are *QueryError.
func (e *Engine) Parse(q string) (Query, error) { return Query{}, nil }

// Articles appends the numbers of the best articles for q, at most limit, in answer order.
func (e *Engine) Articles(dst []int, q Query, limit int) []int { return dst }

// Companies appends the numbers of the best companies for q, at most limit, in answer order.
func (e *Engine) Companies(dst []int, q Query, limit int) []int { return dst }

// A Match says where one token of a query matched best in an article.
type Match struct {
	Token  string // folded
	Field  string // "title", "tags, section or author", "excerpt", "body"
	Weight int    // 8, 4, 2 or 1
}

// Explain returns one Match per token of q, nil when article does not match q.
func (e *Engine) Explain(q Query, article int) []Match { return nil }

package site

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// IndexVersion is the "version" of the article index: the version of its JSON schema.
const IndexVersion = 1

// An Index is the article index, read-finder-index.json.
type Index struct {
	Version     int          `json:"version"`     // IndexVersion
	GeneratedAt string       `json:"generatedAt"` // RFC 3339, UTC
	Fingerprint string       `json:"fingerprint"` // XXH64 of the content, 16 hex digits
	Articles    []IndexEntry `json:"articles"`    // newest first, ties by path
}

// An IndexEntry is the metadata of one article. It carries no body.
type IndexEntry struct {
	Path       string   `json:"path"`
	Title      string   `json:"title"`
	Excerpt    string   `json:"excerpt"`
	Tags       []string `json:"tags"`       // never null
	TagsJoined string   `json:"tagsJoined"` // Tags joined with ", "
	Section    string   `json:"section"`
	Author     string   `json:"author"`
	Date       string   `json:"date"` // RFC 3339, UTC; "" for an article without a date
}

// A SearchResult is an article in the answer of the article search.
type SearchResult struct {
	Title   string `json:"title"`
	Excerpt string `json:"excerpt"`
	Path    string `json:"path"`
	URL     string `json:"url"`
}

// A CompanyResult is a company in the answer of the company search.
type CompanyResult struct {
	Slug         string       `json:"slug"`
	Name         string       `json:"name"`
	ArticleCount int          `json:"articleCount"` // len(Articles)
	Articles     []ArticleRef `json:"articles"`     // newest first
}

// An ArticleRef is an article in a CompanyResult.
type ArticleRef struct {
	Title string `json:"title"`
	Path  string `json:"path"`
	URL   string `json:"url"`
}

// IndexEntry returns the article as the index lists it.
func (a *Article) IndexEntry() IndexEntry {
	date := ""
	if !a.Date.IsZero() {
		date = FormatTime(a.Date)
	}
	tags := a.Tags
	if tags == nil {
		tags = []string{}
	}
	return IndexEntry{a.Path, a.Title, a.Excerpt, tags, strings.Join(a.Tags, ", "), a.Section, a.Author, date}
}

// SearchResult returns the article as the article search answers with it.
func (a *Article) SearchResult() SearchResult {
	return SearchResult{a.Title, a.Excerpt, a.Path, a.URL}
}

// Ref returns the article as the company search answers with it.
func (a *Article) Ref() ArticleRef { return ArticleRef{a.Title, a.Path, a.URL} }

// FormatTime formats an instant as every artifact shows it: RFC 3339, UTC, whole seconds.
func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Marshal encodes v as compact JSON, leaving <, > and & readable: the answers are served as
// application/json with nosniff, never inside HTML.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Package site is the domain in plain Go: the articles and companies of one publication, the order they
// stand in, and the JSON they are answered with. It does no I/O, knows neither Hugo nor HTTP, and uses the
// standard library only.
package site

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// An Article is one published page, as plain text. All strings are UTF-8.
type Article struct {
	Path    string    // site-relative, "/<section>/<subsection>/<slug>", no trailing slash
	URL     string    // absolute canonical URL, as Hugo publishes it
	Title   string    // plain text, entities decoded
	Excerpt string    // plain text, entities decoded
	Tags    []string  // in the author's order
	Section string    // the first path element of the source, Hugo's .Section
	Author  string    // several authors are joined with ", "
	Date    time.Time // the zero time means that the page has no date
	Body    string    // visible text of the rendered content
}

// A Company is one company named in front matter.
type Company struct {
	Slug     string
	Name     string
	Articles []int // indexes into Publication.Articles, ascending: newest first, never empty
}

// A Publication is everything that one language of a site can be asked for.
type Publication struct {
	Language       string    // BCP 47 tag as the site configures it, "en"
	Prefix         string    // URL prefix of the language, "" or "/fr"
	FoldDiacritics bool      // match "resume" with "résumé"
	Articles       []Article // in answer order, see CompareArticles
	Companies      []Company // by slug
}

// CompareArticles orders articles as answers list them: newest first, ties by path.
// Articles without a date come last.
func CompareArticles(a, b Article) int {
	return cmp.Or(b.Date.Compare(a.Date), strings.Compare(a.Path, b.Path))
}

// SortCompanies puts companies by slug, the order that Publication promises.
func SortCompanies(c []Company) {
	slices.SortFunc(c, func(a, b Company) int { return strings.Compare(a.Slug, b.Slug) })
}

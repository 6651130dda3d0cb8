package generator

import (
	"context"
	"time"
)

// An edition is one language of a loaded site, in terms that are free of Hugo.
type edition struct {
	language     string   // BCP 47 tag as the site configures it
	prefix       string   // URL prefix, "" or "/fr"
	root         string   // folder that the host is published to, absolute
	dir          string   // folder that the language is published to, root or below
	basePath     string   // path of the base URL, "/" or "/sub/"
	params       any      // [params.readFinder], nil when the site has none
	mainSections []string // nil when the site does not set it
	pages        []sourcePage
	noHTML       []NotIndexed // pages that are published in other formats only
	sectionPages int          // pages of sections that have text

	termTitle func(key, term string) string // title that a term's page sets, "" when there is none; key: singular or plural
	slug      func(key, term string) string // path of a term below its taxonomy, as Hugo makes it

	data func(name string) (v any, file string, err error) // data file, decoded; nil and where it would lie when there is none
}

// A sourcePage is a regular page that Hugo publishes as HTML.
type sourcePage struct {
	file        string // source file relative to the site's folder; the logical path for a page without one
	path        string // logical path, "/section/name"
	section     string
	title       string
	description string
	permalink   string
	date        time.Time
	params      map[string]any // front matter, cascades included, keys in lower case

	// render returns the content as HTML, and the summary when it is asked for.
	render func(ctx context.Context, wantSummary bool) (content, summary string, err error)
	// source returns the content as its author wrote it, without front matter and the calls of shortcodes.
	source func() string
}

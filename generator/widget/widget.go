// Package widget holds the browser widget, built and ready to be written beside the index. Its source is in src; the
// bundle is built from it by npm run build and committed, so that a Go build needs no Node. It may do nothing else.
package widget

import "embed"

// Version is the version of the widget, which both files begin with in a comment.
const Version = "0.1.0"

// Files holds the widget: read-finder.js, one ES module, and read-finder.css, the stylesheet that it loads from its own
// folder. A site serves the two from one folder beside "api", and needs nothing else.
//
//go:embed read-finder.js read-finder.css
var Files embed.FS

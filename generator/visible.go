package generator

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// visibleText returns the text that a reader of the HTML fragment sees, entities decoded, white space collapsed. A
// block-level boundary separates words, an inline one does not.
func visibleText(fragment string) string {
	var w wordWriter
	w.Grow(len(fragment)) // most of it is text
	z := html.NewTokenizer(strings.NewReader(fragment))
	var hidden atom.Atom // the element whose text is being dropped, 0 for none
	depth := 0           // of hidden elements of that kind
	for {
		switch z.Next() {
		case html.ErrorToken: // io.EOF: a string has no other
			return w.String()
		case html.TextToken:
			if hidden == 0 {
				w.text(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); {
			case hidden != 0 && tag == hidden:
				depth++
			case hidden == 0 && isHidden(tag):
				hidden, depth = tag, 1
			case hidden == 0 && isBlock(tag):
				w.boundary()
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); {
			case hidden != 0 && tag == hidden:
				if depth--; depth == 0 {
					hidden = 0
				}
			case hidden == 0 && isBlock(tag):
				w.boundary()
			}
		case html.SelfClosingTagToken: // <br/>; HTML has no self-closing containers, Hugo's shortcodes write them
			name, _ := z.TagName()
			if hidden == 0 && isBlock(atom.Lookup(name)) {
				w.boundary()
			}
		}
	}
}

// isHidden tells whether a browser with scripting shows nothing of what is inside the element.
func isHidden(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Title:
		return true
	}
	return false
}

// isBlock tells whether the element begins a new box or line: those that the HTML Standard's user agent style sheet
// (section 15.3) displays as anything but inline, br and hr. WHATWG, https://html.spec.whatwg.org/#rendering.
func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Button, atom.Caption,
		atom.Center, atom.Col, atom.Colgroup, atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Head, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Listing,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Plaintext, atom.Pre,
		atom.Rp, atom.Rt, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Textarea, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// plainText returns front matter text as plain text: entities decoded once, white space collapsed, and markup
// removed. Only what is surely markup counts as such, a known element that is closed or void: the title
// "Use <details> with care" keeps its word, "Use <em>care</em>" loses its tags.
func plainText(s string) string {
	var w wordWriter
	if !strings.Contains(s, "<") { // as most is: the tokenizer would return it as one text
		w.text([]byte(html.UnescapeString(s)))
		return w.String()
	}
	lower := strings.ToLower(s)
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return w.String()
		}
		if kind == html.TextToken {
			w.text(z.Text())
			continue
		}
		raw := string(z.Raw())
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		closed := strings.Contains(lower, "</"+string(name)+">") && strings.Contains(lower, "<"+string(name))
		switch {
		case kind == html.CommentToken:
		case tag == 0 || !closed && !isVoid(tag):
			w.text([]byte(raw))
		case isBlock(tag):
			w.boundary()
		}
	}
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Br, atom.Hr, atom.Img, atom.Wbr:
		return true
	}
	return false
}

// A wordWriter joins text, collapsing white space to single spaces and dropping it at both ends.
type wordWriter struct {
	strings.Builder
	space bool // white space is due before the next word
}

func (w *wordWriter) boundary() { w.space = true }

func (w *wordWriter) text(b []byte) {
	for i := 0; i < len(b); {
		if n := asciiWord(b[i:]); n > 0 { // most text: many bytes at once
			w.begin()
			w.Write(b[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		if unicode.IsSpace(r) {
			w.space = true
			continue
		}
		w.begin()
		w.WriteRune(r)
	}
}

// begin writes the space that is due before text.
func (w *wordWriter) begin() {
	if w.space && w.Len() > 0 {
		w.WriteByte(' ')
	}
	w.space = false
}

// asciiWord returns how many bytes b begins with that are ASCII and no white space.
func asciiWord(b []byte) int {
	for i, c := range b {
		if c == ' ' || '\t' <= c && c <= '\r' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

package generator

import (
	"strings"
	"testing"
	"time"
)

func TestSelection(t *testing.T) {
	const pages = `
-- content/_index.md --
-- content/about.md --
-- content/blog/_index.md --
-- content/blog/plain.md --
-- content/blog/deep/er/page.md --
-- content/blog/leaf/index.md --
-- content/blog/leaf/resource.md --
-- content/news/one.md --
-- content/blog/draft.md --
---
draft: true
---
-- content/blog/future.md --
---
date: 2999-01-01
---
-- content/blog/expired.md --
---
expiryDate: 2001-01-01
---
-- content/blog/unlisted.md --
---
build: {list: never}
---
-- content/blog/local.md --
---
build: {list: local}
---
-- content/blog/link.md --
---
build: {render: link}
---
-- content/blog/unrendered.md --
---
build: {render: never}
---
-- content/blog/headless/index.md --
---
headless: true
---
-- content/blog/data.md --
---
outputs: [json]
---
-- content/blog/out1.md --
---
readFinder: false
---
-- content/blog/out2.md --
---
searchExclude: true
---
-- content/blog/in.md --
---
readFinder: true
searchExclude: false
---
`
	blog := []string{"/blog/deep/er/page", "/blog/in", "/blog/leaf", "/blog/local", "/blog/plain"}
	all := append(blog[:len(blog):len(blog)], "/news/one")
	for _, tt := range []struct {
		name, config string
		options      Options
		want         []string
	}{
		{"every section", ``, Options{}, all},
		{"main sections", "mainSections = ['blog']", Options{}, blog},
		{"main sections in params", "[params]\nmainSections = ['blog']", Options{}, blog},
		{"own sections win", "mainSections = ['blog']\n[params.readFinder]\nsections = ['news']", Options{}, []string{"/news/one"}},
		{"a section of a section", "[params.readFinder]\nsections = ['blog/deep', 'News']", Options{}, []string{"/blog/deep/er/page", "/news/one"}},
		{"the flag wins", "[params.readFinder]\nsections = 'news'", Options{Settings: map[string]any{"sections": []string{"blog"}}}, blog},
		{"drafts", "mainSections = ['news','blog']", Options{Hugo: map[string]any{"buildDrafts": true}}, insert(all, "/blog/draft")},
		{"future", "", Options{Hugo: map[string]any{"buildFuture": true}}, append([]string{"/blog/future"}, all...)},
		{"expired", "", Options{Hugo: map[string]any{"buildExpired": true}}, insert(all, "/blog/expired")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := loadWith(t, pages+"-- hugo.toml --\nbaseURL = 'https://example.org/'\n"+tt.config+"\n", tt.options)
			equal(t, "paths", l.paths(), tt.want)
		})
	}
}

// insert returns the sorted list with s at its place.
func insert(sorted []string, s string) []string {
	i := 0
	for i < len(sorted) && sorted[i] < s {
		i++
	}
	return append(append(append([]string{}, sorted[:i]...), s), sorted[i:]...)
}

func TestSelectionWarns(t *testing.T) {
	l := loadWith(t, `
-- content/blog/a.md --
---
readFinder: perhaps
---
`, Options{Settings: map[string]any{"sections": []string{"blog", "gone"}}})
	equal(t, "paths", l.paths(), []string{"/blog/a"})
	l.warned(t, "content/blog/a.md", `readfinder: want true or false, got "perhaps"`)
	l.warned(t, "", `section "gone" has no pages`)
}

func TestTitleAndExcerpt(t *testing.T) {
	l := load(t, `
-- content/b/title.md --
---
title: "AT&amp;T   &amp;lt; <em>fast</em><br>C++ & <details>"
excerpt: "An &ldquo;excerpt&rdquo; <b>in bold</b>"
description: not this
summary: nor this
---
-- content/b/description.md --
---
description: "Described &amp; found"
summary: not this
---
Body.
-- content/b/summary.md --
---
summary: "Summed *up*, don't"
---
Body.
-- content/b/more.md --
Before the **fold** & more.

<!--more-->

After.
-- content/b/empty.md --
`)
	equal(t, "title", l.article(t, "/title").Title, "AT&T &lt; fast C++ & <details>")
	equal(t, "excerpt", l.article(t, "/title").Excerpt, "An “excerpt” in bold")
	equal(t, "description", l.article(t, "/description").Excerpt, "Described & found")
	equal(t, "summary", l.article(t, "/summary").Excerpt, "Summed up, don’t")
	equal(t, "more", l.article(t, "/more").Excerpt, "Before the fold & more.")
	equal(t, "empty", l.article(t, "/empty").Excerpt, "")
	equal(t, "no title", l.article(t, "/more").Title, "")
}

func TestPathAndURL(t *testing.T) {
	const pages = `
-- content/a/b/Some Page.md --
-- content/a/slug.md --
---
slug: other
---
-- content/a/url.md --
---
url: /elsewhere/here.html
---
-- content/a/größe.md --
`
	for _, tt := range []struct{ name, config, paths, url string }{
		{"plain", "baseURL = 'https://example.org/'",
			"/a/b/some-page /a/gr%C3%B6%C3%9Fe /a/other /elsewhere/here.html", "https://example.org/a/b/some-page/"},
		{"sub-path", "baseURL = 'https://example.org/docs'",
			"/a/b/some-page /a/gr%C3%B6%C3%9Fe /a/other /elsewhere/here.html", "https://example.org/docs/a/b/some-page/"},
		{"canonifyURLs", "baseURL = 'https://example.org/docs/'\ncanonifyURLs = true",
			"/a/b/some-page /a/gr%C3%B6%C3%9Fe /a/other /elsewhere/here.html", "https://example.org/docs/a/b/some-page/"},
		{"relativeURLs", "baseURL = 'https://example.org/docs/'\nrelativeURLs = true",
			"/a/b/some-page /a/gr%C3%B6%C3%9Fe /a/other /elsewhere/here.html", "https://example.org/docs/a/b/some-page/"},
		{"uglyURLs", "baseURL = 'https://example.org/'\nuglyURLs = true",
			"/a/b/some-page.html /a/gr%C3%B6%C3%9Fe.html /a/other.html /elsewhere/here.html", "https://example.org/a/b/some-page.html"},
		{"permalinks", "baseURL = 'https://example.org/'\n[permalinks.page]\na = '/x/:slugorcontentbasename/'",
			"/elsewhere/here.html /x/gr%C3%B6%C3%9Fe /x/other /x/some-page", "https://example.org/x/some-page/"},
		{"a base path that a section begins with", "baseURL = 'https://example.org/a/'",
			"/a/b/some-page /a/gr%C3%B6%C3%9Fe /a/other /elsewhere/here.html", "https://example.org/a/a/b/some-page/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := load(t, pages+"-- hugo.toml --\n"+tt.config+"\n")
			equal(t, "paths", strings.Join(l.paths(), " "), tt.paths)
			var urls []string
			for _, a := range l.pubs[0].Articles {
				urls = append(urls, a.URL)
			}
			if !strings.Contains(strings.Join(urls, " ")+" ", tt.url+" ") {
				t.Errorf("no URL %q among %q", tt.url, urls)
			}
		})
	}
}

func TestNames(t *testing.T) {
	const pages = `
-- content/a/string.md --
---
tags: one, two
author: Jane Doe
---
-- content/a/lists.md --
---
tags: [b, a, "", b, 2024, "R&amp;D"]
authors: [Jane Doe, jroe]
---
-- content/a/maps.md --
---
tags: [{name: x}, y, {name: x, slug: the-x}]
author: {name: Jane Doe, mail: jane@example.org}
---
-- content/a/bad.md --
---
tags: [{title: x}]
---
-- content/a/none.md --
-- content/authors/jroe.md --
---
title: Not a term page
---
-- content/authors/_index.md --
-- content/keywords/b/_index.md --
---
title: The B &amp; all
---
`
	l := load(t, pages)
	tags := func(path string) []string { return l.article(t, path).Tags }
	equal(t, "a string is one tag", tags("/string"), []string{"one, two"})
	equal(t, "a list", tags("/lists"), []string{"b", "a", "2024", "R&D"})
	equal(t, "maps", tags("/maps"), []string{"x", "y"})
	equal(t, "none", tags("/none"), []string(nil))
	equal(t, "author", l.article(t, "/string").Author, "Jane Doe")
	equal(t, "authors", l.article(t, "/lists").Author, "Jane Doe, jroe")
	equal(t, "author map", l.article(t, "/maps").Author, "Jane Doe")
	l.warned(t, "content/a/bad.md", `front matter tags: want a map with "name"`)

	const config = `
-- hugo.toml --
baseURL = 'https://example.org/'
[taxonomies]
writer = 'writers'
keyword = 'keywords'
[params.readFinder]
tagsKey = 'Keywords'
authorKey = 'writers'
-- content/a/keys.md --
---
keywords: [B, c]
tags: [unused]
author: unused
writers: [J. Roe, Jane Doe, Untitled]
---
-- content/a/singular.md --
---
writers: j. roe
keyword: b
---
-- content/writers/j.-roe/_index.md --
---
title: John Roe
---
-- content/writers/untitled/_index.md --
---
role: editor
---
`
	l = load(t, pages+config)
	equal(t, "term titles of tags", tags("/keys"), []string{"The B & all", "c"})
	equal(t, "another spelling of the term", l.article(t, "/singular").Author, "John Roe")
	equal(t, "the singular is not the taxonomy's key", tags("/singular"), []string(nil))
	equal(t, "term titles of authors", l.article(t, "/keys").Author, "John Roe, Jane Doe, Untitled")

	l = load(t, pages+strings.Replace(config, "'Keywords'", "'keyword'", 1))
	equal(t, "term titles by the singular key", tags("/singular"), []string{"The B & all"})
}

func TestSectionAndDate(t *testing.T) {
	l := load(t, `
-- content/Blog/deep/a.md --
---
date: 2024-05-06T23:30:00-05:00
---
-- content/Blog/b.md --
`)
	equal(t, "section", l.article(t, "/a").Section, "blog")
	if got, want := l.article(t, "/a").Date, time.Date(2024, 5, 7, 4, 30, 0, 0, time.UTC); got != want {
		t.Errorf("date %v, want %v", got, want)
	}
	if got := l.article(t, "/b").Date; !got.IsZero() {
		t.Errorf("date %v of a page without one", got)
	}
}

func TestBody(t *testing.T) {
	l := load(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
markup.goldmark.renderer.unsafe = true
enableEmoji = true
-- layouts/_shortcodes/note.html --
<aside>{{ .Inner | markdownify }}</aside>{{ .Page.Title }}
-- content/a/a.md --
---
title: Shown by the shortcode
---
It's "quoted" -- in_side_ **bo**ld & &lt;tag&gt;[^1] :smile:

| a | b |
|---|---|
| c | d |

{{< note >}}noted *well*{{< /note >}}

<script>var hidden = 1</script><style>.hidden{}</style>x<noscript>hidden</noscript><template>hidden</template>y

`+"```go\nfunc main() {}\n```"+`

[^1]: foot
`)
	equal(t, "body", l.article(t, "/a").Body, "It’s “quoted” – in_side_ bold & <tag>1 😄 a b c d noted well Shown by the shortcode "+
		"xy func main() {} foot ↩︎")
}

func TestDuplicatePaths(t *testing.T) {
	l := load(t, `
-- content/a/old.md --
---
title: Old
date: 2020-01-01
url: /a/same/
---
-- content/a/new.md --
---
title: New
date: 2021-01-01
url: /a/same/
---
-- content/a/y.md --
---
title: Y
url: /a/tie/
---
-- content/a/x.md --
---
title: X
url: /a/tie/
---
`)
	equal(t, "paths", l.paths(), []string{"/a/same", "/a/tie"})
	equal(t, "newer", l.article(t, "/same").Title, "New")
	equal(t, "tie", l.article(t, "/tie").Title, "X")
	l.warned(t, "content/a/old.md", "content/a/new.md")
	l.warned(t, "content/a/y.md", "content/a/x.md")
}

func TestOrder(t *testing.T) {
	l := load(t, `
-- content/a/undated.md --
-- content/a/b.md --
---
date: 2024-01-01
---
-- content/a/a.md --
---
date: 2024-01-01
---
-- content/a/newest.md --
---
date: 2025-01-01
---
`)
	equal(t, "newest first, ties by path", l.paths(), []string{"/a/newest", "/a/a", "/a/b", "/a/undated"})
}

package generator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderedPagesAreFound lets Hugo render sites whose addresses differ in every way that it knows, and looks for every
// page where its permalink says that it is.
func TestRenderedPagesAreFound(t *testing.T) {
	const pages = `
-- content/a/one.md --
-- content/a/Two Words (2) & #3 ü.md --
-- content/a/bundle/index.md --
-- content/a/slug.md --
---
slug: another
---
-- content/a/url.md --
---
url: /elsewhere/without-slash
---
-- content/a/file.md --
---
url: /elsewhere/file.htm
---
-- content/a/formats.md --
---
outputs: [json, html, rss]
---
-- content/a/index-slug.md --
---
slug: index
---
-- content/top.md --
-- layouts/all.html --
{{ .Title }}
-- layouts/all.json --
{}
-- layouts/all.xml --
<x/>
`
	const french = "-- content/a/one.fr.md --\n-- content/a/seul.fr.md --\n"
	for _, tt := range []struct{ name, config string }{
		{"plain", ""},
		{"ugly", "uglyURLs = true"},
		{"below a path", "baseURL = 'https://example.org/sub/path/'"},
		{"canonified below a path", "baseURL = 'https://example.org/sub/path'\ncanonifyURLs = true"},
		{"relative", "relativeURLs = true"},
		{"capitals", "disablePathToLower = true"},
		{"permalinks", "permalinks.page.a = '/:section/:year-:month/:contentbasename'"},
		{"languages", "defaultContentLanguageInSubdir = true\n[languages.en]\n[languages.fr]"},
		{"hosts", "[languages.en]\nbaseURL = 'https://en.example.org/x/'\n[languages.fr]\nbaseURL = 'https://fr.example.org/'"},
		{"everything", "uglyURLs = true\ncanonifyURLs = true\nbaseURL = 'https://example.org/s'\n[languages.en]\n[languages.fr]\nweight = 5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			config := tt.config
			if !strings.HasPrefix(config, "baseURL") && !strings.Contains(config, "\nbaseURL") {
				config = "baseURL = 'https://example.org/'\n" + config
			}
			archive := pages + "-- hugo.toml --\n" + config
			if strings.Contains(config, "fr]") {
				archive = french + archive
			}
			dir := writeSite(t, archive)
			settings := map[string]any{"sections": []string{"/"}}
			build(t, BuildOptions{Options: Options{Source: dir, Settings: settings}})
			r := generate(t, Options{Source: dir, Settings: settings})
			found := 0
			for _, l := range r.Languages {
				equal(t, "missing pages of "+l.Language, l.Missing, []MissingPage(nil))
				found += l.Articles
			}
			if found < 9 {
				t.Errorf("only %d pages looked for", found)
			}
		})
	}
}

func TestMissingPages(t *testing.T) {
	archive := "-- hugo.toml --\nbaseURL = 'https://example.org/x/'\n-- layouts/all.html --\nx\n"
	for i := range 30 {
		archive += fmt.Sprintf("-- content/a/%02d.md --\n", i)
	}
	dir := writeSite(t, archive)
	public := filepath.Join(dir, "public")
	remove := func(n int) {
		t.Helper()
		for i := range n {
			if err := os.RemoveAll(filepath.Join(public, fmt.Sprintf("a/%02d", i))); err != nil {
				t.Fatal(err)
			}
		}
	}

	r := generate(t, Options{Source: dir, Settings: map[string]any{"strict": true}})
	equal(t, "missing from a folder without pages", r.Languages[0].Missing, []MissingPage(nil))
	build(t, BuildOptions{Options: Options{Source: dir}})
	remove(2)
	r = generate(t, Options{Source: dir})
	equal(t, "missing", r.Languages[0].Missing, []MissingPage{{"content/a/00.md", "a/00/index.html"}, {"content/a/01.md", "a/01/index.html"}})
	equal(t, "warnings", r.Warnings, []Warning{{Message: `2 of 30 indexed pages not rendered in "public": the folder is older than the content, or was made with other settings
  content/a/00.md is not at a/00/index.html
  content/a/01.md is not at a/01/index.html`}})

	remove(13)
	before := read(t, filepath.Join(public, Dir))
	if err := os.WriteFile(filepath.Join(dir, "content/a/29.md"), []byte("New words.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Generate(t.Context(), Options{Source: dir, Settings: map[string]any{"strict": true}})
	missing := new(MissingPagesError)
	if !errors.As(err, &missing) || len(missing.Pages) != 13 || !strings.HasSuffix(err.Error(), "\n  ... and 3 more") {
		t.Errorf("error %v", err)
	}
	equal(t, "artifacts", read(t, filepath.Join(public, Dir)), before)
}

// TestOneHostIsNotRendered: every host has a folder, and each is looked at where it holds pages.
func TestOneHostIsNotRendered(t *testing.T) {
	dir := writeSite(t, `
-- hugo.toml --
[languages.en]
baseURL = 'https://en.example.org/'
[languages.fr]
baseURL = 'https://fr.example.org/'
-- layouts/all.html --
x
-- content/a/one.en.md --
-- content/a/one.fr.md --
`)
	build(t, BuildOptions{Options: Options{Source: dir}})
	if err := os.RemoveAll(filepath.Join(dir, "public/fr/a")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "public/en")); err != nil {
		t.Fatal(err)
	}
	r := generate(t, Options{Source: dir})
	equal(t, "English", r.Languages[0].Missing, []MissingPage(nil))
	equal(t, "French", r.Languages[1].Missing, []MissingPage{{"content/a/one.fr.md", "a/one/index.html"}})
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0].Message, `language "fr": 1 of 1 indexed page not rendered in "public/fr"`) {
		t.Errorf("warnings %v", r.Warnings)
	}
}

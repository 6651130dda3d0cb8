package generator

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Each test is of something that Hugo does and that would put a wrong text or no text into the index.

// TestHTMLContent has a shortcode that says in which output format it is rendered. Hugo leaves every page at the
// format that it prepared last, of the last language.
func TestHTMLContent(t *testing.T) {
	const pages = `
-- layouts/_shortcodes/format.html --
html
-- layouts/_shortcodes/format.rss.xml --
rss
-- layouts/_shortcodes/format.json --
json
-- layouts/_shortcodes/format.first.txt --
first
-- content/a/one.en.md --
In {{< format >}} in [link](https://example.org/)
-- content/a/one.fr.md --
En {{< format >}} en [lien](https://example.org/)
-- layouts/_markup/render-link.html --
html-{{ .Text }}
-- layouts/_markup/render-link.rss.xml --
rss-{{ .Text }}
-- layouts/_markup/render-link.json --
json-{{ .Text }}
`
	const formats = `
[outputs]
home = ['rss', 'html', 'json']
page = ['html', 'json', 'rss', 'first']
section = ['html', 'rss']
[outputFormats.first]
mediaType = 'text/plain'
weight = 1
isPlainText = true
`
	const languages = `
[languages.en]
[languages.fr]
`
	for _, tt := range []struct {
		name, config string
		want         []string
	}{
		{"one language", "disableLanguages = ['fr']\n" + languages, []string{"In html in html-link"}},
		{"several formats", "disableLanguages = ['fr']\n" + formats + languages, []string{"In html in html-link"}},
		{"two languages", languages, []string{"In html in html-link", "En html en html-lien"}},
		{"both", formats + languages, []string{"In html in html-link", "En html en html-lien"}},
		{"the other language first", formats + languages + "weight = -1\n", []string{"En html en html-lien", "In html in html-link"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := load(t, pages+"-- hugo.toml --\nbaseURL = 'https://example.org/'\n"+tt.config)
			var got []string
			for _, p := range l.pubs {
				for _, a := range p.Articles {
					got = append(got, a.Body)
				}
			}
			equal(t, "bodies", got, tt.want)
		})
	}
}

func TestOtherHTMLFormat(t *testing.T) {
	l := load(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
[outputs]
page = ['rss', 'amp']
-- layouts/_shortcodes/format.amp.html --
amp
-- layouts/_shortcodes/format.rss.xml --
rss
-- content/a/one.md --
In {{< format >}}
`)
	equal(t, "body", l.pubs[0].Articles[0].Body, "In amp")
}

func TestLanguages(t *testing.T) {
	const pages = `
-- content/a/one.md --
---
title: One
---
-- content/a/one.fr.md --
---
title: Un
---
-- content/a/two.fr.md --
---
title: Deux
---
`
	for _, tt := range []struct {
		name, config                     string
		paths, languages, prefixes, dirs []string
	}{
		{"prefix", `
[languages.en]
locale = 'en-US'
[languages.fr]
[languages.fr.params.readFinder]
foldDiacritics = true
`,
			[]string{"/a/one", "/fr/a/one", "/fr/a/two"}, []string{"en-US", "fr"}, []string{"", "/fr"}, []string{"public", "public/fr"}},
		{"default in a folder too", `
defaultContentLanguageInSubdir = true
[languages.en]
[languages.fr]
`,
			[]string{"/en/a/one", "/fr/a/one", "/fr/a/two"}, []string{"en", "fr"}, []string{"/en", "/fr"}, []string{"public/en", "public/fr"}},
		{"several hosts", `
publishDir = 'out'
[languages.en]
baseURL = 'https://en.example.org/'
[languages.fr]
baseURL = 'https://fr.example.org/'
`,
			[]string{"/a/one", "/a/one", "/a/two"}, []string{"en", "fr"}, []string{"", ""}, []string{"out/en", "out/fr"}},
		{"a disabled one", `
disableLanguages = ['fr']
[languages.en]
[languages.fr]
`,
			[]string{"/a/one"}, []string{"en"}, []string{""}, []string{"public"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := load(t, pages+"-- hugo.toml --\nbaseURL = 'https://example.org/'\n"+tt.config)
			var languages, prefixes []string
			for _, p := range l.pubs {
				languages = append(languages, p.Language)
				prefixes = append(prefixes, p.Prefix)
				if p.FoldDiacritics != (p.Language == "fr" && tt.name == "prefix") {
					t.Errorf("%s: FoldDiacritics is %t", p.Language, p.FoldDiacritics)
				}
			}
			equal(t, "paths", l.paths(), tt.paths)
			equal(t, "languages", languages, tt.languages)
			equal(t, "prefixes", prefixes, tt.prefixes)
			equal(t, "folders", l.dirs, tt.dirs)
		})
	}
}

func TestConfigDir(t *testing.T) {
	const archive = `
-- config/_default/hugo.toml --
baseURL = 'https://example.org/'
-- config/_default/params.toml --
[readFinder]
sections = ['b']
-- config/staging/hugo.toml --
baseURL = 'https://staging.example.org/'
-- other.toml --
baseURL = 'https://other.example.org/'
-- content/a/one.md --
-- content/b/two.md --
`
	url := func(o Options) string {
		return loadWith(t, archive, o).article(t, "/two").URL
	}
	equal(t, "paths", load(t, archive).paths(), []string{"/b/two"})
	equal(t, "URL", url(Options{}), "https://example.org/b/two/")
	equal(t, "environment", url(Options{Environment: "staging"}), "https://staging.example.org/b/two/")
	equal(t, "HUGO_ENVIRONMENT", url(Options{Environ: []string{"HUGO_ENVIRONMENT=staging"}}), "https://staging.example.org/b/two/")
	equal(t, "baseURL", url(Options{Hugo: map[string]any{"baseURL": "https://flag.example.org/"}}), "https://flag.example.org/b/two/")
	equal(t, "HUGO_BASEURL", url(Options{Environ: []string{"HUGO_BASEURL=https://env.example.org/"}}), "https://env.example.org/b/two/")
	equal(t, "config", url(Options{Config: "other.toml", ConfigDir: "none", Settings: map[string]any{"sections": "b"}}), "https://other.example.org/b/two/")
}

func TestContentAdapter(t *testing.T) {
	l := load(t, `
-- content/a/_content.gotmpl --
{{ $content := dict "mediaType" "text/markdown" "value" "made *here*" }}
{{ .AddPage (dict "path" "made" "title" "Made" "content" $content "params" (dict "tags" (slice "x"))) }}
-- content/c/_index.md --
---
cascade:
  - params:
      companies: [Acme]
      searchExclude: false
---
-- content/c/one.md --
`)
	made := l.article(t, "/made")
	equal(t, "body", made.Body, "made here")
	equal(t, "tags", made.Tags, []string{"x"})
	equal(t, "cascade", l.pubs[0].Companies[0].Name, "Acme")
}

// TestOffline asks for what a build may fetch or start. None of it may leave the process, and all is reported.
func TestOffline(t *testing.T) {
	archive := `
-- hugo.toml --
baseURL = 'https://example.org/'
enableGitInfo = true
-- layouts/_shortcodes/remote.html --
{{ with try (resources.GetRemote "http://127.0.0.1:1/x") }}{{ with .Err }}{{ warnf "%s" . }}{{ end }}{{ end }}local
-- layouts/_shortcodes/must.html --
{{ (resources.GetRemote "http://127.0.0.1:1/y").Content }}
-- content/a/one.md --
From {{< remote >}}
-- content/a/two.md --
From {{< must >}}
`
	l := load(t, archive)
	equal(t, "body", l.article(t, "/one").Body, "From local")
	l.warned(t, "", `skipped, the network is off: "http://127.0.0.1:1/x"; --allow-network`)
	l.warned(t, "", `skipped, external programs are off: "git" for enableGitInfo; --allow-exec`)
	equal(t, "tolerances", l.tolerances, []Tolerance{{RungContent, "content/a/two.md",
		`indexed by its source's text: skipped, the network is off: "http://127.0.0.1:1/y"; --allow-network turns it on`}})
}

func TestNothingWrittenIntoTheSite(t *testing.T) {
	dir := writeSite(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
[build.buildStats]
enable = true
[caches.misc]
dir = ':resourceDir/cache'
-- layouts/_shortcodes/data.html --
{{ $r := resources.FromString "made.txt" "made" }}{{ $r.RelPermalink }}{{ (resources.Get "a.txt" | fingerprint).RelPermalink }}
-- assets/a.txt --
asset
-- content/a/one.md --
At {{< data >}}
`)
	before := tree(t, dir)
	s, err := loadSite(Options{Source: dir}, &warnings{}, &tolerances{})
	if err != nil {
		t.Fatal(err)
	}
	content, _, err := s.editions[0].pages[0].render(t.Context(), true)
	if err != nil || !strings.Contains(content, "/made.txt") {
		t.Errorf("content %q, error %v", content, err)
	}
	s.close()
	equal(t, "files", tree(t, dir), before)
}

func tree(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"no site", "-- content/a.md --\n-- config/x --\n", "no Hugo configuration"},
		{"configuration", "-- hugo.toml --\nbaseURL = [\n", "hugo.toml:1:"},
		{"settings", "-- hugo.toml --\nparams.readFinder.tagKey = 'x'\n", "params.readFinder.tagkey: unknown setting"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tryLoad(t, tt.archive, Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestContentInParallel renders pages that render each other. Run it with -race.
func TestContentInParallel(t *testing.T) {
	const archive = `
-- hugo.toml --
baseURL = 'https://example.org/'
[languages.en]
[languages.fr]
[outputs]
page = ['html', 'rss']
-- layouts/_shortcodes/other.html --
{{ with site.GetPage (printf "/a/%v" (.Get 0)) }}{{ .Content }}{{ end }}
-- content/a/base.en.md --
Shared *base*.
-- content/a/base.fr.md --
Base *commune*.
-- content/a/_content.gotmpl --
{{ .EnableAllLanguages }}
{{ range seq 150 }}
{{ $value := printf "Page %d of %s with {{< other base >}} and {{< other %d >}}" . site.Language.Lang (add . 1000) }}
{{ $.AddPage (dict "path" (printf "%d" .) "content" (dict "mediaType" "text/markdown" "value" $value)) }}
{{ $.AddPage (dict "path" (printf "%d" (add . 1000)) "content" (dict "mediaType" "text/markdown" "value" (printf "leaf **%d**" .))) }}
{{ end }}
`
	l := load(t, archive)
	if len(l.pubs[0].Articles) != 301 || len(l.pubs[1].Articles) != 301 {
		t.Fatalf("%d and %d articles", len(l.pubs[0].Articles), len(l.pubs[1].Articles))
	}
	for i, base := range []string{"Shared base.", "Base commune."} {
		p := l.pubs[i]
		for _, a := range p.Articles {
			n, err := strconv.Atoi(path.Base(a.Path))
			if err != nil || n > 1000 {
				continue
			}
			equal(t, a.Path, a.Body, fmt.Sprintf("Page %d of %s with %s and leaf %d", n, p.Language, base, n))
		}
	}
}

func TestRelativeWarnings(t *testing.T) {
	l := load(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
refLinksErrorLevel = 'WARNING'
-- content/a/one.md --
[gone]({{< ref "gone.md" >}})
`)
	if len(l.warnings) != 1 || l.warnings[0].File != filepath.ToSlash("content/a/one.md") || !l.warnings[0].Hugo {
		t.Errorf("warnings %v, want one of content/a/one.md", l.warnings)
	}
	if got := l.warnings[0].Message; strings.Contains(got, "content/") || !strings.Contains(got, `"gone.md"`) {
		t.Errorf("warning %q", got)
	}
}

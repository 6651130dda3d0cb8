package generator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each rung is climbed by a site that needs nothing else: what its articles say, and what is reported.
func TestRungs(t *testing.T) {
	const config = "-- hugo.toml --\nbaseURL = 'https://example.org/'\n"
	for _, tt := range []struct {
		name, archive string
		bodies        map[string]string
		want          []Tolerance // the reasons by their beginning
	}{
		{"as it is", "-- content/a/one.md --\nText\n", map[string]string{"/a/one": "Text"}, nil},
		{"repeated YAML key", "-- content/a/one.md --\n---\ntitle: Old\ntags: [x]\ntitle: New\n---\nText of {{% param title %}}\n",
			map[string]string{"/a/one": "Text of New"}, []Tolerance{{RungFrontMatter, "content/a/one.md", `repeated "title", the last one counts`}}},
		{"repeated list and map", "-- content/a/one.md --\n---\ntags:\n- x\n\n- y\nmore:\n  deep: 1\n  deep: 2\ntags: [z]\nmore: {deep: 3}\n---\nIn {{% param more.deep %}}{{% param tags %}}\n",
			map[string]string{"/a/one": "In 3[z]"}, []Tolerance{{RungFrontMatter, "content/a/one.md", `repeated "`}}},
		{"repeated TOML key", "-- content/a/one.md --\n+++\ntitle = 'Old'\nlist = [\n  'x',\n]\nlist = ['y']\ntitle = 'New'\n+++\nText of {{% param title %}}{{% param list %}}\n",
			map[string]string{"/a/one": "Text of New[y]"}, []Tolerance{{RungFrontMatter, "content/a/one.md", `repeated "list", "title", the`}}},
		{"begins with a shortcode", "-- layouts/_shortcodes/x.html --\nX\n-- content/a/one.md --\n{{< x >}} and text\n",
			map[string]string{"/a/one": "X and text"}, []Tolerance{{RungFrontMatter, "content/a/one.md", "begins with a shortcode"}}},
		{"beyond repair", "-- content/a/one.md --\nText\n-- content/a/two.md --\n---\ntitle: [\n---\n-- content/a/three.md --\n---\ntitle: open\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungFrontMatter, "content/a/three.md", "left out: "}, {RungFrontMatter, "content/a/two.md", "left out: "}}},
		{"unknown output format of a page", "-- content/a/one.md --\n---\noutputs: [html, gone]\ntitle: One\n---\nText\n-- content/a/two.md --\n+++\noutputs = ['gone']\n+++\nMore\n",
			map[string]string{"/a/one": "Text", "/a/two": "More"}, []Tolerance{{RungFrontMatter, "content/a/one.md", "outputs left out"}, {RungFrontMatter, "content/a/two.md", "outputs left out"}}},
		{"unknown output format of a cascade", config + "[[cascade]]\noutputs = ['html', 'gone']\n[cascade.target]\nkind = 'home'\n-- content/a/_index.md --\n---\ncascade:\n  outputs: [html, lost]\n---\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungConfig, "hugo.toml", `unknown output format "gone" in a cascade`}, {RungConfig, "hugo.toml", `unknown output format "lost" in a cascade`}}},
		{"refused keys", "-- content/a/build.md --\n---\nbuild: x\n---\nOne\n-- content/a/cascade.md --\n+++\ncascade = 'x'\n+++\nTwo\n-- content/a/markup.md --\n---\nMarkup: mmark\ntitle: x\n---\nThree {{% param title %}}\n" +
			"-- content/a/markup2.md --\n---\nmarkup: mmark\n---\nFour\n-- content/a/params.md --\n---\nparams: x\n---\nFive\n-- content/a/sites.md --\n---\nsites: x\n---\nSix\n",
			map[string]string{"/a/build": "One", "/a/cascade": "Two", "/a/markup": "Three x", "/a/markup2": "Four", "/a/params": "Five", "/a/sites": "Six"},
			[]Tolerance{{RungFrontMatter, "content/a/build.md", "build left out: failed to decode"}, {RungFrontMatter, "content/a/cascade.md", "cascade left out: unable to cast"},
				{RungFrontMatter, "content/a/markup.md", `markup left out: failed to resolve media type for "mmark"`}, {RungFrontMatter, "content/a/markup2.md", "markup left out: "},
				{RungFrontMatter, "content/a/params.md", "params left out: "}, {RungFrontMatter, "content/a/sites.md", "sites left out: "}}},
		{"front matter of a wrong kind", "-- content/a/one.md --\n---\nurl: https://example.org/x\n---\n-- content/a/two.md --\nText\n",
			map[string]string{"/a/two": "Text"}, []Tolerance{{RungFrontMatter, "content/a/one.md", "left out: URLs with protocol"}}},
		{"missing shortcodes", "-- content/a/one.md --\nAt {{< gone 1 >}} with {{< box >}}inner *text*{{< /box >}} and {{% raw %}}**strong**{{% /raw %}} {{< self />}}end\n-- content/a/two.md --\nSee {{</* not-called */>}} then {{< box >}}two{{< /box >}}\n",
			map[string]string{"/a/one": "At with inner text and strong end", "/a/two": "See {{< not-called >}} then two"},
			[]Tolerance{{RungShortcode, "content/a/one.md", `shortcode "box" is missing, its inner text stands for it`},
				{RungShortcode, "content/a/one.md", `shortcode "gone"`}, {RungShortcode, "content/a/one.md", `shortcode "raw"`}, {RungShortcode, "content/a/one.md", `shortcode "self"`}, {RungShortcode, "content/a/two.md", `shortcode "box"`}}},
		{"parameters of two kinds", "-- content/a/one.md --\n---\ntitle: One\n---\nText {{< figure x src=\"x\" >}} and {{< ref >}} more\n-- content/a/two.md --\nNo front {{< figure x src=\"x\" >}}matter\n",
			map[string]string{"/a/one": "Text and more", "/a/two": "No front matter"}, []Tolerance{{RungContent, "content/a/one.md", "indexed without its shortcodes: got named parameter 'src'"},
				{RungContent, "content/a/two.md", "indexed without its shortcodes: got named parameter 'src'"}}},
		{"inline shortcode beside a missing one", "-- content/a/one.md --\n---\ntitle: One\n---\n{{< css.inline >}}hidden{{< /css.inline >}}{{< gone >}}Text\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungShortcode, "content/a/one.md", `shortcode "gone"`}}},
		{"unclosed shortcode", "-- content/a/one.md --\n---\ntitle: One\n---\nText {{< figure src=x >}} and {{< figure\n",
			map[string]string{"/a/one": "Text and figure"}, []Tolerance{{RungContent, "content/a/one.md", "indexed without its shortcodes: "}}},
		{"content that fails", "-- layouts/_shortcodes/bad.html --\n{{ .Site.Gone }}\n-- content/a/one.md --\n---\ntitle: One\n---\nThe <b>source</b> {{< bad >}} text\n-- content/a/two.md --\nFine\n",
			map[string]string{"/a/one": "The source text", "/a/two": "Fine"}, []Tolerance{{RungContent, "content/a/one.md", `indexed by its source's text: [4:19] shortcode "bad": layouts/_shortcodes/bad.html:1:8 at <.Site.Gone>: `}}},
		{"HTML content", "-- content/a/one.html --\n---\ntitle: One\n---\n<p>Text</p>\n-- content/a/two.htm --\nMore\n-- content/a/three.md --\nMarkdown\n",
			map[string]string{"/a/one": "Text", "/a/two": "More", "/a/three": "Markdown"}, []Tolerance{{RungContent, "content/a/one.html", `indexed although security.allowContent forbids "text/html"`},
				{RungContent, "content/a/two.htm", `indexed although security.allowContent forbids "text/html"`}}},
		{"missing theme", config + "theme = ['gone', 'lost']\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungModule, "gone", "not found"}, {RungModule, "lost", "not found"}}},
		{"hooks that need the missing theme", config + "theme = 'gone'\n-- layouts/_markup/render-heading.html --\n{{ partial \"td/heading.html\" . }}\n-- layouts/_default/_markup/render-codeblock-go.html --\n{{- partialCached `gone` . -}}\n-- layouts/_markup/render-link.html --\n{{ partial \"here.html\" . }}\n-- layouts/partials/here.html --\nlink:{{ .Text }}\n" +
			"-- content/a/one.md --\n# Head *ing*\n\nA [name](/x)\n\n```go\ncode\n```\n",
			map[string]string{"/a/one": "Head ing A link:name code"}, []Tolerance{{RungModule, "gone", "not found"},
				{RungTemplate, "layouts/_default/_markup/render-codeblock-go.html", `shows the text only: its partial "gone" is missing`},
				{RungTemplate, "layouts/_markup/render-heading.html", `shows the text only: its partial "td/heading.html" is missing`}}},
		{"missing module", config + "[[module.imports]]\npath = 'example.org/gone'\n-- go.mod --\nmodule example.org/site\nrequire example.org/gone v1.0.0\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungModule, "example.org/gone", "not downloaded"}}},
		{"translation", "-- i18n/en.toml --\na = [\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungTranslation, "i18n/en.toml", "left out: failed to load translations"}}},
		{"cache name", config + "[caches.gone]\ndir = ':cacheDir'\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungConfig, "hugo.toml", `cache "gone" is not a valid cache name`}}},
		{"Markdown handler", config + "[markup]\ndefaultMarkdownHandler = 'blackfriday'\n-- content/a/one.md --\n*Text*\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungConfig, "hugo.toml", `defaultMarkdownHandler "blackfriday" is none of this Hugo's, left out`}}},
		{"refused tables", "-- config/_default/hugo.yaml --\nbaseURL: https://example.org/\nlanguages: {en: {menu: {main: x}}}\noutputFormats: {x: {mediaType: foo/bar}}\n-- config/_default/imaging.toml --\nquality = 900\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungConfig, "config/_default/hugo.yaml", "menus left out: unable to cast"}, {RungConfig, "config/_default/hugo.yaml", "outputformats left out: "},
				{RungConfig, "config/_default/imaging.toml", "imaging left out: invalid jpeg config"}}},
		{"invalid UTF-8", "-- content/a/one.md --\n+++\ntitle = \"\xff\"\n+++\n-- content/a/two.md --\nText\n",
			map[string]string{"/a/two": "Text"}, []Tolerance{{RungFrontMatter, "content/a/one.md", "left out: [1:10] toml: invalid UTF-8"}}},
		{"output format", "-- config/_default/hugo.yaml --\nbaseURL: https://example.org/\n-- config/_default/outputs.yaml --\nhome: [html, gone]\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungConfig, "config/_default/outputs.yaml", `unknown output format "gone"`}}},
		{"template", "-- layouts/single.html --\n{{ getJSON `x` }}\n-- layouts/_shortcodes/x.html --\nkept\n-- content/a/one.md --\nText {{< x >}}\n",
			map[string]string{"/a/one": "Text kept"}, []Tolerance{{RungTemplate, "layouts/single.html", `emptied: [1] function "getJSON" not defined`}}},
		{"template that is gone", "-- layouts/baseof.html --\n{{ template \"_internal/a.html\" . }}{{ block \"main\" . }}{{ end }}\n-- layouts/single.html --\n{{ define \"main\" }}{{ .Content }}{{ end }}\n" +
			"-- layouts/partials/foot.html --\n{{ template \"_internal/b.html\" . }}\n-- layouts/_shortcodes/x.html --\nkept{{ template \"partials/c.html\" . }}\n-- content/a/one.md --\nText {{< x >}}\n",
			map[string]string{"/a/one": "Text kept"}, []Tolerance{{RungTemplate, "layouts/_shortcodes/x.html", `a call in it left out: no such template "partials/c.html"`},
				{RungTemplate, "layouts/baseof.html", `a call in it left out: no such template "_internal/a.html"`}, {RungTemplate, "layouts/partials/foot.html", `a call in it left out: no such template "_internal/b.html"`}}},
		{"template that cannot be escaped", "-- layouts/_default/single.html --\n{{ if .Title }}<a href=\"{{ end }}\n-- layouts/_shortcodes/x.html --\nkept\n-- content/a/one.md --\nText {{< x >}}\n",
			map[string]string{"/a/one": "Text kept"}, []Tolerance{{RungTemplate, "layouts/_default/single.html", "emptied: {{if}} branches end in different contexts"}}},
		{"logged errors", "-- content/a/_content.gotmpl --\n{{ errorf \"it says why\" }}\n-- layouts/_shortcodes/e.html --\n{{ errorf \"bad in %s\" .Position }}\n-- content/a/one.md --\nText {{< e >}}\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungLogged, "", "it says why"}, {RungLogged, "content/a/one.md", `bad in "1:6"`}}},
		{"a date that is none", "-- content/a/one.md --\n---\ndate: yesterday\n---\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungLogged, "content/a/one.md", `the "date" front matter field is not a parsable date`}}},
		{"content adapter", "-- content/a/_content.gotmpl --\n{{ gone }}\n-- content/a/one.md --\nText\n",
			map[string]string{"/a/one": "Text"}, []Tolerance{{RungTemplate, "content/a/_content.gotmpl", "emptied: [1] function"}}},
		{"content only", config + "[[module.mounts]]\nsource = 'layouts'\ntarget = 'nowhere'\n-- content/a/one.md --\nText {{< gone >}}inner{{< /gone >}}\n",
			map[string]string{"/a/one": "Text inner"}, []Tolerance{{RungShortcode, "content/a/one.md", `shortcode "gone"`}, {RungContentOnly, "", "failed to load modules: failed to apply mounts"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive := tt.archive
			if !strings.Contains(archive, "-- hugo.toml --") && !strings.Contains(archive, "-- config/") {
				archive += config
			}
			dir := writeSite(t, archive)
			before := contents(t, dir)
			l := loadFrom(t, dir, Options{})
			got := map[string]string{}
			for _, a := range l.pubs[0].Articles {
				got[a.Path] = a.Body
			}
			equal(t, "bodies", got, tt.bodies)
			if len(l.tolerances) != len(tt.want) {
				t.Fatalf("tolerances %+q", l.tolerances)
			}
			for i, want := range tt.want {
				if g := l.tolerances[i]; g.Rung != want.Rung || g.File != want.File || !strings.HasPrefix(g.Reason, want.Reason) {
					t.Errorf("tolerance %d\n got %+q\nwant %+q", i, g, want)
				}
			}
			equal(t, "the site's files", contents(t, dir), before)

			r, err := Generate(t.Context(), Options{Source: dir, Settings: map[string]any{"strict": true}})
			strict := new(StrictError)
			if failed := errors.As(err, &strict); failed != (len(tt.want) > 0) || len(r.Tolerances) != len(tt.want) {
				t.Errorf("--strict: error %v, tolerances %+q", err, r.Tolerances)
			}
			if _, err := os.Stat(filepath.Join(dir, "public")); err == nil && len(tt.want) > 0 {
				t.Error("--strict has written artifacts")
			}
		})
	}
}

// contents returns the files of a folder with what they hold.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, name := range tree(t, dir) {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			m[name] = string(data)
		}
	}
	return m
}

// TestManyRefusedShortcodes has more files that Hugo refuses than a site can be loaded again for.
func TestManyRefusedShortcodes(t *testing.T) {
	archive := "-- content/a/good.md --\nGood {{< figure src=x >}} text\n-- content/a/plain.md --\nPlain text\n"
	for i := range maxAttempts + 1 {
		archive += fmt.Sprintf("-- content/a/%d.md --\nBad {{< figure x src=x >}} text\n", i)
	}
	l := load(t, archive)
	equal(t, "articles", len(l.pubs[0].Articles), maxAttempts+3)
	equal(t, "tolerances", len(l.tolerances), maxAttempts+2)
	for _, a := range l.pubs[0].Articles {
		if !strings.HasSuffix(a.Body, " text") {
			t.Errorf("%s: %q", a.Path, a.Body)
		}
	}
	for _, v := range l.tolerances {
		if v.Rung != RungContent || v.File == "content/a/plain.md" || !strings.HasPrefix(v.Reason, "indexed without its shortcodes: ") {
			t.Errorf("tolerance %+q", v)
		}
	}
}

package generator

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/read-finder/read-finder/site"
)

// buildSite has two languages and two output formats, of which HTML is neither the only nor the last, and a shortcode
// that says in which format and when it was rendered.
const buildSite = `
-- hugo.toml --
baseURL = 'https://example.org/'
[languages.en]
[languages.fr]
[outputs]
page = ['html', 'rss']
-- layouts/_shortcodes/stamp.html --
html{{ with .Page.Param "stamp" }}{{ now.UnixNano }}{{ end }}
-- layouts/_shortcodes/stamp.rss.xml --
rss
-- layouts/single.html --
<main>{{ .Content }}</main>
-- static/robots.txt --
all
-- content/a/one.en.md --
---
title: One
companies: [Acme]
---
In {{< stamp >}}
-- content/a/one.fr.md --
En {{< stamp >}}
-- content/b/two.en.md --
More
`

func build(t *testing.T, o BuildOptions) *Report {
	t.Helper()
	var out bytes.Buffer
	o.Stdout, o.Stderr = &out, &out
	r, err := Build(t.Context(), o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return r
}

// TestBuildIsGenerate compares the artifacts of a build with those of a generation.
func TestBuildIsGenerate(t *testing.T) {
	for _, tt := range []struct{ name, archive string }{
		{"HTML first", buildSite},
		{"HTML last", buildSite + "-- config/_default/outputFormats.toml --\n[rss]\nweight = 1\n"},
		{"the other language first", strings.Replace(buildSite, "[languages.fr]", "[languages.fr]\nweight = -1", 1)},
		{"several hosts", strings.NewReplacer("[languages.fr]", "[languages.fr]\nbaseURL = 'https://fr.example.org/'",
			"[languages.en]", "[languages.en]\nbaseURL = 'https://en.example.org/'").Replace(buildSite)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeSite(t, tt.archive)
			built, generated := t.TempDir(), t.TempDir()
			b := build(t, BuildOptions{Options: Options{Source: dir, Environ: epoch, Hugo: map[string]any{"publishDir": built}}, Watch: true})
			g := generate(t, Options{Source: dir, Environ: epoch, Hugo: map[string]any{"publishDir": generated}})
			if len(b.Languages) != 2 || len(g.Languages) != 2 {
				t.Fatalf("%d and %d languages", len(b.Languages), len(g.Languages))
			}
			for i, l := range g.Languages {
				equal(t, "language", b.Languages[i].Language, l.Language)
				at := relativeTo(generated, filepath.Dir(l.Artifacts[0].File))
				equal(t, "artifacts", read(t, filepath.Join(built, at)), read(t, filepath.Join(generated, at)))
			}
			if len(b.Watch) == 0 {
				t.Error("nothing to watch")
			}
		})
	}
}

// TestBuildRendersOnce: the text in the corpus is of the very rendering that was published.
func TestBuildRendersOnce(t *testing.T) {
	dir := writeSite(t, strings.Replace(buildSite, "title: One", "title: One\nstamp: true", 1))
	out := t.TempDir()
	var stamp string
	o := BuildOptions{Options: Options{Source: dir, Hugo: map[string]any{"publishDir": out}}, Quiet: true}
	_, err := buildHugo(o, func(e *edition, _ bool) error {
		for _, p := range e.pages {
			if strings.HasSuffix(p.permalink, "/a/one/") && e.language == "en" {
				content, _, err := p.render(t.Context(), false)
				if err != nil {
					return err
				}
				stamp = visibleText(content)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "a/one/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if got := visibleText(string(page)); got != stamp || !strings.HasPrefix(stamp, "In html1") {
		t.Errorf("published %q, indexed %q", got, stamp)
	}
	if _, err := os.Stat(filepath.Join(out, "robots.txt")); err != nil {
		t.Error(err)
	}
}

func TestBuildFails(t *testing.T) {
	dir := writeSite(t, buildSite+"-- content/a/bad.en.md --\n{{< gone >}}\n")
	var stdout, stderr bytes.Buffer
	_, err := Build(t.Context(), BuildOptions{Options: Options{Source: dir}, Stdout: &stdout, Stderr: &stderr})
	if err == nil || !strings.Contains(stderr.String(), "content/a/bad.en.md") {
		t.Errorf("error %v, stderr %q", err, &stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "public", Dir)); err == nil {
		t.Error("a failed build has written artifacts")
	}
}

// TestBuildFailsLate fails in a format that is rendered while the artifacts are made already.
func TestBuildFailsLate(t *testing.T) {
	dir := writeSite(t, buildSite)
	build(t, BuildOptions{Options: Options{Source: dir}})
	before := read(t, filepath.Join(dir, "public", Dir))
	for file, text := range map[string]string{
		"layouts/single.rss.xml": `{{ errorf "too late" }}`,
		"content/a/one.en.md":    "Changed.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	extracted := 0
	_, err := Build(t.Context(), BuildOptions{
		Options: Options{Source: dir, Extracted: func(*site.Publication) { extracted++ }}, Quiet: true,
	})
	if err == nil || extracted != 2 {
		t.Errorf("error %v after %d languages", err, extracted)
	}
	equal(t, "artifacts", read(t, filepath.Join(dir, "public", Dir)), before)
}

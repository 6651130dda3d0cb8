package generator

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

const smallSite = `
-- hugo.toml --
baseURL = 'https://example.org/'
-- content/a/one.md --
---
title: One
date: 2024-01-02
companies: [Acme, "L'Oréal"]
tags: [x, y]
---
First *words*.
-- content/a/two.md --
---
title: Two
date: 2024-01-01
companies: [Acme]
---
Second words.
`

var epoch = []string{"SOURCE_DATE_EPOCH=1700000000"}

func generate(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Generate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// read returns the artifacts of a language, by name.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func TestGenerate(t *testing.T) {
	dir := writeSite(t, smallSite)
	var stages []string
	r := generate(t, Options{Source: dir, Environ: epoch, Progress: func(stage string, done, total int) {
		stages = append(stages, stage)
	}})
	api := filepath.Join(dir, "public/api")
	files := read(t, api)
	if len(files) != 2 || len(stages) != 3 {
		t.Errorf("%d files, progress of %q", len(files), stages)
	}

	var index site.Index
	if err := json.Unmarshal([]byte(files[IndexName]), &index); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.ReadFile(filepath.Join(api, CorpusName))
	if err != nil {
		t.Fatal(err)
	}
	m, l := c.Meta(), r.Languages[0]
	equal(t, "index in the corpus", string(c.Index("identity")), files[IndexName])
	equal(t, "generatedAt", index.GeneratedAt, "2023-11-14T22:13:20Z")
	equal(t, "fingerprints", []string{index.Fingerprint, m.Fingerprint}, []string{l.Fingerprint, l.Fingerprint})
	equal(t, "entry", index.Articles[0], site.IndexEntry{Path: "/a/one", Title: "One", Excerpt: "First words.", Tags: []string{"x", "y"},
		TagsJoined: "x, y", Section: "a", Date: "2024-01-02T00:00:00Z"})
	equal(t, "counts", []int{l.Articles, l.Companies, l.Words}, []int{2, 2, m.Words})
	equal(t, "artifacts", l.Artifacts, []ArtifactReport{
		{filepath.Join(api, IndexName), int64(len(files[IndexName]))}, {filepath.Join(api, CorpusName), int64(len(files[CorpusName]))}})
	var names []string
	for _, s := range r.Stages {
		names = append(names, s.Name)
	}
	equal(t, "stages", names, []string{"load", "extract", "write"})
}

func TestSameContentSameBytes(t *testing.T) {
	one, two := writeSite(t, smallSite), writeSite(t, smallSite)
	out := t.TempDir()
	generate(t, Options{Source: one, Environ: epoch})
	generate(t, Options{Source: two, Environ: epoch, Hugo: map[string]any{"publishDir": out}})
	equal(t, "artifacts", read(t, filepath.Join(out, "api")), read(t, filepath.Join(one, "public/api")))
}

func TestUnchangedIsUntouched(t *testing.T) {
	dir := writeSite(t, smallSite)
	api := filepath.Join(dir, "public/api")
	first := generate(t, Options{Source: dir, Environ: epoch})
	before := read(t, api)
	again := func() *EditionReport {
		t.Helper()
		return &generate(t, Options{Source: dir, Environ: []string{"SOURCE_DATE_EPOCH=1800000000"}}).Languages[0]
	}

	l := again()
	if !l.Unchanged || l.Words != first.Languages[0].Words {
		t.Errorf("the second report is %+v", l)
	}
	equal(t, "artifacts", read(t, api), before)

	for _, name := range []string{IndexName, CorpusName} {
		for what, damage := range map[string]func(string) error{
			"missing":   os.Remove,
			"truncated": func(f string) error { return os.Truncate(f, 10) },
		} {
			if err := damage(filepath.Join(api, name)); err != nil {
				t.Fatal(err)
			}
			if l := again(); l.Unchanged {
				t.Errorf("%s %s: unchanged", what, name)
			}
			if _, err := corpus.ReadFile(filepath.Join(api, CorpusName)); err != nil {
				t.Errorf("%s %s: %v", what, name, err)
			}
			if !again().Unchanged {
				t.Errorf("%s %s: not mended", what, name)
			}
		}
	}

	if err := os.WriteFile(filepath.Join(dir, "content/a/two.md"), []byte("Changed.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if l := again(); l.Unchanged || l.Fingerprint == first.Languages[0].Fingerprint {
		t.Errorf("changed content: %+v", l)
	}
}

// TestSettingsChangeTheFingerprint changes only how is matched.
func TestSettingsChangeTheFingerprint(t *testing.T) {
	dir := writeSite(t, smallSite)
	first := generate(t, Options{Source: dir})
	second := generate(t, Options{Source: dir, Settings: map[string]any{"foldDiacritics": true}})
	if second.Languages[0].Unchanged || first.Languages[0].Fingerprint == second.Languages[0].Fingerprint {
		t.Errorf("reports %+v and %+v", first.Languages[0], second.Languages[0])
	}
}

func TestLanguagesAreSets(t *testing.T) {
	dir := writeSite(t, smallSite+"-- content/a/one.fr.md --\nUn.\n-- config/_default/languages.toml --\n[en]\n[fr]\n")
	r := generate(t, Options{Source: dir})
	equal(t, "languages", []string{r.Languages[0].Prefix, r.Languages[1].Prefix}, []string{"", "/fr"})
	c, err := corpus.ReadFile(filepath.Join(dir, "public/fr/api", CorpusName))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "prefix", c.Meta().Prefix, "/fr")
	equal(t, "files", len(read(t, filepath.Join(dir, "public/api"))), 2)
}

func TestGenerationTime(t *testing.T) {
	now := func() time.Time { return time.Date(2024, 5, 6, 7, 8, 9, 999, time.FixedZone("", 3600)) }
	got, err := generationTime(nil, now)
	if want := time.Date(2024, 5, 6, 6, 8, 9, 0, time.UTC); err != nil || got != want {
		t.Errorf("now: %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		_, err := generationTime([]string{"SOURCE_DATE_EPOCH=" + bad}, now)
		if err == nil || !strings.Contains(err.Error(), `SOURCE_DATE_EPOCH`) || !strings.Contains(err.Error(), `"`+bad+`"`) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// TestMixedSetIsMended lays the artifacts of two generations side by side, as a kill between their renames leaves them.
func TestMixedSetIsMended(t *testing.T) {
	dir := writeSite(t, smallSite)
	api := filepath.Join(dir, "public/api")
	again := func() *EditionReport {
		t.Helper()
		return &generate(t, Options{Source: dir, Environ: epoch}).Languages[0]
	}
	again()
	old := read(t, api)
	if err := os.WriteFile(filepath.Join(dir, "content/a/two.md"), []byte("Changed.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	again()
	fresh := read(t, api)
	for _, name := range []string{IndexName, CorpusName} {
		if err := os.WriteFile(filepath.Join(api, name), []byte(old[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		if again().Unchanged {
			t.Errorf("old %s: unchanged", name)
		}
		equal(t, "artifacts", read(t, api), fresh)
	}
}

func TestDiscard(t *testing.T) {
	fs := discardFs{afero.NewMemMapFs()}
	f, err := fs.Create("x")
	if err != nil {
		t.Fatal(err)
	}
	n, err := f.Write(bytes.Repeat([]byte("x"), 1000))
	if n != 1000 || err != nil || f.Close() != nil {
		t.Errorf("write: %d, %v", n, err)
	}
	info, err := fs.Stat("x")
	if err != nil || info.Size() != 0 {
		t.Errorf("stat: %v, %v", info, err)
	}
}

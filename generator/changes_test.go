package generator

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestChanges(t *testing.T) {
	dir := writeSite(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n-- content/a/gone.md --\n-- content/a/kept.md --\n-- content/a/other.md --\n")
	if c := generate(t, Options{Source: dir}).Languages[0].Changes; c != nil {
		t.Errorf("the first artifacts have changed: %+v", c)
	}
	if err := os.Rename(filepath.Join(dir, "content/a/gone.md"), filepath.Join(dir, "content/a/new.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "content/a/other.md"), []byte("---\ntitle: Retitled\n---\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	changes := func() Changes {
		t.Helper()
		c := generate(t, Options{Source: dir}).Languages[0].Changes
		if c == nil {
			t.Fatal("no changes")
		}
		return *c
	}
	equal(t, "changes", changes(), Changes{[]string{"/a/new"}, []string{"/a/other"}, []string{"/a/gone"}, false})

	if err := os.WriteFile(filepath.Join(dir, "content/a/new.md"), []byte("---\nexcerpt: Same\n---\nOne.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	equal(t, "another excerpt", changes(), Changes{nil, []string{"/a/new"}, nil, false})
	if err := os.WriteFile(filepath.Join(dir, "content/a/new.md"), []byte("---\nexcerpt: Same\n---\nTwo.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	equal(t, "another body", changes(), Changes{nil, []string{"/a/new"}, nil, false})
	if err := os.Remove(filepath.Join(dir, "public/api", CorpusName)); err != nil {
		t.Fatal(err)
	}
	equal(t, "a lost corpus", changes(), Changes{nil, nil, nil, false})
	if err := os.WriteFile(filepath.Join(dir, "content/a/new.md"), []byte("---\nexcerpt: Same\n---\nThree.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "public/api", CorpusName)); err != nil {
		t.Fatal(err)
	}
	equal(t, "another body and a lost corpus", changes(), Changes{nil, nil, nil, true})
}

func TestMaxDrop(t *testing.T) {
	dir := writeSite(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n-- content/a/1.md --\n-- content/a/2.md --\n-- content/a/3.md --\n-- content/a/4.md --\n")
	generate(t, Options{Source: dir, Settings: map[string]any{"maxDrop": 0}})
	api := filepath.Join(dir, "public/api")
	before := read(t, api)
	if err := os.Remove(filepath.Join(dir, "content/a/4.md")); err != nil {
		t.Fatal(err)
	}
	_, err := Generate(t.Context(), Options{Source: dir, Settings: map[string]any{"maxDrop": 24}})
	drop := new(DropError)
	if !errors.As(err, &drop) {
		t.Fatalf("error %v", err)
	}
	equal(t, "error", *drop, DropError{Before: 4, Now: 3, MaxPercent: 24, Removed: []string{"/a/4"}})
	equal(t, "artifacts", read(t, api), before)
	generate(t, Options{Source: dir, Settings: map[string]any{"maxDrop": 25}})
}

func TestNotIndexed(t *testing.T) {
	dir := writeSite(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
params.readFinder.sections = ['a']
-- content/a/one.md --
-- content/a/out.md --
---
readFinder: false
---
-- content/a/data.md --
---
outputs: [json]
---
-- content/a/never.md --
---
build: {render: never}
---
-- content/b/two.md --
`)
	l := generate(t, Options{Source: dir}).Languages[0]
	equal(t, "not indexed", l.NotIndexed, []NotIndexed{{"content/a/data.md", NoHTML}, {"content/a/out.md", OptedOut}, {"content/b/two.md", NotSelected}})
	dir = writeSite(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n-- content/about.md --\n-- content/a/one.md --\n")
	l = generate(t, Options{Source: dir}).Languages[0]
	equal(t, "not indexed", l.NotIndexed, []NotIndexed{{"content/about.md", NoSection}})
}

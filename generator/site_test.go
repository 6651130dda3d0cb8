package generator

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/read-finder/read-finder/site"
)

// A loaded is what the tests look at: the publications of a small site, in Hugo's order of languages.
type loaded struct {
	pubs       []*site.Publication
	near       []NearDuplicate // of the first language
	warnings   []Warning
	tolerances []Tolerance
	dirs       []string // where each language is published to, below the site's folder
}

// writeSite writes a txtar archive into a folder of its own.
func writeSite(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tryLoad extracts the site in a txtar archive. A hugo.toml is added where there is none.
func tryLoad(t *testing.T, archive string, o Options) (l loaded, err error) {
	t.Helper()
	if !strings.Contains(archive, "-- hugo.toml --") && !strings.Contains(archive, "-- config/") {
		archive += "-- hugo.toml --\nbaseURL = 'https://example.org/'\n"
	}
	return tryLoadFrom(t, writeSite(t, archive), o)
}

// loadFrom extracts the site in a folder.
func loadFrom(t *testing.T, dir string, o Options) loaded {
	t.Helper()
	l, err := tryLoadFrom(t, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func tryLoadFrom(t *testing.T, dir string, o Options) (l loaded, err error) {
	t.Helper()
	o.Source = dir
	w, tol := &warnings{}, &tolerances{}
	s, err := loadSite(o, w, tol)
	if err != nil {
		return l, err
	}
	defer s.close()
	for i, e := range s.editions {
		set, err := decodeSettings(e.params, o.Settings)
		if err != nil {
			return l, err
		}
		x, err := extract(context.Background(), e, set, func(string, int, int) {}, w, tol)
		if err != nil {
			return l, err
		}
		if i == 0 {
			l.near = x.near
		}
		l.pubs = append(l.pubs, x.pub)
		l.dirs = append(l.dirs, relativeTo(o.Source, e.dir))
	}
	l.warnings, l.tolerances = w.sorted(), tol.sorted()
	return l, nil
}

func load(t *testing.T, archive string) loaded {
	t.Helper()
	return loadWith(t, archive, Options{})
}

func loadWith(t *testing.T, archive string, o Options) loaded {
	t.Helper()
	l, err := tryLoad(t, archive, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// article returns the article of the first language whose path ends like that.
func (l loaded) article(t *testing.T, suffix string) site.Article {
	t.Helper()
	for _, a := range l.pubs[0].Articles {
		if strings.HasSuffix(a.Path, suffix) {
			return a
		}
	}
	t.Fatalf("no article %q among %q", suffix, l.paths())
	return site.Article{}
}

// paths are the articles' paths of all languages, in order.
func (l loaded) paths() []string {
	var paths []string
	for _, p := range l.pubs {
		for _, a := range p.Articles {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

func (l loaded) warned(t *testing.T, file, part string) {
	t.Helper()
	for _, w := range l.warnings {
		if w.File == file && strings.Contains(w.Message, part) {
			return
		}
	}
	t.Errorf("no warning on %q with %q among %v", file, part, l.warnings)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := quoted(got), quoted(want); g != w {
		t.Errorf("%s\n got %s\nwant %s", what, g, w)
	}
}

func quoted(v any) string { return fmt.Sprintf("%q", v) }

// report returns all that is reported, as "file: message".
func (l loaded) report() []string {
	list := []string{}
	for _, w := range l.warnings {
		list = append(list, w.File+": "+w.Message)
	}
	for _, t := range l.tolerances {
		list = append(list, t.File+": "+t.Reason)
	}
	return list
}

// urlPath returns the path of a URL, which may lack a host.
func urlPath(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.EscapedPath()
}

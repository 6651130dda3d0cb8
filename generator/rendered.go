package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// A MissingPage is an indexed page that is not in the folder that its site is published to.
type MissingPage struct {
	File string `json:"file"` // source file, relative to the site's folder
	Page string `json:"page"` // where the page should be, relative to the folder of its host
}

// A MissingPagesError says that indexed pages have not been rendered where nothing is borne. Nothing has been written.
type MissingPagesError struct {
	Dir     string
	Indexed int
	Pages   []MissingPage
}

func (e *MissingPagesError) Error() string {
	const most = 10
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s not rendered in %q: the folder is older than the content, or was made with other settings",
		len(e.Pages), plural(e.Indexed, "indexed page", "indexed pages"), e.Dir)
	for _, p := range e.Pages[:min(len(e.Pages), most)] {
		fmt.Fprintf(&b, "\n  %s is not at %s", p.File, p.Page)
	}
	if n := len(e.Pages) - most; n > 0 {
		fmt.Fprintf(&b, "\n  ... and %d more", n)
	}
	return b.String()
}

// checkRendered looks for the page of every article, where the site has been rendered before its artifacts are made.
func (g *generation) checkRendered() error {
	rendered := map[string]bool{} // by the folder of a host
	for i, e := range g.editions {
		if _, ok := rendered[e.root]; !ok {
			var err error
			if rendered[e.root], err = holdsPages(e.root); err != nil {
				return err
			}
		}
		if !rendered[e.root] {
			continue
		}
		x := g.extractions[i]
		var err error
		if x.missing, err = missingPages(e, x); err != nil {
			return ofLanguage(e, len(g.editions), err)
		}
		if len(x.missing) == 0 {
			continue
		}
		missing := &MissingPagesError{g.below(e.root), len(x.pub.Articles), x.missing}
		if x.settings.strict {
			return ofLanguage(e, len(g.editions), missing)
		}
		g.warnings.add("", "%v", ofLanguage(e, len(g.editions), missing))
	}
	return nil
}

// below returns dir relative to the site's folder where it lies there.
func (g *generation) below(dir string) string {
	source, err := filepath.Abs(g.Source)
	if err != nil {
		return dir
	}
	if rel, err := filepath.Rel(source, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return dir
}

// holdsPages tells whether a folder, which need not be there, holds an HTML page. One is enough.
func holdsPages(root string) (bool, error) {
	found := false
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.EqualFold(filepath.Ext(file), ".html") {
			found = true
			return filepath.SkipAll
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return found, err
}

// missingPages returns the articles whose pages are not in the folder of their host.
func missingPages(e *edition, x *extraction) ([]MissingPage, error) {
	var missing []MissingPage
	sources := map[string]string{} // by permalink, made when it is needed
	for i := range x.pub.Articles {
		permalink := x.pub.Articles[i].URL
		page, err := pageFile(permalink, e.basePath)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(filepath.Join(e.root, filepath.FromSlash(page))); err == nil && !info.IsDir() {
			continue
		}
		if len(sources) == 0 {
			for _, p := range e.pages {
				sources[p.permalink] = p.file
			}
		}
		missing = append(missing, MissingPage{sources[permalink], page})
	}
	return missing, nil
}

// pageFile returns where Hugo writes the page of a permalink, relative to the folder of its host: a link that ends with a
// slash is that of an index.html, any other is that of the file itself (github.com/gohugoio/hugo/resources/page,
// CreateTargetPaths).
func pageFile(permalink, basePath string) (string, error) {
	p, err := articlePath(permalink, basePath)
	if err != nil {
		return "", err
	}
	file, err := url.PathUnescape(p)
	if err != nil {
		return "", fmt.Errorf("permalink %q: %w", permalink, err)
	}
	if strings.HasSuffix(permalink, "/") {
		file = strings.TrimSuffix(file, "/") + "/index.html"
	}
	return strings.TrimPrefix(file, "/"), nil
}

package generator

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestFewFilesImportHugo keeps Hugo's packages, which promise no compatibility, behind one file for each of the two ways to
// use them: to load a site, and to build it as the hugo command does.
func TestFewFilesImportHugo(t *testing.T) {
	var importers []string
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			if strings.HasPrefix(spec.Path.Value, `"github.com/gohugoio/`) {
				importers = append(importers, filepath.ToSlash(file))
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "importers", importers, []string{"../generator/hugo.go", "../generator/hugobuild.go"})
}

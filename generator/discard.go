package generator

import (
	"os"

	"github.com/spf13/afero"
)

// discardFs is where Hugo publishes to while it only loads a site: files can be created and are found again, so that
// Hugo publishes a resource once, but their bytes are dropped. Shortcodes publish images, which can be gigabytes.
type discardFs struct{ afero.Fs }

func (fs discardFs) Create(name string) (afero.File, error) {
	f, err := fs.Fs.Create(name)
	return discardFile{f}, err
}

func (fs discardFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	f, err := fs.Fs.OpenFile(name, flag, perm)
	return discardFile{f}, err
}

type discardFile struct{ afero.File }

func (discardFile) Write(p []byte) (int, error)            { return len(p), nil }
func (discardFile) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (discardFile) WriteString(s string) (int, error)      { return len(s), nil }

package generator

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bep/overlayfs"
	"github.com/spf13/afero"
)

// repairs are what a site is read with instead of what lies on the disk, which is only read.
type repairs struct {
	files       map[string][]byte // absolute file -> its content
	hidden      map[string]bool   // absolute files that are not there
	noModules   bool              // themes and modules that cannot be found are left out
	anyContent  bool              // content of every media type is read
	contentOnly bool              // no theme, layout, data or translation
}

// bareLayouts is the layout folder of a site that is loaded without its layouts. It lies in memory only.
const bareLayouts = "read-finder-layouts"

// overlay returns the file system that Hugo reads the site from: the repairs over the real files. What Hugo writes
// stays in memory.
func (r *repairs) overlay(source string) (afero.Fs, error) {
	if _, err := os.Stat(source); err != nil {
		return nil, err
	}
	memory := afero.NewMemMapFs()
	for file, data := range r.files {
		if err := afero.WriteFile(memory, file, data, 0o666); err != nil {
			return nil, err
		}
	}
	return overlayfs.New(overlayfs.Options{
		Fss:           []afero.Fs{memory, hidingFs{afero.NewReadOnlyFs(afero.NewOsFs()), r.hidden}},
		FirstWritable: true,
	}), nil
}

// read returns a file as Hugo gets it.
func (r *repairs) read(file string) ([]byte, error) {
	if data, ok := r.files[file]; ok {
		return data, nil
	}
	return os.ReadFile(file)
}

// A hidingFs does not find some of its files by name. They are still listed in their folders.
type hidingFs struct {
	afero.Fs
	hidden map[string]bool
}

func (h hidingFs) check(op, name string) error {
	if h.hidden[filepath.Clean(name)] {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

func (h hidingFs) Open(name string) (afero.File, error) {
	if err := h.check("open", name); err != nil {
		return nil, err
	}
	return h.Fs.Open(name)
}

func (h hidingFs) Stat(name string) (os.FileInfo, error) {
	if err := h.check("stat", name); err != nil {
		return nil, err
	}
	return h.Fs.Stat(name)
}

// LstatIfPossible makes h an afero.Lstater, which the overlay asks for.
func (h hidingFs) LstatIfPossible(name string) (os.FileInfo, bool, error) {
	if err := h.check("lstat", name); err != nil {
		return nil, false, err
	}
	if l, ok := h.Fs.(afero.Lstater); ok {
		return l.LstatIfPossible(name)
	}
	info, err := h.Fs.Stat(name)
	return info, false, err
}

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// CheckSource returns an error unless location can be where a corpus comes from: a file, or an http(s) URL.
func CheckSource(location string) error {
	if location == "" {
		return errors.New("empty")
	}
	if !isURL(location) {
		return nil
	}
	if u, err := url.Parse(location); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("not a file, nor an http or https URL")
	}
	return nil
}

func isURL(location string) bool { return strings.Contains(location, "://") }

// A source is where a corpus comes from.
type source interface {
	// fetch returns the bytes of the corpus, nil if they are those of the last fetch. With force it returns them
	// anyway. What it returned once, good or bad, counts as fetched. Errors name the source.
	fetch(ctx context.Context, force bool) ([]byte, error)
	// String names the source in logs and metrics, without secrets.
	String() string
}

// newSource returns the source at location, whose corpus has at most limit bytes.
func newSource(location string, limit int64, client *http.Client) (source, error) {
	if err := CheckSource(location); err != nil {
		return nil, fmt.Errorf("corpus %q: %w", location, err)
	}
	if !isURL(location) {
		return &fileSource{path: location, limit: limit}, nil
	}
	u, err := url.Parse(location)
	if err != nil {
		return nil, fmt.Errorf("corpus %q: %w", location, err)
	}
	return &urlSource{url: u, limit: limit, client: client}, nil
}

// A tooLargeError is a corpus of more bytes than are allowed.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("larger than %d bytes", e.limit) }

// A fileSource is a file that may be replaced at any time: by rename, by the switch of a symbolic link, or in place.
// It is looked at again and again: that works on every file system, network mounts included.
type fileSource struct {
	path   string
	limit  int64
	looked bool
	seen   os.FileInfo // at the last look, nil for none
	taken  os.FileInfo // at the last fetch, nil for none
}

func (f *fileSource) String() string { return f.path }

// fetch reads what it finds the first time. Later it reads the file once it has changed and then stood still from one
// call to the next: whoever writes it in place is left to finish.
func (f *fileSource) fetch(_ context.Context, force bool) ([]byte, error) {
	first := !f.looked
	f.looked = true
	info, err := os.Stat(f.path)
	if err != nil {
		f.seen, f.taken = nil, nil
		return nil, err
	}
	settled := first || sameState(info, f.seen)
	f.seen = info
	if !force && (!settled || sameState(info, f.taken)) {
		return nil, nil
	}
	f.taken = info
	data, err := readRegular(f.path, info, f.limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return data, nil
}

// readRegular reads a file of at most limit bytes. What is not a regular file, a pipe say, may never end.
func readRegular(path string, info os.FileInfo, limit int64) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > limit {
		return nil, &tooLargeError{limit}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path
	}
	defer f.Close()
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // it shrank: the checksums will tell
		err = nil
	}
	return data[:n], err
}

// sameState reports whether two looks at a path saw the same file with the same content.
func sameState(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

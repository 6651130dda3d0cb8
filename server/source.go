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

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site/corpus"
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
	// fetch reads the corpus, and returns nil if it is that of the last fetch. With force it reads it anyway. What it
	// has read once, good or bad, counts as fetched. Errors name the source, and mean that it could not be read.
	fetch(ctx context.Context, force bool) (*fetched, error)
	// String names the source in logs and metrics, without secrets.
	String() string
}

// A fetched is what a source gave: a corpus, or why it is none.
type fetched struct {
	corpus  *corpus.Corpus
	refusal error
	sum     uint64 // XXH64 of what was read: all of a corpus, the beginning of what is none
}

// read reads a corpus of at most limit bytes. An error is one of r.
func read(r io.Reader, limit int64) (*fetched, error) {
	in := &observed{reader: r, sum: xxhash.New()}
	c, err := corpus.Read(in, limit)
	if in.failure != nil {
		return nil, in.failure
	}
	return &fetched{corpus: c, refusal: err, sum: in.sum.Sum64()}, nil
}

// tooLarge is the refusal of what says how large it is before it is read.
func tooLarge(size, limit int64) *fetched {
	return &fetched{refusal: fmt.Errorf("%w: %d bytes, at most %d", corpus.ErrLimit, size, limit), sum: uint64(size)}
}

// An observed reader notes what it read, and why it could not go on.
type observed struct {
	reader  io.Reader
	sum     *xxhash.Digest
	failure error // nil at the end of file
}

func (o *observed) Read(p []byte) (int, error) {
	n, err := o.reader.Read(p)
	o.sum.Write(p[:n])
	if err != nil && err != io.EOF {
		o.failure = err
	}
	return n, err
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
func (f *fileSource) fetch(_ context.Context, force bool) (*fetched, error) {
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
	got, err := readRegular(f.path, info, f.limit)
	if err != nil {
		f.taken = nil // it may be readable the next time, without any change
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	f.taken = info
	return got, nil
}

// readRegular reads a file of at most limit bytes. What is not a regular file, a pipe say, may never end.
func readRegular(path string, info os.FileInfo, limit int64) (*fetched, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > limit {
		return tooLarge(info.Size(), limit), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path
	}
	defer f.Close()
	return read(f, limit)
}

// sameState reports whether two looks at a path saw the same file with the same content.
func sameState(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

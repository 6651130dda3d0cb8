package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site/corpus"
)

// A shelf is a Loader whose looks at its sources the test makes itself, so that nothing depends on time.
type shelf struct {
	t      *testing.T
	server *Server
	loader *Loader
	log    bytes.Buffer
}

func newShelf(t *testing.T, sources ...string) *shelf {
	t.Helper()
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := &shelf{t: t, server: s}
	h.loader, err = NewLoader(s, LoaderConfig{Sources: sources, MaxBytes: 1 << 20, Logger: slog.New(slog.NewTextHandler(&h.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// look looks at every source, as often as times says.
func (h *shelf) look(times int) {
	for range times {
		for _, f := range h.loader.feeds {
			h.loader.check(context.Background(), f, false)
		}
	}
}

func (h *shelf) force() {
	for _, f := range h.loader.feeds {
		h.loader.check(context.Background(), f, true)
	}
}

// serves checks which fingerprint is served, "" for a 503, and how many errors were logged since the last call.
func (h *shelf) serves(fingerprint string, errors int) {
	h.t.Helper()
	res := get(h.server, "/api/read-finder-index.json")
	if got := strings.Trim(res.Header.Get("ETag"), `"`); got != fingerprint || fingerprint == "" && res.StatusCode != http.StatusServiceUnavailable {
		h.t.Errorf("status %d, fingerprint %q is served, want %q", res.StatusCode, got, fingerprint)
	}
	if got := strings.Count(h.log.String(), "level=ERROR"); got != errors {
		h.t.Errorf("%d errors logged, want %d:\n%s", got, errors, h.log.String())
	}
	h.log.Reset()
}

// encoded returns a corpus of n articles as a file, and its fingerprint. Other n, other sizes.
func encoded(t testing.TB, prefix string, n int) ([]byte, string) {
	t.Helper()
	var out bytes.Buffer
	if _, err := writer(t, prefix, 1, n).WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), c.Meta().Fingerprint
}

// writeFile writes a file, a second later than it was written before: the clock of a file system may stand still for some
// milliseconds, in which a fast machine writes, loads and writes again.
func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	before, _ := os.Stat(path) // it may not be there
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if before == nil {
		return
	}
	later := before.ModTime().Add(time.Second)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestFileIsReplaced(t *testing.T) {
	first, firstTag := encoded(t, "", 3)
	second, secondTag := encoded(t, "", 4)
	for name, replace := range map[string]func(t *testing.T, path string){
		"renamed over": func(t *testing.T, path string) {
			writeFile(t, path+".new", second)
			rename(t, path+".new", path)
		},
		"rewritten in place": func(t *testing.T, path string) { writeFile(t, path, second) },
		"removed and created": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, second)
		},
		"a link switched": func(t *testing.T, path string) {
			writeFile(t, path+".2", second)
			if err := os.Symlink(filepath.Base(path)+".2", path+".link"); err != nil {
				t.Fatal(err)
			}
			rename(t, path+".link", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "read-finder.corpus")
			writeFile(t, path, first)
			h := newShelf(t, path)
			h.look(1)
			h.serves(firstTag, 0)
			replace(t, path)
			h.look(2)
			h.serves(secondTag, 0)
			h.look(3)
			if h.log.Len() > 0 {
				t.Errorf("logged without a change:\n%s", h.log.String())
			}
		})
	}
}

// TestKubernetesMount switches the ..data link of a mounted volume, as the kubelet does.
func TestKubernetesMount(t *testing.T) {
	dir := t.TempDir()
	first, firstTag := encoded(t, "", 3)
	second, secondTag := encoded(t, "", 4)
	mount := func(generation string, data []byte) {
		if err := os.Mkdir(filepath.Join(dir, generation), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, generation, "read-finder.corpus"), data)
		if err := os.Symlink(generation, filepath.Join(dir, "..data_tmp")); err != nil {
			t.Fatal(err)
		}
		rename(t, filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data"))
	}
	mount("..1", first)
	path := filepath.Join(dir, "read-finder.corpus")
	if err := os.Symlink("..data/read-finder.corpus", path); err != nil {
		t.Fatal(err)
	}
	h := newShelf(t, path)
	h.look(1)
	h.serves(firstTag, 0)
	mount("..2", second)
	if err := os.RemoveAll(filepath.Join(dir, "..1")); err != nil {
		t.Fatal(err)
	}
	h.look(2)
	h.serves(secondTag, 0)
}

// TestSlowWriter writes a corpus piece by piece, with pauses: nothing is refused meanwhile.
func TestSlowWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	first, firstTag := encoded(t, "", 3)
	second, secondTag := encoded(t, "", 4)
	writeFile(t, path, first)
	h := newShelf(t, path)
	h.look(1)
	for n := 0; n < len(second); n += len(second)/7 + 1 {
		writeFile(t, path, second[:n])
		h.look(patience - 1)
		h.serves(firstTag, 0)
	}
	writeFile(t, path, second)
	h.look(2)
	h.serves(secondTag, 0)
}

// damages are files that look more or less like the corpus data, and must be refused.
func damages(data, other []byte) map[string][]byte {
	flipped := bytes.Clone(data)
	flipped[len(flipped)*2/3] ^= 1
	swapped := append(bytes.Clone(data[:len(data)/2]), other[min(len(data)/2, len(other)):]...)
	version := bytes.Clone(data)
	binary.LittleEndian.PutUint32(version[8:], corpus.FormatVersion+1)
	return map[string][]byte{
		"truncated": data[:len(data)*3/4], "truncated in the header": data[:20], "longer": append(bytes.Clone(data), 0),
		"bit flipped": flipped, "empty": {}, "half of another": swapped, "of another version": version,
		"another file": []byte("<!doctype html><title>404 Not Found</title>"), "zeros": make([]byte, len(data)),
	}
}

func TestDamagedCorpusIsRefused(t *testing.T) {
	good, tag := encoded(t, "", 3)
	next, nextTag := encoded(t, "", 4)
	for name, bad := range damages(next, good) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "read-finder.corpus")
			writeFile(t, path, good)
			h := newShelf(t, path)
			h.look(1)
			h.serves(tag, 0)
			writeFile(t, path, bad)
			h.look(10 * patience)
			if line := h.log.String(); !strings.Contains(line, path) || !strings.Contains(line, "corpus refused") || !strings.Contains(line, "serving="+tag) {
				t.Errorf("log: %s", line)
			}
			h.serves(tag, 1)
			h.force()
			h.serves(tag, 1)
			writeFile(t, path, next)
			h.look(2)
			h.serves(nextTag, 0)
		})
	}
}

// TestBadAtStart checks that a server without a corpus says so at once, and takes the first good one.
func TestBadAtStart(t *testing.T) {
	data, tag := encoded(t, "", 3)
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	h := newShelf(t, path)
	h.serves("", 0)
	h.look(3)
	h.serves("", 1) // not there, told once
	writeFile(t, path, data[:100])
	h.look(3)
	h.serves("", 1)
	writeFile(t, path, data)
	h.look(2)
	h.serves(tag, 0)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	h.look(2 * patience)
	h.serves(tag, 1)
	writeFile(t, path, data)
	h.look(2)
	h.serves(tag, 0)
}

// TestFileBounds checks that what is no corpus by the looks of it is told once, for as long as it is there.
func TestFileBounds(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	writeFile(t, large, make([]byte, 1<<20+1))
	for path, want := range map[string]string{
		dir:   "not a regular file",
		large: "larger than allowed: 1048577 bytes, at most 1048576",
	} {
		h := newShelf(t, path)
		h.look(2 * patience)
		if !strings.Contains(h.log.String(), want) || !h.loader.feeds[0].failing.Load() {
			t.Errorf("%s: failing %v, log %s", path, h.loader.feeds[0].failing.Load(), h.log.String())
		}
		h.serves("", 1)
	}
}

// TestTwoLanguages starts with one of two corpora, and refuses the same language twice.
func TestTwoLanguages(t *testing.T) {
	dir := t.TempDir()
	en, tag := encoded(t, "", 3)
	fr, _ := encoded(t, "/fr", 3)
	enPath, frPath := filepath.Join(dir, "en.corpus"), filepath.Join(dir, "fr.corpus")
	writeFile(t, enPath, en)
	h := newShelf(t, enPath, frPath)
	h.look(1)
	h.serves(tag, 1)
	if h.server.Ready() || get(h.server, "/fr/api/search").StatusCode != http.StatusServiceUnavailable {
		t.Error("ready without the second corpus")
	}
	writeFile(t, frPath, en)
	h.look(2)
	if !strings.Contains(h.log.String(), `two corpora for the URL prefix`) {
		t.Errorf("log: %s", h.log.String())
	}
	h.serves(tag, 1)
	writeFile(t, frPath, fr)
	h.look(2)
	h.serves(tag, 0)
	if !h.server.Ready() || get(h.server, "/fr/api/search").StatusCode != http.StatusOK {
		t.Error("not ready with both corpora")
	}
}

func TestSourcesAreChecked(t *testing.T) {
	for _, sources := range [][]string{{""}, {"ftp://x/y"}, {"https://"}, {"http://[::1/x"}, {"a", "a"}, {"http://x/y?a", "http://x/y?b"}} {
		s, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewLoader(s, LoaderConfig{Sources: sources}); err == nil || !strings.Contains(err.Error(), "corpus ") {
			t.Errorf("%q: error %v", sources, err)
		}
	}
}

// TestRandomDamage flips one byte anywhere, many times: a corpus that is taken all the same must be the same.
func TestRandomDamage(t *testing.T) {
	data, tag := encoded(t, "", 3)
	for i := 0; i < len(data); i += 7 {
		bad := bytes.Clone(data)
		bad[i] ^= byte(1 + xxhash.Sum64String(fmt.Sprint(i))%255)
		if c, err := corpus.Open(bad); err == nil {
			t.Fatalf("byte %d changed, and opened as %s, want an error (%s undamaged)", i, c.Meta().Fingerprint, tag)
		}
	}
}

package generator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func writeSet(t *testing.T, dir string, files ...string) error {
	t.Helper()
	s, err := openSet(t.Context(), dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		name, data, _ := strings.Cut(f, "=")
		if err == nil {
			err = s.add(name, []byte(data))
		}
	}
	if err == nil {
		err = s.commit()
	}
	return errors.Join(err, s.close())
}

func TestFileSet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new/folder")
	for _, files := range [][]string{{"a=1", "b=1"}, {"a=2", "b=2"}} {
		if err := writeSet(t, dir, files...); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "files", read(t, dir), map[string]string{"a": "2", "b": "2"})

	// Nothing is replaced where something cannot be.
	if err := os.MkdirAll(filepath.Join(dir, "c/full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeSet(t, dir, "a=3", "c=3"); err == nil || !strings.Contains(err.Error(), `c" is a folder`) {
		t.Errorf("a folder in the way: error %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	equal(t, "files", read(t, dir), map[string]string{"a": "2", "b": "2"})
	if err := writeSet(t, filepath.Join(dir, "a"), "x=1"); err == nil {
		t.Error("no error with a file in place of the folder")
	}
}

func TestLeftovers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		alone bool
		want  []string
	}{
		{"of killed runs", true, []string{"other"}},
		{"of unknown runs", false, []string{".read-finder-tmp-young", "other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{tempPrefix + "old", tempPrefix + "young", "other"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			long := time.Now().Add(-2 * leftoverAge)
			if err := os.Chtimes(filepath.Join(dir, tempPrefix+"old"), long, long); err != nil {
				t.Fatal(err)
			}
			if err := removeLeftovers(dir, tt.alone); err != nil {
				t.Fatal(err)
			}
			var left []string
			for name := range read(t, dir) {
				left = append(left, name)
			}
			slices.Sort(left)
			equal(t, "files", left, tt.want)
		})
	}
}

// TestFolderLock is of two runs on one folder: the second waits for the first, and the temporary files of the first are
// not taken for leftovers.
func TestFolderLock(t *testing.T) {
	dir := t.TempDir()
	first, err := openSet(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.add("a", []byte("first")); err != nil {
		t.Fatal(err)
	}
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := lockWithin(t.Context(), d, 0); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a locked folder: error %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := openSet(stopped, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped run: error %v", err)
	}

	second := make(chan error)
	go func() { second <- writeSet(t, dir, "a=second") }()
	if err := errors.Join(first.commit(), first.close(), <-second); err != nil {
		t.Fatal(err)
	}
	equal(t, "files", read(t, dir), map[string]string{"a": "second"})
}

package generator

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A fileSet is files that are to replace those of the same names in one folder. Each is replaced whole: written beside
// its target, synced, and renamed over it (github.com/google/renameio). All are complete on disk before commit renames
// the first, so that nothing but a kill can come between two renames.
//
// A kill there leaves files of two sets, each of them whole: no portable call renames two files at once, and the folder
// holds files of the site as well, so that it cannot be switched as one. Every set is therefore renamed in an order in
// which the last file vouches for the others, and whoever looks for what is there already looks at all of them.
type fileSet struct {
	dir   *os.File
	files []stagedFile
}

type stagedFile struct{ temp, target string }

// openSet opens the folder, which is made where it is missing, and waits for its lock, which other runs hold while they
// write. It removes what a killed run has left there. The caller must close the set.
func openSet(ctx context.Context, dir string) (*fileSet, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &fileSet{dir: d}
	alone, err := lockWithin(ctx, d, lockPatience)
	if err == nil {
		err = removeLeftovers(dir, alone)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// add writes a file that commit will put in place.
func (s *fileSet) add(name string, data []byte) error {
	f := stagedFile{temp: filepath.Join(s.dir.Name(), tempPrefix+rand.Text()), target: filepath.Join(s.dir.Name(), name)}
	if info, err := os.Lstat(f.target); err == nil && info.IsDir() {
		return fmt.Errorf("%q is a folder, where a file is to be written", f.target) // a rename would fail, after others
	}
	s.files = append(s.files, f)
	if err := writeSynced(f.temp, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// commit puts the files in place, in the order in which they were added.
func (s *fileSet) commit() error {
	for len(s.files) > 0 {
		if err := os.Rename(s.files[0].temp, s.files[0].target); err != nil {
			return err
		}
		s.files = s.files[1:]
	}
	return syncFolder(s.dir)
}

// close removes what was not committed, and gives the folder's lock back.
func (s *fileSet) close() error {
	for _, f := range s.files {
		os.Remove(f.temp)
	}
	return s.dir.Close()
}

// Temporary files are those of killed runs where no other run can be writing. Where the file system cannot tell, they
// are once they are old.
const (
	tempPrefix  = ".read-finder-tmp-"
	leftoverAge = time.Hour
)

func removeLeftovers(dir string, alone bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !alone && time.Since(info.ModTime()) < leftoverAge {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A run holds the lock of a folder for seconds. It is the operating system's, which frees it when the run is killed.
const (
	lockPatience = time.Minute
	lockInterval = 20 * time.Millisecond
)

// lockWithin locks a folder until it is closed. It returns false where the file system has no locks.
func lockWithin(ctx context.Context, dir *os.File, patience time.Duration) (bool, error) {
	for deadline := time.Now().Add(patience); ; {
		busy, err := lockFolder(dir)
		if !busy {
			return err == nil, nil
		}
		if time.Now().After(deadline) {
			return false, fmt.Errorf("another run has been writing into %q for %v", dir.Name(), patience)
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(lockInterval):
		}
	}
}

func writeSynced(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

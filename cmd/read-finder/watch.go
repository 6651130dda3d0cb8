package main

import (
	"fmt"
	"hash/maphash"
	"os"
	"time"
)

// watchInterval is how often the files of a site are looked at.
const watchInterval = 300 * time.Millisecond

// A watcher tells when files, or what lies directly in folders, have changed. It looks at names, sizes and times of
// modification: that works on every file system, and needs no limit of watches raised.
type watcher struct {
	seed  maphash.Seed
	paths []string
	built uint64 // the state that was built
	last  uint64 // the state that was seen last
}

func newWatcher(paths []string) *watcher {
	w := &watcher{seed: maphash.MakeSeed(), paths: paths}
	w.built = w.state()
	w.last = w.built
	return w
}

// next returns a watcher of paths after a build that began when changed said so. A change during the build counts.
func (w *watcher) next(paths []string) *watcher {
	other := newWatcher(paths) // what the build was made of may be other paths now
	n := &watcher{seed: w.seed, paths: w.paths, built: w.last, last: w.last}
	if n.state() == w.last { // quiet since, and whatever comes now is new to the other
		return other
	}
	return n
}

// changed tells whether there is a new state that has held for one interval: an editor writes in several steps.
func (w *watcher) changed() bool {
	now := w.state()
	settled := now == w.last
	w.last = now
	return settled && now != w.built
}

func (w *watcher) state() uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	add := func(name string, info os.FileInfo, err error) {
		if err == nil && !info.IsDir() { // a folder's own time changes with what is in it, which is looked at
			fmt.Fprintf(&h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		} else {
			fmt.Fprintln(&h, name)
		}
	}
	for _, p := range w.paths {
		entries, err := os.ReadDir(p)
		if err != nil { // a file, or gone
			info, err := os.Stat(p)
			add(p, info, err)
			continue
		}
		for _, e := range entries {
			info, err := e.Info()
			add(p+"/"+e.Name(), info, err)
		}
	}
	return h.Sum64()
}

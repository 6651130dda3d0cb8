package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/generator"
)

// killedSite has two states of its content, and the bytes of the artifacts of each.
type killedSite struct {
	dir        string
	artifacts  [2]map[string]string
	run, write time.Duration // how long a run takes that nothing stops, and how long it has temporary files
}

// TestKilled kills generate with SIGKILL at random moments: anywhere in a run, while it writes, and once it has written. Every
// artifact is then that of the content before or of the content after, byte for byte, and the corpus, which is put in
// place last, is never ahead of the index. The next whole run leaves one set, and nothing of the killed ones. Where a
// busy machine makes the moments miss what is to be met, there are more of them.
func TestKilled(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	s := newKilledSite(t, r)
	before, outcomes := 1, map[string]int{}
	met := func() bool { return outcomes["left temporary files"] > 0 && outcomes["new"] > 0 }
	for n := 0; n < kills || !met() && n < 10*kills; n++ {
		after := 1 - before
		s.set(t, after)
		s.kill(t, r)
		files := s.read(t)
		if len(s.temporary(t)) > 0 {
			outcomes["left temporary files"]++
		}
		index, corpus := s.state(t, files, generator.IndexName), s.state(t, files, generator.CorpusName)
		switch {
		case index == before && corpus == before:
			outcomes["old"]++
		case index == after && corpus == after:
			outcomes["new"]++
			before = after
		case index == after:
			outcomes["between two renames"]++
			s.mend(t, after)
			before = after
		default:
			t.Fatalf("the corpus is ahead of the index: %d, %d, before %d", corpus, index, before)
		}
	}
	s.mend(t, before)
	t.Logf("kills within runs of %v, %v of it writing: %v", s.run, s.write, outcomes)
	if !met() {
		t.Error("no kill while it writes, or none after: the moments are not spread over a run")
	}
}

func newKilledSite(t *testing.T, r *rand.Rand) *killedSite {
	t.Helper()
	s := &killedSite{dir: t.TempDir()}
	write(t, filepath.Join(s.dir, "hugo.toml"), `baseURL = "https://example.org/"`)
	for i := range 100 { // artifacts of some size take some time to write
		var text strings.Builder
		for range 300 {
			fmt.Fprintf(&text, "%x ", r.Uint32())
		}
		write(t, filepath.Join(s.dir, fmt.Sprintf("content/news/%d.md", i)), text.String())
	}
	for state := range s.artifacts {
		s.set(t, state)
		start := time.Now()
		_, ended := s.start(t)
		s.waitFor(ended, func() bool { return len(s.temporary(t)) > 0 })
		writing := time.Now()
		s.waitFor(ended, func() bool { return len(s.temporary(t)) == 0 })
		s.write = time.Since(writing)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		s.run = time.Since(start)
		s.artifacts[state] = s.read(t)
	}
	return s
}

// set gives the site the content of one of its states.
func (s *killedSite) set(t *testing.T, state int) {
	t.Helper()
	write(t, filepath.Join(s.dir, "content/news/changing.md"), fmt.Sprintf("---\ntitle: State %d\n---\nWord%d.\n", state, state))
}

// start starts a run. The channel gets what it ends with.
func (s *killedSite) start(t *testing.T) (*os.Process, <-chan error) {
	t.Helper()
	cmd := exec.Command("read-finder", "generate", "-s", s.dir)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return cmd.Process, ended
}

// kill starts a run and kills it: at any moment, at any moment after its first temporary file, or when it has none any more.
func (s *killedSite) kill(t *testing.T, r *rand.Rand) {
	t.Helper()
	stale := s.temporary(t)
	process, ended := s.start(t)
	writing := func() bool {
		return slices.ContainsFunc(s.temporary(t), func(name string) bool { return !slices.Contains(stale, name) })
	}
	within := s.run
	switch r.IntN(3) {
	case 0:
		s.waitFor(ended, writing)
		within = s.write
	case 1:
		s.waitFor(ended, writing)
		s.waitFor(ended, func() bool { return !writing() })
		within = 0
	}
	time.Sleep(time.Duration(r.Float64() * float64(within)))
	_ = process.Kill() // it may have ended
	<-ended
}

// waitFor waits until done says so, or the run has ended.
func (s *killedSite) waitFor(ended <-chan error, done func() bool) {
	for len(ended) == 0 && !done() {
		time.Sleep(100 * time.Microsecond)
	}
}

// temporary returns the names of the temporary files.
func (s *killedSite) temporary(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.dir, "public", generator.Dir, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// mend runs to the end, and expects the artifacts of a state and nothing else.
func (s *killedSite) mend(t *testing.T, state int) {
	t.Helper()
	s.set(t, state)
	_, ended := s.start(t)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if files := s.read(t); !maps.Equal(files, s.artifacts[state]) || len(s.temporary(t)) > 0 {
		t.Fatalf("a whole run leaves %q and %q, not the artifacts of its content", slices.Sorted(maps.Keys(files)), s.temporary(t))
	}
}

// state returns of which state an artifact is.
func (s *killedSite) state(t *testing.T, files map[string]string, name string) int {
	t.Helper()
	for state, artifacts := range s.artifacts {
		if files[name] == artifacts[name] {
			return state
		}
	}
	t.Fatalf("%s is neither the old nor the new one: %d bytes", name, len(files[name]))
	return 0
}

// read returns the artifacts.
func (s *killedSite) read(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{generator.IndexName, generator.CorpusName} {
		data, err := os.ReadFile(filepath.Join(s.dir, "public", generator.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// write puts a file in place at once: whoever watches it never sees a part.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	if err := os.WriteFile(whole, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(whole, file); err != nil {
		t.Fatal(err)
	}
}

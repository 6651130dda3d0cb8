package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/site/corpus"
)

func TestGenerate(t *testing.T) { runScripts(t, "generate") }

// TestKilled kills generate at random moments: each artifact that is in place is whole, and the corpus never runs
// ahead of the index. The next run mends what was left.
func TestKilled(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	api := filepath.Join(dir, "public", generator.Dir)
	write(t, filepath.Join(dir, "hugo.toml"), `baseURL = "https://example.org/"`)
	page := func(i int) { write(t, filepath.Join(dir, "content/news/one.md"), "Version "+strconv.Itoa(i)) }

	page(0)
	start := time.Now()
	if out, err := exec.Command("read-finder", "generate", "-s", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(start)

	for i := range 12 {
		page(i + 1)
		cmd := exec.Command("read-finder", "generate", "-s", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Float64() * float64(whole)))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed, or done before
		c, err := corpus.ReadFile(filepath.Join(api, generator.CorpusName))
		if err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
		if _, err := os.Stat(filepath.Join(api, generator.IndexName)); err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
		t.Logf("run %d: %s", i, c.Meta().Fingerprint)
	}
	if out, err := exec.Command("read-finder", "generate", "-s", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	index, err := os.ReadFile(filepath.Join(api, generator.IndexName))
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.ReadFile(filepath.Join(api, generator.CorpusName))
	if err != nil {
		t.Fatal(err)
	}
	if string(index) != string(c.Index("identity")) {
		t.Error("index and corpus differ after a whole run")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

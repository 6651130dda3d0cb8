// Command build measures what the artifacts cost a build: it makes the example publication larger, and builds it with the
// hugo command and with read-finder build in turn.
//
//	go run ./testdata/bench/build -articles 3000 -pairs 10
//
// Both binaries are built first, hugo at the version of this module's go.mod. Each build publishes into a new folder.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	articles := flag.Int("articles", 3000, "articles of the site")
	pairs := flag.Int("pairs", 10, "how often both build")
	source := flag.String("source", "", "measure this site as it is, instead of the example publication made larger")
	binary := flag.String("read-finder", "", "binary to measure, instead of one that is built for it")
	flag.Parse()
	if err := run(*articles, *pairs, *source, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(articles, pairs int, source, binary string) error {
	dir, err := os.MkdirTemp("", "read-finder-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hugo, err := installHugo(dir)
	if err != nil {
		return err
	}
	if binary == "" {
		binary = filepath.Join(dir, "read-finder")
		if err := command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/read-finder").Run(); err != nil {
			return fmt.Errorf("build read-finder: %w", err)
		}
	}
	if source == "" {
		source = filepath.Join(dir, "site")
		if err := enlarge(source, articles); err != nil {
			return err
		}
	}
	fmt.Printf("%s, %d processors\n\n", filepath.Base(source), runtime.GOMAXPROCS(0))
	return compare(dir, hugo, binary, source, pairs)
}

// command returns a command whose output is shown where it matters: on failure.
func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// installHugo builds the hugo command that read-finder is made of into dir.
func installHugo(dir string) (string, error) {
	const module = "github.com/gohugoio/hugo"
	version, err := command("go", "list", "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("version of hugo: %w", err)
	}
	cmd := command("go", "install", "-trimpath", "-ldflags", "-s -w", module+"@"+strings.TrimSpace(string(version)))
	cmd.Env = append(cmd.Env, "GOBIN="+dir)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build hugo: %w", err)
	}
	return filepath.Join(dir, "hugo"), nil
}

// A cost is what one build took.
type cost struct{ wall, cpu time.Duration }

// compare builds the site with both in turn, and prints the costs of each pair and the medians.
func compare(dir, hugo, readFinder, source string, pairs int) error {
	var wall, cpu []float64
	public := [2]string{filepath.Join(dir, "hugo-public"), filepath.Join(dir, "read-finder-public")}
	for pair := range pairs + 1 {
		var costs [2]cost
		for i := range costs {
			second := (i + pair) % 2 // who begins gains or loses by it
			args := [][]string{{hugo}, {readFinder, "build"}}[second]
			var err error
			if costs[second], err = measure(source, public[second], args...); err != nil {
				return err
			}
		}
		if pair == 0 { // files come into the cache
			if err := sameSite(public[0], public[1]); err != nil {
				return err
			}
			fmt.Println("| pair | hugo, wall | CPU | read-finder build, wall | CPU | wall | CPU |")
			fmt.Println("|---:|---:|---:|---:|---:|---:|---:|")
			continue
		}
		w, c := ratio(costs[1].wall, costs[0].wall), ratio(costs[1].cpu, costs[0].cpu)
		wall, cpu = append(wall, w), append(cpu, c)
		fmt.Printf("| %d | %.2f s | %.2f s | %.2f s | %.2f s | %.3f | %.3f |\n", pair,
			costs[0].wall.Seconds(), costs[0].cpu.Seconds(), costs[1].wall.Seconds(), costs[1].cpu.Seconds(), w, c)
	}
	fmt.Printf("| median | | | | | %.3f | %.3f |\n", median(wall), median(cpu))
	return nil
}

// measure builds the site into an empty folder.
func measure(source, public string, args ...string) (cost, error) {
	if err := os.RemoveAll(public); err != nil {
		return cost{}, err
	}
	cmd := exec.Command(args[0], append(args[1:], "--noBuildLock", "-s", source, "-d", public)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, &out)
	}
	return cost{time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// sameSite compares what both have published: all files but the artifacts.
func sameSite(hugo, readFinder string) error {
	var published [2]map[string]string
	for i, dir := range []string{hugo, readFinder} {
		published[i] = map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if first, _, _ := strings.Cut(file, "/"); first == "api" || first == "read-finder" {
				return nil
			}
			data, err := os.ReadFile(filepath.Join(dir, file))
			published[i][file] = string(data)
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(published[0]) != len(published[1]) {
		return fmt.Errorf("hugo publishes %d files, read-finder build %d", len(published[0]), len(published[1]))
	}
	for file, data := range published[0] {
		if published[1][file] != data {
			return fmt.Errorf("read-finder build publishes another %s than hugo", file)
		}
	}
	fmt.Printf("%d files besides the artifacts, the same of both\n\n", len(published[0]))
	return nil
}

func ratio(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }

func median(list []float64) float64 {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// enlarge writes the example publication into dir, with copies of its articles until there are so many of them.
func enlarge(dir string, articles int) error {
	if err := os.CopyFS(dir, os.DirFS("testdata/publication")); err != nil {
		return err
	}
	// The publication's own pages of terms look at every article for every term, which here would be most of a build.
	const terms = `{{ define "main" }}{{ range .Pages }}{{ partial "card.html" (dict "page" .) }}{{ end }}{{ end }}`
	if err := os.WriteFile(filepath.Join(dir, "layouts", "term.html"), []byte(terms), 0o666); err != nil {
		return err
	}
	var originals []string
	for _, section := range []string{"craft", "materials", "logistics", "software"} {
		files, err := filepath.Glob(filepath.Join(dir, "content", section, "*", "*.md"))
		if err != nil {
			return err
		}
		originals = append(originals, slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "index.md") })...)
	}
	if len(originals) == 0 {
		return fmt.Errorf("no articles in testdata/publication: run this in the root of the repository")
	}
	for n := range max(articles-len(originals), 0) {
		original := originals[n%len(originals)]
		text, err := os.ReadFile(original)
		if err != nil {
			return err
		}
		file := strings.TrimSuffix(original, ".md") + "-" + strconv.Itoa(n) + ".md"
		if err := os.WriteFile(file, []byte(vary(string(text), n)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// newWords is how many words an article of a real site brings that no other has: digital.gov has 72,956 in 2,639.
const newWords = 28

// vary gives a copy new words, and takes its slug.
func vary(text string, n int) string {
	var out []string
	left := newWords
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "slug") {
			continue
		}
		prose := len(line) > 200 && !strings.ContainsAny(line, "{<`|$") && !strings.HasPrefix(line, "excerpt")
		if words := strings.Split(line, " "); prose && left > 0 {
			for i := 0; i < len(words) && left > 0; i += 5 {
				words[i] += strconv.FormatInt(int64(n*newWords+left)+46656, 36) // the same length for all
				left--
			}
			line = strings.Join(words, " ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "")
}

// Command http measures the sidecar as a process: from exec to the first right answer, resident memory, and requests
// per second with queries that all differ, by kind, beside a static handler of net/http that sends as many bytes.
//
//	go run ./testdata/bench/http -articles 20000 -seconds 3
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
)

func main() {
	articles := flag.Int("articles", 20_000, "number of articles: one of the sizes of package sitetest")
	queries := flag.Int("queries", 20_000, "number of queries, all different")
	seconds := flag.Int("seconds", 3, "length of each measurement of throughput: one for every kind of query and one for all, and as many of the static handler")
	connections := flag.Int("connections", 16, "connections that ask at once")
	starts := flag.Int("starts", 10, "processes to start for the cold start")
	static := flag.Int("static", 0, "serve so many bytes on the address that is printed, and measure nothing")
	flag.Parse()
	i := slices.IndexFunc(sitetest.Sizes, func(s sitetest.Size) bool { return s.Articles == *articles })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "http: -articles %d is not one of the sizes of package sitetest\n", *articles)
		os.Exit(2)
	}
	var err error
	if *static > 0 {
		err = serveStatic(*static)
	} else {
		err = measure(sitetest.Sizes[i], *queries, *starts, *connections, time.Duration(*seconds)*time.Second)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "http:", err)
		os.Exit(1)
	}
}

func measure(size sitetest.Size, queries, starts, connections int, length time.Duration) error {
	dir, err := os.MkdirTemp("", "read-finder-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, file := filepath.Join(dir, "read-finder-server"), filepath.Join(dir, "bench.corpus")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/read-finder-server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the server: %w\n%s", err, out)
	}
	mix, bytes, err := writeCorpus(file, size, queries)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // the client needs none of it any more
	fmt.Printf("## the sidecar, %d articles of %d to %d words, %d processors\n\ncorpus %.1f MB\n",
		size.Articles, size.MinWords, size.MaxWords, runtime.GOMAXPROCS(0), float64(bytes)/1e6)
	args := []string{"--corpus", file, "--listen", "127.0.0.1:0"}
	if err := coldStart(starts, binary, args, path(mix[0])); err != nil {
		return err
	}
	sidecar, err := run(binary, args)
	if err != nil {
		return err
	}
	defer sidecar.stop()
	rest, err := sidecar.memory("VmRSS")
	if err != nil {
		return err
	}
	if err := printTable(sidecar, mix, connections, length); err != nil {
		return err
	}
	after, err := sidecar.memory("VmRSS")
	if err != nil {
		return err
	}
	most, err := sidecar.memory("VmHWM")
	fmt.Printf("\nmemory: %.1f MB resident at rest, %.1f MB after the load, %.1f MB at most\n\n", rest, after, most)
	return err
}

// writeCorpus writes the articles to file, and returns queries about them, the first of which finds something.
func writeCorpus(file string, size sitetest.Size, queries int) (mix []sitetest.Query, bytes int64, err error) {
	const seed = 1
	w := corpus.NewWriter(corpus.Options{Language: "en", GeneratedAt: time.Unix(1e9, 0)})
	var some []site.Article
	every, n := max(1, size.Articles/2000), 0
	for a := range sitetest.Articles(seed, size) {
		if n++; n%every == 0 {
			some = append(some, *a)
		}
		if err := w.Add(a); err != nil {
			return nil, 0, err
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, 0, err
	}
	if bytes, err = w.WriteTo(out); err != nil {
		return nil, 0, err
	}
	mix = sitetest.Queries(seed, some, queries)
	found := slices.IndexFunc(mix, func(q sitetest.Query) bool { return q.Kind == sitetest.Word })
	mix[0], mix[found] = mix[found], mix[0]
	return mix, bytes, out.Close()
}

func path(q sitetest.Query) string { return "/api/search?q=" + url.QueryEscape(q.Text) }

// coldStart prints the time from exec to the first right answer: the articles that path finds.
func coldStart(starts int, binary string, args []string, path string) error {
	var times []time.Duration
	for range starts {
		begin := time.Now()
		p, err := run(binary, args)
		if err != nil {
			return err
		}
		count, err := p.count(path)
		times = append(times, time.Since(begin))
		p.stop()
		if err != nil {
			return err
		}
		if count == 0 {
			return fmt.Errorf("%s finds nothing", path)
		}
	}
	slices.Sort(times)
	fmt.Printf("exec to first right answer: median %v, longest %v of %d\n\n",
		times[len(times)/2].Round(100*time.Microsecond), times[len(times)-1].Round(100*time.Microsecond), len(times))
	return nil
}

// count returns how many articles the answer holds.
func (p *process) count(path string) (int, error) {
	res, err := http.Get("http://" + p.addr + path)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	var answer struct{ Articles []json.RawMessage }
	if err := json.Unmarshal(body, &answer); err != nil {
		return 0, fmt.Errorf("%s: %s: %w", path, res.Status, err)
	}
	return len(answer.Articles), nil
}

// printTable prints a row for each kind of query, and one for all.
func printTable(sidecar *process, mix []sitetest.Query, connections int, length time.Duration) error {
	fmt.Print("| queries | different | mean body | requests/s | static handler | ratio | p50 | p99 | p99 of the static |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range append(slices.Clone(sitetest.Kinds), "**all**") {
		var paths []string
		for _, q := range mix {
			if kind == q.Kind || kind == "**all**" {
				paths = append(paths, path(q))
			}
		}
		if len(paths) == 0 {
			continue
		}
		got, static, err := beside(sidecar, paths, connections, length)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %d | %d | %.0f | %.0f | %.2f | %v | %v | %v |\n", kind, len(paths), static.mean(),
			got.perSecond(), static.perSecond(), got.perSecond()/static.perSecond(), got.at(500), got.at(990), static.at(990))
	}
	return nil
}

// beside asks the sidecar for all paths, and then it and a static handler that sends as many bytes on average, in turn, so that
// what else the machine does hits both alike.
func beside(sidecar *process, paths []string, connections int, length time.Duration) (got, static *result, err error) {
	all, err := load(sidecar.addr, paths, 1, 0, len(paths))
	if err != nil {
		return nil, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	other, err := run(self, []string{"-static", strconv.Itoa(all.mean())})
	if err != nil {
		return nil, nil, err
	}
	defer other.stop()
	got, static = &result{}, &result{}
	const turns = 4
	for turn := range turns {
		for _, of := range []struct {
			*process
			*result
		}{{sidecar, got}, {other, static}} {
			r, err := load(of.addr, paths, connections, length/turns, turn*len(paths)/turns)
			if err != nil {
				return nil, nil, err
			}
			of.add(r)
		}
	}
	return got, static, nil
}

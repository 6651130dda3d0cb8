// Command bench measures the corpus and the engine at one size, beside a naive scan of the same text in the same run,
// and prints a table. It takes no decision: ratios and medians are for the reader to judge.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
	"github.com/read-finder/read-finder/site/sitetest"
	"github.com/read-finder/read-finder/site/text"
)

func main() {
	articles := flag.Int("articles", 20_000, "number of articles: one of the sizes of package sitetest")
	queries := flag.Int("queries", 2_000, "number of queries")
	scans := flag.Int("scans", 40, "number of queries that the naive scan answers too; 0: keep no text")
	flag.Parse()
	i := slices.IndexFunc(sitetest.Sizes, func(s sitetest.Size) bool { return s.Articles == *articles })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "bench: -articles %d is not one of the sizes of package sitetest\n", *articles)
		os.Exit(2)
	}
	if err := run(os.Stdout, sitetest.Sizes[i], *queries, *scans); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

const seed = 1

func run(out io.Writer, size sitetest.Size, queries, scans int) error {
	fmt.Fprintf(out, "## %d articles of %d to %d words, %d processors\n\n", size.Articles, size.MinWords, size.MaxWords, runtime.GOMAXPROCS(0))
	data, textBytes, err := measureWrite(out, size)
	if err != nil {
		return err
	}
	c, err := measureOpen(out, data)
	if err != nil {
		return err
	}
	printSections(out, c, textBytes)
	mix, texts := sample(size, queries, scans)
	engine := search.New(c)
	if err := checkAgainstScan(engine, mix, texts, scans); err != nil {
		return err
	}
	return measureQueries(out, engine, mix, texts, scans)
}

// measureWrite writes the corpus of articles that are made one by one, as a site that does not fit into memory would be.
func measureWrite(out io.Writer, size sitetest.Size) (data []byte, textBytes int, err error) {
	w := corpus.NewWriter(corpus.Options{Language: "en"})
	var adding time.Duration
	for a := range sitetest.Articles(seed, size) {
		textBytes += len(searchable(a))
		start := time.Now()
		if err := w.Add(a); err != nil {
			return nil, 0, err
		}
		adding += time.Since(start)
	}
	start := time.Now()
	var buf bytes.Buffer
	if _, err := w.WriteTo(&buf); err != nil {
		return nil, 0, err
	}
	total := adding + time.Since(start)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return nil, 0, err
	}
	fmt.Fprintf(out, "text %.1f MB, written in %.1f s (add %.1f s, finish %.1f s), peak memory %d MB\n",
		mb(textBytes), total.Seconds(), adding.Seconds(), time.Since(start).Seconds(), usage.Maxrss>>10)
	return buf.Bytes(), textBytes, nil
}

// searchable is the text that is searched, and that sizes are compared with.
func searchable(a *site.Article) string {
	return strings.Join([]string{a.Title, a.Excerpt, strings.Join(a.Tags, " "), a.Section, a.Author, a.Body}, " ")
}

func measureOpen(out io.Writer, data []byte) (c *corpus.Corpus, err error) {
	var times []time.Duration
	for range 5 {
		start := time.Now()
		if c, err = corpus.Open(data); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	median := times[len(times)/2]
	fmt.Fprintf(out, "opened in %v: %.2f GB/s\n\n", median.Round(time.Microsecond), float64(len(data))/1e9/median.Seconds())
	return c, nil
}

func printSections(out io.Writer, c *corpus.Corpus, textBytes int) {
	m := c.Meta()
	total := 0
	fmt.Fprintf(out, "| part | bytes | of the text |\n|---|---|---|\n")
	row := func(name string, n int) {
		fmt.Fprintf(out, "| %s | %d | %.4f |\n", name, n, float64(n)/float64(textBytes))
	}
	for _, part := range []struct{ name, sections string }{
		{"dictionary: nodes, shared", "nodes shared"}, {"dictionary: prefix array, keys", "prefixes keys"}, {"presence", "presence"},
		{"postings: title", "title"}, {"postings: labels", "labels"}, {"postings: excerpt", "excerpt"}, {"postings: body", "body"},
		{"unions", "union"},
	} {
		n := 0
		for _, s := range m.Sections {
			if slices.Contains(strings.Fields(part.sections), strings.Fields(s.Name)[0]) {
				n += int(s.Bytes)
			}
		}
		row(part.name, n)
		total += n
	}
	row("**search**", total)
	row("answers and index", int(m.Bytes)-total)
	fmt.Fprintf(out, "\n%d words, %d postings, %d unions\n\n", m.Words, m.Postings, m.Unions)
}

// sample makes the queries, and the folded texts for the scan.
func sample(size sitetest.Size, queries, scans int) ([]sitetest.Query, []string) {
	fold := text.NewFolder(false)
	var some []site.Article
	var texts []string
	every := max(1, size.Articles/2000)
	n := 0
	for a := range sitetest.Articles(seed, size) {
		if n++; n%every == 0 {
			some = append(some, *a)
		}
		if scans > 0 {
			texts = append(texts, fold.String(searchable(a)))
		}
	}
	return sitetest.Queries(seed, some, queries), texts
}

// scan answers a query by looking through all text.
func scan(texts []string, tokens []string) (count int) {
next:
	for _, t := range texts {
		for _, token := range tokens {
			if !strings.Contains(t, token) {
				continue next
			}
		}
		count++
	}
	return count
}

func checkAgainstScan(e *search.Engine, mix []sitetest.Query, texts []string, scans int) error {
	for _, q := range mix[:min(scans, len(mix))] {
		query, err := e.Parse(q.Text)
		if err != nil {
			return err
		}
		if got, want := len(e.Articles(nil, query, len(texts))), scan(texts, query.Tokens); got != want {
			return fmt.Errorf("%q: the engine finds %d articles, the scan %d", q.Text, got, want)
		}
	}
	return nil
}

const limit = 80 // the API's default

func measureQueries(out io.Writer, e *search.Engine, mix []sitetest.Query, texts []string, scans int) error {
	parsed := make([]search.Query, len(mix))
	for i, q := range mix {
		var err error
		if parsed[i], err = e.Parse(q.Text); err != nil {
			return err
		}
	}
	debug.FreeOSMemory()
	const rounds = 5
	best := make([]time.Duration, len(mix)) // the median of the rounds
	var dst []int
	times := make([][]time.Duration, len(mix))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		for i, q := range parsed {
			start := time.Now()
			dst = e.Articles(dst[:0], q, limit)
			times[i] = append(times[i], time.Since(start))
		}
	}
	runtime.ReadMemStats(&after)
	for i := range times {
		slices.Sort(times[i])
		best[i] = times[i][rounds/2]
	}
	fmt.Fprintf(out, "| queries | n | p50 | p99 | max |\n|---|---|---|---|---|\n")
	row := func(name string, kind func(sitetest.Kind) bool) (p50, p99 time.Duration) {
		var of []time.Duration
		for i, q := range mix {
			if kind(q.Kind) {
				of = append(of, best[i])
			}
		}
		slices.Sort(of)
		p50, p99 = percentile(of, 50), percentile(of, 99)
		fmt.Fprintf(out, "| %s | %d | %v | %v | %v |\n", name, len(of), p50, p99, of[len(of)-1])
		return p50, p99
	}
	for _, k := range sitetest.Kinds {
		row(string(k), func(kind sitetest.Kind) bool { return kind == k })
	}
	p50, p99 := row("**all**", func(sitetest.Kind) bool { return true })
	mean := time.Duration(0)
	for _, t := range best {
		mean += t / time.Duration(len(best))
	}
	if scans == 0 {
		fmt.Fprintf(out, "\nmean %v\n\n", mean)
		return nil
	}
	var naive []time.Duration
	for _, q := range parsed[:min(scans, len(parsed))] {
		start := time.Now()
		scan(texts, q.Tokens)
		naive = append(naive, time.Since(start))
	}
	slices.Sort(naive)
	n50, n99 := percentile(naive, 50), percentile(naive, 99)
	fmt.Fprintf(out, "| naive scan | %d | %v | %v | %v |\n", len(naive), n50, n99, naive[len(naive)-1])
	fmt.Fprintf(out, "\nmean %v; the scan takes %.0f times as long at p50, %.0f times at p99\n\n", mean, float64(n50)/float64(p50), float64(n99)/float64(p99))
	return nil
}

func percentile(sorted []time.Duration, p int) time.Duration { return sorted[(len(sorted)-1)*p/100] }

func mb(n int) float64 { return float64(n) / 1e6 }

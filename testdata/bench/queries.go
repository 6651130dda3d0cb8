package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
	"github.com/read-finder/read-finder/site/text"
)

// sample makes the queries, and the folded texts for the scan.
func sample(w work, queries, scans int) ([]sitetest.Query, []string) {
	fold := text.NewFolder(false)
	var some []site.Article
	var texts []string
	every := max(1, w.size/2000)
	n := 0
	for a := range w.articles() {
		if n++; n%every == 0 {
			some = append(some, *a)
		}
		if scans > 0 {
			texts = append(texts, fold.String(searchable(a)))
		}
	}
	return w.queries(seed, some, queries), texts
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
	times, allocated := timeQueries(e, parsed)
	fmt.Fprintf(out, "| queries | n | mean | p50 | p99 | max |\n|---|---|---|---|---|---|\n")
	for _, kind := range sitetest.Kinds {
		var of []time.Duration
		for i, q := range mix {
			if q.Kind == kind {
				of = append(of, times[i])
			}
		}
		printTimes(out, string(kind), of)
	}
	printTimes(out, "**all**", times)
	if scans > 0 {
		naive := timeScans(parsed[:min(scans, len(parsed))], texts)
		printTimes(out, "naive scan", naive)
		ratio := func(p int) float64 { return float64(percentile(naive, p)) / float64(percentile(times, p)) }
		fmt.Fprintf(out, "\nthe scan takes %.0f times as long at p50, %.0f times at p99", ratio(50), ratio(99))
	}
	_, err := fmt.Fprintf(out, "\n%d bytes allocated a query\n\n", allocated)
	return err
}

// timeQueries returns how long each query takes, the median of five rounds, and how many bytes one allocates, the least of
// them: a goroutine that moves to another processor finds an empty pool there.
func timeQueries(e *search.Engine, queries []search.Query) (medians []time.Duration, allocated uint64) {
	const rounds = 5
	times := make([][rounds]time.Duration, len(queries))
	var dst []int
	var before, after runtime.MemStats
	total := uint64(math.MaxUint64)
	for round := range rounds {
		runtime.ReadMemStats(&before)
		for i, q := range queries {
			start := time.Now()
			dst = e.Articles(dst[:0], q, limit)
			times[i][round] = time.Since(start)
		}
		runtime.ReadMemStats(&after)
		total = min(total, after.TotalAlloc-before.TotalAlloc)
	}
	for i := range times {
		slices.Sort(times[i][:])
		medians = append(medians, times[i][rounds/2])
	}
	return medians, total / uint64(len(queries))
}

func timeScans(queries []search.Query, texts []string) []time.Duration {
	var times []time.Duration
	for _, q := range queries {
		start := time.Now()
		scan(texts, q.Tokens)
		times = append(times, time.Since(start))
	}
	return times
}

// printTimes sorts the times, and prints a row if there are any.
func printTimes(out io.Writer, name string, times []time.Duration) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	fmt.Fprintf(out, "| %s | %d | %v | %v | %v | %v |\n", name, len(times),
		sum/time.Duration(len(times)), percentile(times, 50), percentile(times, 99), times[len(times)-1])
}

func percentile(sorted []time.Duration, p int) time.Duration { return sorted[(len(sorted)-1)*p/100] }

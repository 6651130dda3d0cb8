package main

import (
	"fmt"
	"io"
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
		if len(of) == 0 {
			return 0, 0
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

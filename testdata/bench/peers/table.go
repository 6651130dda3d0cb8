package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/read-finder/read-finder/site/sitetest"
)

// printTables prints what the reports say, the first being the one that exactness is judged by.
func printTables(out io.Writer, size sitetest.Size, reports []report) error {
	textBytes := reports[0].Text
	fmt.Fprintf(out, "## %d articles of %d to %d words, %.1f MB of text, %d processors\n\n",
		size.Articles, size.MinWords, size.MaxWords, mb(textBytes), runtime.GOMAXPROCS(0))
	fmt.Fprint(out, "| | index | of the text | all stored | indexed in | peak memory | exact | answered | p50 | p99 | max |\n"+
		"|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range reports {
		times := r.times(func(bool) bool { return true })
		fmt.Fprintf(out, "| %s | %.1f MB | %.2f | %.1f MB | %.1f s | %.0f MB | %d of %d | %d | %v | %v | %v |\n",
			r.Engine, mb(r.Index), float64(r.Index)/float64(textBytes), mb(r.Stored), r.Indexing.Seconds(), mb(r.Peak),
			agreeing(r, reports[0]), len(r.Found), len(times), percentile(times, 50), percentile(times, 99), percentile(times, 100))
	}
	fmt.Fprint(out, "\nexact: queries for which the set of all articles found is that of read-finder; answered: those that were timed\n\n"+
		"| | all tokens of three or more characters | p50 | p99 | a token of one or two | p50 | p99 |\n|---|---|---|---|---|---|---|\n")
	for _, r := range reports {
		long, short := r.times(func(short bool) bool { return !short }), r.times(func(short bool) bool { return short })
		_, err := fmt.Fprintf(out, "| %s | %d | %v | %v | %d | %v | %v |\n", r.Engine,
			len(long), percentile(long, 50), percentile(long, 99), len(short), percentile(short, 50), percentile(short, 99))
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// times returns the times of the answers to the queries of a kind, ascending.
func (r *report) times(kind func(short bool) bool) []time.Duration {
	var times []time.Duration
	for i, t := range r.Times {
		if kind(r.Short[i]) {
			times = append(times, t)
		}
	}
	slices.Sort(times)
	return times
}

// agreeing returns to how many queries, of those compared, a and b found the same articles.
func agreeing(a, b report) (n int) {
	for i := range min(len(a.Found), len(b.Found)) {
		if a.Found[i] == b.Found[i] {
			n++
		}
	}
	return n
}

// inexact returns an error if read-finder and the naive scan disagree.
func inexact(reports []report) error {
	found := reports[slices.IndexFunc(reports, func(r report) bool { return r.Engine == ours })]
	scanned := reports[slices.IndexFunc(reports, func(r report) bool { return r.Engine == naive })]
	both := min(len(found.Found), len(scanned.Found))
	if n := agreeing(found, scanned); n < both || both == 0 {
		return fmt.Errorf("%s and %s agree on %d of %d queries", ours, naive, n, both)
	}
	return nil
}

// percentile rounds to three digits or so: no more are repeatable.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	d := sorted[(len(sorted)-1)*p/100]
	for unit := time.Second; unit > time.Nanosecond; unit /= 10 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

func mb(n int64) float64 { return float64(n) / 1e6 }

// Command bench measures the corpus and the engine on one made-up text, beside a naive scan of the same text in the same
// run, and prints a table. It takes no decision: ratios and medians are for the reader to judge.
//
//	go run ./testdata/bench -articles 20000
//	go run ./testdata/bench -text chinese -articles 2000
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/read-finder/read-finder/server/search"
)

func main() {
	text := flag.String("text", "prose", "what the articles are made of: prose, chinese, japanese, or word (one word of 1 MB)")
	articles := flag.Int("articles", 20_000, "number of articles; of prose, one of the sizes of package sitetest")
	queries := flag.Int("queries", 2_000, "number of queries")
	scans := flag.Int("scans", 40, "number of queries that the naive scan answers too; 0: keep no text")
	flag.Parse()
	w, err := newWork(*text, *articles)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if err := run(os.Stdout, w, *queries, *scans); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, w work, queries, scans int) error {
	fmt.Fprintf(out, "## %s, %d processors\n\n", w.name, runtime.GOMAXPROCS(0))
	data, textBytes, err := measureWrite(out, w)
	if err != nil {
		return err
	}
	c, err := measureOpen(out, data)
	if err != nil {
		return err
	}
	printSections(out, c, textBytes)
	mix, texts := sample(w, queries, scans)
	engine := search.New(c)
	if err := checkAgainstScan(engine, mix, texts, scans); err != nil {
		return err
	}
	return measureQueries(out, engine, mix, texts, scans)
}

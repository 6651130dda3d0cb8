// Command peers asks the same queries about the same articles of read-finder, a naive scan, SQLite's FTS5 with its trigram
// tokenizer, and Bleve, and prints a table. It is a module of its own: the other module's dependencies stay those of the product.
//
// Every engine runs in a process of its own, one after the other, so that peak memory is its own. All are given folded
// text, all fields of an article joined into one (read-finder takes the article and folds it itself; the fold counts as
// indexing for everyone). A query asks for articles that contain every token as part of any word. Once all of
// them are fetched, to compare the sets; then, three times and timed, parsing included, the first 80:
//
//   - read-finder: by score, then the newest;
//   - the scan: a count, since any order needs all;
//   - SQLite: by rowid, the newest first. So it may stop at the 80th, and does not rank;
//   - Bleve: as its segments have them, without scores. It also counts.
//
// A slow engine answers only the first queries of the mix, as many as -budget allows.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/read-finder/read-finder/site/sitetest"
)

func main() {
	articles := flag.Int("articles", 20_000, "number of articles; their length is that of package sitetest's size, else that of a short article")
	queries := flag.Int("queries", 2_000, "number of queries")
	budget := flag.Duration("budget", 2*time.Minute, "time that an engine has to answer")
	engine := flag.String("engine", "", "measure this one alone and print JSON: what the command starts itself with")
	flag.Parse()
	size := sizeOf(*articles)
	var err error
	if *engine != "" {
		err = measureOne(os.Stdout, *engine, size, *queries, *budget)
	} else {
		err = compare(os.Stdout, size, *queries, *budget)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func sizeOf(articles int) sitetest.Size {
	if i := slices.IndexFunc(sitetest.Sizes, func(s sitetest.Size) bool { return s.Articles == articles }); i >= 0 {
		return sitetest.Sizes[i]
	}
	return sitetest.Size{Articles: articles, MinWords: 100, MaxWords: 240}
}

// compare measures every engine in a process of its own.
func compare(out io.Writer, size sitetest.Size, queries int, budget time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var reports []report
	for _, name := range engineNames() {
		cmd := exec.Command(self, "-engine", name, "-articles", strconv.Itoa(size.Articles),
			"-queries", strconv.Itoa(queries), "-budget", budget.String())
		cmd.Stderr = os.Stderr
		printed, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var r report
		if err := json.Unmarshal(printed, &r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		reports = append(reports, r)
	}
	return errors.Join(printTables(out, size, reports), inexact(reports))
}

func measureOne(out io.Writer, name string, size sitetest.Size, queries int, budget time.Duration) error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, err := measure(dir, name, size, queries, budget)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

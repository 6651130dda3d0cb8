package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"syscall"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/sitetest"
)

// An engine finds articles by their number, which counts from 0 in the order in which they are added.
type engine interface {
	add(a *site.Article) error
	finish() error // makes what was added searchable; nothing is added afterwards
	// bytes returns the size of what is searched, and of all that is stored.
	bytes() (index, stored int64, err error)
	search(dst []int, q string, limit int) ([]int, error)
	close() error
}

// The names of the engines, as the tables have them.
const (
	ours       = "read-finder"
	naive      = "naive scan"
	sqliteFull = "SQLite FTS5 trigram"
	sqliteNone = "the same, detail=none"
	bleveName  = "Bleve"
)

func engineNames() []string { return []string{ours, naive, sqliteFull, sqliteNone, bleveName} }

func newEngine(dir, name string) (engine, error) {
	switch name {
	case ours:
		return newFinder(), nil
	case naive:
		return newScan(), nil
	case sqliteFull:
		return newSQLite(dir, true)
	case sqliteNone:
		return newSQLite(dir, false)
	case bleveName:
		return newBleve(dir)
	}
	return nil, fmt.Errorf("no engine %q", name)
}

// A report is what one engine did.
type report struct {
	Engine              string
	Text, Index, Stored int64 // bytes
	Indexing            time.Duration
	Peak                int64           // resident bytes while indexing, the making of the articles included
	Found               []set           // per query, for the first ones
	Times               []time.Duration // per query, for the first ones
	Short               []bool          // per query: has a token of one or two characters
}

// A set is what an engine found for a query.
type set struct {
	Count int
	Sum   uint64 // of the numbers of all articles found, in ascending order
}

const (
	seed   = 1
	limit  = 80 // the API's default
	rounds = 3
)

func measure(dir, name string, size sitetest.Size, queries int, budget time.Duration) (r report, err error) {
	r.Engine = name
	e, err := newEngine(dir, name)
	if err != nil {
		return r, err
	}
	defer e.close()
	some, err := r.index(e, size)
	if err != nil {
		return r, err
	}
	if r.Index, r.Stored, err = e.bytes(); err != nil {
		return r, err
	}
	mix := sitetest.Queries(seed, some, queries)
	for _, q := range mix {
		r.Short = append(r.Short, slices.ContainsFunc(newTokens(q.Text), isShort))
	}
	if err := r.fetch(e, mix, size.Articles, budget/2); err != nil {
		return r, err
	}
	return r, r.time(e, mix, budget/2)
}

// index gives e the articles, and returns some of them to make queries from.
func (r *report) index(e engine, size sitetest.Size) (some []site.Article, err error) {
	every, n := max(1, size.Articles/2000), 0
	for a := range sitetest.Articles(seed, size) {
		if n++; n%every == 0 {
			some = append(some, *a)
		}
		r.Text += int64(len(joined(a)))
		start := time.Now()
		if err := e.add(a); err != nil {
			return nil, err
		}
		r.Indexing += time.Since(start)
	}
	start := time.Now()
	if err := e.finish(); err != nil {
		return nil, err
	}
	r.Indexing += time.Since(start)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return nil, err
	}
	r.Peak = usage.Maxrss << 10
	return some, nil
}

// fetch asks for everything that matches, as many queries as the budget allows.
func (r *report) fetch(e engine, mix []sitetest.Query, articles int, budget time.Duration) error {
	var found []int
	var err error
	for begin := time.Now(); len(r.Found) < len(mix) && time.Since(begin) < budget; {
		if found, err = e.search(found[:0], mix[len(r.Found)].Text, articles); err != nil {
			return err
		}
		slices.Sort(found)
		r.Found = append(r.Found, set{len(found), sum(found)})
	}
	return nil
}

// time asks for the first articles, in rounds, as many queries as the budget allows, and keeps the median of each.
func (r *report) time(e engine, mix []sitetest.Query, budget time.Duration) error {
	times := make([][rounds]time.Duration, len(mix))
	var found []int
	var err error
	for round := range rounds {
		begin := time.Now()
		for i := range times {
			start := time.Now()
			if found, err = e.search(found[:0], mix[i].Text, limit); err != nil {
				return err
			}
			times[i][round] = time.Since(start)
			if round == 0 && time.Since(begin) > budget/rounds {
				times = times[:i+1]
				break
			}
		}
	}
	for i := range times {
		slices.Sort(times[i][:])
		r.Times = append(r.Times, times[i][rounds/2])
	}
	return nil
}

func sum(articles []int) uint64 {
	h := fnv.New64a()
	for _, a := range articles {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(a)))
	}
	return h.Sum64()
}

package search_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
)

// The same table is run in the browser, against the widget's search of the article index: the two find the same
// articles in the same order.
func TestMatchingTable(t *testing.T) {
	data, err := os.ReadFile("../../testdata/matching.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Articles []site.IndexEntry
		Cases    []struct {
			Why, Q string
			Paths  []string
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) < 30 {
		t.Fatalf("the table has %d cases", len(table.Cases))
	}
	p := &site.Publication{Articles: make([]site.Article, len(table.Articles))}
	for i, e := range table.Articles {
		date, err := time.Parse(time.RFC3339, e.Date)
		if err != nil {
			t.Fatal(err)
		}
		p.Articles[i] = site.Article{Path: e.Path, Title: e.Title, Excerpt: e.Excerpt, Tags: e.Tags, Section: e.Section, Author: e.Author, Date: date}
	}
	engine := build(t, p)
	for _, c := range table.Cases {
		q, err := engine.Parse(c.Q)
		if err != nil {
			t.Errorf("%s: parse %q: %v", c.Why, c.Q, err)
			continue
		}
		paths := []string{}
		for _, i := range engine.Articles(nil, q, 100) {
			paths = append(paths, p.Articles[i].Path)
		}
		if !slices.Equal(paths, c.Paths) {
			t.Errorf("%s: %q finds %q, want %q", c.Why, c.Q, paths, c.Paths)
		}
	}
}

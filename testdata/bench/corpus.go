package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// measureWrite writes the corpus of articles that are made one by one, as a site that does not fit into memory would be.
func measureWrite(out io.Writer, w work) (data []byte, textBytes int, err error) {
	to := corpus.NewWriter(corpus.Options{Language: "en"})
	var adding time.Duration
	for a := range w.articles() {
		textBytes += len(searchable(a))
		start := time.Now()
		if err := to.Add(a); err != nil {
			return nil, 0, err
		}
		adding += time.Since(start)
	}
	start := time.Now()
	file, err := os.CreateTemp("", "bench-*.corpus")
	if err != nil {
		return nil, 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := to.WriteTo(file); err != nil {
		return nil, 0, err
	}
	finishing := time.Since(start)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return nil, 0, err
	}
	fmt.Fprintf(out, "text %.1f MB, written in %.1f s (add %.1f s, finish %.1f s), peak memory %d MB\n",
		mb(textBytes), (adding + finishing).Seconds(), adding.Seconds(), finishing.Seconds(), usage.Maxrss>>10)
	data, err = os.ReadFile(file.Name())
	return data, textBytes, err
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

// parts are the rows of the table, by the first words of the names of their sections. What is not listed gets a row of its own.
var parts = []struct{ name, sections string }{
	{"dictionary: nodes, shared", " nodes shared "}, {"dictionary: prefix array, keys", " prefixes keys "},
	{"postings", " offsets lists "}, {"unions", " union "}, {"what has no words", " runes pair segments "},
	{answersAndIndex, " language prefix result results company companies name names digests index "},
}

const answersAndIndex = "answers and index" // sent, not searched

func printSections(out io.Writer, c *corpus.Corpus, textBytes int) {
	m := c.Meta()
	row := func(name string, n int64) {
		fmt.Fprintf(out, "| %s | %d | %.4f |\n", name, n, float64(n)/float64(textBytes))
	}
	var names []string
	bytes := map[string]int64{}
	for _, p := range parts {
		names = append(names, p.name)
	}
	for _, s := range m.Sections {
		name := s.Name
		for _, p := range parts {
			if strings.Contains(p.sections, " "+strings.Fields(s.Name)[0]+" ") {
				name = p.name
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		bytes[name] += s.Bytes
	}
	fmt.Fprintf(out, "| part | bytes | of the text |\n|---|---|---|\n")
	searched := int64(0)
	for _, name := range names {
		if name != answersAndIndex {
			row(name, bytes[name])
			searched += bytes[name]
		}
	}
	row("**search**", searched)
	row(answersAndIndex, bytes[answersAndIndex])
	fmt.Fprintf(out, "\n%d words, %d postings, %d unions\n\n", m.Words, m.Postings, m.Unions)
}

func mb(n int) float64 { return float64(n) / 1e6 }

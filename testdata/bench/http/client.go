package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// A result is what some connections got.
type result struct {
	times  []time.Duration
	bytes  int
	length time.Duration
}

func (r *result) mean() int          { return r.bytes / len(r.times) }
func (r *result) perSecond() float64 { return float64(len(r.times)) / r.length.Seconds() }

func (r *result) print(name string) {
	slices.Sort(r.times)
	at := func(p int) time.Duration { return r.times[len(r.times)*p/1000].Round(time.Microsecond) }
	fmt.Printf("%-12s %.0f requests/s, p50 %v, p99 %v, p99.9 %v, mean body %d bytes\n", name, r.perSecond(), at(500), at(990), at(999), r.mean())
}

// ask asks on one connection until the end, and at least once, at as little cost as it can.
func ask(addr string, paths []string, first int, end time.Time) (*result, error) {
	r := &result{}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return r, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 64<<10)
	for i := first; ; i++ {
		begin := time.Now()
		if _, err := conn.Write([]byte("GET " + paths[i%len(paths)] + " HTTP/1.1\r\nHost: bench\r\n\r\n")); err != nil {
			return r, err
		}
		n, err := discardResponse(in)
		if err != nil {
			return r, fmt.Errorf("%s: %w", paths[i%len(paths)], err)
		}
		r.bytes += n
		r.times = append(r.times, time.Since(begin))
		if time.Now().After(end) {
			return r, nil
		}
	}
}

// discardResponse reads a 200, and returns the length of its body.
func discardResponse(in *bufio.Reader) (int, error) {
	status, err := in.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 200 ") {
		return 0, fmt.Errorf("answer %q", status)
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
		if len(line) == 2 {
			return in.Discard(length)
		}
	}
}

// writeCorpus writes a corpus of made-up articles of 500 words, and returns words to look for and its size.
func writeCorpus(file string, articles int) (words []string, size int, err error) {
	random := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("ka lo mi ter ran du ber sto ven ing pla cor us et ha ri no se gar mon fi ul")
	vocabulary := make([]string, 20_000)
	for i := range vocabulary {
		for range 2 + random.IntN(3) {
			vocabulary[i] += syllables[random.IntN(len(syllables))]
		}
	}
	zipf := rand.NewZipf(random, 1.1, 8, uint64(len(vocabulary)-1))
	text := func(n int) string {
		some := make([]string, n)
		for i := range some {
			some[i] = vocabulary[zipf.Uint64()]
		}
		return strings.Join(some, " ")
	}
	w := corpus.NewWriter(corpus.Options{Language: "en", GeneratedAt: time.Unix(1e9, 0)})
	for i := range articles {
		path := fmt.Sprintf("/news/today/%07d", i)
		err := w.Add(&site.Article{Path: path, URL: "https://example.org" + path + "/", Title: "Article " + text(5), Excerpt: text(25),
			Section: "news", Author: text(2), Date: time.Unix(int64(1e9-i), 0), Body: text(500)})
		if err != nil {
			return nil, 0, err
		}
	}
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		return nil, 0, err
	}
	for range 2000 {
		words = append(words, vocabulary[random.IntN(len(vocabulary))])
	}
	return words, out.Len(), os.WriteFile(file, out.Bytes(), 0o644)
}

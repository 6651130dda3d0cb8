package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Clients ask without a pause, half of them for gzip, and check that every answer is whole and of the generation that its tag
// names.
type clients struct {
	addr string

	running sync.WaitGroup
	done    chan struct{}
	number  atomic.Int64

	mu   sync.Mutex
	seen map[int]int // answers by generation
	errs []error
}

func startClients(addr string, n int) *clients {
	c := &clients{addr: addr, done: make(chan struct{}), seen: make(map[int]int)}
	for i := range n {
		c.running.Go(func() { c.run(i%2 == 0) })
	}
	return c
}

func (c *clients) run(plain bool) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableCompression: plain}}
	defer client.CloseIdleConnections()
	for {
		select {
		case <-c.done:
			return
		default:
		}
		n := c.number.Add(1)
		// Every other target is one that no cache has.
		target := []string{
			"/api/search?q=generation&limit=100", fmt.Sprintf("/api/search?q=generation&limit=100&n=%d", n),
			"/api/read-finder-index.json", fmt.Sprintf("/api/search?q=article+%03d&n=%d", n%100+1, n),
		}[n%4]
		generation, err := c.ask(client, target)
		c.mu.Lock()
		switch {
		case err != nil && len(c.errs) < 10:
			c.errs = append(c.errs, fmt.Errorf("%s: %w", target, err))
		case generation > 0:
			c.seen[generation]++
		}
		c.mu.Unlock()
	}
}

// ask returns the generation that answers.
func (c *clients) ask(client *http.Client, target string) (int, error) {
	res, err := client.Get("http://" + c.addr + target)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if res.StatusCode != http.StatusOK {
		return 0, errors.New(res.Status)
	}
	tag := strings.TrimPrefix(strings.TrimPrefix(res.Header.Get("ETag"), "W/"), `"`)
	for n := 1; n <= 2; n++ {
		word := fmt.Appendf(nil, "Generation %d,", n)
		if strings.HasPrefix(tag, shared.fingerprints[fmt.Sprintf("generation%d.corpus", n)]) {
			if bytes.Count(body, word) == 0 || bytes.Count(body, word) != bytes.Count(body, []byte("Generation ")) {
				return 0, fmt.Errorf("tag %s does not match the body", tag)
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("tag %q is of no generation", tag)
}

// stop ends the clients, and fails the test for any error, or unless they have seen so many generations.
func (c *clients) stop(t *testing.T, generations int) {
	t.Helper()
	close(c.done)
	c.running.Wait()
	for _, err := range c.errs {
		t.Error(err)
	}
	if len(c.seen) != generations {
		t.Errorf("answers by generation: %v, want %d generations", c.seen, generations)
	}
	t.Logf("answers by generation: %v", c.seen)
}

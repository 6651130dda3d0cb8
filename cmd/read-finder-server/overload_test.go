package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
)

// maxOverload is how many connections the overloaded server serves. What it accepts waits for no more than that many others,
// and for those that it has let in to tell them that there are too many.
const (
	maxOverload     = 16
	overloadReserve = maxOverload/8 + 16
)

// laborious returns a publication whose search answers with some 100 kB, which take milliseconds to compress: what is measured
// is the server's work, not that of the clients, nor of the kernel.
func laborious() *site.Publication {
	random := rand.New(rand.NewPCG(1, 2))
	p := manyArticles(200)
	for i := range p.Articles {
		for range 200 {
			p.Articles[i].Excerpt += fmt.Sprintf("%x ", random.Uint32()>>(random.IntN(3)*8))
		}
	}
	return p
}

// TestOverload measures how many requests a second a server can answer, then sends twice as many, each at its own time
// whatever became of those before. What is accepted is answered in a time that the limit on connections sets, and the rest
// is told 503. Bounds are multiples of what an answer takes in the same run: the test holds on any machine, however busy.
func TestOverload(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // the clients, whose work for a refusal is as much as the server's, need the other processors
	shared.need(t, "laborious", laborious)
	p := start(t, "--corpus", "laborious.corpus", "--max-connections", fmt.Sprint(maxOverload))
	within := newCrowd(p.addrs[0])
	length := loadSeconds * time.Second / 3
	within.askInTurn(1, length)
	alone := percentile(within.accepted, 50)
	within = newCrowd(p.addrs[0])
	within.askInTurn(maxOverload/2, length)
	capacity := float64(len(within.accepted)) / length.Seconds()
	within.check(t)
	if within.refused > 0 {
		t.Errorf("%d refused within the limits", within.refused)
	}

	over := newCrowd(p.addrs[0])
	over.askAtRate(2*capacity, length)
	over.check(t)
	most := 8 * (maxOverload + overloadReserve) * alone
	p99 := percentile(over.accepted, 99)
	t.Logf("capacity %.0f requests/s, alone p50 %v, at capacity p99 %v; at twice that %d accepted with p99 %v (bound %v), %d refused",
		capacity, alone, percentile(within.accepted, 99), len(over.accepted), p99, most, over.refused)
	if over.refused == 0 {
		t.Error("nothing was refused")
	}
	if p99 > most {
		t.Errorf("p99 of what was accepted is %v, want at most %v", p99, most)
	}
}

// A crowd is many clients that ask for one large answer, and what became of their requests.
type crowd struct {
	addr string
	idle chan net.Conn

	mu       sync.Mutex
	accepted []time.Duration
	refused  int
	errs     []error
}

func newCrowd(addr string) *crowd { return &crowd{addr: addr, idle: make(chan net.Conn, maxOverload)} }

// askInTurn asks on n connections, each time as soon as the answer is there.
func (c *crowd) askInTurn(n int, length time.Duration) {
	end := time.Now().Add(length)
	var asking sync.WaitGroup
	for range n {
		asking.Go(func() {
			for now := time.Now(); now.Before(end); now = time.Now() {
				c.ask(now)
			}
		})
	}
	asking.Wait()
	c.close()
}

// askAtRate asks so often a second, and waits for no answer before it asks again. Times count from when a request was due.
func (c *crowd) askAtRate(rate float64, length time.Duration) {
	begin := time.Now()
	var asking sync.WaitGroup
	for i := range int(rate * length.Seconds()) {
		due := begin.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		time.Sleep(time.Until(due))
		asking.Go(func() { c.ask(due) })
	}
	asking.Wait()
	c.close()
}

// ask asks once, on a connection that is idle or on a new one.
func (c *crowd) ask(due time.Time) {
	status, err := c.exchange()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.errs = append(c.errs, err)
	case status == http.StatusOK:
		c.accepted = append(c.accepted, time.Since(due))
	default:
		c.refused++
	}
}

func (c *crowd) exchange() (status int, err error) {
	var conn net.Conn
	select {
	case conn = <-c.idle:
	default:
		if conn, err = net.Dial("tcp", c.addr); err != nil {
			return 0, err
		}
	}
	if _, err := io.WriteString(conn, "GET /api/search?q=article&limit=200 HTTP/1.1\r\nHost: crowd\r\nAccept-Encoding: gzip\r\n\r\n"); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, res.Body)
	switch {
	case err != nil:
		return 0, err
	case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "":
		return 0, fmt.Errorf("%s without Retry-After", res.Status)
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusServiceUnavailable, n == 0:
		return 0, fmt.Errorf("%s with %d bytes", res.Status, n)
	}
	if res.Close {
		return res.StatusCode, conn.Close()
	}
	select {
	case c.idle <- conn:
		return res.StatusCode, nil
	default:
		return res.StatusCode, conn.Close()
	}
}

// close closes the connections that are idle.
func (c *crowd) close() {
	close(c.idle)
	for conn := range c.idle {
		conn.Close()
	}
}

// check fails the test for any request that was neither answered nor refused.
func (c *crowd) check(t *testing.T) {
	t.Helper()
	for _, err := range c.errs[:min(len(c.errs), 10)] {
		t.Error(err)
	}
	if len(c.accepted) == 0 {
		t.Fatalf("nothing was accepted, %d failed", len(c.errs))
	}
}

func percentile(times []time.Duration, p int) time.Duration {
	slices.Sort(times)
	return times[len(times)*p/100]
}

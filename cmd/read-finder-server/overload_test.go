package main

import (
	"bufio"
	"cmp"
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
// whatever became of those before. What is accepted waits for no more answers to others than the limit on connections sets,
// and the rest is told 503. Answers are the clock: it stands still when the machine does, so the test holds on any, however busy.
func TestOverload(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // the clients, whose work for a refusal is as much as the server's, need the other processors
	shared.need(t, "laborious", laborious)
	p := start(t, "--corpus", "laborious.corpus", "--max-connections", fmt.Sprint(maxOverload))
	within := newCrowd(p.addrs[0])
	length := loadSeconds * time.Second / 3
	within.askInTurn(1, length)
	within.check(t)
	alone := percentile(within.accepted, 50)
	within = newCrowd(p.addrs[0])
	begin := time.Now()
	within.askInTurn(maxOverload/2, length)
	capacity := float64(len(within.accepted)) / time.Since(begin).Seconds()
	within.check(t)
	if within.refused > 0 {
		t.Errorf("%d refused within the limits", within.refused)
	}

	over, rate := newCrowd(p.addrs[0]), 2*capacity
	over.askAtRate(rate, length)
	for over.refused == 0 && rate < 64*capacity { // other work on this machine has ended, and the server is faster than it was
		rate *= 2
		over = newCrowd(p.addrs[0])
		over.askAtRate(rate, length)
	}
	over.check(t)
	const most = 8 * (maxOverload + overloadReserve)
	waited := percentile(over.waited, 99)
	t.Logf("capacity %.0f requests/s, alone p50 %v, at capacity p99 %v; at %.0f times that %d accepted with p99 %v, or %d answers (bound %d), %d refused",
		capacity, alone, percentile(within.accepted, 99), rate/capacity, len(over.accepted), percentile(over.accepted, 99), waited, most, over.refused)
	if over.refused == 0 {
		t.Error("nothing was refused")
	}
	if waited > most {
		t.Errorf("1 %% of what was accepted waited for more than %d other answers, want at most %d", waited, most)
	}
}

// A crowd is many clients that ask for one large answer, and what became of their requests.
type crowd struct {
	addr string
	idle chan net.Conn

	mu       sync.Mutex
	accepted []time.Duration
	waited   []int // for how many answers to others, each that was accepted
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
			c.ask(time.Now())
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
	c.mu.Lock()
	before := len(c.accepted)
	c.mu.Unlock()
	status, err := c.exchange()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.errs = append(c.errs, err)
	case status == http.StatusOK:
		c.waited = append(c.waited, len(c.accepted)-before)
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

func percentile[T cmp.Ordered](values []T, p int) T {
	slices.Sort(values)
	return values[len(values)*p/100]
}

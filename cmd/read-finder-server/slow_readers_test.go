package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/read-finder/read-finder/site"
)

// bulky returns a publication whose index is larger than what the kernel takes of an answer, and whose bodies, all of words
// of their own, make the corpus several times that.
func bulky() *site.Publication {
	random := rand.New(rand.NewPCG(1, 2))
	p := manyArticles(40)
	for i := range p.Articles {
		var body strings.Builder
		for range 2000 {
			fmt.Fprintf(&body, "%x ", random.Uint64())
		}
		p.Articles[i].Body, p.Articles[i].Excerpt = body.String(), strings.Repeat("A slow reader takes its time. ", 3000)
	}
	return p
}

// TestReloadsWithSlowReaders loads a corpus again and again while there are always as many readers who have asked for the
// index and do not read it, each from another load. Of the corpora before, their indexes are all that may stay in memory.
func TestReloadsWithSlowReaders(t *testing.T) {
	const readers = 16
	shared.need(t, "bulky", bulky)
	p := start(t, "--corpus", "bulky.corpus", "--watch-interval", "1h")
	slow := make([]net.Conn, readers)
	most := 0
	for i := range loadReloads {
		if old := slow[i%readers]; old != nil {
			old.Close()
		}
		slow[i%readers] = slowReader(t, p)
		p.signal(syscall.SIGHUP)
		eventually(t, "another load", func() bool { return metric(t, p, "read_finder_corpus_loads_total") == i+2 })
		most = max(most, residentBytes(t, p))
	}
	index, whole := len(shared.indexes["bulky.corpus"]), metric(t, p, "read_finder_corpus_size_bytes")
	t.Logf("%d reloads of %d bytes, %d of them index, with %d slow readers: at most %d KiB resident", loadReloads, whole, index, readers, most>>10)
	// The rest is the corpus that is served, the one that is being loaded, those not collected yet, and the process itself.
	if bound := readers*index + 6*whole; most > bound || bound > readers*whole {
		t.Errorf("%d bytes are resident, want at most %d, and that to be below all %d corpora", most, bound, readers)
	}
}

// slowReader asks for the index, and waits for the first byte of the answer.
func slowReader(t *testing.T, p *process) net.Conn {
	t.Helper()
	narrow := func(_, _ string, c syscall.RawConn) (err error) {
		if failed := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) }); failed != nil {
			return failed
		}
		return err
	}
	conn, err := (&net.Dialer{Control: narrow}).Dial("tcp", p.addrs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprint(conn, "GET /api/read-finder-index.json HTTP/1.1\r\nHost: slow\r\n\r\n")
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// metric returns the whole number that the only metric of a name has.
func metric(t *testing.T, p *process, name string) int {
	t.Helper()
	page := send(t, p.addrs[0], nil, []string{"GET /metrics"}).body
	m := regexp.MustCompile(`(?m)^` + name + `(?:\{[^}]*\})? (\S+)$`).FindSubmatch(page)
	if m == nil {
		t.Fatalf("no %s in\n%s", name, page)
	}
	value, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(value)
}

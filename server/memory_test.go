package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// TestOldCorpusIsReleased checks that nothing keeps a corpus, the pools of its engine included, once another is loaded.
func TestOldCorpusIsReleased(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	data, _ := encoded(t, "", 30)
	writeFile(t, path, data)
	h := newShelf(t, path)
	h.look(1)
	old := weak.Make(h.loader.corpora[0])
	next, nextTag := encoded(t, "", 40)
	writeFile(t, path, next)
	get(h.server, "/api/search?q=generation+article")
	get(h.server, "/api/companies/search?q=acme")
	h.look(2)
	h.serves(nextTag, 0)
	if old.Value() != nil {
		t.Error("the corpus before is still in memory")
	}
}

// wordy writes a corpus whose bodies, all of words of their own, are many times its index.
func wordy(t *testing.T, generation int) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(generation), 1))
	w := corpus.NewWriter(corpus.Options{Language: "en", GeneratedAt: time.Unix(1e9, 0)})
	for i := range 40 {
		var body strings.Builder
		for range 1000 {
			fmt.Fprintf(&body, "%x ", random.Uint64())
		}
		path := fmt.Sprintf("/news/today/%04d", i)
		err := w.Add(&site.Article{Path: path, URL: "https://example.org" + path + "/", Title: fmt.Sprint(generation), Section: "news",
			Excerpt: strings.Repeat("A slow reader takes its time. ", 400), Date: time.Unix(int64(1e9-i), 0), Body: body.String()})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A narrowListener gives its connections next to no room in the kernel: what a client does not read, the server holds.
type narrowListener struct{ net.Listener }

func (l narrowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return c, c.(*net.TCPConn).SetWriteBuffer(32 << 10)
}

// TestSlowReadersHoldTheIndexAlone begins an answer of the index from each of many corpora, and reads none to its end: of an
// old corpus, that index must be all that stays in memory. The answers are then whole, and of their own corpus.
func TestSlowReadersHoldTheIndexAlone(t *testing.T) {
	const generations = 12
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	h := newShelf(t, path)
	h.loader.feeds[0].source.(*fileSource).limit = 1 << 30
	server := httptest.NewUnstartedServer(h.server)
	server.Listener = h.server.Listener(narrowListener{server.Listener})
	server.Start()
	defer server.Close()

	var before runtime.MemStats
	var readers []*bufio.Reader
	corpora := [][]byte{wordy(t, 0), wordy(t, 1)}
	whole, index := len(corpora[0]), 0
	for n := range generations + 1 {
		writeFile(t, path, corpora[n%2])
		h.look(2)
		if n == generations {
			break
		}
		if n == 0 {
			runtime.ReadMemStats(&before)
			index = len(h.loader.corpora[0].Index(identity))
		}
		readers = append(readers, slowReader(t, server.Listener.Addr().String()))
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	grown, most := int(after.HeapAlloc)-int(before.HeapAlloc), generations*index*3/2+whole/2
	if most > generations*whole/2 {
		t.Fatalf("the index, %d of %d bytes, is too large a part of the corpus to tell", index, whole)
	}
	if grown > most {
		t.Errorf("%d slow readers of an index of %d bytes hold %d bytes, want at most %d; a corpus has %d", generations, index, grown, most, whole)
	}
	for n, r := range readers {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if title := fmt.Appendf(nil, `"title":"%d"`, n%2); err != nil || len(body) < index || bytes.Count(body, title) != 40 {
			t.Errorf("generation %d: %d bytes, %v", n, len(body), err)
		}
	}
}

// slowReader asks for the index, and waits for no more than the beginning of the answer.
func slowReader(t *testing.T, addr string) *bufio.Reader {
	t.Helper()
	conn := dial(t, addr)
	if err := conn.(*net.TCPConn).SetReadBuffer(32 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET /api/read-finder-index.json HTTP/1.1\r\nHost: slow\r\n\r\n")
	r := bufio.NewReaderSize(conn, 16)
	if _, err := r.Peek(1); err != nil {
		t.Fatal(err)
	}
	return r
}

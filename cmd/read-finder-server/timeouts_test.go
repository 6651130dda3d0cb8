package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestTimeouts checks that a client which keeps the server waiting is let go, each by the limit that is for it: all others are
// so long that the test would not see their end.
func TestTimeouts(t *testing.T) {
	search := "GET /api/search?q=suffix HTTP/1.1\r\nHost: test\r\n\r\n"
	for flag, c := range map[string]struct{ says, gets string }{
		"--read-header-timeout": {search[:len(search)-4], ""},
		"--read-timeout":        {"POST /api/search HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n", "405"},
		"--idle-timeout":        {search, "200"},
	} {
		t.Run(flag[2:], func(t *testing.T) {
			limits := map[string]string{"--read-header-timeout": "1h", "--read-timeout": "1h", "--write-timeout": "1h", "--idle-timeout": "1h"}
			limits[flag] = "50ms"
			args := []string{"--corpus", "en.corpus"}
			for name, value := range limits {
				args = append(args, name, value)
			}
			conn := dialed(t, start(t, args...))
			if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, c.says); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(conn)
			if err != nil || c.gets != "" && !strings.HasPrefix(string(got), "HTTP/1.1 "+c.gets) || c.gets == "" && len(got) > 0 {
				t.Errorf("%q, %v, want %q and the end", got, err, c.gets)
			}
		})
	}
}

// TestWriteTimeout checks that a client which does not read its answer does not keep its connection. The limit leaves a busy
// machine the time to begin that answer, and to give all of the metrics.
func TestWriteTimeout(t *testing.T) {
	shared.need(t, "large", largeIndex)
	p := start(t, "--corpus", "large.corpus", "--write-timeout", "5s")
	conn := slowReader(t, p)
	eventually(t, "the slow reader is let go", func() bool { return metric(t, p, "read_finder_connections") == 1 })
	if got, err := io.Copy(io.Discard, conn); err == nil && int(got) > len(shared.indexes["large.corpus"]) {
		t.Errorf("the slow reader still got all %d bytes", got)
	}
}

// TestHeaderLimit checks that a header is read no further than is allowed, and 4 kB that net/http adds.
func TestHeaderLimit(t *testing.T) {
	p := start(t, "--corpus", "en.corpus", "--max-header-bytes", "1000")
	for size, want := range map[int]string{900: "200", 10_000: "431"} {
		conn := dialed(t, p)
		fmt.Fprintf(conn, "GET /api/search?q=suffix HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Long: %s\r\n\r\n", strings.Repeat("x", size))
		if got, _ := io.ReadAll(conn); !strings.HasPrefix(string(got), "HTTP/1.1 "+want) { // a reset after the answer is no fault
			t.Errorf("a header of %d bytes: %.100q, want %s", size, got, want)
		}
	}
}

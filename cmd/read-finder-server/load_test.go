package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// residentBytes returns the resident memory of a process.
func residentBytes(t *testing.T, p *process) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	kb, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// TestReloads replaces the corpus again and again under load: no request fails, and memory stays where it was.
func TestReloads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	copyCorpus(t, "generation1.corpus", path)
	p := start(t, "--corpus", path, "--watch-interval", "5ms")
	c := startClients(p.addrs[0], 4)
	early := 0
	for i := range loadReloads {
		name := fmt.Sprintf("generation%d.corpus", (i+1)%2+1)
		copyCorpus(t, name, path)
		eventually(t, "reload of "+name, serves(t, p, name))
		if i == loadReloads/10 {
			early = residentBytes(t, p)
		}
	}
	late := residentBytes(t, p)
	c.stop(t, 2)
	t.Logf("%d reloads, resident memory %d KiB after a tenth of them, %d KiB after all", loadReloads, early>>10, late>>10)
	if late > 2*early {
		t.Errorf("resident memory grew from %d to %d bytes", early, late)
	}
	if n := strings.Count(p.logged(), "level=ERROR"); n > 0 {
		t.Errorf("%d errors logged:\n%s", n, p.logged())
	}
}

// TestDamagedCorpora replaces the corpus by damaged ones under load.
func TestDamagedCorpora(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	copyCorpus(t, "generation1.corpus", path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(data)
	flipped[len(flipped)/2] ^= 16
	p := start(t, "--corpus", path, "--watch-interval", "5ms")
	c := startClients(p.addrs[0], 2)
	for i, bad := range [][]byte{data[:len(data)/2], flipped, {}, []byte("something else"), append(slices.Clone(data), data...)} {
		p.signal(syscall.SIGSTOP)                              // lest it looks at what is written by half, and tells of that too
		if err := os.WriteFile(path, bad, 0o644); err != nil { // in place
			t.Fatal(err)
		}
		p.signal(syscall.SIGCONT)
		eventually(t, "a refusal", func() bool { return strings.Count(p.logged(), `msg="corpus refused"`) > i })
	}
	c.stop(t, 1)
	if n := strings.Count(p.logged(), "level=ERROR"); n != 5 {
		t.Errorf("%d errors logged, want one for each damage:\n%s", n, p.logged())
	}
}

// TestSlowClients holds connections that say nothing, or one byte a second, while others are served.
func TestSlowClients(t *testing.T) {
	p := start(t, "--corpus", "generation1.corpus")
	for range loadIdle {
		dialed(t, p)
	}
	var dripping sync.WaitGroup
	done := make(chan struct{})
	for range loadDripping {
		conn := dialed(t, p)
		dripping.Go(func() {
			for _, b := range []byte("GET /api/search?q=article HTTP/1.1\r\nHost: slow\r\nX-Slow: " + strings.Repeat("x", 100)) {
				if _, err := conn.Write([]byte{b}); err != nil {
					return // cut off, as it must be
				}
				select {
				case <-done:
					return
				case <-time.After(time.Second):
				}
			}
		})
	}
	c := startClients(p.addrs[0], 4)
	time.Sleep(loadSeconds * time.Second)
	c.stop(t, 1)
	t.Logf("%d idle and %d dripping connections, resident memory %d KiB", loadIdle, loadDripping, residentBytes(t, p)>>10)
	close(done)
	dripping.Wait()
}

func dialed(t *testing.T, p *process) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.addrs[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

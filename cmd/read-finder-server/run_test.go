package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// copyCorpus copies a corpus of the workshop, by a rename.
func copyCorpus(t *testing.T, name, to string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to+".new", data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(to+".new", to); err != nil {
		t.Fatal(err)
	}
}

// eventually asks until the answer is what is wanted, for a minute at most.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func serves(t *testing.T, p *process, corpus string) func() bool {
	return func() bool {
		res := send(t, p.addrs[0], nil, []string{"GET /api/read-finder-index.json"})
		return res.Header.Get("ETag") == `"`+shared.fingerprints[corpus]+`"`
	}
}

// TestStartWithoutCorpus runs a process from nothing to a first corpus to a second one.
func TestStartWithoutCorpus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	p := start(t, "--corpus", path, "--watch-interval", "20ms")
	for _, target := range []string{"/readyz", "/api/search?q=x", "/fr/api/search", "/api/openapi.json"} {
		res := send(t, p.addrs[0], nil, []string{"GET " + target})
		if res.StatusCode != 503 || res.Header.Get("Retry-After") != "5" {
			t.Errorf("%s: %d, Retry-After %q", target, res.StatusCode, res.Header.Get("Retry-After"))
		}
		checkAlways(t, res)
		checkDescribed(t, "GET", target, res)
	}
	if res := send(t, p.addrs[0], nil, []string{"GET /healthz"}); res.StatusCode != 200 {
		t.Errorf("/healthz: %d", res.StatusCode)
	}
	copyCorpus(t, "en.corpus", path)
	eventually(t, "the first corpus", serves(t, p, "en.corpus"))
	copyCorpus(t, "many.corpus", path)
	eventually(t, "the second corpus", serves(t, p, "many.corpus"))
	if code := p.terminate(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestHangup checks that SIGHUP loads at once what would be looked at in an hour.
func TestHangup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	copyCorpus(t, "en.corpus", path)
	p := start(t, "--corpus", path, "--watch-interval", "1h")
	copyCorpus(t, "many.corpus", path)
	if !serves(t, p, "en.corpus")() {
		t.Error("the new corpus is served before it was looked at")
	}
	p.signal(syscall.SIGHUP)
	eventually(t, "the new corpus", serves(t, p, "many.corpus"))
}

// TestCorpusURL serves a corpus from a web server that is away at first.
func TestCorpusURL(t *testing.T) {
	addr := freeAddress(t)
	p := start(t, "--corpus", "http://"+addr+"/en.corpus?signature=secret", "--poll-interval", "20ms")
	if res := send(t, p.addrs[0], nil, []string{"GET /readyz"}); res.StatusCode != 503 {
		t.Errorf("/readyz: %d", res.StatusCode)
	}
	bucket := &http.Server{Handler: http.FileServer(http.Dir(shared.dir))}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	go bucket.Serve(l)
	defer bucket.Close()
	eventually(t, "the corpus", serves(t, p, "en.corpus"))
	if strings.Contains(p.logged(), "secret") {
		t.Errorf("log:\n%s", p.logged())
	}
}

// TestInheritedSockets passes two sockets, as systemd does to a unit with two of them.
func TestInheritedSockets(t *testing.T) {
	var files []*os.File
	var addrs []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addrs = append(addrs, l.Addr().String())
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		files = append(files, f)
	}
	// The process must have the identity that is in LISTEN_PID: a shell takes it before it becomes the server.
	cmd := exec.Command("sh", "-c", `LISTEN_PID=$$ exec "$0" "$@"`, shared.binary(), "--corpus", "en.corpus", "--listen", "127.0.0.1:1")
	cmd.Dir, cmd.ExtraFiles = shared.dir, files
	cmd.Env = append(os.Environ(), "LISTEN_FDS=2", "LISTEN_FDNAMES=admin:api")
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, log.String())
		}
	}()
	for _, f := range files {
		f.Close()
	}
	// No wait: the sockets are there before the process is, and the first requests wait in them.
	if res := send(t, addrs[1], nil, []string{"GET /api/search?q=suffix"}); res.StatusCode != 200 {
		t.Errorf("the API: %d", res.StatusCode)
	}
	if res := send(t, addrs[0], nil, []string{"GET /readyz"}); res.StatusCode != 200 {
		t.Errorf("the admin pages: %d", res.StatusCode)
	}
	if res := send(t, addrs[1], nil, []string{"GET /readyz"}); res.StatusCode != 404 {
		t.Errorf("an admin page on the public port: %d", res.StatusCode)
	}
}

func TestInheritedSocketsOfAnother(t *testing.T) {
	env := map[string]string{"LISTEN_PID": "1", "LISTEN_FDS": "1"}
	lookup := func(name string) (string, bool) { value, ok := env[name]; return value, ok }
	if api, admin, err := inherited(lookup); api != nil || admin != nil || err != nil {
		t.Errorf("sockets for another process: %v, %v, %v", api, admin, err)
	}
	env["LISTEN_PID"] = fmt.Sprint(os.Getpid())
	for _, n := range []string{"", "0", "3", "many"} {
		env["LISTEN_FDS"] = n
		if _, _, err := inherited(lookup); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", n)) {
			t.Errorf("LISTEN_FDS=%s: error %v", n, err)
		}
	}
}

// TestCheck runs the health check as an image does.
func TestCheck(t *testing.T) {
	p := start(t, "--corpus", "en.corpus")
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	for url, want := range map[string]int{
		"http://" + p.addrs[0] + "/readyz":  0,
		"http://" + p.addrs[0] + "/nothing": 1,
		away.URL + "/readyz":                1,
		p.addrs[0]:                          2,
	} {
		cmd := exec.Command(shared.binary(), "--check", url)
		out, _ := cmd.CombinedOutput() // the exit code is checked
		if got := cmd.ProcessState.ExitCode(); got != want || (len(out) > 0) != (want > 0) {
			t.Errorf("--check %s: exit code %d, want %d:\n%s", url, got, want, out)
		}
	}
}

// TestLogs checks that each line of a log in JSON is JSON, and that requests are in it only when asked for.
func TestLogs(t *testing.T) {
	for requests, args := range [][]string{nil, {"--access-log"}} {
		p := start(t, append(args, "--corpus", "en.corpus", "--log-format", "json")...)
		send(t, p.addrs[0], nil, []string{"GET /api/search?q=secretive"})
		p.terminate()
		logged := 0
		for line := range strings.Lines(p.logged()) {
			var entry struct{ Time, Level, Msg string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" || entry.Level == "" {
				t.Errorf("%q: %+v, %v", line, entry, err)
			}
			if entry.Msg == "request" {
				logged++
			}
		}
		if logged != requests || strings.Contains(p.logged(), "secretive") {
			t.Errorf("%q: %d requests logged, want %d, without the query:\n%s", args, logged, requests, p.logged())
		}
	}
}

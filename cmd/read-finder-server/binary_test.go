package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

const scripts = "../../testdata/http"

// A workshop is the folder that the tests share: the binary as it is released, and the corpora of the scripts.
type workshop struct {
	dir          string
	fingerprints map[string]string // by file name
	indexes      map[string][]byte
	addresses    atomic.Uint32 // given by freeAddress
}

func (w *workshop) binary() string { return filepath.Join(w.dir, "read-finder-server") }

var shared workshop

func TestMain(m *testing.M) {
	code, err := runTests(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runTests(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "read-finder-server-test")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	shared.dir, shared.fingerprints, shared.indexes = dir, map[string]string{}, map[string][]byte{}
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version=v0.0.0-test", "-o", shared.binary(), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the server: %w\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(scripts, "*.json"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no publications in %s: %w", scripts, err)
	}
	for _, file := range files {
		p, err := readPublication(file)
		if err != nil {
			return 0, err
		}
		if err := shared.write(strings.TrimSuffix(filepath.Base(file), ".json"), p); err != nil {
			return 0, err
		}
	}
	if err := shared.write("many", manyArticles(600)); err != nil {
		return 0, err
	}
	for n := 1; n <= 2; n++ {
		if err := shared.write(fmt.Sprintf("generation%d", n), generation(n)); err != nil {
			return 0, err
		}
	}
	return m.Run(), nil
}

func readPublication(file string) (*site.Publication, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p site.Publication
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &p, nil
}

// generation returns 100 articles whose titles, and so all answers, name the generation.
func generation(n int) *site.Publication {
	p := manyArticles(100)
	for i := range p.Articles {
		p.Articles[i].Title = fmt.Sprintf("Generation %d, %s", n, p.Articles[i].Title)
	}
	return p
}

// manyArticles returns n articles, each of which names a company of its own.
func manyArticles(n int) *site.Publication {
	p := &site.Publication{Language: "en"}
	for i := n; i >= 1; i-- {
		path := fmt.Sprintf("/archive/year/%03d", i)
		p.Articles = append(p.Articles, site.Article{
			Path: path, URL: "https://example.org" + path + "/", Title: fmt.Sprintf("Article %03d", i),
			Section: "archive", Date: time.Date(2020, 1, 1, i, 0, 0, 0, time.UTC), Body: "One of many.",
		})
	}
	for i := range n {
		p.Companies = append(p.Companies, site.Company{
			Slug: fmt.Sprintf("company-%03d", i+1), Name: fmt.Sprintf("Company %03d", i+1), Articles: []int{n - 1 - i},
		})
	}
	return p
}

// write writes p as name.corpus.
func (w *workshop) write(name string, p *site.Publication) error {
	data, index, err := encode(p)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	var head struct{ Fingerprint string }
	if err := json.Unmarshal(index, &head); err != nil {
		return err
	}
	w.fingerprints[name+".corpus"], w.indexes[name+".corpus"] = head.Fingerprint, index
	return os.WriteFile(filepath.Join(w.dir, name+".corpus"), data, 0o644)
}

// need writes a publication as name.corpus, unless a test before this one did: they are large, and take their time.
func (w *workshop) need(t *testing.T, name string, p func() *site.Publication) {
	t.Helper()
	if w.fingerprints[name+".corpus"] != "" {
		return
	}
	if err := w.write(name, p()); err != nil {
		t.Fatal(err)
	}
}

// encode returns p as a corpus, and its index.
func encode(p *site.Publication) (data, index []byte, err error) {
	w := corpus.NewWriter(corpus.Options{
		Language: p.Language, Prefix: p.Prefix, FoldDiacritics: p.FoldDiacritics,
		GeneratedAt: time.Date(2025, 6, 2, 9, 0, 0, 0, time.UTC),
	})
	for i := range p.Articles {
		if err := w.Add(&p.Articles[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range p.Companies {
		if err := w.AddCompany(&p.Companies[i]); err != nil {
			return nil, nil, err
		}
	}
	if index, err = w.IndexJSON(); err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	_, err = w.WriteTo(&out)
	return out.Bytes(), index, err
}

// freeAddress returns an address to listen on later, another one each time. Its port is below those that a system gives to
// whoever connects or asks for any: nobody has it by then.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := 10_000 + (uint32(os.Getpid())*97+shared.addresses.Add(1))%20_000
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// A process is a running read-finder-server.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	addrs []string // of its listeners, in the order of its log
	done  chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

// listening matches the line of either log format.
var listening = regexp.MustCompile(`msg"?[=:]"?listening"?[ ,]"?addr"?[=:]"?([^\s"]+)`)

// start starts the binary with args in the workshop's folder, and waits until it listens on every address.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	if !slices.Contains(args, "--listen") {
		args = append(args, "--listen", "127.0.0.1:0")
	}
	p := &process{t: t, cmd: exec.Command(shared.binary(), args...), done: make(chan struct{})}
	p.cmd.Dir = shared.dir
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.done
	})
	listeners := 1
	if strings.Contains(strings.Join(args, " "), "--admin-listen") {
		listeners = 2
	}
	ready := make(chan bool, 1)
	go p.readLog(stderr, listeners, ready)
	if !<-ready {
		t.Fatalf("%v did not listen:\n%s", args, p.logged())
	}
	return p
}

// readLog collects the log to its end, and says when all listeners are in it, or that they never will be.
func (p *process) readLog(stderr io.Reader, listeners int, ready chan<- bool) {
	defer close(p.done)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		p.mu.Lock()
		fmt.Fprintln(&p.log, lines.Text())
		p.mu.Unlock()
		if m := listening.FindStringSubmatch(lines.Text()); m != nil && len(p.addrs) < listeners {
			if p.addrs = append(p.addrs, m[1]); len(p.addrs) == listeners {
				ready <- true
			}
		}
	}
	close(ready)
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// terminate sends SIGTERM and returns the exit code.
func (p *process) terminate() int {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	return p.wait()
}

// wait returns the exit code of a process that is about to end.
func (p *process) wait() int {
	p.t.Helper()
	<-p.done
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

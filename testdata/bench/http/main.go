// Command http measures the sidecar as a process: from exec to the first right answer, resident memory, and requests
// per second with queries that differ, beside a static handler of net/http that sends as many bytes.
//
//	go run ./testdata/bench/http -articles 10000 -seconds 5
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
)

func main() {
	articles := flag.Int("articles", 10_000, "articles in the corpus")
	seconds := flag.Int("seconds", 5, "length of each measurement of throughput")
	connections := flag.Int("connections", 16, "connections that ask at once")
	starts := flag.Int("starts", 10, "processes to start for the cold start")
	static := flag.Int("static", 0, "serve so many bytes on the address that is printed, and measure nothing")
	flag.Parse()
	var err error
	if *static > 0 {
		err = serveStatic(*static)
	} else {
		err = measure(*articles, *starts, *connections, time.Duration(*seconds)*time.Second)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(articles, starts, connections int, length time.Duration) error {
	dir, err := os.MkdirTemp("", "read-finder-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, file := filepath.Join(dir, "read-finder-server"), filepath.Join(dir, "bench.corpus")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/read-finder-server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the server: %w\n%s", err, out)
	}
	words, size, err := writeCorpus(file, articles)
	if err != nil {
		return err
	}
	fmt.Printf("corpus       %d articles, %.1f MB\n", articles, float64(size)/1e6)
	args := []string{"--corpus", file, "--listen", "127.0.0.1:0"}
	if err := coldStart(starts, binary, args); err != nil {
		return err
	}
	server, err := run(binary, args)
	if err != nil {
		return err
	}
	defer server.stop()
	if err := server.printMemory("at rest"); err != nil {
		return err
	}
	var paths []string
	for i, w := range words {
		paths = append(paths, "/api/search?q="+w, "/api/search?limit=20&q="+w+"+"+words[(i*7+3)%len(words)])
	}
	got, err := load(server.addr, paths, connections, length)
	if err != nil {
		return err
	}
	if err := server.printMemory("under load"); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	other, err := run(self, []string{"-static", strconv.Itoa(max(got.mean(), 1))})
	if err != nil {
		return err
	}
	defer other.stop()
	base, err := load(other.addr, paths, connections, length)
	if err != nil {
		return err
	}
	got.print("search")
	base.print("static")
	fmt.Printf("ratio        %.2f\n", got.perSecond()/base.perSecond())
	return nil
}

// coldStart prints the time from exec to the first right answer.
func coldStart(starts int, binary string, args []string) error {
	var times []time.Duration
	for range starts {
		begin := time.Now()
		p, err := run(binary, args)
		if err != nil {
			return err
		}
		_, err = load(p.addr, []string{"/api/search?q=article"}, 1, 0)
		times = append(times, time.Since(begin))
		p.stop()
		if err != nil {
			return err
		}
	}
	slices.Sort(times)
	fmt.Printf("cold start   median %v, longest %v of %d\n", times[len(times)/2].Round(100*time.Microsecond), times[len(times)-1].Round(100*time.Microsecond), len(times))
	return nil
}

// A process listens on addr.
type process struct {
	cmd  *exec.Cmd
	addr string
}

var listening = regexp.MustCompile(`msg=listening addr=(\S+)`)

func run(binary string, args []string) (*process, error) {
	cmd := exec.Command(binary, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			return &process{cmd, m[1]}, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s does not listen", binary), cmd.Wait())
}

func (p *process) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // says that it was killed
}

func (p *process) printMemory(when string) error {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return errors.New("no VmRSS")
	}
	kb, err := strconv.Atoi(string(m[1]))
	fmt.Printf("memory       %.1f MB resident %s\n", float64(kb)*1024/1e6, when)
	return err
}

func serveStatic(size int) error {
	body := make([]byte, size)
	for i := range body {
		body[i] = 'x'
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "msg=listening addr=%s\n", l.Addr())
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.Write(body)
	}))
}

// load asks for the paths in turn on so many connections, for a length of time or once.
func load(addr string, paths []string, connections int, length time.Duration) (*result, error) {
	total := &result{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	var failed error
	begin := time.Now()
	for i := range connections {
		asking.Go(func() {
			r, err := ask(addr, paths, i*len(paths)/connections, begin.Add(length))
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			total.times = append(total.times, r.times...)
			total.bytes += r.bytes
		})
	}
	asking.Wait()
	total.length = time.Since(begin)
	return total, failed
}

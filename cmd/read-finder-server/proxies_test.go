//go:build proxies

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const deploy = "../../server/deploy"

// TestProxies puts the nginx and the Varnish of the machine, as server/deploy configures them, in front of three replicas.
func TestProxies(t *testing.T) {
	for name, run := range map[string]func(*testing.T, []*replica) string{"nginx": runNginx, "varnish": runVarnish} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var replicas []*replica
			for range 3 {
				replicas = append(replicas, startReplica(t, "generation1.corpus"))
			}
			front := run(t, replicas)
			t.Run("tags survive", func(t *testing.T) { testTags(t, front) })
			t.Run("searches are cached", func(t *testing.T) { testCached(t, front, replicas) })
			t.Run("old answers are validated", func(t *testing.T) { testRevalidated(t, front, replicas) })
			t.Run("rolling deploy", func(t *testing.T) { testRolling(t, front, replicas) })
		})
	}
}

// A replica is one process with a corpus file of its own.
type replica struct {
	*process
	path string
}

func startReplica(t *testing.T, corpus string) *replica {
	path := filepath.Join(t.TempDir(), "read-finder.corpus")
	copyCorpus(t, corpus, path)
	return &replica{start(t, "--corpus", path, "--watch-interval", "50ms", "--listen", freeAddress(t)), path}
}

// restart ends the process and starts another on its address.
func (r *replica) restart(t *testing.T) {
	if code := r.terminate(); code != 0 {
		t.Errorf("a replica exits with %d", code)
	}
	r.process = start(t, "--corpus", r.path, "--watch-interval", "50ms", "--listen", r.addrs[0])
}

// requests returns how many requests of a route the replicas have answered with a status.
func requests(t *testing.T, replicas []*replica, route string, status int) int {
	t.Helper()
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^read_finder_requests_total\{code="%d",route="%s"\} (\d+)$`, status, route))
	sum := 0
	for _, r := range replicas {
		m := line.FindSubmatch(send(t, r.addrs[0], nil, []string{"GET /metrics"}).body)
		if m == nil {
			continue // there was none
		}
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// configured returns a configuration of server/deploy with the addresses of this test in it.
func configured(t *testing.T, file string, replace ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(deploy, file))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replace); i += 2 {
		if !bytes.Contains(data, []byte(replace[i])) {
			t.Fatalf("%s has no %q", file, replace[i])
		}
		data = bytes.ReplaceAll(data, []byte(replace[i]), []byte(replace[i+1]))
	}
	return data
}

func runNginx(t *testing.T, replicas []*replica) string {
	dir, front := t.TempDir(), freeAddress(t)
	conf := configured(t, "nginx.conf", "listen 8080", "listen "+front, "/var/cache/nginx/read-finder", dir+"/cache",
		"127.0.0.1:8081", replicas[0].addrs[0], "127.0.0.1:8082", replicas[1].addrs[0], "127.0.0.1:8083", replicas[2].addrs[0])
	main := fmt.Sprintf("daemon off;\npid %s/pid;\nerror_log %[1]s/error.log;\nworker_processes 1;\nevents {}\nhttp {\naccess_log off;\n%s}\n", dir, conf)
	if os.Getuid() == 0 {
		main = "user root;\n" + main
	}
	path := filepath.Join(dir, "main.conf")
	if err := os.WriteFile(path, []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	runFront(t, front, "nginx", "-p", dir, "-c", path)
	return front
}

func runVarnish(t *testing.T, replicas []*replica) string {
	dir, front := t.TempDir(), freeAddress(t)
	var replace []string
	for i, r := range replicas {
		_, port, _ := strings.Cut(r.addrs[0], ":")
		replace = append(replace, fmt.Sprintf(`"808%d"`, i+1), strconv.Quote(port))
	}
	path := filepath.Join(dir, "read-finder.vcl")
	if err := os.WriteFile(path, configured(t, "varnish.vcl", replace...), 0o644); err != nil {
		t.Fatal(err)
	}
	runFront(t, front, "varnishd", "-F", "-j", "none", "-a", front, "-f", path, "-n", filepath.Join(dir, "v"), "-s", "malloc,64m")
	return front
}

// runFront runs a proxy until the test ends. A proxy that is not installed fails the test.
func runFront(t *testing.T, front, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin")
	if path, err := exec.LookPath("/usr/sbin/" + name); err == nil {
		cmd.Path, cmd.Err = path, nil
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: install Debian's packages nginx and varnish", err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", name, log.String())
		}
	})
	eventually(t, name+" listens", func() bool {
		conn, err := net.Dial("tcp", front)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// testTags checks that each tag reaches the client as a replica sent it, and is understood when it comes back.
func testTags(t *testing.T, front string) {
	for _, target := range []string{"/api/read-finder-index.json", "/api/search?q=article", "/api/companies/search?q=company"} {
		tag := ""
		for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
			res := send(t, front, nil, []string{"GET " + target, "Accept-Encoding: " + coding})
			opaque := strings.TrimPrefix(res.Header.Get("ETag"), "W/")
			if res.StatusCode != 200 || !strings.HasPrefix(opaque, `"`+shared.fingerprints["generation1.corpus"]) || tag != "" && opaque != tag {
				t.Errorf("%s in %s: status %d, ETag %s", target, coding, res.StatusCode, res.Header.Get("ETag"))
			}
			if res.Header.Get("Content-Encoding") != "" && !strings.HasPrefix(res.Header.Get("ETag"), "W/") {
				t.Errorf("%s in %s: a strong ETag %s", target, coding, res.Header.Get("ETag"))
			}
			tag = opaque
			again := send(t, front, nil, []string{"GET " + target, "Accept-Encoding: " + coding, "If-None-Match: " + res.Header.Get("ETag")})
			if again.StatusCode != 304 || again.Header.Get("ETag") != res.Header.Get("ETag") || len(again.wire) > 0 {
				t.Errorf("%s in %s with its tag: status %d, ETag %s", target, coding, again.StatusCode, again.Header.Get("ETag"))
			}
		}
	}
}

// testCached checks that a search which was asked before does not reach a replica.
func testCached(t *testing.T, front string, replicas []*replica) {
	request := []string{"GET /api/search?q=article+001", "Accept-Encoding: gzip"}
	send(t, front, nil, request)
	before := requests(t, replicas, "search", 200)
	for range 50 {
		if res := send(t, front, nil, request); res.StatusCode != 200 || res.Header.Get("X-Cache") != "HIT" {
			t.Fatalf("status %d, X-Cache %q", res.StatusCode, res.Header.Get("X-Cache"))
		}
	}
	if n := requests(t, replicas, "search", 200) - before; n != 0 {
		t.Errorf("%d of 50 repeated searches reached a replica", n)
	}
	send(t, front, nil, []string{"GET /api/search?q=article+002", "Accept-Encoding: gzip"})
	if n := requests(t, replicas, "search", 200) - before; n != 1 {
		t.Errorf("another search reached the replicas %d times, want 1", n)
	}
}

// testRevalidated waits until a cached search is old. The proxy then asks a replica with the tag, which says 304.
func testRevalidated(t *testing.T, front string, replicas []*replica) {
	request := []string{"GET /api/search?q=article+003"}
	send(t, front, nil, request)
	before := requests(t, replicas, "search", 304)
	time.Sleep(61 * time.Second) // s-maxage=60 is what the proxies go by: there is nothing to hurry
	eventually(t, "a 304 of a replica", func() bool {
		if res := send(t, front, nil, request); res.StatusCode != 200 || len(res.body) == 0 {
			t.Fatalf("the client gets %d, %d bytes", res.StatusCode, len(res.body))
		}
		return requests(t, replicas, "search", 304) > before
	})
}

// testRolling deploys a corpus to one replica after the other, then restarts each, under load all the time.
func testRolling(t *testing.T, front string, replicas []*replica) {
	clients := startClients(front, 4)
	for _, r := range replicas {
		copyCorpus(t, "generation2.corpus", r.path)
		eventually(t, "the new corpus", serves(t, r.process, "generation2.corpus"))
	}
	for _, r := range replicas {
		r.restart(t)
		eventually(t, "a request by way of the proxy", func() bool { return requests(t, []*replica{r}, "search", 200) > 0 })
	}
	clients.stop(t, 2)
}

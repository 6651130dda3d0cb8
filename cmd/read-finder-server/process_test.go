package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// TestIndexIsTheArtifact checks that the index is served byte for byte as the generator wrote it, in every coding.
func TestIndexIsTheArtifact(t *testing.T) {
	p := start(t, "--corpus", "many.corpus")
	stored, err := corpus.ReadFile(filepath.Join(shared.dir, "many.corpus"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := make(map[string]int)
	for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
		res := send(t, p.addrs[0], nil, []string{"GET /api/read-finder-index.json", "Accept-Encoding: " + coding})
		if !bytes.Equal(res.body, shared.indexes["many.corpus"]) {
			t.Errorf("in %s the index is not the artifact", coding)
		}
		if !bytes.Equal(res.wire, stored.Index(coding)) {
			t.Errorf("in %s the index is not sent as it lies in the corpus", coding)
		}
		sizes[coding] = len(res.wire)
	}
	for coding, n := range sizes {
		if coding != "identity" && n >= sizes["identity"] {
			t.Errorf("%s has %d bytes, identity %d", coding, n, sizes["identity"])
		}
	}
}

// TestHeadEqualsGet compares all header fields of HEAD and GET, but for the time.
func TestHeadEqualsGet(t *testing.T) {
	p := start(t, "--corpus", "many.corpus", "--cors-origin", "*")
	for _, target := range []string{
		"/api/search?q=article", "/api/search?q=article&limit=1", "/api/search", "/api/companies/search?q=company",
		"/api/read-finder-index.json", "/api/search?limit=0", "/nothing", "/healthz", "/readyz",
	} {
		for _, header := range []string{"Accept-Encoding: identity", "Accept-Encoding: gzip", "Accept-Encoding: zstd", "If-None-Match: *"} {
			get := send(t, p.addrs[0], nil, []string{"GET " + target, header})
			head := send(t, p.addrs[0], nil, []string{"HEAD " + target, header})
			get.Header.Del("Date")
			head.Header.Del("Date")
			if get.StatusCode != head.StatusCode || !reflect.DeepEqual(get.Header, head.Header) {
				t.Errorf("%s with %s:\nGET  %d %v\nHEAD %d %v", target, header, get.StatusCode, get.Header, head.StatusCode, head.Header)
			}
			if len(head.wire) > 0 {
				t.Errorf("HEAD %s has a body of %d bytes", target, len(head.wire))
			}
		}
	}
}

func TestAdminListen(t *testing.T) {
	p := start(t, "--corpus", "en.corpus", "--admin-listen", "127.0.0.1:0", "--count-no-results")
	public, admin := p.addrs[0], p.addrs[1]
	for _, c := range []struct {
		addr, path string
		want       int
	}{
		{public, "/api/search", 200},
		{public, "/healthz", 404},
		{public, "/readyz", 404},
		{public, "/metrics", 404},
		{public, "/no-results", 404},
		{admin, "/api/search", 404},
		{admin, "/healthz", 200},
		{admin, "/readyz", 200},
		{admin, "/metrics", 200},
		{admin, "/no-results", 200},
	} {
		if res := send(t, c.addr, nil, []string{"GET " + c.path}); res.StatusCode != c.want {
			t.Errorf("%s on %s: %d, want %d", c.path, c.addr, res.StatusCode, c.want)
		}
	}
}

// TestDrain checks that SIGTERM lets an open request finish, takes no new one, and exits with 0.
func TestDrain(t *testing.T) {
	shared.need(t, "large", largeIndex)
	p := start(t, "--corpus", "large.corpus")
	conn, err := net.Dial("tcp", p.addrs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /api/read-finder-index.json HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
	first := make([]byte, 1)
	if _, err := io.ReadFull(conn, first); err != nil { // the answer has begun, and is larger than all socket buffers
		t.Fatal(err)
	}
	code := make(chan int, 1)
	go func() { code <- p.terminate() }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		fresh, err := net.Dial("tcp", p.addrs[0])
		if err != nil {
			break
		}
		fresh.Close()
		if time.Now().After(deadline) {
			t.Fatal("new connections are taken after SIGTERM")
		}
	}
	rest, err := io.ReadAll(conn)
	if err != nil || !bytes.HasSuffix(rest, shared.indexes["large.corpus"]) {
		t.Errorf("the open request got %d bytes of %d: %v", len(rest), len(shared.indexes["large.corpus"]), err)
	}
	if got := <-code; got != 0 {
		t.Errorf("exit code %d after SIGTERM:\n%s", got, p.logged())
	}
}

// largeIndex returns a publication whose index has at least 16 MiB, more than all socket buffers take.
func largeIndex() *site.Publication {
	const words, size = "every berth was taken ", 16 << 20
	return &site.Publication{Language: "en", Articles: []site.Article{
		{Path: "/a/b/c", URL: "https://example.org/a/b/c/", Title: "Large", Section: "a", Excerpt: strings.Repeat(words, size/len(words)+1)},
	}}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		env  string
		code int
		out  []string // parts of stdout
		err  []string // parts of stderr
	}{
		{"help", []string{"--help"}, "", 0, []string{"--corpus file or URL", "READ_FINDER_MAX_HEADER_BYTES", "default 16384"}, nil},
		{"version", []string{"--version"}, "", 0, []string{"read-finder-server v0.0.0-test\n"}, nil},
		{"no corpus", nil, "", 2, nil, []string{"--corpus is missing"}},
		{"empty corpus", []string{"--corpus="}, "", 2, nil, []string{"--corpus", `""`}},
		{"corpus by another scheme", []string{"--corpus", "ftp://x/y"}, "", 2, nil, []string{"--corpus", `"ftp://x/y"`}},
		{"argument", []string{"--corpus", "en.corpus", "fr.corpus"}, "", 2, nil, []string{`unexpected argument "fr.corpus"`}},
		{"unknown flag", []string{"--colour"}, "", 2, nil, []string{"--colour"}},
		{"flag without value", []string{"--listen"}, "", 2, nil, []string{"--listen"}},
		{"listen", []string{"--listen", "8080"}, "", 2, nil, []string{"--listen", `"8080"`}},
		{"admin listen", []string{"--admin-listen", "here"}, "", 2, nil, []string{"--admin-listen", `"here"`}},
		{"origin", []string{"--cors-origin", "https://example.org/"}, "", 2, nil, []string{"--cors-origin", `"https://example.org/"`}},
		{"origin without scheme", []string{"--cors-origin", "example.org"}, "", 2, nil, []string{"--cors-origin", `"example.org"`}},
		{"time", []string{"--read-timeout", "10"}, "", 2, nil, []string{"--read-timeout", `"10"`}},
		{"no time", []string{"--idle-timeout", "0s"}, "", 2, nil, []string{"--idle-timeout", `"0s"`}},
		{"log format", []string{"--log-format", "xml"}, "", 2, nil, []string{"--log-format", `"xml"`}},
		{"connections", []string{"--max-connections", "0"}, "", 2, nil, []string{"--max-connections", `"0"`}},
		{"no results on the public port", []string{"--corpus", "en.corpus", "--count-no-results"}, "", 2, nil, []string{"--count-no-results", "--admin-listen"}},
		{"switch in a variable", []string{"--corpus", "en.corpus"}, "READ_FINDER_ACCESS_LOG=perhaps", 2, nil, []string{"READ_FINDER_ACCESS_LOG", `"perhaps"`}},
		{"bytes", []string{"--max-header-bytes", "-1"}, "", 2, nil, []string{"--max-header-bytes", `"-1"`}},
		{"variable", []string{"--corpus", "en.corpus"}, "READ_FINDER_WRITE_TIMEOUT=soon", 2, nil, []string{"READ_FINDER_WRITE_TIMEOUT", `"soon"`}},
		{"variable with a list", nil, "READ_FINDER_CORPUS=en.corpus,s3://x/y", 2, nil, []string{"READ_FINDER_CORPUS", `"s3://x/y"`}},
		{"address in another network", []string{"--corpus", "en.corpus", "--listen", "192.0.2.1:0"}, "", 1, nil, []string{"192.0.2.1:0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(shared.binary(), c.args...)
			cmd.Dir, cmd.Stdout, cmd.Stderr = shared.dir, &stdout, &stderr
			cmd.Env = append(os.Environ(), c.env)
			cmd.Run() // its exit code is checked below
			if got := cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d", got, c.code)
			}
			for _, part := range c.out {
				if !strings.Contains(stdout.String(), part) {
					t.Errorf("stdout lacks %q:\n%s", part, stdout.String())
				}
			}
			for _, part := range c.err {
				if !strings.Contains(stderr.String(), part) {
					t.Errorf("stderr lacks %q:\n%s", part, stderr.String())
				}
			}
			if c.code == 0 && stderr.Len() > 0 || c.code != 0 && stdout.Len() > 0 {
				t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
			}
		})
	}
}

// TestEnvironment checks that a variable sets its flag, that commas separate, and that a flag wins.
func TestEnvironment(t *testing.T) {
	env := map[string]string{
		"READ_FINDER_CORPUS": "en.corpus, fr.corpus", "READ_FINDER_LISTEN": "127.0.0.1:1", "READ_FINDER_IDLE_TIMEOUT": "7s",
		"READ_FINDER_VERSION": "v1", "READ_FINDER_ADMIN_LISTEN": "",
	}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	c, err := parseConfig([]string{"--listen", "127.0.0.1:2"}, lookup)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"en.corpus", "fr.corpus"}; !reflect.DeepEqual(c.loader.Sources, want) {
		t.Errorf("corpora %q, want %q", c.loader.Sources, want)
	}
	if c.listen != "127.0.0.1:2" || c.idleTimeout != 7*time.Second || c.version || c.adminListen != "" {
		t.Errorf("config %+v", c)
	}
}

// TestBinarySize keeps the sidecar thin: the static, stripped binary has at most 12 MB.
func TestBinarySize(t *testing.T) {
	const most = 12_000_000
	info, err := os.Stat(shared.binary())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > most {
		t.Errorf("the binary has %d bytes, at most %d are allowed", info.Size(), most)
	}
}

// TestDependencies fails when the sidecar gains a module that is not on this list: never Hugo.
func TestDependencies(t *testing.T) {
	allowed := map[string]bool{
		"github.com/read-finder/read-finder": true,
		"github.com/andybalholm/brotli":      true, // the corpus writes its index in br
		"github.com/cespare/xxhash/v2":       true, // checksums and validators
		"github.com/klauspost/compress":      true, // zstd, and a faster gzip
		"golang.org/x/text":                  true, // normalization and case folding

		"github.com/prometheus/client_golang": true, // metrics, and what they are made of:
		"github.com/prometheus/client_model":  true,
		"github.com/prometheus/common":        true,
		"github.com/prometheus/procfs":        true,
		"github.com/beorn7/perks":             true,
		"github.com/munnerz/goautoneg":        true,
		"golang.org/x/sys":                    true,
		"google.golang.org/protobuf":          true,
	}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{end}}{{.ImportPath}}", ".")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		module, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok { // the standard library
			continue
		}
		checked++
		if !allowed[module] {
			t.Errorf("the sidecar imports %s of %s", path, module)
		}
	}
	if checked == 0 {
		t.Errorf("no packages in:\n%s", out)
	}
}

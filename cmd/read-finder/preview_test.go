package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPreview starts the command, follows the curl line that it prints, and stops it as Ctrl+C does.
func TestPreview(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), `baseURL = "https://example.org/"`)
	write(t, filepath.Join(dir, "content/news/one.md"), "---\ntitle: It's about solar\ncompanies: [Acme]\n---\nWords.\n")

	cmd := exec.Command("read-finder", "preview", "-s", dir, "--port", "0")
	tmp := t.TempDir()
	cmd.Env = append(cmd.Environ(), "TMPDIR="+tmp)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()

	lines := bufio.NewScanner(stdout)
	address := ""
	for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl+C") {
		if m := regexp.MustCompile(`^  curl '(http://127\.0\.0\.1:\d+/api/search\?q=[^']+)'$`).FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
		}
	}
	if address == "" {
		t.Fatal("no curl line")
	}
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	var a struct{ Count int }
	if err != nil || json.Unmarshal(body, &a) != nil || a.Count != 1 {
		t.Errorf("%s: %s, error %v", address, body, err)
	}

	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl+C: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(tmp, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	if public, _ := filepath.Glob(filepath.Join(dir, "public")); public != nil {
		t.Error("preview wrote into the site")
	}
}

// startPreview starts the command on a site, and returns where it serves each host. Stop is for when a change was built.
func startPreview(t *testing.T, dir string) (hosts []string, stop func()) {
	t.Helper()
	cmd := exec.Command("read-finder", "preview", "-s", dir, "--port", "0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test has failed
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl+C") {
		if rest, ok := strings.CutPrefix(lines.Text(), "the site is at "); ok {
			hosts = append(hosts, strings.TrimSuffix(rest, "/"))
		}
	}
	if len(hosts) == 0 {
		t.Fatal("it is served nowhere")
	}
	return hosts, func() {
		t.Helper()
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		builds := 0
		for lines.Scan() {
			if regexp.MustCompile(`^built in \d+\.\d s$`).MatchString(lines.Text()) {
				builds++
			}
		}
		if builds == 0 {
			t.Error("it does not say how long a build took after a change")
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after Ctrl+C: %v", err)
		}
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func waitFor(t *testing.T, address, want string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for body := get(t, address); !strings.Contains(body, want); body = get(t, address) {
		if time.Now().After(deadline) {
			t.Fatalf("%s never showed %q: %s", address, want, body)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestPreviewWatches serves three languages on one port, follows an edit, and keeps the last good state after one that
// cannot be built.
func TestPreviewWatches(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/languages")); err != nil {
		t.Fatal(err)
	}
	hosts, stop := startPreview(t, dir)
	get := func(path string) string { return get(t, hosts[0]+path) }
	wait := func(path, want string) { t.Helper(); waitFor(t, hosts[0]+path, want) }
	for path, want := range map[string]string{
		"/api/search?q=morning":          `"/news/port"`,
		"/ar/api/search?q=الصباح":        `"/ar/news/port"`,
		"/ja/api/search?q=朝":             `"/ja/news/port"`,
		"/ja/api/companies/search?q=三菱":  `"三菱電機"`,
		"/ar/api/read-finder-index.json": "الميناء ليلا",
		"/ar/news/port/":                 `<html lang="ar">`,
		"/read-finder/read-finder.js":    "read-finder",
	} {
		if body := get(path); !strings.Contains(body, want) {
			t.Errorf("%s: no %q in %s", path, want, body)
		}
	}

	write(t, filepath.Join(dir, "content/news/two.en.md"), "A seagull.\n")
	wait("/api/search?q=seagull", `"/news/two"`)
	wait("/news/two/", "A seagull.")
	write(t, filepath.Join(dir, "content/news/two.en.md"), "A {{< gone >}} pelican.\n")
	wait("/news/two/", "template for shortcode &#34;gone&#34; not found")
	if page := get("/news/two/"); !strings.Contains(page, "A seagull.") || !strings.Contains(get("/api/search?q=seagull"), "/news/two") {
		t.Errorf("the last good state is gone: %s", page)
	}
	write(t, filepath.Join(dir, "content/news/two.en.md"), "A pelican.\n")
	wait("/api/search?q=pelican", `"/news/two"`)
	wait("/news/two/", "A pelican.")
	if page := get("/news/two/"); strings.Contains(page, "alert") {
		t.Errorf("the error stays: %s", page)
	}
	stop()
}

// TestPreviewHosts serves a site whose languages have hosts of their own, each on a port, with links from one to the other.
func TestPreviewHosts(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hugo.toml"), `
[languages.en]
baseURL = "https://en.example.org/"
[languages.fr]
baseURL = "https://fr.example.org/journal/"`)
	write(t, filepath.Join(dir, "layouts/all.html"), `{{ .Content }}{{ range .Translations }}<a href="{{ .Permalink }}">{{ end }}`)
	write(t, filepath.Join(dir, "content/news/one.en.md"), "Morning.\n")
	write(t, filepath.Join(dir, "content/news/one.fr.md"), "Matin.\n")
	hosts, stop := startPreview(t, dir)
	if len(hosts) != 2 {
		t.Fatalf("served at %q", hosts)
	}
	for i, words := range [...]struct{ own, other string }{{"Morning", "Matin"}, {"Matin", "Morning"}} {
		waitFor(t, hosts[i]+"/news/one/", words.own)
		waitFor(t, hosts[i]+"/news/one/", `<a href="`+hosts[1-i]+`/news/one/">`)
		waitFor(t, hosts[i]+"/api/search?q="+words.own, `"url":"`+hosts[i]+`/news/one/"`)
		waitFor(t, hosts[i]+"/api/search?q="+words.other, `"count":0`)
		waitFor(t, hosts[i]+"/read-finder/read-finder.js", "read-finder")
	}
	write(t, filepath.Join(dir, "content/news/one.fr.md"), "Bonsoir.\n")
	waitFor(t, hosts[1]+"/api/search?q=bonsoir", "/news/one")
	waitFor(t, hosts[1]+"/news/one/", "Bonsoir")

	write(t, filepath.Join(dir, "content/news/one.fr.md"), "A {{< gone >}}.\n")
	for _, h := range hosts {
		waitFor(t, h+"/news/one/", "template for shortcode &#34;gone&#34; not found")
	}
	stop()
}

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

// TestPreviewWatches serves three languages on one port, follows an edit, and keeps the last good state after one that
// cannot be built.
func TestPreviewWatches(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/languages")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("read-finder", "preview", "-s", dir, "--port", "0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(stdout)
	base := ""
	for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl+C") {
		if rest, ok := strings.CutPrefix(lines.Text(), "the site is at "); ok {
			base = strings.TrimSuffix(rest, "/")
		}
	}
	get := func(path string) string {
		resp, err := http.Get(base + path)
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
	wait := func(path, want string) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for body := get(path); !strings.Contains(body, want); body = get(path) {
			if time.Now().After(deadline) {
				t.Fatalf("%s never showed %q: %s", path, want, body)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
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
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl+C: %v", err)
	}
}

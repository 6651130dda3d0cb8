package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
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

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// An exchange is one request of a script and what its response must be. testdata/http/README.md shows the syntax.
type exchange struct {
	name    string
	line    int
	request []string
	want    []string
	body    []string
}

// A script is a conversation with one process.
type script struct {
	args      []string
	exchanges []exchange
}

func readScript(t *testing.T, file string) script {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s script
	for i, line := range strings.Split(string(data), "\n") {
		if rest, ok := strings.CutPrefix(line, "$ read-finder-server "); ok {
			s.args = strings.Fields(rest)
			continue
		}
		if name, ok := strings.CutPrefix(line, "# "); ok {
			s.exchanges = append(s.exchanges, exchange{name: name, line: i + 1})
			continue
		}
		if line == "" {
			continue
		}
		if len(s.exchanges) == 0 {
			t.Fatalf("%s:%d: a line before the first exchange: %q", file, i+1, line)
		}
		e := &s.exchanges[len(s.exchanges)-1]
		switch line[:2] {
		case "> ":
			e.request = append(e.request, line[2:])
		case "< ":
			e.want = append(e.want, line[2:])
		default:
			e.body = append(e.body, line)
		}
	}
	if len(s.args) == 0 || len(s.exchanges) == 0 {
		t.Fatalf("%s: not a script", file)
	}
	return s
}

func TestHTTPScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", scripts, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := readScript(t, file)
			p := start(t, s.args...)
			vars := map[string]string{"$fingerprint": shared.fingerprints[s.args[1]], "$tag": ""}
			for _, e := range s.exchanges {
				t.Run(e.name, func(t *testing.T) {
					if len(e.request) == 0 || len(e.want) == 0 {
						t.Fatalf("%s:%d: no request or no response", file, e.line)
					}
					res := send(t, p.addrs[0], vars, e.request)
					checkAlways(t, res)
					checkHeader(t, res, vars, e.want)
					method, target, _ := strings.Cut(e.request[0], " ")
					checkDescribed(t, method, target, res)
					checkBody(t, res, vars, e.body)
					if _, tag, ok := strings.Cut(res.Header.Get("ETag"), `"`); ok {
						vars["$tag"] = strings.TrimSuffix(tag, `"`)
					}
				})
			}
		})
	}
}

// A response is what came back, its body as it was on the wire and decoded.
type response struct {
	*http.Response
	method string
	wire   []byte
	body   []byte
}

// send sends a request byte for byte over a connection of its own, and reads the whole response.
func send(t *testing.T, addr string, vars map[string]string, lines []string) *response {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var raw bytes.Buffer
	fmt.Fprintf(&raw, "%s HTTP/1.1\r\nHost: test\r\nConnection: close\r\n", lines[0])
	for _, header := range lines[1:] {
		fmt.Fprintf(&raw, "%s\r\n", expand(header, vars))
	}
	raw.WriteString("\r\n")
	if _, err := conn.Write(raw.Bytes()); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(lines[0], " ")
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	r := &response{Response: res, method: method}
	if r.wire, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	if len(r.wire) > 0 {
		r.body = decode(t, res.Header.Get("Content-Encoding"), r.wire)
	}
	return r
}

func expand(s string, vars map[string]string) string {
	for name, value := range vars {
		s = strings.ReplaceAll(s, name, value)
	}
	return s
}

func decode(t *testing.T, coding string, data []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch coding {
	case "":
		return data
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(data))
	case "br":
		r = brotli.NewReader(bytes.NewReader(data))
	case "zstd":
		r, err = zstd.NewReader(bytes.NewReader(data))
	default:
		t.Fatalf("Content-Encoding %q", coding)
	}
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("decode %s: %v", coding, err)
	}
	return decoded
}

// checkAlways checks what holds for every response.
func checkAlways(t *testing.T, res *response) {
	t.Helper()
	for name, want := range map[string]string{
		"X-Content-Type-Options":  "nosniff",
		"Referrer-Policy":         "no-referrer",
		"Content-Security-Policy": "default-src 'none'",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if vary := res.Header.Get("Vary"); !strings.HasPrefix(vary, "Accept-Encoding") {
		t.Errorf("Vary: %q", vary)
	}
	if res.Header.Get("Cache-Control") == "" {
		t.Error("no Cache-Control")
	}
	bodiless := res.method == http.MethodHead || res.StatusCode == http.StatusNotModified || res.StatusCode == http.StatusNoContent
	if bodiless && len(res.wire) > 0 {
		t.Errorf("a body of %d bytes where none may be", len(res.wire))
	}
	if length := res.Header.Get("Content-Length"); !bodiless && length != strconv.Itoa(len(res.wire)) {
		t.Errorf("Content-Length: %q for a body of %d bytes", length, len(res.wire))
	}
	if res.StatusCode >= 400 {
		checkProblem(t, res)
	}
}

// checkProblem checks that an error is a problem of RFC 9457.
func checkProblem(t *testing.T, res *response) {
	t.Helper()
	if media := res.Header.Get("Content-Type"); media != "application/problem+json" {
		t.Errorf("Content-Type: %q for status %d", media, res.StatusCode)
	}
	if cache := res.Header.Get("Cache-Control"); cache != "no-store" {
		t.Errorf("Cache-Control: %q for status %d", cache, res.StatusCode)
	}
	if res.method == http.MethodHead {
		return
	}
	var p struct {
		Title  string
		Status int
		Detail string
	}
	if err := json.Unmarshal(res.body, &p); err != nil {
		t.Fatalf("problem %q: %v", res.body, err)
	}
	if p.Status != res.StatusCode || p.Title != http.StatusText(res.StatusCode) || p.Detail == "" {
		t.Errorf("problem %s for status %d", res.body, res.StatusCode)
	}
}

// checkHeader checks the lines of a script that begin with <.
func checkHeader(t *testing.T, res *response, vars map[string]string, want []string) {
	t.Helper()
	if got := strconv.Itoa(res.StatusCode); got != want[0] {
		t.Errorf("status %s, want %s; body %.300q", got, want[0], res.body)
	}
	for _, line := range want[1:] {
		if name, ok := strings.CutPrefix(line, "! "); ok {
			if got, ok := res.Header[http.CanonicalHeaderKey(name)]; ok {
				t.Errorf("%s: %q, want none", name, got)
			}
			continue
		}
		name, value, ok := strings.Cut(expand(line, vars), ": ")
		if !ok {
			t.Fatalf("not a header: %q", line)
		}
		got := strings.Join(res.Header[http.CanonicalHeaderKey(name)], ", ")
		if pattern, ok := strings.CutPrefix(value, "/"); ok {
			if !regexp.MustCompile(strings.TrimSuffix(pattern, "/")).MatchString(got) {
				t.Errorf("%s: %q does not match %s", name, got, value)
			}
		} else if got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
}

// checkBody checks the body against a whole JSON document, or against paths into it.
func checkBody(t *testing.T, res *response, vars map[string]string, lines []string) {
	t.Helper()
	if len(lines) == 0 {
		return
	}
	got := parseJSON(t, string(res.body))
	if strings.HasPrefix(lines[0], "{") {
		want := parseJSON(t, expand(strings.Join(lines, "\n"), vars))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("body %s\nwant %s", res.body, strings.Join(lines, "\n"))
		}
		return
	}
	for _, line := range lines {
		path, value, _ := strings.Cut(expand(line, vars), " ")
		if at := lookUp(got, path); !reflect.DeepEqual(at, parseJSON(t, value)) {
			t.Errorf("%s is %v, want %s; body %.500s", path, at, value, res.body)
		}
	}
}

func parseJSON(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("JSON %.300q: %v", s, err)
	}
	return v
}

// lookUp follows a path such as articles.0.title or articles.# into v. What is not there is nil.
func lookUp(v any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			switch {
			case step == "#":
				v = float64(len(at))
			case err != nil || i >= len(at):
				return nil
			default:
				v = at[i]
			}
		default:
			return nil
		}
	}
	return v
}

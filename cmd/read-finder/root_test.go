package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"read-finder": main})
}

// runScripts runs the CLI scripts whose names begin like that.
func runScripts(t *testing.T, name string) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/cli/" + name + "*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts %q: %v", name, err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir) // Hugo's cache
			return nil
		},
	})
}

func TestLanguages(t *testing.T) { runScripts(t, "languages") }

// TestUsage is of the exit codes: 2 and a hint for what cannot be meant, 0 for what asks for help.
func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"", 0, "Available Commands:", ""},
		{"--help", 0, "Available Commands:", ""},
		{"generate --help", 0, "--companies-key", ""},
		{"completion bash", 0, "bash completion", ""},
		{"--version", 0, "read-finder version dev", ""},
		{"bogus", 2, "", `unknown command "bogus" for "read-finder"`},
		{"generate --bogus", 2, "", "unknown flag: --bogus"},
		{"generate extra", 2, "", `unknown command "extra" for "read-finder generate"`},
		{"query", 2, "", "'read-finder query --help'"},
		{"query --limit many x", 2, "", `invalid argument "many"`},
		{"query --limit 0 x", 2, "", `invalid argument "0" for "--limit": want 1 or more`},
		{"query --companies --explain x", 2, "", "--explain"},
		{"inspect", 2, "", "accepts 1 arg(s), received 0"},
		{"inspect gone", 1, "", "gone"},
		{"preview --port -1", 1, "", "--port"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		if code != tt.code || !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) {
			t.Errorf("read-finder %s: exit code %d, stdout %q, stderr %q\nwant %d, %q, %q",
				tt.args, code, stdout.String(), stderr.String(), tt.code, tt.stdout, tt.stderr)
		}
		if code == 0 && stderr.Len() > 0 || code != 0 && stdout.Len() > 0 {
			t.Errorf("read-finder %s: exit code %d with %d bytes on stdout, %d on stderr", tt.args, code, stdout.Len(), stderr.Len())
		}
	}
}

func TestVersionOf(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}
	for _, tt := range []struct{ release, module, want string }{
		{"v1.2.3", "v1.0.0", "v1.2.3"},
		{"", "v1.0.0", "v1.0.0 (abc)"},
		{"", "(devel)", "dev (abc)"},
	} {
		info.Main.Version = tt.module
		if got := versionOf(tt.release, info); got != tt.want {
			t.Errorf("versionOf(%q, %q) = %q, want %q", tt.release, tt.module, got, tt.want)
		}
	}
	if got := versionOf("", nil); got != "dev" {
		t.Errorf("without build info: %q", got)
	}
}

func TestProgressOnlyOnTerminals(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := newProgress(f)
	p.show("load", 1, 2)
	p.clear()
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("a file got a progress line: %v, %v", info, err)
	}

	var b bytes.Buffer
	p = &progress{w: &b}
	p.show("extract", 1, 3)
	p.last = time.Now().Add(time.Minute)
	p.show("extract", 2, 3) // too soon after the last
	p.last = time.Now().Add(-time.Minute)
	p.show("extract", 3, 3)
	p.clear()
	if got, want := b.String(), "\r\x1b[Kextract 1 of 3\r\x1b[Kextract 3 of 3\r\x1b[K"; got != want {
		t.Errorf("progress %q, want %q", got, want)
	}
}

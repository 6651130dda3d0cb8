//go:build proxies

package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestUnits lets systemd read the units of server/deploy, as they are but for where the binary lies.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"read-finder-server.service", "read-finder-server.socket"} {
		data, err := os.ReadFile(filepath.Join(deploy, name))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, bytes.ReplaceAll(data, []byte("/usr/local/bin/read-finder-server"), []byte(shared.binary())), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if out, err := exec.Command("systemd-analyze", append([]string{"verify"}, files...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v (systemd-analyze is of Debian's package systemd)\n%s", err, out)
	}
}

// TestUnitsActivation starts the binary by its first request, on sockets that systemd's own tool has opened.
func TestUnitsActivation(t *testing.T) {
	api, admin := freeAddress(t), freeAddress(t)
	cmd := exec.Command("systemd-socket-activate", "-l", api, "-l", admin, "--fdname=api:admin", shared.binary(), "--corpus", "en.corpus")
	cmd.Dir = shared.dir
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: install Debian's package systemd", err)
	}
	defer func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, log.String())
		}
	}()
	eventually(t, "the sockets are open", func() bool {
		conn, err := net.Dial("tcp", admin)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	for _, c := range []struct {
		addr, target string
		want         int
	}{{api, "/api/search?q=suffix", 200}, {api, "/readyz", 404}, {admin, "/readyz", 200}} {
		if res := send(t, c.addr, nil, []string{"GET " + c.target}); res.StatusCode != c.want {
			t.Errorf("%s: %d, want %d", c.target, res.StatusCode, c.want)
		}
	}
}

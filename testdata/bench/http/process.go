package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
)

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

// memory returns a field of the process's status in MB: VmRSS is what it has, VmHWM the most that it had (proc(5)).
func (p *process) memory(field string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return 0, fmt.Errorf("no %s", field)
	}
	kb, err := strconv.Atoi(string(m[1]))
	return float64(kb) * 1024 / 1e6, err
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

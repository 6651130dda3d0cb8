package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A result is what some connections got.
type result struct {
	times  []time.Duration
	bytes  int
	length time.Duration
}

func (r *result) add(other *result) {
	r.times = append(r.times, other.times...)
	r.bytes += other.bytes
	r.length += other.length
}

func (r *result) mean() int          { return r.bytes / len(r.times) }
func (r *result) perSecond() float64 { return float64(len(r.times)) / r.length.Seconds() }

// at returns the time that so many of a thousand requests did not exceed.
func (r *result) at(permille int) time.Duration {
	slices.Sort(r.times)
	return r.times[(len(r.times)-1)*permille/1000].Round(time.Microsecond)
}

// load asks for the paths in turn, from the first on, on so many connections: for a length of time, or each path once where
// that is 0.
func load(addr string, paths []string, connections int, length time.Duration, first int) (*result, error) {
	total := &result{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	var failed error
	begin := time.Now()
	for i := range connections {
		asking.Go(func() {
			r, err := ask(addr, paths, first+i*len(paths)/connections, begin, length)
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

// ask asks on one connection, at as little cost as it can.
func ask(addr string, paths []string, first int, begin time.Time, length time.Duration) (*result, error) {
	r := &result{}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return r, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 64<<10)
	var request []byte
	for i := first; length > 0 && time.Since(begin) < length || length == 0 && i < first+len(paths); i++ {
		path := paths[i%len(paths)]
		start := time.Now()
		request = append(append(append(request[:0], "GET "...), path...), " HTTP/1.1\r\nHost: bench\r\n\r\n"...)
		if _, err := conn.Write(request); err != nil {
			return r, err
		}
		n, err := discardResponse(in)
		if err != nil {
			return r, fmt.Errorf("%s: %w", path, err)
		}
		r.bytes += n
		r.times = append(r.times, time.Since(start))
	}
	return r, nil
}

// discardResponse reads a 200, and returns the length of its body.
func discardResponse(in *bufio.Reader) (int, error) {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("answer %q", strings.TrimSpace(string(status)))
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
		if len(line) == 2 {
			return in.Discard(length)
		}
	}
}

package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// firstInherited is the first file descriptor that a service manager passes (sd_listen_fds(3)).
const firstInherited = 3

// inherited returns the listeners that a service manager has opened for this process, by the protocol of
// sd_listen_fds(3): the one named "admin" is for the admin pages, any other for the API. Both are nil without them.
func inherited(lookupEnv func(string) (string, bool)) (api, admin net.Listener, err error) {
	if pid, _ := lookupEnv("LISTEN_PID"); pid != strconv.Itoa(os.Getpid()) {
		return nil, nil, nil // they are for another process
	}
	count, _ := lookupEnv("LISTEN_FDS")
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > 2 {
		return nil, nil, fmt.Errorf("invalid value %q for LISTEN_FDS: one socket for the API, and one named admin, can be passed", count)
	}
	list, _ := lookupEnv("LISTEN_FDNAMES")
	names := strings.Split(list, ":")
	for i := range n {
		f := os.NewFile(uintptr(firstInherited+i), "inherited socket")
		l, err := net.FileListener(f) // its own descriptor
		f.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("socket %d of LISTEN_FDS: %w", i+1, err)
		}
		to := &api
		if i < len(names) && names[i] == "admin" {
			to = &admin
		}
		if *to != nil {
			return nil, nil, fmt.Errorf("LISTEN_FDNAMES %q: one socket for the API, and one named admin, can be passed", list)
		}
		*to = l
	}
	return api, admin, nil
}

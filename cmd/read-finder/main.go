// Command read-finder makes a Hugo site searchable. It runs as one step of the site's build: it reads the site through
// Hugo's own packages and writes a small set of static artifacts. Exit codes: 0 done, 1 failed, 2 wrong usage.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

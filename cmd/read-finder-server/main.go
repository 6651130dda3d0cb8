// Command read-finder-server answers the content discovery API from corpora that read-finder wrote.
//
// It exits with 0 when it was asked to stop and has drained, 1 when it failed, 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// version is set with -ldflags "-X main.version=v1.2.3".
var version = ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process around it. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, os.LookupEnv)
	switch {
	case errors.Is(err, flag.ErrHelp):
		printUsage(stdout)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "read-finder-server: %v\nrun read-finder-server --help for the flags\n", err)
		return 2
	case c.version:
		fmt.Fprintln(stdout, "read-finder-server", versionString())
		return 0
	case c.check != "":
		err = check(ctx, c.check)
	default:
		err = serve(ctx, c, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "read-finder-server: %v\n", err)
		return 1
	}
	return 0
}

func versionString() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set with -ldflags "-X main.version=v1.2.3".
var version string

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
	if failed := new(failure); errors.As(err, &failed) {
		return 1
	}
	fmt.Fprintf(stderr, "  '%s --help' shows what can be given\n", cmd.CommandPath())
	return 2
}

func newRootCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "read-finder",
		Short:         "Search for Hugo publications: full text, companies, and an index for the page",
		Version:       buildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(newGenerateCmd(), newBuildCmd(), newQueryCmd(), newInspectCmd(), newPreviewCmd())
	return cmd
}

func buildVersion() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(version, info)
}

// versionOf is the version of the release, else of the module, else "dev", with the commit where it is known.
func versionOf(release string, info *debug.BuildInfo) string {
	if release != "" {
		return release
	}
	v := "dev"
	if info == nil {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v = m
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " (" + s.Value + ")"
		}
	}
	return v
}

// A failure is an error of the work, as opposed to one of its command line, which any other error is.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// A usageError is a wrong command line that only the command's own code can tell.
type usageError struct{ error }

func (u *usageError) Unwrap() error { return u.error }

// action makes a cobra action of f, whose errors are failures unless they are usageErrors.
func action(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		if usage := new(usageError); err == nil || errors.As(err, &usage) {
			return err
		}
		return &failure{err}
	}
}

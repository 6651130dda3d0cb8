package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/read-finder/read-finder/server"
)

// A config is everything that can be set from outside.
type config struct {
	corpora     []string
	listen      string
	adminListen string
	corsOrigins []string

	readHeaderTimeout time.Duration
	readTimeout       time.Duration
	writeTimeout      time.Duration
	idleTimeout       time.Duration
	drainTimeout      time.Duration
	maxHeaderBytes    int

	version bool
}

// flags returns the flag set that fills c. Package flag prints nothing itself: messages and help are written here.
func (c *config) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("read-finder-server", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&list{&c.corpora, checkCorpus}, "corpus", "corpus to serve: a `file or URL` (http or https); repeat it for several languages")
	fs.Var(address(&c.listen, ":8080"), "listen", "`address` of the API")
	fs.Var(address(&c.adminListen, ""), "admin-listen", "`address` of /healthz and /readyz; without it they are beside the API")
	fs.Var(&list{&c.corsOrigins, server.CheckOrigin}, "cors-origin", "`origin` whose pages may read the answers, or *; repeatable")
	fs.Var(duration(&c.readHeaderTimeout, 5*time.Second), "read-header-timeout", "longest `time` to read a request's header")
	fs.Var(duration(&c.readTimeout, 10*time.Second), "read-timeout", "longest `time` to read a whole request")
	fs.Var(duration(&c.writeTimeout, 60*time.Second), "write-timeout", "longest `time` from the request's header to the last byte of the answer")
	fs.Var(duration(&c.idleTimeout, 120*time.Second), "idle-timeout", "longest `time` that a connection is kept without a request")
	fs.Var(duration(&c.drainTimeout, 30*time.Second), "drain-timeout", "longest `time` to finish open requests when told to stop")
	fs.Var(count(&c.maxHeaderBytes, 16<<10), "max-header-bytes", "largest request header, `bytes`")
	fs.BoolVar(&c.version, "version", false, "print the version and exit")
	return fs
}

// parseConfig reads the flags, and for each that is not given its environment variable. It returns flag.ErrHelp
// when help is asked for; any other error names the flag or variable and the value.
func parseConfig(args []string, lookupEnv func(string) (string, bool)) (*config, error) {
	var c config
	fs := c.flags()
	if err := fs.Parse(args); err != nil {
		return nil, doubleDashed(err)
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var errs []error
	fs.VisitAll(func(f *flag.Flag) {
		if value, ok := lookupEnv(envName(f.Name)); ok && value != "" && !given[f.Name] && f.Name != "version" {
			errs = append(errs, setFromEnv(f, value))
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if !c.version && len(c.corpora) == 0 {
		return nil, fmt.Errorf("--corpus is missing: name a corpus file or an http(s) URL of one")
	}
	return &c, nil
}

// doubleDashed writes flags in an error of package flag as the help does.
func doubleDashed(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	dashes := strings.NewReplacer("flag -", "flag --", "defined: -", "defined: --", "argument: -", "argument: --")
	return errors.New(dashes.Replace(err.Error()))
}

// envName returns the environment variable of a flag.
func envName(name string) string {
	return "READ_FINDER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// setFromEnv sets a flag from its variable, where commas separate the values of a repeatable one.
func setFromEnv(f *flag.Flag, value string) error {
	values := []string{value}
	if _, repeatable := f.Value.(*list); repeatable {
		values = strings.Split(value, ",")
	}
	for _, v := range values {
		if err := f.Value.Set(strings.TrimSpace(v)); err != nil {
			return fmt.Errorf("invalid value %q for %s: %w", v, envName(f.Name), err)
		}
	}
	return nil
}

// printUsage prints every flag with its variable and default.
func printUsage(w io.Writer) {
	fmt.Fprint(w, `Answers the content discovery API from corpora that read-finder wrote.

Usage: read-finder-server --corpus FILE-or-URL [flags]

Each flag is also an environment variable; a flag wins over it. In a variable, commas separate repeated values.

`)
	new(config).flags().VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  --%s\n      %s\n", strings.TrimSpace(f.Name+" "+value), usage)
		switch {
		case f.Name == "version":
		case f.DefValue == "":
			fmt.Fprintf(w, "      [$%s]\n", envName(f.Name))
		default:
			fmt.Fprintf(w, "      [$%s, default %s]\n", envName(f.Name), f.DefValue)
		}
	})
}

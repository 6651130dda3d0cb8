package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// A config is everything that can be set from outside.
type config struct {
	corpora     list
	listen      string
	adminListen string
	corsOrigins list

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
	fs.Var(&c.corpora, "corpus", "corpus to serve: a `file or URL` (http or https); repeat it for several languages")
	fs.Var(address(&c.listen, ":8080"), "listen", "`address` of the API")
	fs.Var(address(&c.adminListen, ""), "admin-listen", "`address` of /healthz and /readyz; without it they are beside the API")
	fs.Var(&c.corsOrigins, "cors-origin", "`origin` whose pages may read the answers, or *; repeatable")
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
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var errs []error
	fs.VisitAll(func(f *flag.Flag) {
		if value, ok := lookupEnv(envName(f.Name)); ok && value != "" && !given[f.Name] {
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
		fmt.Fprintf(w, "  --%s %s\n      %s\n      $%s", f.Name, value, usage, envName(f.Name))
		if f.DefValue != "" && f.DefValue != "false" {
			fmt.Fprintf(w, ", default %s", f.DefValue)
		}
		fmt.Fprintln(w)
	})
}

// A list is a repeatable flag.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	if s == "" {
		return errors.New("is empty")
	}
	*l = append(*l, s)
	return nil
}

// A checked is a flag whose values are parsed and checked by a function.
type checked[T any] struct {
	to    *T
	parse func(string) (T, error)
}

func (v checked[T]) String() string {
	if v.to == nil {
		return ""
	}
	return fmt.Sprint(*v.to)
}

func (v checked[T]) Set(s string) (err error) {
	*v.to, err = v.parse(s)
	return err
}

func duration(to *time.Duration, value time.Duration) flag.Value {
	*to = value
	return checked[time.Duration]{to, func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return 0, errors.New("not a time above zero such as 30s or 2m")
		}
		return d, nil
	}}
}

func count(to *int, value int) flag.Value {
	*to = value
	return checked[int]{to, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return 0, errors.New("not an integer of at least 1")
		}
		return n, nil
	}}
}

func address(to *string, value string) flag.Value {
	*to = value
	return checked[string]{to, func(s string) (string, error) {
		if _, _, err := net.SplitHostPort(s); err != nil {
			return "", errors.New("not host:port or :port")
		}
		return s, nil
	}}
}

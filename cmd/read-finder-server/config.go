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
	server server.Config
	loader server.LoaderConfig

	listen      string
	adminListen string

	readHeaderTimeout time.Duration
	readTimeout       time.Duration
	writeTimeout      time.Duration
	idleTimeout       time.Duration
	drainTimeout      time.Duration
	maxHeaderBytes    int

	logFormat string
	check     string
	version   bool
}

// flags returns the flag set that fills c. Package flag prints nothing itself: messages and help are written here.
func (c *config) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("read-finder-server", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&list{&c.loader.Sources, server.CheckSource}, "corpus", "corpus to serve: a `file or URL` (http or https); repeat it for several languages")
	fs.Var(duration(&c.loader.WatchInterval, server.DefaultWatchInterval), "watch-interval", "`time` between two looks whether a corpus file has changed")
	fs.Var(duration(&c.loader.PollInterval, server.DefaultPollInterval), "poll-interval", "`time` between two requests for a corpus URL, give or take a quarter")
	fs.Var(count(&c.loader.MaxBytes, server.DefaultMaxBytes), "max-corpus-bytes", "largest corpus that is loaded, `bytes`")

	fs.Var(address(&c.listen, ":8080"), "listen", "`address` of the API")
	fs.Var(address(&c.adminListen, ""), "admin-listen", "`address` of /healthz, /readyz and /metrics; without it they are beside the API")
	fs.Var(&list{&c.server.CORSOrigins, server.CheckOrigin}, "cors-origin", "`origin` whose pages may read the answers, or *; repeatable")

	fs.Var(count(&c.server.MaxConnections, server.DefaultMaxConnections), "max-connections", "connections to the API that are served at once, `number`; more are told 503")
	fs.Var(count(&c.server.MaxInFlight, server.DefaultMaxInFlight), "max-in-flight", "requests that are worked on at once, `number`; more are told 503")
	fs.Var(duration(&c.readHeaderTimeout, 5*time.Second), "read-header-timeout", "longest `time` to read a request's header")
	fs.Var(duration(&c.readTimeout, 10*time.Second), "read-timeout", "longest `time` to read a whole request")
	fs.Var(duration(&c.writeTimeout, 60*time.Second), "write-timeout", "longest `time` from the request's header to the last byte of the answer")
	fs.Var(duration(&c.idleTimeout, 120*time.Second), "idle-timeout", "longest `time` that a connection is kept without a request")
	fs.Var(duration(&c.drainTimeout, 30*time.Second), "drain-timeout", "longest `time` to finish open requests when told to stop")
	fs.Var(count(&c.maxHeaderBytes, 16<<10), "max-header-bytes", "largest request header, `bytes`")

	fs.Var(oneOf(&c.logFormat, "text", "json"), "log-format", "`format` of the log: text or json")
	fs.BoolVar(&c.server.AccessLog, "access-log", false, "log each request, without its query and its client")
	fs.BoolVar(&c.server.LogQueries, "log-queries", false, "log each request with its query")
	fs.BoolVar(&c.server.LogClients, "log-clients", false, "log each request with its client's address")
	fs.BoolVar(&c.server.CountNoResults, "count-no-results", false, "count queries that find nothing, and show the frequent ones at /no-results on --admin-listen")

	fs.Var(checked[string]{&c.check, checkURL}, "check", "ask a `URL` such as http://127.0.0.1:8080/readyz, and exit with 0 if all is well there")
	fs.BoolVar(&c.version, "version", false, "print the version and exit")
	return fs
}

// command reports whether a flag asks for something to be done instead of serving. Such a flag has no variable.
func command(name string) bool { return name == "check" || name == "version" }

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
		if value, ok := lookupEnv(envName(f.Name)); ok && value != "" && !given[f.Name] && !command(f.Name) {
			errs = append(errs, setFromEnv(f, value))
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if c.version || c.check != "" {
		return &c, nil
	}
	return &c, c.complete()
}

// complete checks what concerns more than one flag.
func (c *config) complete() error {
	if len(c.loader.Sources) == 0 {
		return errors.New("--corpus is missing: name a corpus file or an http(s) URL of one")
	}
	if c.server.CountNoResults && c.adminListen == "" {
		return errors.New("--count-no-results needs --admin-listen: readers' queries are not for the public port")
	}
	c.server.AccessLog = c.server.AccessLog || c.server.LogQueries || c.server.LogClients
	return nil
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
		case command(f.Name):
		case f.DefValue == "", f.DefValue == "false":
			fmt.Fprintf(w, "      [$%s]\n", envName(f.Name))
		default:
			fmt.Fprintf(w, "      [$%s, default %s]\n", envName(f.Name), f.DefValue)
		}
	})
}

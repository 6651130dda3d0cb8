package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/site/corpus"
)

func newPreviewCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Build the site and serve it with its API and widget on a local port, again after every change",
		Long: `Preview builds the site into a temporary folder, serves it with its API and its widget, and does so again after every
change. After a change that cannot be built, the last good state stays, and every page shows the error.

Where each language has a host of its own, each has a port of its own: the next ones after --port, as with hugo server.`,
		Args: cobra.NoArgs,
	}
	flags := newSiteFlags(cmd)
	bind := cmd.Flags().String("bind", "127.0.0.1", "interface to listen on")
	port := cmd.Flags().IntP("port", "p", 1313, "port to listen on; 0 takes a free one")
	cmd.RunE = action(func(cmd *cobra.Command, _ []string) (err error) {
		dir, err := os.MkdirTemp("", "read-finder-preview-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		p := newPreview(cmd, flags, dir)
		defer p.close()
		if err := p.listen(*bind, *port); err != nil {
			return err
		}
		if err := p.build(cmd.Context()); err != nil {
			return err
		}
		return p.serve(cmd.Context())
	})
	return cmd
}

// A preview is a site that is built into a folder of its own after every change, and served.
type preview struct {
	opts   generator.BuildOptions
	dir    string // temporary
	builds int
	watch  []string // what the last build was made of
	shown  string   // folder of the build that is served
	hosts  []*previewHost
	failed chan error // why a host is not served any more

	stdout, stderr io.Writer
}

func newPreview(cmd *cobra.Command, flags *siteFlags, dir string) *preview {
	p := &preview{dir: dir, failed: make(chan error, 1), stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}
	p.opts = generator.BuildOptions{Options: flags.options(cmd), Stdout: io.Discard, Stderr: p.stderr, NoBuildLock: true, Watch: true}
	p.opts.Serve = p.baseURL
	if p.opts.Environment == "" {
		p.opts.Environment = "development" // as hugo server
	}
	return p
}

// listen opens the port of the first host. Where it is that of a language, the first build tells.
func (p *preview) listen(bind string, port int) error {
	ln, err := net.Listen("tcp", net.JoinHostPort(bind, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("%w\n  give another port with --port", err)
	}
	h, err := newPreviewHost("", ln)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	p.hosts = []*previewHost{h}
	return nil
}

// baseURL returns what a host is to be published for: --baseURL where it is given and there is one host, else where it is
// served.
func (p *preview) baseURL(folder string) (string, error) {
	if given, ok := p.opts.Hugo["baseURL"].(string); ok && folder == "" {
		return given, nil
	}
	h, err := p.host(folder)
	if err != nil {
		return "", err
	}
	return h.base() + "/", nil
}

// host returns the host whose pages are in folder, for which it opens a port where it has none.
func (p *preview) host(folder string) (*previewHost, error) {
	first := p.hosts[0]
	if first.server == nil && first.folder == "" {
		first.folder = folder
	}
	for _, h := range p.hosts {
		if h.folder == folder {
			return h, nil
		}
	}
	last := p.hosts[len(p.hosts)-1].ln.Addr().(*net.TCPAddr)
	ln, err := net.ListenTCP("tcp", &net.TCPAddr{IP: last.IP, Port: last.Port + 1, Zone: last.Zone})
	if err != nil { // it is taken
		ln, err = net.ListenTCP("tcp", &net.TCPAddr{IP: last.IP, Zone: last.Zone})
	}
	if err != nil {
		return nil, err
	}
	h, err := newPreviewHost(folder, ln)
	if err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	p.hosts = append(p.hosts, h)
	return h, nil
}

// build builds the site into a folder of its own, and serves that from now on. What is served stays as it is when the
// build fails.
func (p *preview) build(ctx context.Context) error {
	start := time.Now()
	p.builds++
	dir := filepath.Join(p.dir, strconv.Itoa(p.builds))
	o := p.opts
	o.Environ = append(o.Environ[:len(o.Environ):len(o.Environ)], "HUGO_PUBLISHDIR="+dir) // Hugo applies its environment last
	report, err := generator.Build(ctx, o)
	if len(report.Watch) > 0 {
		p.watch = report.Watch
	}
	printWarnings(p.stderr, report)
	if err == nil {
		err = p.show(dir, report)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	fmt.Fprintf(p.stdout, "built in %.1f s\n", time.Since(start).Seconds())
	return nil
}

// show has every host serve its part of a build, and removes the build before.
func (p *preview) show(dir string, report *generator.Report) error {
	corpora := map[string][]*corpus.Corpus{} // by folder of the host
	for _, l := range report.Languages {
		folder, err := filepath.Rel(dir, l.Root)
		if err != nil {
			return err
		}
		for _, a := range l.Artifacts {
			if !strings.HasSuffix(a.File, generator.CorpusName) {
				continue
			}
			c, err := corpus.ReadFile(a.File)
			if err != nil {
				return err
			}
			corpora[folder] = append(corpora[folder], c)
		}
	}
	for _, h := range p.hosts {
		if err := h.show(dir, corpora[filepath.Join(".", h.folder)], p.stdout); err != nil {
			return err
		}
	}
	old := p.shown
	p.shown = dir
	if old == "" {
		return nil
	}
	return os.RemoveAll(old)
}

// serve answers on every port and builds after every change, until ctx is done.
func (p *preview) serve(ctx context.Context) error {
	watcher := newWatcher(p.watch) // first: who reads that it is served may change something at once
	p.start()
	fmt.Fprintln(p.stdout, "press Ctrl+C to stop")
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case err := <-p.failed:
			return err
		case <-ctx.Done():
			return p.stop()
		case <-tick.C:
			if !watcher.changed() {
				continue
			}
			err := p.build(ctx)
			if ctx.Err() != nil {
				continue
			}
			if err != nil {
				for _, h := range p.hosts {
					h.pages.fail(err)
				}
				fmt.Fprintf(p.stderr, "%v\n  the last good state is still served\n", err)
			} else {
				p.start() // a language may have a host of its own now
			}
			watcher = watcher.next(p.watch)
		}
	}
}

// start serves the hosts that are not served yet, and prints where.
func (p *preview) start() {
	for _, h := range p.hosts {
		if h.start(p.failed) {
			fmt.Fprintf(p.stdout, "the site is at %s/\n", h.base())
		}
	}
}

// stop waits some seconds for answers that are being sent.
func (p *preview) stop() error {
	drain, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var errs []error
	for _, h := range p.hosts {
		if h.server != nil {
			errs = append(errs, h.server.Shutdown(drain))
		}
	}
	return errors.Join(errs...)
}

func (p *preview) close() {
	for _, h := range p.hosts {
		h.ln.Close()
	}
}

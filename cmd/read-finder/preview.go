package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/server"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

func newPreviewCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Build the site and serve it with its API and widget on a local port, again after every change",
		Args:  cobra.NoArgs,
	}
	flags := newSiteFlags(cmd)
	bind := cmd.Flags().String("bind", "127.0.0.1", "interface to listen on")
	port := cmd.Flags().IntP("port", "p", 1313, "port to listen on; 0 takes a free one")
	cmd.RunE = action(func(cmd *cobra.Command, _ []string) (err error) {
		ln, err := net.Listen("tcp", net.JoinHostPort(*bind, strconv.Itoa(*port)))
		if err != nil {
			return fmt.Errorf("%w\n  give another port with --port", err)
		}
		defer ln.Close()
		dir, err := os.MkdirTemp("", "read-finder-preview-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		p, err := newPreview(cmd, flags, dir, "http://"+ln.Addr().String())
		if err != nil {
			return err
		}
		if err := p.build(cmd.Context()); err != nil {
			return err
		}
		return p.serve(cmd.Context(), ln)
	})
	return cmd
}

// A preview is a site that is built into a folder of its own after every change, and served.
type preview struct {
	opts   generator.BuildOptions
	dir    string // temporary
	base   string // "http://127.0.0.1:1313"
	builds int
	watch  []string // what the last build was made of
	api    *server.Server
	pages  pages

	stdout, stderr io.Writer
}

func newPreview(cmd *cobra.Command, flags *siteFlags, dir, base string) (*preview, error) {
	api, err := server.New(server.Config{})
	if err != nil {
		return nil, err
	}
	o := generator.BuildOptions{Options: flags.options(cmd), Stdout: io.Discard, Stderr: cmd.ErrOrStderr(), NoBuildLock: true, Watch: true}
	if _, given := o.Hugo["baseURL"]; !given {
		o.Hugo["baseURL"] = base + "/"
	}
	if o.Environment == "" {
		o.Environment = "development" // as hugo server
	}
	return &preview{opts: o, dir: dir, base: base, api: api, stdout: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}, nil
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
		err = p.swap(report)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	if old := p.pages.show(dir); old != "" {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.stdout, "built in %.1f s\n", time.Since(start).Seconds())
	return nil
}

// swap serves the corpora that a build has written.
func (p *preview) swap(report *generator.Report) error {
	var corpora []*corpus.Corpus
	for _, l := range report.Languages {
		for _, a := range l.Artifacts {
			if !strings.HasSuffix(a.File, generator.CorpusName) {
				continue
			}
			c, err := corpus.ReadFile(a.File)
			if err != nil {
				return err
			}
			corpora = append(corpora, c)
		}
	}
	if err := p.api.Swap(corpora...); err != nil {
		return err
	}
	for _, c := range corpora {
		if err := announce(p.stdout, p.base, c); err != nil {
			return err
		}
	}
	return nil
}

// serve answers on ln and builds after every change, until ctx is done.
func (p *preview) serve(ctx context.Context, ln net.Listener) error {
	fmt.Fprintf(p.stdout, "the site is at %s/\npress Ctrl+C to stop\n", p.base)
	srv := &http.Server{
		Handler:           http.HandlerFunc(p.handle),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	watcher := newWatcher(p.watch)
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case err := <-failed:
			return err
		case <-ctx.Done():
			drain, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			return srv.Shutdown(drain)
		case <-tick.C:
			if !watcher.changed() {
				continue
			}
			err := p.build(ctx)
			if ctx.Err() != nil {
				continue
			}
			if err != nil {
				p.pages.fail(err)
				fmt.Fprintf(p.stderr, "%v\n  the last good state is still served\n", err)
			}
			watcher = watcher.next(p.watch)
		}
	}
}

// handle gives the API its three paths, below any language's prefix, and the rest to the site.
func (p *preview) handle(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"search", "companies/search", generator.IndexName} {
		if strings.HasSuffix(r.URL.Path, "/"+generator.Dir+"/"+name) {
			p.api.ServeHTTP(w, r)
			return
		}
	}
	p.pages.ServeHTTP(w, r)
}

// announce prints where a corpus is served, and a command that finds its newest article.
func announce(w io.Writer, base string, c *corpus.Corpus) error {
	m := c.Meta()
	word := "a"
	if m.Articles > 0 {
		var newest site.SearchResult
		if err := json.Unmarshal(c.Article(0), &newest); err != nil {
			return fmt.Errorf("article 0 of the corpus: %w", err)
		}
		word = longestWord(newest.Title)
	}
	fmt.Fprintf(w, "%s and %s at %s%s/api/\n", count(m.Articles, "article", "articles"),
		count(m.Companies, "company", "companies"), base, m.Prefix)
	_, err := fmt.Fprintf(w, "  curl '%s%s/api/search?q=%s'\n", base, m.Prefix, strings.ReplaceAll(url.QueryEscape(word), "'", "%27"))
	return err
}

func longestWord(s string) string {
	longest := ""
	for _, word := range strings.Fields(s) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	return longest
}

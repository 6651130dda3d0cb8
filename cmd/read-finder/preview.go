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
		Short: "Generate into a temporary folder and serve the API on a local port",
		Args:  cobra.NoArgs,
	}
	flags := newSiteFlags(cmd)
	bind := cmd.Flags().String("bind", "127.0.0.1", "interface to listen on")
	port := cmd.Flags().IntP("port", "p", 1313, "port to listen on; 0 takes a free one")
	cmd.RunE = action(func(cmd *cobra.Command, _ []string) error {
		ln, err := net.Listen("tcp", net.JoinHostPort(*bind, strconv.Itoa(*port)))
		if err != nil {
			return fmt.Errorf("%w\n  give another port with --port", err)
		}
		defer ln.Close()
		corpora, err := generateTemporary(cmd, flags)
		if err != nil {
			return err
		}
		return serve(cmd.Context(), ln, corpora, cmd.OutOrStdout())
	})
	return cmd
}

// generateTemporary generates into a folder that is gone when it returns, and opens the corpora that it found there.
func generateTemporary(cmd *cobra.Command, flags *siteFlags) (corpora []*corpus.Corpus, err error) {
	dir, err := os.MkdirTemp("", "read-finder-preview-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	o := flags.options(cmd)
	o.Environ = append(o.Environ, "HUGO_PUBLISHDIR="+dir) // Hugo applies its environment last
	bar := newProgress(cmd.ErrOrStderr())
	o.Progress = bar.show
	report, err := generator.Generate(cmd.Context(), o)
	bar.clear()
	printWarnings(cmd.ErrOrStderr(), report)
	if err != nil {
		return nil, err
	}
	for _, l := range report.Languages {
		for _, a := range l.Artifacts {
			if !strings.HasSuffix(a.File, generator.CorpusName) {
				continue
			}
			c, err := corpus.ReadFile(a.File)
			if err != nil {
				return nil, err
			}
			corpora = append(corpora, c)
		}
	}
	return corpora, nil
}

// serve answers the API on ln until ctx is done.
func serve(ctx context.Context, ln net.Listener, corpora []*corpus.Corpus, stdout io.Writer) error {
	handler, err := server.New(server.Config{})
	if err != nil {
		return err
	}
	if err := handler.Swap(corpora...); err != nil {
		return err
	}
	for _, c := range corpora {
		if err := announce(stdout, "http://"+ln.Addr().String(), c); err != nil {
			return err
		}
	}
	fmt.Fprintln(stdout, "press Ctrl+C to stop")

	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
	}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		drain, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		stopped <- srv.Shutdown(drain)
	}()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
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

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/server"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// A previewHost is one host of a site, on a port of its own as hugo server has it: its pages, its widget, and the API of its
// languages. Most sites have one.
type previewHost struct {
	folder string // below the one that the site is published to
	ln     net.Listener
	server *http.Server // nil before start
	api    *server.Server
	pages  pages
}

func newPreviewHost(folder string, ln net.Listener) (*previewHost, error) {
	api, err := server.New(server.Config{})
	if err != nil {
		return nil, err
	}
	return &previewHost{folder: folder, ln: ln, api: api}, nil
}

func (h *previewHost) base() string { return "http://" + h.ln.Addr().String() }

// start serves the host, once. Until then, requests wait.
func (h *previewHost) start(failed chan<- error) (started bool) {
	if h.server != nil {
		return false
	}
	h.server = &http.Server{
		Handler:           http.HandlerFunc(h.handle),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
	}
	go func() {
		if err := h.server.Serve(h.ln); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	return true
}

// handle gives the API its paths, below any language's prefix, and the rest to the site.
func (h *previewHost) handle(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"search", "companies/search", generator.IndexName} {
		if strings.HasSuffix(r.URL.Path, "/"+generator.Dir+"/"+name) {
			h.api.ServeHTTP(w, r)
			return
		}
	}
	h.pages.ServeHTTP(w, r)
}

// show serves a build from now on, which is in dir, and prints where.
func (h *previewHost) show(dir string, corpora []*corpus.Corpus, w io.Writer) error {
	if err := h.api.Swap(corpora...); err != nil {
		return err
	}
	h.pages.show(filepath.Join(dir, h.folder))
	for _, c := range corpora {
		if err := announce(w, h.base(), c); err != nil {
			return err
		}
	}
	return nil
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

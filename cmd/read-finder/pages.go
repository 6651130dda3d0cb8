package main

import (
	"fmt"
	"html"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// pages serves a built site from a folder that can be replaced at any time. While the site as it is now cannot be
// built, every page shows why.
type pages struct {
	mu  sync.RWMutex
	dir string
	err error
}

// show serves dir from now on, and returns the folder before.
func (p *pages) show(dir string) (old string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, p.dir, p.err = p.dir, dir, nil
	return old
}

// fail shows on every page why the site cannot be built, until the next show.
func (p *pages) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

func (p *pages) file(name string) string {
	return filepath.Join(p.dir, filepath.FromSlash(path.Clean("/"+name)))
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.RLock()
	defer p.mu.RUnlock() // the folder stays until the response is written
	w.Header().Set("Cache-Control", "no-store")
	name := r.URL.Path
	if strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	page, err := os.ReadFile(p.file(name))
	if err != nil || !strings.HasSuffix(name, ".html") {
		http.FileServer(http.Dir(p.dir)).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.err != nil {
		page = fmt.Appendf(page, `<pre role="alert" style="position:fixed;inset:auto 0 0;margin:0;padding:1em;z-index:9999;`+
			`background:#700;color:#fff;white-space:pre-wrap">%s</pre>`, html.EscapeString(p.err.Error()))
	}
	_, _ = w.Write(page) // the reader may have gone
}

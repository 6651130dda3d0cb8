package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// A progress is a line on a terminal that says how far long work is. Where stderr is not a terminal it says nothing:
// a CI log has no use for it.
type progress struct {
	w    io.Writer // nil: no terminal
	last time.Time
}

func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &progress{w: w}
	}
	return &progress{}
}

// show rewrites the line, at most ten times a second. It has the signature of generator.Options.Progress.
func (p *progress) show(stage string, done, total int) {
	if p.w == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	if total == 0 {
		fmt.Fprintf(p.w, "\r\x1b[K%s ...", stage)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s %d of %d", stage, done, total)
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

package generator

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// BuildOptions are the Options of a generation that is part of Hugo's own full build. Hugo reads and writes the site as
// the hugo command does: AllowNetwork and AllowExec do not matter.
type BuildOptions struct {
	Options
	Stdout, Stderr io.Writer // what Hugo says

	LogLevel    string // "debug", "info", "warn", "error"; "": "warn"
	Quiet       bool   // Hugo says nothing
	GC          bool   // remove unused files of Hugo's cache after the build
	NoBuildLock bool   // do not create .hugo_build.lock
	Watch       bool   // report what the site was made of

	// Serve returns where a host of the site is to be served, in place of its base URL. The folder is that of the host below
	// the publish folder: "", or where each language has a host of its own, the language. Nil: as the site is configured.
	Serve func(folder string) (baseURL string, err error)
}

// Build builds the site with Hugo and writes the artifacts from the same pages: each content is rendered once. The
// artifacts are made while Hugo renders what is not HTML, and put in place when the whole site is. The Report is complete
// up to the stage that failed.
func Build(ctx context.Context, o BuildOptions) (*Report, error) {
	g := newGeneration(o.Options)
	err := errors.Join(g.build(ctx, o), g.close())
	return g.end(), err
}

func (g *generation) build(ctx context.Context, o BuildOptions) error {
	generatedAt, err := generationTime(g.Environ, time.Now)
	if err != nil {
		return err
	}
	var staging errgroup.Group
	stage := sync.OnceFunc(func() { staging.Go(func() error { return g.prepare(ctx, generatedAt) }) })
	start := time.Now()
	extracting := 0.0
	watch, err := buildHugo(o, func(e *edition, last bool) error {
		if err := g.extract(ctx, e); err != nil {
			return ofLanguage(e, 2, err) // it names the language of a site with one too
		}
		if last {
			extracting = g.report.Stages[0].Seconds
			stage()
		}
		return nil
	})
	building := StageReport{Name: "build", Seconds: time.Since(start).Seconds() - extracting}
	if err == nil {
		stage() // a language may have no HTML
	}
	err = errors.Join(err, staging.Wait())
	g.report.Watch, g.report.Stages = watch, slices.Insert(g.report.Stages, 0, building)
	if err != nil {
		return err
	}
	return g.commit()
}

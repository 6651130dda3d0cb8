package generator

import (
	"context"
	"io"
	"slices"
	"time"
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
}

// Build builds the site with Hugo and writes the artifacts from the same pages: each content is rendered once. The
// artifacts are written when the whole site is. The Report is complete up to the stage that failed.
func Build(ctx context.Context, o BuildOptions) (*Report, error) {
	g := newGeneration(o.Options)
	err := g.build(ctx, o)
	return g.end(), err
}

func (g *generation) build(ctx context.Context, o BuildOptions) error {
	generatedAt, err := generationTime(g.Environ, time.Now)
	if err != nil {
		return err
	}
	start := time.Now()
	g.report.Watch, err = buildHugo(o, func(e *edition) error {
		if err := g.extract(ctx, e); err != nil {
			return ofLanguage(e, 2, err) // it names the language of a site with one too
		}
		return nil
	})
	total := time.Since(start).Seconds()
	for _, s := range g.report.Stages {
		total -= s.Seconds
	}
	g.report.Stages = slices.Insert(g.report.Stages, 0, StageReport{Name: "build", Seconds: total})
	if err != nil {
		return err
	}
	return g.publish(ctx, generatedAt)
}

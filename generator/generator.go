// Package generator turns a Hugo site into the artifacts that search it: it loads the site through Hugo's own
// packages, extracts every article and company into a site.Publication per language, and writes the article index
// and the search corpus into the publish folder. It never writes into the site's own folders and knows no HTTP.
package generator

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/read-finder/read-finder/site"
)

// Options say which site to read and how. Only Source is required.
type Options struct {
	Source      string // the site's folder
	Environment string // Hugo's environment; "": HUGO_ENVIRONMENT, else "production"
	Config      string // comma-separated config files; "": Hugo's default names
	ConfigDir   string // "": "config"

	Hugo     map[string]any // overrides of Hugo's own settings: "baseURL", "publishDir", "buildDrafts", ...
	Settings map[string]any // overrides of [params.readFinder], keyed as there

	AllowNetwork bool // let templates fetch remote resources
	AllowExec    bool // let Hugo start external programs (go, git, node, ...)

	Environ  []string                            // "KEY=value", as os.Environ returns it
	Progress func(stage string, done, total int) // total 0: unknown; may be nil

	// Extracted is shown what the artifacts of each language are made of, before they are written. It may be nil.
	Extracted func(*site.Publication)
}

// Generate loads the site, extracts its articles and writes the artifacts of every language. Artifacts that
// already hold this content are left untouched. The Report is complete up to the stage that failed.
func Generate(ctx context.Context, o Options) (*Report, error) {
	g := &generation{Options: o, report: &Report{Languages: []EditionReport{}}}
	if o.Progress == nil {
		g.Progress = func(string, int, int) {}
	}
	if o.Extracted == nil {
		g.Extracted = func(*site.Publication) {}
	}
	err := g.run(ctx)
	g.report.Warnings = g.warnings.sorted()
	return g.report, err
}

// A generation is one run of Generate.
type generation struct {
	Options
	report   *Report
	warnings warnings
}

func (g *generation) run(ctx context.Context) error {
	generatedAt, err := generationTime(g.Environ, time.Now)
	if err != nil {
		return err
	}

	var s *hugoSite
	err = g.stage("load", func() (err error) {
		s, err = loadHugo(g.Options, &g.warnings)
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()

	for _, e := range s.editions {
		if err := g.edition(ctx, e, generatedAt); err != nil {
			if len(s.editions) > 1 {
				return fmt.Errorf("language %q: %w", e.language, err)
			}
			return err
		}
	}
	return ctx.Err()
}

// edition extracts one language and writes its artifacts.
func (g *generation) edition(ctx context.Context, e *edition, generatedAt time.Time) error {
	settings, err := decodeSettings(e.params, g.Settings)
	if err != nil {
		return err
	}

	var pub *site.Publication
	er := EditionReport{Language: e.language, Prefix: e.prefix}
	err = g.stage("extract", func() (err error) {
		pub, er.NearDuplicates, err = extract(ctx, e, settings, g.Progress, &g.warnings)
		return err
	})
	if err != nil {
		return err
	}
	g.Extracted(pub)

	err = g.stage("write", func() error {
		g.Progress("write", 0, 0)
		return writeEdition(filepath.Join(e.dir, Dir), pub, generatedAt, &er)
	})
	if err != nil {
		return err
	}
	g.report.Languages = append(g.report.Languages, er)
	return nil
}

// stage runs f and adds its time to the report.
func (g *generation) stage(name string, f func() error) error {
	start := time.Now()
	err := f()
	seconds := time.Since(start).Seconds()
	i := slices.IndexFunc(g.report.Stages, func(s StageReport) bool { return s.Name == name })
	if i < 0 {
		i = len(g.report.Stages)
		g.report.Stages = append(g.report.Stages, StageReport{Name: name})
	}
	g.report.Stages[i].Seconds += seconds
	return err
}

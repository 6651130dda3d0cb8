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
	CheckDrop    bool // fail where a language loses more than MaxDrop percent of its articles, and write nothing
	MaxDrop      int  // 0 to 100
	NoWidget     bool // write the artifacts only
	Strict       bool // fail where a Tolerance would be reported, and write nothing

	Environ  []string                            // "KEY=value", as os.Environ returns it
	Progress func(stage string, done, total int) // total 0: unknown; may be nil

	// Extracted is shown what the artifacts of each language are made of, before they are written. It may be nil.
	Extracted func(*site.Publication)
}

// Generate loads the site, extracts its articles and writes the artifacts of every language. Artifacts that
// already hold this content are left untouched. The Report is complete up to the stage that failed.
func Generate(ctx context.Context, o Options) (*Report, error) {
	g := newGeneration(o)
	err := g.run(ctx)
	return g.end(), err
}

func newGeneration(o Options) *generation {
	g := &generation{Options: o, report: &Report{Languages: []EditionReport{}, Widget: []ArtifactReport{}}}
	if o.Progress == nil {
		g.Progress = func(string, int, int) {}
	}
	if o.Extracted == nil {
		g.Extracted = func(*site.Publication) {}
	}
	return g
}

// end completes the report.
func (g *generation) end() *Report {
	g.report.Warnings, g.report.Tolerances = g.warnings.sorted(), g.tolerances.sorted()
	return g.report
}

// A generation is one run of Generate.
type generation struct {
	Options
	report     *Report
	warnings   warnings
	tolerances tolerances

	editions    []*edition    // those that were extracted
	extractions []*extraction // of each edition
}

func (g *generation) run(ctx context.Context) error {
	generatedAt, err := generationTime(g.Environ, time.Now)
	if err != nil {
		return err
	}

	var s *hugoSite
	err = g.stage("load", func() (err error) {
		s, err = loadSite(g.Options, &g.warnings, &g.tolerances)
		return err
	})
	if err != nil {
		return err
	}
	defer s.close()

	for _, e := range s.editions {
		if err := g.extract(ctx, e); err != nil {
			return ofLanguage(e, len(s.editions), err)
		}
	}
	return g.publish(ctx, generatedAt)
}

// publish writes what was extracted, all languages or, where something is wrong, none.
func (g *generation) publish(ctx context.Context, generatedAt time.Time) error {
	if n := len(g.tolerances.sorted()); g.Strict && n > 0 {
		return &StrictError{n}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, e := range g.editions {
		if !g.CheckDrop {
			break
		}
		if err := checkDrop(filepath.Join(e.dir, Dir), g.extractions[i].pub, g.MaxDrop); err != nil {
			return ofLanguage(e, len(g.editions), err)
		}
	}
	for i, e := range g.editions {
		if err := g.write(e, g.extractions[i], generatedAt); err != nil {
			return ofLanguage(e, len(g.editions), err)
		}
	}
	if err := g.suggestRegistry(); err != nil {
		return err
	}
	return g.widget(g.editions)
}

// widget writes the widget for each host, unless it is not wanted.
func (g *generation) widget(editions []*edition) error {
	if g.NoWidget {
		return nil
	}
	return g.stage("write", func() error {
		done := map[string]bool{}
		for _, e := range editions {
			if done[e.root] {
				continue
			}
			done[e.root] = true
			files, err := writeWidget(e.root)
			if err != nil {
				return err
			}
			g.report.Widget = append(g.report.Widget, files...)
		}
		return nil
	})
}

// ofLanguage says of which of several languages an error is.
func ofLanguage(e *edition, languages int, err error) error {
	if languages == 1 {
		return err
	}
	return fmt.Errorf("language %q: %w", e.language, err)
}

// extract extracts one language.
func (g *generation) extract(ctx context.Context, e *edition) error {
	settings, err := decodeSettings(e.params, g.Settings)
	if err != nil {
		return err
	}
	return g.stage("extract", func() error {
		x, err := extract(ctx, e, settings, g.Progress, &g.warnings, &g.tolerances)
		if err != nil {
			return err
		}
		g.editions, g.extractions = append(g.editions, e), append(g.extractions, x)
		g.Extracted(x.pub)
		return nil
	})
}

// write writes the artifacts of one language.
func (g *generation) write(e *edition, x *extraction, generatedAt time.Time) error {
	er := EditionReport{Language: e.language, Prefix: e.prefix, NearDuplicates: x.near, NotIndexed: x.notIndexed}
	err := g.stage("write", func() error {
		g.Progress("write", 0, 0)
		return writeEdition(filepath.Join(e.dir, Dir), x.pub, generatedAt, &er)
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

// Package generator turns a Hugo site into the artifacts that search it: it loads the site through Hugo's own
// packages, extracts every article and company into a site.Publication per language, and writes the article index
// and the search corpus into the publish folder. It never writes into the site's own folders and knows no HTTP.
package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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

	// Not settings: a site must not give these rights to itself.
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
	g := newGeneration(o)
	err := errors.Join(g.run(ctx), g.close())
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
	sets        []*fileSet    // what is to be put in place
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
	if err := g.checkRendered(); err != nil {
		return err
	}
	if err := g.prepare(ctx, generatedAt); err != nil {
		return err
	}
	return g.commit()
}

// prepare writes what was extracted, all languages or, where something is wrong, none, for commit to put it in place.
func (g *generation) prepare(ctx context.Context, generatedAt time.Time) error {
	strict := slices.ContainsFunc(g.extractions, func(x *extraction) bool { return x.settings.strict })
	if n := len(g.tolerances.sorted()); strict && n > 0 {
		return &StrictError{n}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, e := range g.editions {
		if err := checkDrop(filepath.Join(e.dir, Dir), g.extractions[i]); err != nil {
			return ofLanguage(e, len(g.editions), err)
		}
	}
	return g.stage("write", func() error {
		g.Progress("write", 0, 0)
		if err := g.stageEditions(ctx, generatedAt); err != nil {
			return err
		}
		if err := g.suggestRegistry(); err != nil {
			return err
		}
		return g.stageWidget(ctx)
	})
}

// stageEditions makes the artifacts of all languages, on all processors.
func (g *generation) stageEditions(ctx context.Context, generatedAt time.Time) (err error) {
	sets := make([]*fileSet, len(g.editions))
	for i, e := range g.editions { // locked in one order, or two runs could wait for each other
		if sets[i], err = g.openSet(ctx, filepath.Join(e.dir, Dir)); err != nil {
			return ofLanguage(e, len(g.editions), err)
		}
	}
	g.report.Languages = make([]EditionReport, len(g.editions))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range g.editions {
		x, er := g.extractions[i], &g.report.Languages[i]
		*er = EditionReport{Language: e.language, Prefix: e.prefix, Root: e.root, NearDuplicates: x.near, NotIndexed: x.notIndexed, Missing: x.missing}
		group.Go(func() error {
			if err := stageEdition(sets[i], x.pub, generatedAt, er); err != nil {
				return ofLanguage(e, len(g.editions), err)
			}
			return nil
		})
	}
	return group.Wait()
}

// stageWidget makes the widget's files for each host, unless they are not wanted.
func (g *generation) stageWidget(ctx context.Context) error {
	for _, root := range g.widgetRoots() {
		set, err := g.openSet(ctx, filepath.Join(root, WidgetDir))
		if err != nil {
			return err
		}
		files, err := stageWidget(set)
		if err != nil {
			return err
		}
		g.report.Widget = append(g.report.Widget, files...)
	}
	return nil
}

// openSet opens a set that commit puts in place and close closes.
func (g *generation) openSet(ctx context.Context, dir string) (*fileSet, error) {
	s, err := openSet(ctx, dir)
	if err == nil {
		g.sets = append(g.sets, s)
	}
	return s, err
}

// commit puts in place what prepare has written.
func (g *generation) commit() error {
	return g.stage("write", func() error {
		for _, s := range g.sets {
			if err := s.commit(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (g *generation) close() error {
	var errs []error
	for _, s := range g.sets {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// widgetRoots are the folders of the hosts that get the widget: those with a language that wants it.
func (g *generation) widgetRoots() []string {
	var roots []string
	for i, e := range g.editions {
		if g.extractions[i].settings.widget && !slices.Contains(roots, e.root) {
			roots = append(roots, e.root)
		}
	}
	return roots
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
	e.termTitle = remembering(e.termTitle)
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

// remembering calls f once for each term, which many pages name. Hugo takes its time to find a page.
func remembering(f func(key, term string) string) func(key, term string) string {
	var titles sync.Map
	return func(key, term string) string {
		at := [...]string{key, term}
		title, ok := titles.Load(at)
		if !ok {
			title, _ = titles.LoadOrStore(at, f(key, term))
		}
		return title.(string)
	}
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

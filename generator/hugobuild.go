package generator

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bep/clocks"
	"github.com/bep/logg"
	"github.com/gohugoio/hugo/common/herrors"
	"github.com/gohugoio/hugo/common/htime"
	"github.com/gohugoio/hugo/common/hugo"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/common/urls"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/hugolib/filesystems"
	"github.com/gohugoio/hugo/hugolib/segments"
	"github.com/gohugoio/hugo/hugolib/sitesmatrix"
	"github.com/spf13/afero"
	"github.com/spf13/fsync"
	"golang.org/x/sync/errgroup"
)

// A hugoBuild is one run of Hugo's own full build, as the hugo command does it: Hugo exports the parts, not the
// command (github.com/gohugoio/hugo/commands).
type hugoBuild struct {
	BuildOptions
	source  string // absolute
	log     loggers.Logger
	configs *allconfig.Configs
	fs      *hugofs.Fs
	sites   *hugolib.HugoSites
	pages   *capture
}

// buildHugo loads, renders and writes the site. It calls extract once per language, while the language's pages hold the
// content that was rendered into their HTML, and says which is the last. It returns the files and folders that the site
// was made of, where the options ask for them.
func buildHugo(o BuildOptions, extract func(e *edition, last bool) error) (watch []string, err error) {
	b := &hugoBuild{BuildOptions: o}
	if b.source, err = filepath.Abs(o.Source); err != nil {
		return nil, err
	}
	if o.Quiet {
		b.Stdout, b.Stderr = io.Discard, io.Discard
	}
	start := time.Now()
	defer func() { fmt.Fprintf(b.Stdout, "Total in %d ms\n", time.Since(start).Milliseconds()) }()
	if err := b.load(extract); err != nil {
		return nil, b.report(err)
	}
	defer b.sites.Close()
	if o.Watch {
		watch = append(b.sites.BaseFs.WatchFilenames(), b.configs.LoadingInfo.ConfigFiles...)
	}
	if err := b.run(); err != nil {
		return watch, b.report(err)
	}
	fmt.Fprintln(b.Stdout)
	b.sites.PrintProcessingStats(b.Stdout)
	fmt.Fprintln(b.Stdout)
	return watch, nil
}

// errBuild says that Hugo has failed, which it has logged as the hugo command does.
var errBuild = errors.New("the site could not be built")

func (b *hugoBuild) report(err error) error {
	for _, e := range herrors.Errors(err) {
		b.log.Errorf("%s", e)
	}
	return fmt.Errorf("%w: %s", errBuild, below(b.source, firstLine(err.Error())))
}

// load reads the configuration and prepares the build, as commands.ConfigFromProvider does.
func (b *hugoBuild) load(extract func(*edition, bool) error) error {
	level, err := logLevel(b.LogLevel)
	b.log = loggers.New(loggers.Options{Level: level, DistinctLevel: logg.LevelWarn, StdOut: b.Stdout, StdErr: b.Stderr})
	if err != nil {
		return err
	}
	loggers.SetGlobalLogger(b.log)
	flags := config.New()
	for _, key := range slices.Sorted(maps.Keys(b.Hugo)) {
		flags.Set(key, b.Hugo[key])
	}
	flags.Set("workingDir", b.source)
	flags.Set("environment", hugoEnvironment(b.Options))
	b.configs, err = allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{
		Fs:          hugofs.Os,
		Logger:      b.log,
		Flags:       flags,
		Filename:    b.Config,
		ConfigDir:   orDefault(b.ConfigDir, "config"),
		Environment: hugoEnvironment(b.Options),
		Environ:     b.Environ,
	})
	if err != nil {
		return err
	}
	if len(b.configs.LoadingInfo.ConfigFiles) == 0 {
		return fmt.Errorf("no Hugo configuration in %q\n  --source names the folder of the site, --config its files", b.Source)
	}
	if err := b.setBaseURLs(); err != nil {
		return err
	}
	if clock := b.configs.Base.C.Clock; !clock.IsZero() {
		htime.Clock = clocks.Start(clock)
	}
	for _, key := range []string{"publishDir", "publishDirStatic", "publishDirDynamic"} {
		flags.Set(key, b.configs.Base.PublishDir)
	}
	b.fs = hugofs.NewFromSourceAndDestination(hugofs.Os, hugofs.Os, flags)
	if b.configs.Base.PrintPathWarnings {
		b.fs.PublishDir = hugofs.NewCreateCountingFs(b.fs.PublishDir)
	}
	b.capturePages(extract)
	b.sites, err = hugolib.NewHugoSites(deps.DepsCfg{
		Configs: b.configs, Fs: b.fs, StdOut: b.log.StdOut(), StdErr: b.log.StdErr(), LogLevel: b.log.Level(),
	})
	return err
}

// setBaseURLs has the site published for where it is served, as commands.setServerInfoInConfig does.
func (b *hugoBuild) setBaseURLs() error {
	if b.Serve == nil {
		return nil
	}
	for _, l := range b.configs.Languages {
		folder := ""
		if b.configs.IsMultihost {
			folder = l.Lang
		}
		address, err := b.Serve(folder)
		if err != nil {
			return err
		}
		base, err := urls.NewBaseURLFromString(address)
		if err != nil {
			return fmt.Errorf("base URL %q: %w", address, err)
		}
		b.configs.LanguageConfigMap[l.Lang].C.SetServerInfo(base, base, "")
	}
	return nil
}

func logLevel(name string) (logg.Level, error) {
	switch strings.ToLower(name) {
	case "debug":
		return logg.LevelDebug, nil
	case "info":
		return logg.LevelInfo, nil
	case "", "warn", "warning":
		return logg.LevelWarn, nil
	case "error":
		return logg.LevelError, nil
	}
	return logg.LevelWarn, fmt.Errorf("invalid log level: %q, must be one of debug, warn, info or error", name)
}

// run copies the static files and renders the site, as commands.fullBuild does.
func (b *hugoBuild) run() error {
	fmt.Fprintf(b.Stdout, "Start building sites … \n%s\n\n", hugo.BuildVersionString())
	var static map[string]uint64
	copyStatic := func() (err error) {
		static, err = b.copyStatic()
		if err != nil {
			return fmt.Errorf("error copying static files: %w", err)
		}
		return nil
	}
	render := func() error {
		if err := b.sites.Build(hugolib.BuildCfg{NoBuildLock: b.NoBuildLock}); err != nil {
			return fmt.Errorf("error building site: %w", err)
		}
		return b.pages.end()
	}
	if b.configs.Base.CleanDestinationDir { // which removes what is not static
		if err := copyStatic(); err != nil {
			return err
		}
		if err := render(); err != nil {
			return err
		}
	} else {
		var g errgroup.Group
		g.Go(copyStatic)
		g.Go(render)
		if err := g.Wait(); err != nil {
			return err
		}
	}
	for _, s := range b.sites.Sites {
		s.ProcessingStats.Static = static[s.Language().Lang]
	}
	if b.GC {
		n, err := b.sites.GC()
		if err != nil {
			return err
		}
		for _, s := range b.sites.Sites {
			s.ProcessingStats.Cleaned = uint64(n)
		}
	}
	return nil
}

// copyStatic copies the static files of every language, and returns how many of each.
func (b *hugoBuild) copyStatic() (map[string]uint64, error) {
	counts := map[string]uint64{}
	for lang, fs := range b.sites.BaseFs.SourceFilesystems.Static {
		n, err := b.copyStaticOf(fs)
		if err != nil && !herrors.IsNotExist(err) {
			return counts, err
		}
		if lang != "" { // several hosts
			counts[lang] = n
			continue
		}
		for _, l := range b.configs.Languages {
			counts[l.Lang] = n
		}
	}
	return counts, nil
}

func (b *hugoBuild) copyStaticOf(source *filesystems.SourceFilesystem) (uint64, error) {
	counted := &countingFs{Fs: source.Fs}
	s := fsync.NewSyncer()
	s.NoTimes, s.NoChmod = b.configs.Base.NoTimes, b.configs.Base.NoChmod
	s.ChmodFilter = func(_, src os.FileInfo) bool { return src.IsDir() || src.Mode().Perm()&0o200 == 0 }
	s.SrcFs, s.DestFs = counted, b.fs.PublishDirStatic
	s.Delete = b.configs.Base.CleanDestinationDir
	s.DeleteFilter = func(f fsync.FileInfo) bool {
		return f.Name() == ".gitignore" || f.Name() == ".gitattributes" || f.IsDir() && strings.HasPrefix(f.Name(), ".")
	}
	err := s.Sync(filepath.Join(string(filepath.Separator), source.PublishFolder), string(filepath.Separator))
	return counted.stats.Load() / 2, err // the syncer asks twice for every file
}

// A countingFs counts the files that were asked for.
type countingFs struct {
	afero.Fs
	stats atomic.Uint64
}

func (c *countingFs) Stat(name string) (os.FileInfo, error) {
	info, err := c.Fs.Stat(name)
	if err == nil && !info.IsDir() {
		c.stats.Add(1)
	}
	return info, err
}

// A capture extracts a language's pages at the one moment of a build when they hold the content of their HTML, already
// rendered: after Hugo has rendered that output format and before it prepares the next one, for which it asks its
// segment filter.
type capture struct {
	formats map[string]string // language -> its HTML format
	site    func(sitesmatrix.Vector) *hugolib.Site
	extract func(*hugolib.Site) error

	last segments.SegmentQuery // what is being rendered
	err  error
}

// A capturingFilter tells the capture what Hugo renders, and leaves to the site's own filter whether it does.
type capturingFilter struct {
	segments.SegmentFilter
	pages *capture
}

func (f *capturingFilter) ShouldExcludeCoarse(q segments.SegmentQuery) bool {
	f.pages.next(segments.SegmentQuery{})
	if f.SegmentFilter.ShouldExcludeCoarse(q) {
		return true
	}
	f.pages.next(q)
	return false
}

// next is called before Hugo renders something else.
func (c *capture) next(q segments.SegmentQuery) {
	last := c.last
	c.last = q
	if last.Output == "" || c.err != nil {
		return
	}
	if s := c.site(last.Site); s != nil && c.formats[s.Language().Lang] == last.Output {
		c.err = c.extract(s)
	}
}

func (c *capture) end() error {
	c.next(segments.SegmentQuery{})
	return c.err
}

func (b *hugoBuild) capturePages(extract func(*edition, bool) error) {
	mainSections := map[string][]string{}
	b.pages = &capture{formats: map[string]string{}}
	for lang, c := range b.configs.LanguageConfigMap {
		if c.C.IsMainSectionsSet() {
			mainSections[lang] = c.C.MainSections
		}
		b.pages.formats[lang] = htmlFormat(c)
		filter := &c.Segments.Config.SegmentFilter // languages share it where none sets its own
		if _, ok := (*filter).(*capturingFilter); !ok {
			*filter = &capturingFilter{*filter, b.pages}
		}
	}
	b.pages.site = func(v sitesmatrix.Vector) *hugolib.Site {
		if v.Version() != 0 || v.Role() != 0 { // of several variants of a language, the default one
			return nil
		}
		return b.sites.Sites[v.Language()]
	}
	extracted := 0
	b.pages.extract = func(s *hugolib.Site) error {
		extracted++
		return extract(newEdition(b.sites, s, b.source, mainSections[s.Language().Lang]), extracted == len(b.configs.Languages))
	}
}

package generator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bep/logg"
	"github.com/bep/overlayfs"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugofs/files"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/hugolib/segments"
	"github.com/gohugoio/hugo/resources/page"
	"github.com/gohugoio/hugo/resources/page/pagemeta"
	"github.com/spf13/afero"
	"github.com/spf13/cast"
)

// This file is the only one that imports Hugo's packages.

// A hugoSite is a site that Hugo has loaded and assembled, but not rendered. Its editions can be used until close.
type hugoSite struct {
	sites    *hugolib.HugoSites
	editions []*edition
}

func (s *hugoSite) close() { s.sites.Close() }

// loadHugo loads the site at o.Source without rendering it. Hugo reads the real files and writes to memory only.
func loadHugo(o Options, w *warnings) (s *hugoSite, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("hugo failed on %q: %v", o.Source, r)
		}
	}()

	source, err := filepath.Abs(o.Source)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("source folder: %w", err)
	}
	fs := overlayfs.New(overlayfs.Options{
		Fss:           []afero.Fs{afero.NewMemMapFs(), afero.NewReadOnlyFs(afero.NewOsFs())},
		FirstWritable: true,
	})
	log := &hugoLog{source: source, warnings: w}

	flags := config.New()
	for _, key := range slices.Sorted(maps.Keys(o.Hugo)) {
		flags.Set(key, o.Hugo[key])
	}
	flags.Set("workingDir", source)
	environment := hugoEnvironment(o)
	flags.Set("environment", environment)

	configs, err := allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{
		Fs:           fs,
		Logger:       log.logger(nil),
		Flags:        flags,
		Filename:     o.Config,
		ConfigDir:    orDefault(o.ConfigDir, "config"),
		Environment:  environment,
		Environ:      hugoEnviron(o),
		SkipNpmCheck: true,
	})
	if err != nil {
		return nil, log.explain(err)
	}
	if len(configs.LoadingInfo.ConfigFiles) == 0 {
		return nil, fmt.Errorf("no Hugo configuration in %q\n  --source names the folder of the site, --config its files", o.Source)
	}

	mainSections := map[string][]string{} // before the build, where Hugo guesses them
	for lang, c := range configs.LanguageConfigMap {
		if c.C.IsMainSectionsSet() {
			mainSections[lang] = c.C.MainSections
		}
		c.Segments.Config.SegmentFilter = &firstHTML{format: htmlFormat(c)}
		c.Build.BuildStats.Enable = false // hugo_stats.json goes to the disk whatever the file system
	}
	shareFilter(configs)

	flags.Set("publishDir", configs.Base.PublishDir)
	sites, err := hugolib.NewHugoSites(deps.DepsCfg{
		Configs:    configs,
		Fs:         hugofs.NewFromSourceAndDestination(fs, discardFs{afero.NewMemMapFs()}, flags),
		TestLogger: log.logger(configs.GetFirstLanguageConfig().IgnoredLogs()),
	})
	if err != nil {
		return nil, log.explain(err)
	}
	if err := sites.Build(hugolib.BuildCfg{SkipRender: true, NoBuildLock: true}); err != nil {
		sites.Close()
		return nil, log.explain(err)
	}

	s = &hugoSite{sites: sites}
	for _, hs := range sites.Sites {
		s.editions = append(s.editions, newEdition(sites, hs, source, mainSections[hs.Language().Lang]))
	}
	return s, nil
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// hugoEnvironment resolves the environment as Hugo's own commands do.
func hugoEnvironment(o Options) string {
	env := o.Environment
	for _, name := range []string{"HUGO_ENVIRONMENT", "HUGO_ENV"} {
		if env == "" {
			env = lookupEnv(o.Environ, name)
		}
	}
	return orDefault(env, "production")
}

func lookupEnv(environ []string, name string) string {
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

// hugoEnviron adds the settings that must win over the site's configuration: Hugo applies its environment last,
// while nested keys of the flags do not stick.
func hugoEnviron(o Options) []string {
	env := slices.Clone(o.Environ)
	if !o.AllowNetwork {
		env = append(env, "HUGO_SECURITY_HTTP_URLS=none")
	}
	if !o.AllowExec {
		// Git information is read with the git command, and fatal where there is no repository.
		env = append(env, "HUGO_SECURITY_EXEC_ALLOW=none", "HUGO_ENABLEGITINFO=false")
	}
	return env
}

// firstHTML is a segment filter that ends the preparation of output formats at the first HTML one. Hugo leaves every
// page at the output format prepared last, so that .Content would be the RSS or JSON variant. Formats before it are
// let through: Hugo counts the prepared formats, and a skipped one shifts all later pages to a wrong one.
type firstHTML struct {
	format string
	done   bool
}

func (f *firstHTML) ShouldExcludeCoarse(q segments.SegmentQuery) bool {
	if f.done {
		return true
	}
	f.done = q.Output == f.format
	return false
}

func (f *firstHTML) ShouldExcludeFine(segments.SegmentQuery) bool { return false }

// shareFilter gives all languages one filter: Hugo counts formats over all of them.
func shareFilter(c *allconfig.Configs) {
	first := c.LanguageConfigMap[c.Languages[0].Lang].Segments.Config.SegmentFilter
	for _, lc := range c.LanguageConfigMap {
		lc.Segments.Config.SegmentFilter = first
	}
}

// htmlFormat returns the name of the output format whose content is indexed: "html" where pages have it, else
// the first HTML format they have.
func htmlFormat(c *allconfig.Config) string {
	name := "html"
	for _, f := range slices.Backward(c.C.KindOutputFormats["page"]) {
		if f.Name == "html" {
			return f.Name
		}
		if f.IsHTML {
			name = f.Name
		}
	}
	return name
}

func newEdition(h *hugolib.HugoSites, s *hugolib.Site, source string, mainSections []string) *edition {
	conf := s.Conf
	dir := conf.BaseConfig().PublishDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(source, dir)
	}
	prefix := s.LanguagePrefix()
	if conf.IsMultihost() {
		dir, prefix = filepath.Join(dir, s.Language().Lang), ""
	}
	e := &edition{
		language:     s.Language().Locale(),
		prefix:       prefix,
		dir:          filepath.Join(dir, filepath.FromSlash(prefix)),
		basePath:     path.Join("/", conf.BaseURL().BasePath),
		params:       s.Params()["readfinder"],
		mainSections: mainSections,
	}
	plurals := h.Configs.LanguageConfigMap[s.Language().Lang].Taxonomies
	e.termTitle = func(key, term string) string {
		p, err := s.GetPage(path.Join("/", orDefault(plurals[key], key), term))
		if err != nil || p.Kind() != "term" {
			return ""
		}
		return cast.ToString(p.Params()["title"])
	}
	e.slug = func(key, term string) string {
		base := conf.PathParser().Parse(files.ComponentFolderContent, "/"+key+"/"+term+"/_index.md").Base()
		return strings.TrimPrefix(s.PathSpec.MakePathSanitized(base), "/"+key+"/")
	}
	for _, p := range s.Home().RegularPagesRecursive() {
		if published(p) {
			e.pages = append(e.pages, newSourcePage(p, source))
		}
	}
	return e
}

// published tells whether Hugo writes the page as HTML. The page collections leave out drafts, future and expired
// pages and build.list: never, but keep pages that are listed without being rendered.
func published(p page.Page) bool {
	for _, key := range []string{"build", "_build"} {
		b, err := pagemeta.DecodeBuildConfig(p.Params()[key])
		if err != nil || b.Render != pagemeta.Always {
			return false
		}
	}
	isHTML := func(f page.OutputFormat) bool { return f.Format.IsHTML }
	return p.Permalink() != "" && slices.ContainsFunc(p.OutputFormats(), isHTML)
}

func newSourcePage(p page.Page, source string) sourcePage {
	file := p.Path()
	if f := p.File(); f != nil {
		file = relativeTo(source, f.Filename())
	}
	return sourcePage{
		file:        file,
		path:        p.Path(),
		section:     p.Section(),
		title:       p.Title(),
		description: p.Description(),
		permalink:   p.Permalink(),
		date:        p.Date(),
		params:      p.Params(),
		render: func(ctx context.Context, wantSummary bool) (content, summary string, err error) {
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("hugo failed on %q: %v", file, r)
				}
			}()
			v, err := p.Content(ctx)
			if err != nil {
				return "", "", err
			}
			if wantSummary {
				summary = string(p.Summary(ctx))
			}
			content, err = cast.ToStringE(v)
			return content, summary, err
		},
	}
}

// relativeTo returns file relative to dir, with slashes, so that reports read the same on every machine.
func relativeTo(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// A hugoLog turns what Hugo logs into warnings by file.
type hugoLog struct {
	source   string
	warnings *warnings

	mu     sync.Mutex
	errors []string
}

func (l *hugoLog) logger(ignored map[string]bool) loggers.Logger {
	return loggers.New(loggers.Options{
		Level:              logg.LevelWarn,
		DistinctLevel:      logg.LevelWarn,
		StdOut:             io.Discard,
		StdErr:             io.Discard,
		HandlerPost:        l.handle,
		SuppressStatements: ignored,
	})
}

// filePosition matches the position of a file in a message of Hugo's, "content/a.md:3:1".
var filePosition = regexp.MustCompile(`([^\s"]+\.\w+):(\d+:\d+)`)

func (l *hugoLog) handle(e *logg.Entry) error {
	v := Warning{Message: l.relative(e.Message), Hugo: true}
	if e.Level >= logg.LevelError {
		l.mu.Lock()
		l.errors = append(l.errors, v.Message)
		l.mu.Unlock()
		v.Message = "error: " + v.Message
	}
	if m := filePosition.FindStringSubmatch(v.Message); m != nil {
		v.File, v.Message = m[1], strings.Replace(v.Message, m[0], m[2], 1)
	}
	l.warnings.put(v)
	return nil
}

// relative shortens the site's files in a message to paths below its folder.
func (l *hugoLog) relative(message string) string {
	return strings.ReplaceAll(message, l.source+string(filepath.Separator), "")
}

// explain adds what Hugo logged to the error that it returned, which often says only how many errors it logged.
func (l *hugoLog) explain(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := append([]string{l.relative(err.Error())}, l.errors...)
	return errors.New("load site: " + strings.Join(lines, "\n  "))
}

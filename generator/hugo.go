package generator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bep/logg"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugofs/files"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/hugolib/segments"
	"github.com/gohugoio/hugo/modules"
	"github.com/gohugoio/hugo/parser"
	"github.com/gohugoio/hugo/parser/metadecoders"
	"github.com/gohugoio/hugo/parser/pageparser"
	"github.com/gohugoio/hugo/resources/kinds"
	"github.com/gohugoio/hugo/resources/page"
	"github.com/gohugoio/hugo/resources/page/pagemeta"
	"github.com/spf13/afero"
	"github.com/spf13/cast"
)

// This file and hugobuild.go are the only ones that import Hugo's packages.

// A hugoSite is a site that Hugo has loaded and assembled, but not rendered. Its editions can be used until close.
type hugoSite struct {
	sites          *hugolib.HugoSites
	editions       []*edition
	missingModules []string // themes and modules that were not found
	layoutDirs     []string // as of a loadError
	hasPartial     func(string) bool
}

func (s *hugoSite) close() { s.sites.Close() }

// A loadError is why Hugo did not load a site, with what it takes to repair that.
type loadError struct {
	message      string            // of Hugo, with what it logged, the site's files below its folder
	layoutDirs   []string          // absolute, the site's before those of its themes; none where the configuration was not loaded
	contentDirs  []string          // absolute; none where the error came before the content
	hasShortcode func(string) bool // nil, likewise
}

func (e *loadError) Error() string { return "load site: " + e.message }

// loadHugo loads the site at the absolute folder source without rendering it, with the repairs r laid over its files.
// Hugo reads the real files and writes to memory only.
func loadHugo(o Options, source string, r *repairs, log *hugoLog) (s *hugoSite, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, &loadError{message: fmt.Sprintf("hugo failed on %q: %v", o.Source, r)}
		}
	}()
	fs, err := r.overlay(source)
	if err != nil {
		return nil, err
	}
	flags := hugoFlags(o, source, r)
	loggers.SetGlobalLogger(log.logger(nil)) // Hugo sets it too, but writes to stderr until then
	configs, err := allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{
		Fs:           fs,
		Logger:       log.logger(nil),
		Flags:        flags,
		Filename:     o.Config,
		ConfigDir:    orDefault(o.ConfigDir, "config"),
		Environment:  hugoEnvironment(o),
		Environ:      hugoEnviron(o, r),
		SkipNpmCheck: true,

		IgnoreModuleDoesNotExist: r.noModules,
	})
	if err != nil {
		return nil, &loadError{message: log.explain(err)}
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
	if configs.Base.EnableGitInfo && !o.AllowExec {
		// It is read with the git command, and fatal where there is no repository.
		configs.Base.EnableGitInfo = false
		log.warnings.add("", "skipped, external programs are off: %q for enableGitInfo; --allow-exec turns them on", "git")
	}

	flags.Set("publishDir", configs.Base.PublishDir)
	sites, err := hugolib.NewHugoSites(deps.DepsCfg{
		Configs:    configs,
		Fs:         hugofs.NewFromSourceAndDestination(fs, discardFs{afero.NewMemMapFs()}, flags),
		TestLogger: log.logger(configs.GetFirstLanguageConfig().IgnoredLogs()),
	})
	if err != nil {
		return nil, &loadError{message: log.explain(err), layoutDirs: layoutDirs(configs)}
	}
	if err := sites.Build(hugolib.BuildCfg{SkipRender: true, NoBuildLock: true}); err != nil && !log.only(err) {
		defer sites.Close()
		return nil, &loadError{
			message:      log.explain(err),
			layoutDirs:   layoutDirs(configs),
			contentDirs:  sites.BaseFs.Content.RealDirs(""),
			hasShortcode: shortcodeLookup(sites),
		}
	}

	s = &hugoSite{sites: sites, missingModules: missingModules(configs), layoutDirs: layoutDirs(configs)}
	s.hasPartial = func(name string) bool { return sites.Sites[0].GetTemplateStore().LookupPartial(name) != nil }
	for _, hs := range sites.Sites {
		s.editions = append(s.editions, newEdition(sites, hs, source, mainSections[hs.Language().Lang]))
	}
	return s, nil
}

// hugoFlags are the settings that win over the site's configuration files.
func hugoFlags(o Options, source string, r *repairs) config.Provider {
	flags := config.New()
	for _, key := range slices.Sorted(maps.Keys(o.Hugo)) {
		flags.Set(key, o.Hugo[key])
	}
	flags.Set("workingDir", source)
	flags.Set("environment", hugoEnvironment(o))
	if r.contentOnly {
		for _, key := range []string{"i18nDir", "assetDir", "archetypeDir"} {
			flags.Set(key, "read-finder-none")
		}
		flags.Set("layoutDir", bareLayouts)
	}
	return flags
}

// missingModules returns the themes and modules that the site imports and that were not found.
func missingModules(c *allconfig.Configs) []string {
	var missing []string
	for _, i := range c.Base.Module.Imports {
		found := slices.ContainsFunc(c.Modules, func(m modules.Module) bool { return m.Path() == i.Path })
		if !found && !i.Disable {
			missing = append(missing, i.Path)
		}
	}
	return missing
}

// layoutDirs returns the folders that the site and its themes have their templates in.
func layoutDirs(c *allconfig.Configs) []string {
	var dirs []string
	for _, m := range c.Modules {
		for _, mount := range m.Mounts() {
			if mount.Component() != files.ComponentFolderLayouts {
				continue
			}
			dir := mount.Source
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(m.Dir(), dir)
			}
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// shortcodeLookup returns whether the site, its themes or Hugo have a shortcode of that name.
func shortcodeLookup(h *hugolib.HugoSites) func(string) bool {
	store := h.Sites[0].GetTemplateStore()
	return func(name string) bool { return store.LookupShortcodeByName(name) != nil }
}

// frontMatterError tells why Hugo refuses the front matter of a content file. Nil: it does not.
func frontMatterError(content []byte) error {
	_, err := pageparser.ParseFrontMatterAndContent(bytes.NewReader(content))
	return err
}

// frontMatterValue returns what a content file sets for a key, which Hugo compares without regard to case. Nil: nothing.
func frontMatterValue(content []byte, key string) any {
	parsed, err := pageparser.ParseFrontMatterAndContent(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	for k, v := range parsed.FrontMatter {
		if strings.EqualFold(k, key) {
			return v
		}
	}
	return nil
}

// decodeConfig and encodeConfig read and write a configuration file in the format that its name tells.
func decodeConfig(file string, data []byte) (map[string]any, error) {
	return metadecoders.Default.UnmarshalToMap(data, metadecoders.FormatFromString(file))
}

func encodeConfig(file string, v any) ([]byte, error) {
	var b bytes.Buffer
	err := parser.InterfaceToConfig(v, metadecoders.FormatFromString(file), &b)
	return b.Bytes(), err
}

// readData returns a data file, "companies" for data/companies.yaml, and where it lies: of the site, a theme or a module, as
// Hugo finds it. Without one it returns nil, and where it would lie. Hugo's own .Data would read all data files, and panics
// over a broken one once the site is built.
func readData(h *hugolib.HugoSites, source, name string) (v any, file string, err error) {
	for _, ext := range []string{".yaml", ".yml", ".toml", ".json"} {
		info, err := h.BaseFs.Data.Fs.Stat(name + ext)
		if err != nil || info.IsDir() {
			continue
		}
		other := file
		if meta, ok := info.(hugofs.FileMetaInfo); ok {
			file = relativeTo(source, meta.Meta().Filename)
		}
		if v != nil {
			return nil, file, fmt.Errorf("%s and %s: want one file", other, file)
		}
		data, err := afero.ReadFile(h.BaseFs.Data.Fs, name+ext)
		if err == nil {
			v, err = metadecoders.Default.Unmarshal(data, metadecoders.FormatFromString(ext))
		}
		if err != nil {
			return nil, file, fmt.Errorf("%s: %s", file, below(source, err.Error()))
		}
		if v == nil { // comments only
			v = map[string]any{}
		}
	}
	if v == nil {
		file = path.Join(filepath.ToSlash(h.Configs.Base.DataDir), name+".yaml")
	}
	return v, file, nil
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
		root:         dir,
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
		slug := strings.TrimPrefix(s.PathSpec.MakePathSanitized(base), "/"+key+"/")
		return path.Clean("/" + slug)[1:] // Hugo keeps "../x" and "x//y", which no address can have
	}
	e.data = func(name string) (any, string, error) { return readData(h, source, name) }
	for _, p := range s.Home().RegularPagesRecursive() {
		switch {
		case published(p):
			e.pages = append(e.pages, newSourcePage(p, source))
		case p.Permalink() != "" && !slices.ContainsFunc(p.OutputFormats(), isHTML):
			e.noHTML = append(e.noHTML, NotIndexed{newSourcePage(p, source).file, NoHTML})
		}
	}
	for _, p := range s.Pages() {
		if p.Kind() == kinds.KindSection && p.RawContent() != "" {
			e.sectionPages++
		}
	}
	return e
}

// published tells whether Hugo writes the page as HTML. The page collections leave out drafts, future and expired
// pages and build.list: never, but keep pages that are listed without being rendered. The older _build, which Hugo logs
// as an error and ignores, still says what its author does not want to be seen.
func published(p page.Page) bool {
	for _, key := range []string{"build", "_build"} {
		b, err := pagemeta.DecodeBuildConfig(p.Params()[key])
		if err != nil || b.Render != pagemeta.Always || b.List == pagemeta.Never {
			return false
		}
	}
	return p.Permalink() != "" && slices.ContainsFunc(p.OutputFormats(), isHTML)
}

func isHTML(f page.OutputFormat) bool { return f.Format.IsHTML }

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
		source:      func() string { return string(withoutShortcodes([]byte(p.RawContent()))) },
		render: func(ctx context.Context, wantSummary bool) (content, summary string, err error) {
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("hugo failed on %q: %v", file, r)
				}
			}()
			v, err := p.Content(ctx)
			if err != nil {
				return "", "", fmt.Errorf("%s", below(source, err.Error()))
			}
			if wantSummary {
				summary = string(p.Summary(ctx))
			}
			content, err = cast.ToStringE(v)
			return content, summary, err
		},
	}
}

// logger returns a logger of Hugo's that hands over what is logged as a warning or an error, unless the site ignores it.
func (l *hugoLog) logger(ignored map[string]bool) loggers.Logger {
	return loggers.New(loggers.Options{
		Level:              logg.LevelWarn,
		DistinctLevel:      logg.LevelWarn,
		StdOut:             io.Discard,
		StdErr:             io.Discard,
		HandlerPost:        func(e *logg.Entry) error { l.add(e.Message, e.Level >= logg.LevelError); return nil },
		SuppressStatements: ignored,
	})
}

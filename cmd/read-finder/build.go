package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/read-finder/read-finder/generator"
)

func newBuildCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build a Hugo site and write its search artifacts in one pass",
		Long: `Build does what the hugo command does, with its flags, its output and its exit code, and writes the artifacts of
"read-finder generate" from the same pages: put it where "hugo" stands in a build script.`,
		Args: cobra.NoArgs,
	}
	flags := newSiteFlags(cmd)
	hugo := newHugoFlags(cmd)
	cmd.RunE = action(func(cmd *cobra.Command, _ []string) error {
		o := hugo.options(cmd, flags)
		report, err := generator.Build(cmd.Context(), o)
		if err != nil {
			printWarnings(cmd.ErrOrStderr(), report)
			return err
		}
		if !o.Quiet {
			printReport(cmd.OutOrStdout(), report)
		}
		printWarnings(cmd.ErrOrStderr(), report)
		return nil
	})
	return cmd
}

// hugoFlags are the flags of Hugo's own build. Most are settings of Hugo's by the same name.
type hugoFlags struct {
	opts     generator.BuildOptions
	settings []string // flags that are settings
}

// newHugoFlags adds the flags of the hugo command that newSiteFlags has not, named and worded as there
// (github.com/gohugoio/hugo/commands, applyLocalFlagsBuild), without those of its watch mode.
func newHugoFlags(cmd *cobra.Command) *hugoFlags {
	f := &hugoFlags{}
	fs := pflag.NewFlagSet("hugo", pflag.ContinueOnError)
	fs.StringSliceP("theme", "t", nil, "themes to use (located in /themes/THEMENAME/)")
	fs.String("themesDir", "", "filesystem path to themes directory")
	fs.String("cacheDir", "", "filesystem path to cache directory")
	fs.StringP("contentDir", "c", "", "filesystem path to content directory")
	fs.StringP("layoutDir", "l", "", "filesystem path to layout directory")
	fs.StringSlice("renderSegments", nil, "named segments to render (configured in the segments config)")
	fs.StringSlice("disableKinds", nil, "disable different kind of pages (home, RSS etc.)")
	fs.String("ignoreVendorPaths", "", "ignores any _vendor for module paths matching the given Glob pattern")
	fs.String("clock", "", "set the clock used by Hugo, e.g. --clock 2021-11-06T22:30:00.00+09:00")
	for _, b := range [...]struct{ name, usage string }{
		{"minify", "minify any supported output format (HTML, XML etc.)"},
		{"cleanDestinationDir", "remove files from destination not found in static directories"},
		{"ignoreCache", "ignore the configured file caches"},
		{"enableGitInfo", "add Git revision, date, author, and CODEOWNERS info to the pages"},
		{"noTimes", "don't sync modification time of files"},
		{"noChmod", "don't sync permission mode of files"},
		{"printI18nWarnings", "print missing translations"},
		{"printPathWarnings", "print warnings on duplicate target paths etc."},
		{"printUnusedTemplates", "print warnings on unused templates"},
		{"templateMetrics", "display metrics about template executions"},
		{"templateMetricsHints", "calculate some improvement hints when combined with --templateMetrics"},
		{"panicOnWarning", "panic on first WARNING log"},
	} {
		fs.Bool(b.name, false, b.usage)
	}
	fs.VisitAll(func(flag *pflag.Flag) { f.settings = append(f.settings, flag.Name) })
	fs.StringVar(&f.opts.LogLevel, "logLevel", "", "log level (debug|info|warn|error)")
	fs.BoolVar(&f.opts.Quiet, "quiet", false, "build in quiet mode")
	fs.BoolVar(&f.opts.GC, "gc", false, "remove unused cache files after the build")
	fs.BoolVar(&f.opts.NoBuildLock, "noBuildLock", false, "don't create .hugo_build.lock file")
	cmd.Flags().AddFlagSet(fs)
	return f
}

// options returns the options of a build, as the hugo command makes its settings of its flags.
func (f *hugoFlags) options(cmd *cobra.Command, site *siteFlags) generator.BuildOptions {
	o := f.opts
	o.Options = site.options(cmd)
	o.Stdout, o.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	names := map[string]string{}
	for _, name := range f.settings {
		names[name] = name
	}
	names["minify"] = "minify.minifyOutput"
	names["clock"] = "internal.clock"
	for key, value := range given(cmd.Flags(), names) {
		if s, ok := value.(string); ok {
			value = strings.TrimSpace(s)
		}
		o.Hugo[key] = value
	}
	return o
}

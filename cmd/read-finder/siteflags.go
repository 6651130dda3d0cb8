package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/read-finder/read-finder/generator"
)

// siteFlags are the flags of the commands that read a Hugo site. Those that Hugo has are named and mean as there.
type siteFlags struct {
	opts     generator.Options
	hugo     map[string]string // flag -> Hugo setting that it overrides when it is given
	settings map[string]string // flag -> setting of [params.readFinder], likewise
}

func newSiteFlags(cmd *cobra.Command) *siteFlags {
	f := &siteFlags{
		hugo: map[string]string{
			"destination": "publishDir", "baseURL": "baseURL",
			"buildDrafts": "buildDrafts", "buildFuture": "buildFuture", "buildExpired": "buildExpired",
		},
		settings: map[string]string{
			"sections": "sections", "tags-key": "tagsKey", "author-key": "authorKey", "companies-key": "companiesKey",
			"companies-registry": "companiesRegistry", "fold-diacritics": "foldDiacritics", "strict": "strict",
			"max-drop": "maxDrop",
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.opts.Source, "source", "s", ".", "folder of the Hugo site")
	fs.StringP("destination", "d", "", "folder to publish to (default publishDir of the site)")
	fs.StringP("baseURL", "b", "", "address of the site's root, e.g. https://example.org/")
	fs.StringVarP(&f.opts.Environment, "environment", "e", "", "Hugo environment (default production)")
	fs.StringVar(&f.opts.Config, "config", "", "config files, comma-separated (default hugo.yaml|json|toml)")
	fs.StringVar(&f.opts.ConfigDir, "configDir", "config", "folder of further config files")
	fs.BoolP("buildDrafts", "D", false, "include drafts")
	fs.BoolP("buildFuture", "F", false, "include content with a publish date in the future")
	fs.BoolP("buildExpired", "E", false, "include expired content")

	fs.StringSlice("sections", nil, "sections that hold articles (default mainSections, else all)")
	fs.String("tags-key", "", "front matter key of the tags (default tags)")
	fs.String("author-key", "", "front matter key of the authors (default author, else authors)")
	fs.String("companies-key", "", "front matter key of the companies (default companies)")
	fs.String("companies-registry", "", "data file that is the registry of companies (default companies)")
	fs.Bool("fold-diacritics", false, "match resume with résumé")
	fs.BoolVar(&f.opts.AllowNetwork, "allow-network", false, "let the site's templates fetch remote resources")
	fs.BoolVar(&f.opts.AllowExec, "allow-exec", false, "let Hugo start external programs, such as git and go")
	fs.Bool("no-widget", false, "do not write the browser widget")
	fs.Int("max-drop", 0, "`percent` of its articles that a language may lose at most (default any)")
	fs.Bool("strict", false, "fail where the site is not perfect, instead of making the best of it")
	return f
}

// options returns the generator's options. Only flags that were given override the site's configuration.
func (f *siteFlags) options(cmd *cobra.Command) generator.Options {
	o := f.opts
	o.Environ = os.Environ()
	o.Hugo = given(cmd.Flags(), f.hugo)
	o.Settings = given(cmd.Flags(), f.settings)
	if off := cmd.Flags().Lookup("no-widget"); off.Changed {
		o.Settings["widget"] = off.Value.String() == "false"
	}
	return o
}

func given(fs *pflag.FlagSet, names map[string]string) map[string]any {
	m := map[string]any{}
	for name, setting := range names {
		flag := fs.Lookup(name)
		if !flag.Changed {
			continue
		}
		switch v := flag.Value.(type) {
		case pflag.SliceValue:
			m[setting] = v.GetSlice()
		default:
			m[setting] = flag.Value.String()
			if flag.Value.Type() == "bool" {
				m[setting] = flag.Value.String() == "true"
			}
		}
	}
	return m
}

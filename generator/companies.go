package generator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A directory is the companies of one language.
type directory struct {
	companies []*company // by slug
	registry  *registry
}

// A company is a site.Company while its identity is being resolved. Names that fold to one key are one company, and so
// are those that an entry of the registry lists.
type company struct {
	site.Company
	entry     *entry      // nil: not in the registry
	spellings []spelling  // in the order of their first mention, so the newest article's first
	slugs     []statement // that front matter gives, different ones
	url       statement   // the first one, "" when there is none
	file      string      // of the newest article; of the registry where it gives the name
}

type spelling struct {
	name, term string
	times      int
}

// A statement is a value and the file that gives it.
type statement struct{ value, file string }

// companiesOf resolves what the articles, in answer order, name. The registry is not read where they name nothing: a data
// file of that name may then be something else.
func companiesOf(e *edition, s settings, articles []extracted, w *warnings) (*directory, error) {
	r := &resolver{
		folder:   text.NewFolder(s.foldDiacritics),
		slug:     func(term string) string { return e.slug(s.companiesKey, term) },
		registry: &registry{},
		warnings: w,
	}
	named := func(a extracted) bool { return len(a.companies) > 0 }
	if s.registry != "" && slices.ContainsFunc(articles, named) {
		v, file, err := e.data(s.registry)
		if err != nil {
			return nil, registryError(err)
		}
		if v == nil && s.registry != defaultRegistry {
			w.add(file, "params.readFinder.companiesRegistry: there is no data file %q", s.registry)
		}
		if r.registry, err = decodeRegistry(v, file, r.folder, r.slug); err != nil {
			return nil, registryError(err)
		}
	}
	companies, err := r.resolve(articles)
	return &directory{companies, r.registry}, err
}

// A resolver finds out which names are one company.
type resolver struct {
	folder   *text.Folder
	slug     func(term string) string // "" where nothing is left of the term
	registry *registry
	warnings *warnings
}

// resolve groups what the articles mention: one company per entry of the registry or else per folded name, displayed as
// the registry says or else by its most frequent spelling, one name per slug. Companies are returned by slug. The error
// names every conflict.
func (r *resolver) resolve(articles []extracted) ([]*company, error) {
	var all []*company
	var errs []error
	bySlug := map[string]*company{}
	for _, c := range r.group(articles) {
		if err := r.settle(c); err != nil {
			errs = append(errs, err)
			continue
		}
		if c.Slug == "" {
			r.warnings.add(c.file, "company %q makes an empty slug; it is left out, give it one: {name: %q, slug: ...}", c.Name, c.Name)
			continue
		}
		if other := bySlug[c.Slug]; other != nil {
			errs = append(errs, sameSlug(c.Slug, other.Name, other.file, c.Name, c.file))
			continue
		}
		bySlug[c.Slug] = c
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *company) int { return strings.Compare(a.Slug, b.Slug) })
	return all, errors.Join(errs...)
}

func sameSlug(slug, name1, file1, name2, file2 string) error {
	return fmt.Errorf("companies %q (%s) and %q (%s) have one slug %q\n"+
		"  spell them alike if they are one, or make one an alias of the other in the registry of companies\n"+
		"  give one a slug if they are two: {name: %q, slug: ...}", name1, file1, name2, file2, slug, name2)
}

// group returns the companies in the order of their first mention, without names and slugs.
func (r *resolver) group(articles []extracted) []*company {
	var all []*company
	byKey := map[string]*company{}
	for i, a := range articles {
		for _, n := range a.companies {
			key := r.folder.String(n.name)
			entry := r.registry.find(key, r.folder.String(n.term))
			if entry != nil {
				key = r.folder.String(entry.Name) // which no other entry has
			}
			c := byKey[key]
			if c == nil {
				c = &company{file: a.file, entry: entry}
				if entry != nil && entry.URL != "" {
					c.url = statement{entry.URL, r.registry.file}
				}
				byKey[key] = c
				all = append(all, c)
			}
			r.mention(c, n, i, a.file)
		}
	}
	return all
}

func (r *resolver) mention(c *company, n name, article int, file string) {
	if i := slices.IndexFunc(c.spellings, func(s spelling) bool { return s.name == n.name }); i >= 0 {
		c.spellings[i].times++
	} else {
		c.spellings = append(c.spellings, spelling{n.name, n.term, 1})
	}
	if n.slug != "" {
		slug := r.slug(n.slug) // written as a path, as Hugo does with a page's slug
		if slug != "" && !slices.ContainsFunc(c.slugs, func(s statement) bool { return s.value == slug }) {
			c.slugs = append(c.slugs, statement{slug, file})
		}
	}
	if n.url != "" {
		r.locate(c, n, file)
	}
	if len(c.Articles) == 0 || c.Articles[len(c.Articles)-1] != article { // articles come in order
		c.Articles = append(c.Articles, article)
	}
}

// locate notes the company's address. Two addresses of one name may be two companies, which only a person can tell.
func (r *resolver) locate(c *company, n name, file string) {
	key, err := address(n.url)
	if err != nil {
		r.warnings.add(file, "company %q: url: %s; it is left out", n.name, err)
		return
	}
	if c.url.value == "" {
		c.url = statement{n.url, file}
		return
	}
	if first, err := address(c.url.value); err == nil && first != key {
		r.warnings.add(file, "company %q has the url %q here and %q in %s: if these are two companies, they need two names",
			n.name, n.url, c.url.value, c.url.file)
	}
}

// settle chooses the name and the slug. The registry has the last word. Without it: the most frequent spelling, among
// equals the newest, and the slug that front matter gives, else that of the term.
func (r *resolver) settle(c *company) error {
	if c.entry != nil {
		c.Name, c.Slug, c.file = c.entry.Name, c.entry.slug, r.registry.file
		for _, s := range c.slugs {
			if s.value != c.Slug {
				r.warnings.add(s.file, "company %q: its slug is %q in %s; %q is left out", c.Name, c.Slug, r.registry.file, s.value)
			}
		}
		return nil
	}
	shown := c.spellings[0]
	for _, s := range c.spellings {
		if s.times > shown.times {
			shown = s
		}
	}
	c.Name = shown.name
	switch len(c.slugs) {
	case 0:
		c.Slug = r.slug(shown.term)
	case 1:
		c.Slug = c.slugs[0].value
	default:
		return fmt.Errorf("company %q has several slugs: %q (%s), %q (%s)\n  choose one, in front matter or in the registry of companies",
			c.Name, c.slugs[0].value, c.slugs[0].file, c.slugs[1].value, c.slugs[1].file)
	}
	if e := r.registry.entry(c.Slug); e != nil { // whether or not an article names it
		return sameSlug(c.Slug, e.Name, r.registry.file, c.Name, c.file)
	}
	return nil
}

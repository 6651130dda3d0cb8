package generator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A company is a site.Company while its identity is being resolved. Names that fold to one key are one company.
type company struct {
	site.Company
	spellings []spelling     // in the order of their first mention, so the newest article's first
	slugs     []explicitSlug // different ones
	file      string         // of the newest article
}

type spelling struct {
	name, term string
	times      int
}

type explicitSlug struct{ slug, file string }

// resolveCompanies groups what the articles, in answer order, mention: one company per folded name, displayed by its
// most frequent spelling, one name per slug. Companies are returned by slug. The error names every conflict.
func resolveCompanies(articles []extracted, slug func(string) string, f *text.Folder, w *warnings) ([]*company, error) {
	var all []*company
	var errs []error
	bySlug := map[string]*company{}
	for _, c := range groupMentions(articles, f) {
		if err := c.settle(slug); err != nil {
			errs = append(errs, err)
			continue
		}
		if c.Slug == "" {
			w.add(c.file, "company %q makes an empty slug; it is left out, give it one: {name: %q, slug: ...}", c.Name, c.Name)
			continue
		}
		if other := bySlug[c.Slug]; other != nil {
			errs = append(errs, fmt.Errorf("companies %q (%s) and %q (%s) have one slug %q\n"+
				"  spell them alike if they are one, else give one of them a slug: {name: %q, slug: ...}",
				other.Name, other.file, c.Name, c.file, c.Slug, c.Name))
			continue
		}
		bySlug[c.Slug] = c
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *company) int { return strings.Compare(a.Slug, b.Slug) })
	return all, errors.Join(errs...)
}

// groupMentions returns the companies in the order of their first mention, without slugs.
func groupMentions(articles []extracted, f *text.Folder) []*company {
	var all []*company
	byKey := map[string]*company{}
	for i, a := range articles {
		for _, n := range a.companies {
			key := fold(f, n.name)
			c := byKey[key]
			if c == nil {
				c = &company{file: a.file}
				byKey[key] = c
				all = append(all, c)
			}
			c.mention(n, i, a.file)
		}
	}
	return all
}

func (c *company) mention(n name, article int, file string) {
	if i := slices.IndexFunc(c.spellings, func(s spelling) bool { return s.name == n.name }); i >= 0 {
		c.spellings[i].times++
	} else {
		c.spellings = append(c.spellings, spelling{n.name, n.term, 1})
	}
	if n.slug != "" && !slices.ContainsFunc(c.slugs, func(s explicitSlug) bool { return s.slug == n.slug }) {
		c.slugs = append(c.slugs, explicitSlug{n.slug, file})
	}
	if len(c.Articles) == 0 || c.Articles[len(c.Articles)-1] != article { // articles come in order
		c.Articles = append(c.Articles, article)
	}
}

// settle chooses the name and the slug: the most frequent spelling, among equals the newest, and the slug that front
// matter gives, else that of the term.
func (c *company) settle(slug func(term string) string) error {
	shown := c.spellings[0]
	for _, s := range c.spellings {
		if s.times > shown.times {
			shown = s
		}
	}
	c.Name = shown.name
	switch len(c.slugs) {
	case 0:
		c.Slug = slug(shown.term)
	case 1:
		c.Slug = c.slugs[0].slug
	default:
		return fmt.Errorf("company %q has several slugs: %q (%s), %q (%s)",
			c.Name, c.slugs[0].slug, c.slugs[0].file, c.slugs[1].slug, c.slugs[1].file)
	}
	return nil
}

func fold(f *text.Folder, name string) string { return string(f.Append(nil, name)) }

// nearDuplicates groups companies whose names differ only by punctuation, spacing or a legal suffix.
func nearDuplicates(companies []*company, articles []extracted, f *text.Folder) []NearDuplicate {
	groups := map[string][]*company{}
	for _, c := range companies {
		key := bareName(fold(f, c.Name))
		groups[key] = append(groups[key], c)
	}
	near := []NearDuplicate{}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		var d NearDuplicate
		for _, c := range group {
			cf := CompanyFiles{Slug: c.Slug, Name: c.Name}
			for _, i := range c.Articles {
				cf.Files = append(cf.Files, articles[i].file)
			}
			d.Companies = append(d.Companies, cf)
		}
		near = append(near, d)
	}
	slices.SortFunc(near, func(a, b NearDuplicate) int { return strings.Compare(a.Companies[0].Slug, b.Companies[0].Slug) })
	return near
}

// bareName reduces a folded name to its letters and digits, without legal suffixes.
func bareName(folded string) string {
	words := strings.FieldsFunc(folded, unicode.IsSpace)
	for i, word := range words {
		words[i] = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, word)
	}
	for len(words) > 1 && (words[len(words)-1] == "" || isLegalSuffix(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, "")
}

func isLegalSuffix(word string) bool {
	switch word {
	case "inc", "incorporated", "corp", "corporation", "co", "company", "llc", "llp", "lp", "ltd", "limited", "plc",
		"pty", "gmbh", "mbh", "ag", "kg", "kgaa", "se", "sa", "sas", "sarl", "spa", "srl", "bv", "nv", "ab", "as",
		"asa", "aps", "oy", "oyj", "kk":
		return true
	}
	return false
}

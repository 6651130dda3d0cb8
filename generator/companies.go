package generator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A company is a site.Company while its identity is being resolved. Names that fold to one key are one company.
type company struct {
	site.Company
	spellings map[string]int    // spelling -> articles
	explicit  map[string]string // slug given in front matter -> first file
	file      string            // the newest article's
}

// resolveCompanies groups what the articles, in answer order, mention: one company per folded name, displayed by its
// most frequent spelling, one name per slug. Companies are returned by slug.
func resolveCompanies(articles []extracted, slug func(string) string, f *text.Folder, w *warnings) ([]*company, error) {
	byKey := map[string]*company{}
	for i, a := range articles {
		for _, n := range a.companies {
			key := fold(f, n.name)
			c := byKey[key]
			if c == nil {
				c = &company{spellings: map[string]int{}, explicit: map[string]string{}, file: a.file}
				c.Name = n.name
				byKey[key] = c
			}
			c.spellings[n.name]++
			if _, ok := c.explicit[n.slug]; n.slug != "" && !ok {
				c.explicit[n.slug] = a.file
			}
			if len(c.Articles) == 0 || c.Articles[len(c.Articles)-1] != i {
				c.Articles = append(c.Articles, i)
			}
		}
	}

	var all []*company
	var errs []error
	bySlug := map[string]*company{}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		c := byKey[key]
		c.Name = mostFrequent(c.spellings, c.Name)
		if len(c.explicit) > 1 {
			errs = append(errs, explicitSlugError(c))
			continue
		}
		c.Slug = slug(c.Name)
		for s := range c.explicit {
			c.Slug = s
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

// mostFrequent returns the spelling of most articles; among equals the newest article's, then the first by bytes.
func mostFrequent(spellings map[string]int, newest string) string {
	return slices.MinFunc(slices.Collect(maps.Keys(spellings)), func(a, b string) int {
		return cmp.Or(spellings[b]-spellings[a], isNot(a, newest)-isNot(b, newest), strings.Compare(a, b))
	})
}

func isNot(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}

func explicitSlugError(c *company) error {
	var uses []string
	for _, s := range slices.Sorted(maps.Keys(c.explicit)) {
		uses = append(uses, fmt.Sprintf("%q (%s)", s, c.explicit[s]))
	}
	return fmt.Errorf("company %q has several slugs: %s", c.Name, strings.Join(uses, ", "))
}

func fold(f *text.Folder, name string) string { return string(f.Append(nil, name)) }

// nearDuplicates groups companies whose names differ only by punctuation, spacing or a legal suffix.
func nearDuplicates(companies []*company, articles []extracted, f *text.Folder) []NearDuplicate {
	groups := map[string][]*company{}
	for _, c := range companies {
		key := bareName(fold(f, c.Name))
		groups[key] = append(groups[key], c)
	}
	var near []NearDuplicate
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

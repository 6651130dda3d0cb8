package generator

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/site/text"
)

// defaultRegistry is the name of the data file that is the registry: data/companies.yaml, .yml, .toml or .json.
const defaultRegistry = "companies"

// A registry is what the editors know about companies, a map in a data file of the site:
//
//	acme:                # the slug; it stands for the company in front matter too
//	  name: Acme         # shown
//	  aliases:           # names that mean this company; none need be in use
//	    - Acme, Inc.
//	  url: https://acme.example
//
// It has the last word on a company's name and slug. Two companies that both have an entry are two: they are not
// reported as near-duplicates.
type registry struct {
	file    string            // relative to the site's folder; where it would lie when there is none; "" when none is wanted
	entries []*entry          // by slug
	byKey   map[string]*entry // folded slug, name or alias
}

// An entry is one company of a registry.
type entry struct {
	slug    string
	Name    string   `yaml:"name" toml:"name" json:"name"`
	Aliases []string `yaml:"aliases,omitempty" toml:"aliases,omitempty" json:"aliases,omitempty"`
	URL     string   `yaml:"url,omitempty" toml:"url,omitempty" json:"url,omitempty"`
}

// registryError says how to get a data file accepted that is no registry.
func registryError(err error) error {
	return fmt.Errorf("registry of companies: %w\n"+
		"  if this file is something else, name another one: params.readFinder.companiesRegistry or --companies-registry, \"\" for none", err)
}

// decodeRegistry reads a registry from a decoded data file, nil for none. The error names everything that is wrong.
func decodeRegistry(v any, file string, f *text.Folder, slug func(string) string) (*registry, error) {
	r := &registry{file: file, byKey: map[string]*entry{}}
	m, ok := stringMap(v)
	if !ok {
		return nil, fmt.Errorf("%s: want a map of slugs, got %T", file, v)
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(m)) {
		e, err := decodeEntry(key, m[key])
		if err == nil && (key == "" || slug(key) != key) {
			err = fmt.Errorf("is not the slug of an address, want for example %q", slug(e.Name))
		}
		if err == nil {
			err = r.add(e, f)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %q: %w", file, key, err))
		}
	}
	return r, errors.Join(errs...)
}

func decodeEntry(slug string, v any) (*entry, error) {
	m, ok := stringMap(v)
	if !ok {
		return nil, fmt.Errorf("want a map with name, aliases and url, got %T %q", v, fmt.Sprint(v))
	}
	e := &entry{slug: slug}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		var err error
		switch v := m[key]; key {
		case "name":
			e.Name, err = oneName(key, v)
		case "aliases":
			e.Aliases, err = aliases(v)
		case "url":
			if v == nil {
				continue
			}
			e.URL = trimmed(v)
			if _, err = address(e.URL); err != nil {
				err = fmt.Errorf("url: %w", err)
			}
		default:
			err = fmt.Errorf("unknown key %q, known are name, aliases, url", key)
		}
		if err != nil {
			return nil, err
		}
	}
	if e.Name == "" {
		return nil, errors.New(`name: want the name of the company, got ""`)
	}
	return e, nil
}

// aliases returns a list of names, or the one name that stands in its place. Nil is an empty list: "aliases:" alone.
func aliases(v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice {
		name, err := oneName("aliases", v)
		return []string{name}, err
	}
	var all []string
	for i := range list.Len() {
		name, err := oneName("aliases", list.Index(i).Interface())
		if err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, nil
}

// oneName returns a name with its white space as it is in front matter. A number may stand where a name is meant.
func oneName(key string, v any) (string, error) {
	name := strings.Join(strings.Fields(scalar(v)), " ")
	kind := reflect.ValueOf(v).Kind()
	if name == "" || kind == reflect.Map || kind == reflect.Slice {
		return "", fmt.Errorf("%s: want a name, got %q", key, scalar(v))
	}
	return name, nil
}

// add adds an entry. The slug is a name too: front matter may use it. The error names what another entry has already.
func (r *registry) add(e *entry, f *text.Folder) error {
	r.entries = append(r.entries, e)
	for _, name := range e.names() {
		key := f.String(name)
		if key == "" {
			return fmt.Errorf("name %q: nothing of it can be seen", name)
		}
		if other := r.byKey[key]; other != nil && other != e {
			return fmt.Errorf("%q belongs to %q as well", name, other.slug)
		}
		r.byKey[key] = e
	}
	return nil
}

func (e *entry) names() []string { return append([]string{e.Name, e.slug}, e.Aliases...) }

// find returns the entry that one of the folded names belongs to, the first of them first, or nil.
func (r *registry) find(keys ...string) *entry {
	for _, key := range keys {
		if e := r.byKey[key]; e != nil {
			return e
		}
	}
	return nil
}

// entry returns the entry of a slug, or nil.
func (r *registry) entry(slug string) *entry {
	i, ok := slices.BinarySearchFunc(r.entries, slug, func(e *entry, slug string) int { return strings.Compare(e.slug, slug) })
	if !ok {
		return nil
	}
	return r.entries[i]
}

// address returns what two urls of one company have in common: host and path, without www and a last slash. The error is
// about a url that is no absolute address.
func address(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", fmt.Errorf("want an absolute http or https address, got %q", s)
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	return host + strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

package generator

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/site/text"
)

// suggestRegistry reports how the near-duplicates of all languages are merged, unless the site wants no registry.
func (g *generation) suggestRegistry() (err error) {
	for _, x := range g.extractions {
		if x.registry.file != "" { // the languages have one in common; one without companies does not read it
			g.report.Registry, err = x.registry.suggest(g.report.Languages)
			break
		}
	}
	return err
}

// suggest returns the entries that make one company of each group of near-duplicates, whatever the languages that they are
// in. It returns nil when there is nothing to merge.
func (r *registry) suggest(editions []EditionReport) (*RegistryReport, error) {
	added, replaced := map[string]entry{}, map[string]entry{}
	folder := text.NewFolder(true)
	for _, group := range joinGroups(editions) {
		shown, into := group[shownOf(group, folder)], added
		e := entry{Name: shown.Name}
		if shown.Registered {
			e, into = *r.entry(shown.Slug), replaced
			e.Aliases = slices.Clone(e.Aliases)
		}
		for _, c := range group {
			if !c.Registered && c.Name != e.Name && !slices.Contains(e.Aliases, c.Name) {
				e.Aliases = append(e.Aliases, c.Name)
			}
		}
		into[shown.Slug] = e
	}
	if len(added)+len(replaced) == 0 {
		return nil, nil
	}
	add, err := encodeEntries(r.file, added)
	replace, err2 := encodeEntries(r.file, replaced)
	return &RegistryReport{r.file, add, replace}, errors.Join(err, err2)
}

// shownOf returns the company whose name a group is to have: one of the registry, else the first that holds an abbreviation
// beside what it means, since only the name that is shown and the slug are searched, else the first.
func shownOf(group []CompanyFiles, f *text.Folder) int {
	explains := func(c CompanyFiles) bool { return !c.OneLetter && bracketed(f.String(c.Name)) != nil }
	if i := slices.IndexFunc(group, explains); i > 0 && !group[0].Registered {
		return i
	}
	return 0
}

func encodeEntries(file string, entries map[string]entry) (string, error) {
	if len(entries) == 0 {
		return "", nil
	}
	data, err := encodeConfig(file, entries)
	return string(data), err
}

// joinGroups returns the groups of near-duplicates of all languages, each in the order of a NearDuplicate's companies. Those
// that have a slug in common are one.
func joinGroups(editions []EditionReport) [][]CompanyFiles {
	var all []CompanyFiles
	sets := sets{}
	bySlug := map[string]int{}
	for _, e := range editions {
		for _, group := range e.NearDuplicates {
			first := len(all)
			for _, c := range group.Companies {
				i := sets.add()
				all = append(all, c)
				sets.union(first, i)
				if same, ok := bySlug[c.Slug]; ok {
					sets.union(same, i)
				}
				bySlug[c.Slug] = i
			}
		}
	}
	var groups [][]CompanyFiles
	for _, members := range sets.groups() {
		var group []CompanyFiles
		for _, i := range members {
			same := func(c CompanyFiles) bool { return c.Slug == all[i].Slug && c.Name == all[i].Name }
			if at := slices.IndexFunc(group, same); at >= 0 {
				group[at].Files = append(slices.Clone(group[at].Files), all[i].Files...)
				group[at].OneLetter = group[at].OneLetter && all[i].OneLetter
			} else {
				group = append(group, all[i])
			}
		}
		slices.SortFunc(group, compareMembers)
		groups = append(groups, group)
	}
	return groups
}

func compareMembers(a, b CompanyFiles) int {
	return cmp.Or(compareBools(b.Registered, a.Registered), compareBools(a.OneLetter, b.OneLetter),
		len(b.Files)-len(a.Files), strings.Compare(a.Slug, b.Slug), strings.Compare(a.Name, b.Name))
}

// compareBools puts false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sets are disjoint sets of the numbers below its length (Galler and Fischer 1964, with path halving).
type sets []int

// add adds the next number, in a set of its own.
func (s *sets) add() int {
	*s = append(*s, len(*s))
	return len(*s) - 1
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// union joins the sets of two numbers.
func (s sets) union(i, j int) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}

// groups returns the sets with more than one number, by their smallest, each in order.
func (s sets) groups() [][]int {
	members := make([][]int, len(s))
	for i := range s {
		root := s.find(i)
		members[root] = append(members[root], i)
	}
	return slices.DeleteFunc(members, func(m []int) bool { return len(m) < 2 })
}

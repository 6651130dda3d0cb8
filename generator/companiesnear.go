package generator

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/read-finder/read-finder/site/text"
)

// nearDuplicates groups companies that may be one, see the reasons. Two companies of the registry are not: an editor has
// told them apart. Entries of the registry that no article names are compared with the others all the same.
func nearDuplicates(d *directory, articles []extracted) []NearDuplicate {
	n := newNeighbours(d)
	n.bySpelling()
	n.byAbbreviation()
	n.byAddress()
	n.byEdit()

	reasons := make([][]string, len(n.companies))
	for _, l := range n.links {
		if root := n.sets.find(l.company); !slices.Contains(reasons[root], l.reason) {
			reasons[root] = append(reasons[root], l.reason)
		}
	}
	near := []NearDuplicate{}
	for _, group := range n.sets.groups() {
		dup := NearDuplicate{Reasons: reasons[n.sets.find(group[0])]}
		for _, i := range group {
			c := n.companies[i]
			cf := CompanyFiles{Slug: c.Slug, Name: c.Name, Files: []string{}, Registered: c.entry != nil, OneLetter: n.oneLetter[i]}
			for _, a := range c.Articles {
				cf.Files = append(cf.Files, articles[a].file)
			}
			dup.Companies = append(dup.Companies, cf)
		}
		slices.SortFunc(dup.Companies, compareMembers)
		near = append(near, dup)
	}
	slices.SortFunc(near, func(a, b NearDuplicate) int { return strings.Compare(a.Companies[0].Slug, b.Companies[0].Slug) })
	return near
}

// neighbours finds out which companies are near each other, in time that grows with their number and not with its square.
type neighbours struct {
	companies []*company
	names     []bareName
	byKey     map[string][]int // key -> names
	sets      sets             // of companies
	links     []link
	oneLetter []bool // companies that are in their set for one letter only
}

type link struct {
	company int // one of the two
	reason  string
}

// A bareName is a name, or an alias of the registry, as it is compared.
type bareName struct {
	company int
	shown   string
	folded  string
	words   []string // see bareWords
	key     string   // all words
	noEdit  bool     // not compared for one edit: it is an alias that is one from a name before it
}

func newNeighbours(d *directory) *neighbours {
	n := &neighbours{byKey: map[string][]int{}}
	folder := text.NewFolder(true) // an accent is no more than a spelling
	mentioned := map[*entry]bool{}
	for _, c := range d.companies {
		n.add(c, folder)
		mentioned[c.entry] = true
	}
	for _, e := range d.registry.entries {
		if !mentioned[e] {
			c := &company{entry: e, url: statement{e.URL, d.registry.file}}
			c.Name, c.Slug = e.Name, e.slug
			n.add(c, folder)
		}
	}
	n.oneLetter = make([]bool, len(n.companies))
	return n
}

func (n *neighbours) add(c *company, folder *text.Folder) {
	n.companies = append(n.companies, c)
	company := n.sets.add()
	names := []string{c.Name}
	if c.entry != nil {
		names = append(names, c.entry.Aliases...)
	}
	first := len(n.names)
	for _, shown := range names {
		b := bareName{company: company, shown: shown, folded: folder.String(shown)}
		b.words = bareWords(b.folded)
		b.key = strings.Join(b.words, "")
		if utf8.RuneCountInString(b.key) < 2 { // C, C++ and C#
			continue
		}
		b.noEdit = slices.ContainsFunc(n.names[first:], func(a bareName) bool { return oneEdit(a, b) })
		n.byKey[b.key] = append(n.byKey[b.key], len(n.names))
		n.names = append(n.names, b)
	}
}

func (n *neighbours) link(a, b int, reason string) {
	if a == b || n.companies[a].entry != nil && n.companies[b].entry != nil {
		return
	}
	n.sets.union(a, b)
	n.links = append(n.links, link{a, reason})
}

// linkAll links companies that are alike. One that is not in the registry, if there is one, links all.
func (n *neighbours) linkAll(companies []int, reason string) {
	center := max(0, slices.IndexFunc(companies, func(i int) bool { return n.companies[i].entry == nil }))
	for _, i := range companies {
		n.link(companies[center], i, reason)
	}
}

func (n *neighbours) bySpelling() {
	for i, b := range n.names {
		if same := n.byKey[b.key]; same[0] == i {
			companies := make([]int, len(same))
			for j, name := range same {
				companies[j] = n.names[name].company
			}
			n.linkAll(companies, BySpelling)
		}
	}
}

func (n *neighbours) byAddress() {
	byAddress := map[string][]int{}
	var order []string
	for i, c := range n.companies {
		key, err := address(c.url.value)
		if err != nil {
			continue // none
		}
		if byAddress[key] == nil {
			order = append(order, key)
		}
		byAddress[key] = append(byAddress[key], i)
	}
	for _, key := range order {
		n.linkAll(byAddress[key], ByAddress)
	}
}

func (n *neighbours) byAbbreviation() {
	for _, b := range n.names {
		for _, key := range bracketed(b.folded) {
			for _, other := range n.byKey[key] {
				n.link(b.company, n.names[other].company, ByAbbreviation)
			}
		}
		for _, key := range initials(b.folded) {
			for _, other := range n.byKey[key] {
				if isCapitals(n.names[other].shown) {
					n.link(b.company, n.names[other].company, ByAbbreviation)
				}
			}
		}
	}
}

// Names that are compared for one edit have at least minEdited letters, and at most maxEdited, which bounds the work that a
// text in the place of a name makes. Of names of several words, the edited word has at least minEditedWord.
const (
	minEdited     = 5
	minEditedWord = 4
	maxEdited     = 200
)

// byEdit joins names of which one letter is missing, added, changed, or swapped with the next. Each set so far, those of the
// registry and in more articles first, takes what is one edit from it; what is taken takes nothing, else all short
// names would soon be one.
func (n *neighbours) byEdit() {
	sets := make([]int, len(n.companies)) // before any is taken
	articles, registered := map[int]int{}, map[int]int{}
	for i, c := range n.companies {
		sets[i] = n.sets.find(i)
		articles[sets[i]] += len(c.Articles)
		if c.entry != nil {
			registered[sets[i]] = 1
		}
	}
	near := map[int][]int{}
	n.eachEdit(func(a, b int) {
		if a, b = sets[a], sets[b]; a != b && registered[a]+registered[b] < 2 {
			near[a], near[b] = append(near[a], b), append(near[b], a)
		}
	})
	done, taken := map[int]bool{}, map[int]bool{}
	for _, set := range slices.SortedFunc(maps.Keys(near), func(a, b int) int {
		return cmp.Or(registered[b]-registered[a], articles[b]-articles[a], len(near[b])-len(near[a]), a-b)
	}) {
		if done[set] {
			continue
		}
		done[set] = true
		for _, other := range near[set] {
			if !done[other] {
				done[other], taken[other] = true, true
				n.sets.union(set, other)
				n.links = append(n.links, link{set, ByOneLetter})
			}
		}
	}
	for i, set := range sets {
		n.oneLetter[i] = taken[set]
	}
}

// eachEdit calls f with companies that are one edit apart. Two such names have in common one of the texts that remain
// when at most one letter is deleted of each (SymSpell, W. Garbe 2012).
func (n *neighbours) eachEdit(f func(a, b int)) {
	type remainder struct {
		hash uint64
		name int
	}
	var all []remainder
	for i, b := range n.names {
		same := n.byKey[b.key]
		length := utf8.RuneCountInString(b.key)
		if same[0] != i || length < minEdited || length > maxEdited {
			continue
		}
		name := slices.MinFunc(same, func(i, j int) int { // for all that are one but for their spaces
			return cmp.Or(len(n.names[i].words)-len(n.names[j].words), slices.Compare(n.names[i].words, n.names[j].words))
		})
		if !n.names[name].noEdit {
			eachRemainder(b.key, func(hash uint64) { all = append(all, remainder{hash, name}) })
		}
	}
	slices.SortFunc(all, func(a, b remainder) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.name, b.name)) })
	all = slices.Compact(all)
	for i, r := range all {
		for j := i - 1; j >= 0 && all[j].hash == r.hash; j-- {
			if a, b := n.names[all[j].name], n.names[r.name]; oneEdit(a, b) {
				f(a.company, b.company)
			}
		}
	}
}

// eachRemainder calls f with the hash of s, and of what remains of s without one of its letters. A digit or an ideograph is
// never deleted: another one makes another name.
func eachRemainder(s string, f func(hash uint64)) {
	f(xxhash.Sum64String(s))
	buf := make([]byte, 0, len(s))
	for i, r := range s {
		if !unicode.IsDigit(r) && !unicode.In(r, unicode.Han, unicode.Hangul) {
			buf = append(append(buf[:0], s[:i]...), s[i+utf8.RuneLen(r):]...)
			f(xxhash.Sum64(buf))
		}
	}
}

// oneEdit tells whether two names are one edit apart, in a word that is long enough, and not in its first letter, which few
// people get wrong (K. Kukich 1992). Their digits are the same.
func oneEdit(a, b bareName) bool {
	x, y := []rune(a.key), []rune(b.key)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	if len(x)+len(y) == 0 || !swapped && (len(x) > 1 || len(y) > 1) || slices.ContainsFunc(append(x, y...), unicode.IsDigit) {
		return false
	}
	if len(a.words) != len(b.words) || len(a.words) == 1 {
		return firstRune(a.key) == firstRune(b.key)
	}
	for i, word := range a.words {
		other := b.words[i]
		if word == other {
			continue
		}
		least := minEditedWord
		if word+"s" == other || other+"s" == word {
			least-- // "api" and "apis"
		}
		if firstRune(word) != firstRune(other) || min(utf8.RuneCountInString(word), utf8.RuneCountInString(other)) < least {
			return false
		}
	}
	return true
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

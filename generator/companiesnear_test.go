package generator

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/read-finder/read-finder/site/text"
)

// slugOf stands for Hugo's own where no site is loaded.
func slugOf(term string) string { return strings.ReplaceAll(strings.ToLower(term), " ", "-") }

// directoryOf resolves companies that are each named by one article, "Acme 2" by the second.
func directoryOf(t testing.TB, registryOf map[string]any, names ...name) (*directory, []extracted) {
	t.Helper()
	var articles []extracted
	for i, n := range names {
		n.term = n.name
		articles = append(articles, extracted{file: fmt.Sprint(i), companies: []name{n}})
	}
	folder := text.NewFolder(false)
	reg, err := decodeRegistry(registryOf, "data/companies.yaml", folder, slugOf)
	if err != nil {
		t.Fatal(err)
	}
	companies, err := (&resolver{folder, slugOf, reg, &warnings{}}).resolve(articles)
	if err != nil {
		t.Fatal(err)
	}
	return &directory{companies, reg}, articles
}

func namesOf(list []string) []name {
	var names []name
	for _, s := range list {
		names = append(names, name{name: s})
	}
	return names
}

// showNear lists groups as "reason: A | B".
func showNear(near []NearDuplicate) []string {
	lines := []string{}
	for _, n := range near {
		var names []string
		for _, c := range n.Companies {
			names = append(names, c.Name)
		}
		lines = append(lines, strings.Join(n.Reasons, ", ")+": "+strings.Join(names, " | "))
	}
	return lines
}

func TestNearDuplicates(t *testing.T) {
	for _, tt := range []struct{ names, want []string }{
		// Spelling.
		{[]string{"Acme", "Acme, Inc.", "Acme Inc", "Acme GmbH & Co. KG", "Other"}, []string{"spelling: Acme | Acme, Inc. | Acme GmbH & Co. KG | Acme Inc"}},
		{[]string{"SolarCity", "Solar City", "Solar_City"}, []string{"spelling: Solar City | Solar_City | SolarCity"}},
		{[]string{"Société Générale", "Societe Generale S.A."}, []string{"spelling: Societe Generale S.A. | Société Générale"}},
		{[]string{"Johnson & Johnson", "Johnson and Johnson"}, []string{"spelling: Johnson & Johnson | Johnson and Johnson"}},
		{[]string{"The Fellows", "Fellows"}, []string{"spelling: Fellows | The Fellows"}},
		{[]string{"Inc", "Ltd", "C", "C++", "C#", "!", "?"}, []string{}},
		{[]string{"Acme North", "Acme South"}, []string{}},
		// One letter.
		{[]string{"Siemens", "Siemans", "Semens Healthineers"}, []string{"one letter: Siemans | Siemens"}},
		{[]string{"Google", "Gogle", "Googel", "Googgle"}, []string{"one letter: Google | Gogle | Googel | Googgle"}},
		{[]string{"Volkswagen AG", "Volkswagn"}, []string{"one letter: Volkswagen AG | Volkswagn"}},
		{[]string{"API Community", "APIs Community", "AI Community"}, []string{"one letter: API Community | APIs Community"}},
		{[]string{"Nestlé", "Nestel"}, []string{"one letter: Nestel | Nestlé"}},
		{[]string{"IBM", "IBN", "Meta", "Metal", "Ford", "Fort"}, []string{}},
		{[]string{"Studio 54", "Studio 55", "Studio", "Studio 5", "Report Q1", "Report Q2", "Fund I", "Fund II", "UX Guild", "UI Guild"}, []string{}},
		{[]string{"三井住友銀行", "三井住友商行", "삼성전자서비스", "삼성전기서비스"}, []string{}},
		{[]string{"Ditron", "Distron", "Dystron", "Dystrom", "Mitron"}, []string{"one letter: Distron | Ditron | Dystron"}}, // no chain
		{[]string{"Siemens", "Simens", "Simens Ltd"}, []string{"spelling, one letter: Simens | Simens Ltd | Siemens"}},
		// Abbreviations.
		{[]string{"Digital Analytics Program (DAP)", "DAP", "Digital Analytics Program", "Data Access Portal"},
			[]string{"abbreviation: DAP | Digital Analytics Program | Digital Analytics Program (DAP)"}},
		{[]string{"DAP (Digital Analytics Program)", "Digital Analytics Program"}, []string{"abbreviation: DAP (Digital Analytics Program) | Digital Analytics Program"}},
		{[]string{"Artificial Intelligence (AI) Community", "Artificial Intelligence Community", "AI"},
			[]string{"abbreviation: Artificial Intelligence (AI) Community | Artificial Intelligence Community"}},
		{[]string{"Federal Community for Crowdsourcing and Citizen Science (FedCCS)", "FedCCS"},
			[]string{"abbreviation: FedCCS | Federal Community for Crowdsourcing and Citizen Science (FedCCS)"}},
		{[]string{"日本放送協会（NHK）", "Nippon Hoso Kyokai（NHK）", "NHK"}, []string{"abbreviation: NHK | Nippon Hoso Kyokai（NHK）"}},
		{[]string{"Digital Analytics Program (DAP)", "Data Access Portal (DAP)"}, []string{}},
		{[]string{"Apple (Records)", "Apple", "Records", "Apple Records (Apple)"}, []string{}},
		{[]string{"U.S. Web Design System", "USWDS", "Agency for Healthcare Research and Quality", "AHRQ"},
			[]string{"abbreviation: Agency for Healthcare Research and Quality | AHRQ", "abbreviation: U.S. Web Design System | USWDS"}},
		{[]string{"Some Arts Group Enterprise", "Sage", "International Business Machines", "IBM"}, []string{}},
	} {
		slices.Reverse(tt.names) // the groups do not depend on the order
		d, articles := directoryOf(t, nil, namesOf(tt.names)...)
		equal(t, fmt.Sprint(tt.names), showNear(nearDuplicates(d, articles)), tt.want)
	}
}

func TestNearDuplicatesByAddress(t *testing.T) {
	d, articles := directoryOf(t, nil,
		name{name: "Acme", url: "https://www.Acme.example/"}, name{name: "Wile E. Supplies", url: "http://acme.example"},
		name{name: "One", url: "https://example.org/one"}, name{name: "Two", url: "https://example.org/two"}, name{name: "None"}, name{name: "Nil"})
	equal(t, "groups", showNear(nearDuplicates(d, articles)), []string{"address: Acme | Wile E. Supplies"})
}

// TestNearDuplicatesOfTheRegistry is of companies that an editor has told apart, and of what is near one of them or one of
// its aliases, whether or not an article names it.
func TestNearDuplicatesOfTheRegistry(t *testing.T) {
	type m = map[string]any
	reg := m{
		"acme":      m{"name": "Acme", "url": "https://acme.example", "aliases": []any{"Wile Supplies"}},
		"acme-gmbh": m{"name": "Acme GmbH", "url": "https://acme.example"},
		"unused":    m{"name": "Never named", "aliases": "Not at all"},
	}
	for _, tt := range []struct{ names, want []string }{
		{[]string{"Acme", "acme-gmbh"}, []string{}},
		{[]string{"Acme", "Acme GmbH", "Acme Inc"}, []string{"spelling: Acme | Acme GmbH | Acme Inc"}},
		{[]string{"wile supplies", "Wile Suplies"}, []string{"one letter: Acme | Wile Suplies"}},
		{[]string{"Nott at all"}, []string{}},
		{[]string{"Nevar named"}, []string{"one letter: Never named | Nevar named"}},
	} {
		d, articles := directoryOf(t, reg, namesOf(tt.names)...)
		near := nearDuplicates(d, articles)
		equal(t, fmt.Sprint(tt.names), showNear(near), tt.want)
		for _, n := range near {
			for _, c := range n.Companies {
				_, registered := reg[c.Slug]
				if c.Registered != registered || c.Files == nil || !registered && len(c.Files) != 1 {
					t.Errorf("%+v", c)
				}
			}
		}
	}
}

// randomNames returns names of which many are near each other.
func randomNames(r *rand.Rand) []string {
	var names []string
	slugs := map[string]bool{}
	letters := []rune("mmmbsö1漢 ") // which make no legal suffix
	for range 120 {
		var s []rune
		if len(names) > 0 && r.IntN(3) > 0 {
			s = []rune(names[r.IntN(len(names))])
		}
		for range 1 + max(0, 6+r.IntN(4)-len(s)) {
			s = slices.Insert(s, r.IntN(len(s)+1), letters[r.IntN(len(letters))])
		}
		if r.IntN(2) == 0 {
			s = slices.Delete(s, 0, 1)
		}
		name := strings.Join(strings.Fields(string(s)), " ")
		if slug := slugOf(name); name != "" && !slugs[slug] {
			slugs[slug] = true
			names = append(names, name)
		}
	}
	return names
}

// TestSuggestionLeavesNothing merges random names as it is suggested, some of them named often: nothing near remains.
func TestSuggestionLeavesNothing(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		names := randomNames(r)
		for _, name := range names[:20] {
			names = append(names, strings.ToUpper(name)+[]string{"", " Inc", ", GmbH & Co.", " (MMB)"}[r.IntN(4)])
		}
		for range 60 {
			names = append(names, names[r.IntN(20)])
		}
		var reg map[string]any
		before := 0
		for round := range 2 {
			d, articles := directoryOf(t, reg, namesOf(names)...)
			near := nearDuplicates(d, articles)
			if round == 1 {
				if len(near) > 0 || len(d.companies) >= before {
					t.Fatalf("seed %d: %d companies of %d, and still %q", seed, len(d.companies), before, showNear(near))
				}
				break
			}
			before = len(d.companies)
			suggestion, err := d.registry.suggest([]EditionReport{{NearDuplicates: near}})
			if err != nil {
				t.Fatal(err)
			}
			if reg, err = decodeConfig(suggestion.File, []byte(suggestion.Add)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestEditsAgainstNaive compares the pairs that are found among random names with those that comparing every pair finds.
func TestEditsAgainstNaive(t *testing.T) {
	pairs := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		names := randomNames(r)
		d, _ := directoryOf(t, nil, namesOf(names)...)
		n := newNeighbours(d)
		var got, want [][2]string
		n.eachEdit(func(a, b int) { got = append(got, pair(n.companies[a].Name, n.companies[b].Name)) })
		all := slices.Clone(n.names)
		n.names = slices.DeleteFunc(n.names, func(a bareName) bool { // of names that are one but for their spaces, one is compared
			return slices.ContainsFunc(n.byKey[a.key], func(i int) bool {
				return cmp.Or(len(all[i].words)-len(a.words), slices.Compare(all[i].words, a.words)) < 0
			})
		})
		for i, a := range n.names {
			for _, b := range n.names[:i] {
				if naiveOneEdit(a, b) {
					want = append(want, pair(a.shown, b.shown))
				}
			}
		}
		for _, list := range [][][2]string{got, want} {
			slices.SortFunc(list, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
		}
		equal(t, fmt.Sprintf("seed %d: %q", seed, names), slices.Compact(got), want)
		pairs += len(want)
	}
	if pairs < 400 {
		t.Errorf("only %d pairs: the names say little", pairs)
	}
}

func pair(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// naiveOneEdit tries every edit of a.
func naiveOneEdit(a, b bareName) bool {
	differing, short := [][2]string{{a.key, b.key}}, minEdited
	if len(a.words) == len(b.words) && len(a.words) > 1 {
		for i := range a.words {
			if a.words[i] != b.words[i] {
				differing = append(differing, [2]string{a.words[i], b.words[i]})
			}
		}
	}
	for _, d := range differing { // both whole, then the words
		least := min(len([]rune(d[0])), len([]rune(d[1])))
		plural := short == minEditedWord && least == 3 && (d[0] == d[1]+"s" || d[1] == d[0]+"s")
		if first := len(differing) == 1 || short == minEditedWord; least < short && !plural || first && []rune(d[0])[0] != []rune(d[1])[0] {
			return false
		}
		short = minEditedWord
	}
	edits := func(x, y []rune) bool { // of x, that make y
		for i := range x {
			if deleted := append(slices.Clone(x[:i]), x[i+1:]...); isLetterOfAlphabet(x[i]) && slices.Equal(deleted, y) {
				return true
			}
			changed := slices.Clone(x)
			if len(y) > i {
				changed[i] = y[i]
				if isLetterOfAlphabet(x[i]) && isLetterOfAlphabet(y[i]) && slices.Equal(changed, y) {
					return true
				}
			}
			if swapped := slices.Clone(x); i > 0 && !unicode.IsDigit(x[i]) && !unicode.IsDigit(x[i-1]) &&
				(isLetterOfAlphabet(x[i]) || isLetterOfAlphabet(x[i-1])) {
				swapped[i], swapped[i-1] = x[i-1], x[i]
				if slices.Equal(swapped, y) {
					return true
				}
			}
		}
		return false
	}
	whole, wholeOther := []rune(a.key), []rune(b.key)
	return edits(whole, wholeOther) || edits(wholeOther, whole)
}

func isLetterOfAlphabet(r rune) bool {
	return !unicode.IsDigit(r) && !unicode.In(r, unicode.Han, unicode.Hangul)
}

// BenchmarkNearDuplicates shows that the time grows with the number of companies, not with its square.
func BenchmarkNearDuplicates(b *testing.B) {
	for _, size := range []int{5_000, 10_000, 20_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			var names []name
			for len(names) < size {
				word := func() string {
					s := make([]byte, 4+r.IntN(7))
					for i := range s {
						s[i] = "etaoinshrdlucmfwypvbgk"[min(r.IntN(22), r.IntN(22))]
					}
					return string(s)
				}
				s := word() + " " + word()
				names = append(names, name{name: s})
				if r.IntN(20) == 0 {
					names = append(names, name{name: s[:len(s)-1]})
				}
			}
			d, articles := directoryOf(b, nil, names...)
			for b.Loop() {
				if len(nearDuplicates(d, articles)) == 0 {
					b.Fatal("no groups")
				}
			}
		})
	}
}

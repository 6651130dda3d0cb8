package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

const acmeRegistry = `
-- data/companies.yaml --
the-acme:
  name: Acme
  aliases: ["Acme, Inc.", ACME Ltd, L'Acme]
  url: https://acme.example
unused: {name: Nobody, aliases: nil}
`

func TestRegistry(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"names, aliases and the slug are one", acmeRegistry + mentions(`"Acme, Inc."`, `[acme ltd, L’Acme, Other]`, `the-acme`, `{name: ACME}`),
			"other: Other [/a/1]\nthe-acme: Acme [/a/0 /a/1 /a/2 /a/3]"},
		{"its name is shown, however rare", acmeRegistry + mentions(`ACME Ltd`, `ACME Ltd`), "the-acme: Acme [/a/0 /a/1]"},
		{"a term's name or title", acmeRegistry + "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[taxonomies]\ncompany = 'companies'\n" +
			"-- content/companies/acme/_index.md --\n---\ntitle: The Acme Company\n---\n-- content/companies/wile/_index.md --\n---\ntitle: ACME Ltd\n---\n" +
			mentions(`acme`, `wile`), "the-acme: Acme [/a/0 /a/1]"},
		{"one alias as a string, names that are numbers", "-- data/companies.yaml --\n18f: {name: 18F, aliases: 18}\n3m: {name: 3M, aliases: [2002]}\n2024: {name: 2024}\n" +
			mentions(`[18, 2002, 2024]`), "18f: 18F [/a/0]\n2024: 2024 [/a/0]\n3m: 3M [/a/0]"},
		{"slugs in folders and other scripts", "-- data/companies.yaml --\na/b-test.ing: {name: A/B}\n三菱電機: {name: Mitsubishi Electric}\n" + mentions(`[A/B, Mitsubishi Electric]`),
			"a/b-test.ing: A/B [/a/0]\n三菱電機: Mitsubishi Electric [/a/0]"},
		{"TOML", "-- data/companies.toml --\n[acme]\nname = 'Acme'\naliases = ['A']\n" + mentions(`a`), "acme: Acme [/a/0]"},
		{"JSON", "-- data/companies.json --\n{\"acme\": {\"name\": \"Acme\", \"aliases\": [\"A\"]}}\n" + mentions(`a`), "acme: Acme [/a/0]"},
		{"yml", "-- data/companies.yml --\nacme: {name: Acme, aliases: A}\n" + mentions(`a`), "acme: Acme [/a/0]"},
		{"an empty one", "-- data/companies.yaml --\n# nothing yet\n" + mentions(`a`), "a: a [/a/0]"},
		{"an entry to be filled in", "-- data/companies.yaml --\na:\n  name: A\n  aliases:\n  url:\n" + mentions(`a`), "a: A [/a/0]"},
		{"of the theme", "-- hugo.toml --\nbaseURL = 'https://example.org/'\ntheme = 'plain'\n-- themes/plain/data/companies.yaml --\nacme: {name: Acme, aliases: A}\n" +
			mentions(`a`), "acme: Acme [/a/0]"},
		{"another data folder and file", "-- hugo.toml --\nbaseURL = 'https://example.org/'\ndataDir = 'facts'\n[params.readFinder]\ncompaniesRegistry = 'search/firms'\n" +
			"-- facts/search/firms.yaml --\nacme: {name: Acme, aliases: A}\n-- facts/companies.yaml --\n- a list\n" + mentions(`a`), "acme: Acme [/a/0]"},
		{"none is wanted", "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[params.readFinder]\ncompaniesRegistry = ''\n" +
			"-- data/companies.yaml --\n- a list\n" + mentions(`a`), "a: a [/a/0]"},
		{"not read where nothing is named", "-- data/companies.yaml --\n- a list\n" + mentions(``), ""},
		{"other data files do not matter", "-- data/broken.yaml --\na: [\n" + acmeRegistry + mentions(`L'Acme`), "the-acme: Acme [/a/0]"},
		{"on the last rung too", "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[[module.mounts]]\nsource = 'layouts'\ntarget = 'nowhere'\n" +
			acmeRegistry + mentions(`L'Acme`), "the-acme: Acme [/a/0]"},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, "companies", showCompanies(load(t, tt.archive)), tt.want) })
	}
}

func TestRegistryErrors(t *testing.T) {
	for _, tt := range []struct{ name, registry, want string }{
		{"no map", "[acme]", `data/companies.yaml: want a map of slugs, got []interface {}`},
		{"no YAML", "acme: [", `data/companies.yaml: [1:7] sequence end token ']' not found`},
		{"a slug twice", "acme: {name: A}\nacme: {name: B}", `data/companies.yaml: [2:1] mapping key "acme" already defined`},
		{"an entry that is none", "acme: Acme", `data/companies.yaml: "acme": want a map with name, aliases and url, got string "Acme"`},
		{"unknown key", "acme: {name: Acme, alias: [A]}", `data/companies.yaml: "acme": unknown key "alias", known are name, aliases, url`},
		{"no name", "acme: {url: https://acme.example}", `data/companies.yaml: "acme": name: want the name of the company, got ""`},
		{"empty name", "acme: {name: \" \"}", `data/companies.yaml: "acme": name: want a name, got " "`},
		{"a list for a name", "acme: {name: [A]}", `data/companies.yaml: "acme": name: want a name, got "[A]"`},
		{"a map for an alias", "acme: {name: A, aliases: [{b: c}]}", `data/companies.yaml: "acme": aliases: want a name, got "map[b:c]"`},
		{"empty alias", "acme: {name: A, aliases: [B, '']}", `data/companies.yaml: "acme": aliases: want a name, got ""`},
		{"an invisible name", "acme: {name: \"\\u00ad\"}", `data/companies.yaml: "acme": name "\u00ad": nothing of it can be seen`},
		{"url without a scheme", "acme: {name: A, url: acme.example}", `data/companies.yaml: "acme": url: want an absolute http or https address, got "acme.example"`},
		{"slug in capitals", "Acme: {name: An Acme}", `data/companies.yaml: "Acme": is not the slug of an address, want for example "an-acme"`},
		{"slug with a space", "an acme: {name: An Acme}", `data/companies.yaml: "an acme": is not the slug of an address, want for example "an-acme"`},
		{"slug with a slash", "acme/: {name: An Acme}", `data/companies.yaml: "acme/": is not the slug of an address, want for example "an-acme"`},
		{"empty slug", "'': {name: A}", `data/companies.yaml: "": is not the slug of an address, want for example "a"`},
		{"slug out of the folder", "../a: {name: An Acme}", `data/companies.yaml: "../a": is not the slug of an address`},
		{"alias of two", "acme: {name: A, aliases: [The Same]}\nother: {name: B, aliases: [THE SAME]}", `data/companies.yaml: "other": "THE SAME" belongs to "acme" as well`},
		{"alias is a name", "acme: {name: A, aliases: [B]}\nother: {name: B}", `data/companies.yaml: "other": "B" belongs to "acme" as well`},
		{"alias is a slug", "acme: {name: A, aliases: [other]}\nother: {name: B}", `data/companies.yaml: "other": "other" belongs to "acme" as well`},
		{"all are named", "acme: {name: ''}\nother: {nam: B}", `data/companies.yaml: "other": unknown key "nam"`},
		{"how to keep the file", "acme: {}", `params.readFinder.companiesRegistry or --companies-registry`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tryLoad(t, "-- data/companies.yaml --\n"+tt.registry+"\n"+mentions(`Someone`), Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v\nwant one with %s", err, tt.want)
			}
		})
	}
	_, err := tryLoad(t, "-- data/companies.toml --\n-- data/companies.yaml --\n"+mentions(`Someone`), Options{})
	if err == nil || !strings.Contains(err.Error(), "data/companies.yaml and data/companies.toml: want one file") {
		t.Errorf("two registries: %v", err)
	}
}

// TestRegistryAgainstFrontMatter is of front matter that disagrees with the registry.
func TestRegistryAgainstFrontMatter(t *testing.T) {
	l := load(t, acmeRegistry+mentions(`{name: ACME Ltd, slug: acme-ltd}`, `{name: Acme, slug: The Acme}`, `{name: Acme, url: "http://www.acme.example/"}`,
		`{name: Acme, url: "https://other.example"}`, `{name: Acme, url: /companies/acme}`))
	equal(t, "companies", showCompanies(l), "the-acme: Acme [/a/0 /a/1 /a/2 /a/3 /a/4]")
	equal(t, "warnings", l.warnings, []Warning{
		{File: "content/a/0.md", Message: `company "Acme": its slug is "the-acme" in data/companies.yaml; "acme-ltd" is left out`},
		{File: "content/a/3.md", Message: `company "Acme" has the url "https://other.example" here and "https://acme.example" in data/companies.yaml:` +
			` if these are two companies, they need two names`},
		{File: "content/a/4.md", Message: `company "Acme": url: want an absolute http or https address, got "/companies/acme"; it is left out`},
	})

	for _, others := range []string{mentions(`{name: Other, slug: the-acme}`), mentions(`The_Acme`, `The Acme`), mentions(`Acme`, `The Acme`)} {
		_, err := tryLoad(t, acmeRegistry+others, Options{})
		if want := `companies "Acme" (data/companies.yaml) and "`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant one with %s", err, want)
		}
	}

	l = load(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[params.readFinder]\ncompaniesRegistry = 'firms'\n"+mentions(`Acme`))
	l.warned(t, "data/firms.yaml", `params.readFinder.companiesRegistry: there is no data file "firms"`)
}

// TestRegistryFingerprint: the fingerprint changes with the registry where an answer does, and only there.
func TestRegistryFingerprint(t *testing.T) {
	fingerprint := func(registry string) string {
		t.Helper()
		l := load(t, "-- data/companies.yaml --\n"+registry+"\n"+mentions(`Acme`, `ACME Ltd`))
		return corpus.Fingerprint(l.pubs[0])
	}
	plain := fingerprint("")
	for _, registry := range []string{
		"other: {name: Other, aliases: [Nobody]}", "acme: {name: Acme}", "acme: {name: Acme, aliases: [Nobody], url: https://acme.example}",
		"acme: {name: Acme}\nacme-ltd: {name: ACME Ltd}",
	} {
		if got := fingerprint(registry); got != plain {
			t.Errorf("%s: changes the fingerprint, but no answer", registry)
		}
	}
	seen := map[string]string{plain: "none"}
	for _, registry := range []string{
		"acme: {name: Acme, aliases: [ACME Ltd]}", "acme: {name: The Acme, aliases: [ACME Ltd]}", "the-acme: {name: Acme, aliases: [ACME Ltd]}", "the-acme: {name: Acme}",
	} {
		got := fingerprint(registry)
		if other, ok := seen[got]; ok {
			t.Errorf("%s: the fingerprint is that of %s", registry, other)
		}
		seen[got] = registry
	}
}

// generateIn generates the site in a folder and returns its publications too.
func generateIn(t *testing.T, dir string) (*Report, loaded) {
	t.Helper()
	var l loaded
	r, err := Generate(t.Context(), Options{Source: dir, Settings: map[string]any{"widget": false}, Extracted: func(p *site.Publication) { l.pubs = append(l.pubs, p) }})
	if err != nil {
		t.Fatal(err)
	}
	return r, l
}

// paste puts a suggestion into its file, as an editor does: what is there and gets aliases goes.
func paste(t *testing.T, dir string, r *RegistryReport, without string) {
	t.Helper()
	file := filepath.Join(dir, r.File)
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if !strings.Contains(string(old), without) {
		t.Fatalf("%s has no %q", old, without)
	}
	text := strings.Replace(string(old), without, "", 1) + r.Replace + r.Add
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRegistrySuggestion pastes what the report suggests: the companies are one, and nothing is reported any more.
func TestRegistrySuggestion(t *testing.T) {
	const toml = "-- hugo.toml --\nbaseURL = 'https://example.org/'\n"
	for _, tt := range []struct{ name, archive, without, want string }{
		{"none yet", mentions(`["Acme, Inc.", Solar City]`, `[Acme Inc, SolarCity]`, `[Acme, SolarCity, Other]`), "",
			"acme: Acme [/a/0 /a/1 /a/2]\nother: Other [/a/2]\nsolarcity: SolarCity [/a/0 /a/1 /a/2]"},
		{"names that YAML reads otherwise", mentions(`["yes", "null inc.", "3.14", "- dash", "a: b", "#hash", '"quoted" {name}', "@at", "Ünïcode\U0001F600"]`,
			`["Yes, Inc", "Null", "3.14 Ltd", "-dash", "a: b Ltd", "# hash", 'quoted {name} & Co', "@at corp", "Ünïcode\U0001F600 Ltd"]`), "",
			"#-hash: # hash [/a/0 /a/1]\n--dash: - dash [/a/0 /a/1]\n3.14: 3.14 [/a/0 /a/1]\n@at: @at [/a/0 /a/1]\na-b: a: b [/a/0 /a/1]\nnull: Null [/a/0 /a/1]\n" +
				"quoted-name: \"quoted\" {name} [/a/0 /a/1]\nyes: yes [/a/0 /a/1]\nünïcode: Ünïcode😀 [/a/0 /a/1]"},
		{"slugs of front matter", mentions(`{name: Acme, slug: one}`, `{name: Acme Inc, slug: two}`), "", "one: Acme [/a/0 /a/1]"},
		{"a name that explains another", mentions(`[ECTO, GSA]`, `[ECTO, General Services Administration]`, `[Emerging Citizen Technology Office (ECTO), General Services Administration (GSA)]`,
			`[Emerging Citizen Technology Ofice (ECTO)]`), "", "emerging-citizen-technology-office-ecto: Emerging Citizen Technology Office (ECTO) [/a/0 /a/1 /a/2 /a/3]\n" +
			"general-services-administration-gsa: General Services Administration (GSA) [/a/0 /a/1 /a/2]"},
		{"some entries", "-- data/companies.yaml --\nother: {name: Other}\n" + mentions(`[Acme, Other]`, `Acme Ltd`), "", "acme: Acme [/a/0 /a/1]\nother: Other [/a/0]"},
		{"an alias for an entry", "-- data/companies.yaml --\nother: {name: Other}\nacme: {name: Acme, aliases: [Wile], url: https://acme.example}\n" +
			mentions(`[Wile, Other]`, `Acme Ltd`, `Acme Ltd`, `Otther`), "other: {name: Other}\nacme: {name: Acme, aliases: [Wile], url: https://acme.example}\n",
			"acme: Acme [/a/0 /a/1 /a/2]\nother: Other [/a/0 /a/3]"},
		{"an entry that nobody names yet", "-- data/companies.yaml --\nacme: {name: Acme}\n" + mentions(`Acme Ltd`), "acme: {name: Acme}\n", "acme: Acme [/a/0]"},
		{"two entries that are two", "-- data/companies.yaml --\nacme: {name: Acme}\nacme-ltd: {name: Acme Ltd}\n" + mentions(`Acme`, `Acme Ltd`, `Acme Ltd`, `Acme AG`),
			"acme-ltd: {name: Acme Ltd}\n", "acme: Acme [/a/0]\nacme-ltd: Acme Ltd [/a/1 /a/2 /a/3]"},
		{"TOML", toml + "-- data/companies.toml --\n[other]\nname = 'Other'\n" + mentions(`[Acme, Other]`, `[Acme Ltd, Otther]`), "[other]\nname = 'Other'\n",
			"acme: Acme [/a/0 /a/1]\nother: Other [/a/0 /a/1]"},
		{"another folder and file", toml + "dataDir = 'facts'\n[params.readFinder]\ncompaniesRegistry = 'search/firms'\n" + mentions(`Acme`, `Acme Ltd`), "", "acme: Acme [/a/0 /a/1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive := tt.archive
			if !strings.Contains(archive, "-- hugo.toml --") {
				archive += toml
			}
			dir := writeSite(t, archive)
			r, _ := generateIn(t, dir)
			if len(r.Languages[0].NearDuplicates) == 0 || r.Registry == nil {
				t.Fatalf("nothing is reported: %+v", r)
			}
			paste(t, dir, r.Registry, tt.without)
			pasted := fmt.Sprintf("%+v", r.Registry)
			r, l := generateIn(t, dir)
			equal(t, "companies", showCompanies(l), tt.want)
			if len(r.Languages[0].NearDuplicates) > 0 || r.Registry != nil {
				t.Errorf("after %s\nthere is still %+v", pasted, r.Languages[0].NearDuplicates)
			}
		})
	}
}

// TestRegistryOfLanguages: one registry serves all languages, and one suggestion merges what is near in any of them.
func TestRegistryOfLanguages(t *testing.T) {
	dir := writeSite(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
[languages.en]
[languages.fr]
[languages.de]
-- content/a/1.en.md --
---
companies: [Acme, "Acme, Inc.", Other]
---
-- content/a/1.fr.md --
---
companies: [Acme, Acme SA, Acme SA, Globex, Globex S.A.]
---
-- content/a/1.de.md --
`)
	r, _ := generateIn(t, dir)
	equal(t, "file", r.Registry.File, "data/companies.yaml")
	equal(t, "suggestion", r.Registry.Add,
		"acme:\n  name: Acme\n  aliases:\n  - Acme, Inc.\n  - Acme SA\nglobex:\n  name: Globex\n  aliases:\n  - Globex S.A.\n")
	paste(t, dir, r.Registry, "")
	r, l := generateIn(t, dir)
	var got []string
	for i, p := range l.pubs {
		if got = append(got, showCompanies(loaded{pubs: []*site.Publication{p}})); len(r.Languages[i].NearDuplicates) > 0 {
			t.Errorf("%s: %+v", r.Languages[i].Language, r.Languages[i].NearDuplicates)
		}
	}
	equal(t, "companies", got, []string{"", "acme: Acme [/a/1]\nother: Other [/a/1]", "acme: Acme [/fr/a/1]\nglobex: Globex [/fr/a/1]"})
}

func TestNoSuggestionWithoutRegistry(t *testing.T) {
	r, _ := generateIn(t, writeSite(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[params.readFinder]\ncompaniesRegistry = ''\n"+mentions(`Acme`, `Acme Ltd`)))
	if len(r.Languages[0].NearDuplicates) != 1 || r.Registry != nil {
		t.Errorf("%+v, %+v", r.Languages[0].NearDuplicates, r.Registry)
	}
}

// TestRegistryInBuild: Hugo's own build reads the registry as a generation does.
func TestRegistryInBuild(t *testing.T) {
	dir := writeSite(t, "-- hugo.toml --\nbaseURL = 'https://example.org/'\n"+acmeRegistry+mentions(`L'Acme`, `[ACME Ltd, Other]`, `Other Inc`))
	var l loaded
	r := build(t, BuildOptions{Options: Options{Source: dir, Extracted: func(p *site.Publication) { l.pubs = append(l.pubs, p) }}})
	equal(t, "companies", showCompanies(l), "other: Other [/a/1]\nother-inc: Other Inc [/a/2]\nthe-acme: Acme [/a/0 /a/1]")
	equal(t, "suggestion", *r.Registry, RegistryReport{File: "data/companies.yaml", Add: "other:\n  name: Other\n  aliases:\n  - Other Inc\n"})
}

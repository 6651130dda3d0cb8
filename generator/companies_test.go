package generator

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// showCompanies lists companies as "slug: Name [paths]".
func showCompanies(l loaded) string {
	var lines []string
	p := l.pubs[0]
	for _, c := range p.Companies {
		var paths []string
		for _, i := range c.Articles {
			paths = append(paths, p.Articles[i].Path)
		}
		lines = append(lines, fmt.Sprintf("%s: %s %s", c.Slug, c.Name, paths))
	}
	return strings.Join(lines, "\n")
}

// mentions makes a site of one article per list of companies, YAML flow, dated so that they stand in this order.
func mentions(lists ...string) string {
	var b strings.Builder
	for i, list := range lists {
		fmt.Fprintf(&b, "-- content/a/%d.md --\n---\ndate: %d-01-01\ncompanies: %s\n---\n", i, 2024-i, list)
	}
	return b.String()
}

func TestCompanies(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"every form", mentions(`Acme, Inc.`, `[Acme, "L'Oréal", Acme]`, `[{name: Acme}, {name: C#, slug: c-sharp}]`, `{name: AT&amp;T}`),
			"acme: Acme [/a/1 /a/2]\nacme-inc.: Acme, Inc. [/a/0]\natt: AT&T [/a/3]\nc-sharp: C# [/a/2]\nloréal: L'Oréal [/a/1]"},
		{"case and typography are one name", mentions(`[ACME, "L'Oréal"]`, `[Acme, "L’Oréal"]`, `[Acme, "L’Oréal"]`),
			"acme: Acme [/a/0 /a/1 /a/2]\nloréal: L’Oréal [/a/0 /a/1 /a/2]"},
		{"among equals the newest spelling", mentions(`ACME`, `Acme`), "acme: ACME [/a/0 /a/1]"},
		{"a slug given once holds for all", mentions(`Acme`, `{name: ACME, slug: the-acme}`), "the-acme: Acme [/a/0 /a/1]"},
		{"the slug is of the name shown", mentions(`Groß`, `gross`, `gross`), "gross: gross [/a/0 /a/1 /a/2]"},
		{"a slug is written as a path", mentions(`{name: Acme, slug: The Acme}`, `{name: ACME, slug: the-acme}`, `{name: Other, slug: "!!!"}`),
			"other: Other [/a/2]\nthe-acme: Acme [/a/0 /a/1]"},
		{"what has no name is left out alone", mentions(`[{slug: x}, Acme, {title: Other}, {name: Globex, url: "https://globex.example"}]`),
			"acme: Acme [/a/0]\nglobex: Globex [/a/0]"},
		{"names that are no path", mentions(`[/Slash/, a//b, ../c, ./d, e/./f, g/../h]`),
			"a/b: a//b [/a/0]\nc: ../c [/a/0]\nd: ./d [/a/0]\ne/f: e/./f [/a/0]\nh: g/../h [/a/0]\nslash: /Slash/ [/a/0]"},
		{"nothing named", mentions(`""`, `[]`, ``), ""},
		{"a name in folders", mentions(`TCP/IP Ltd`), "tcp/ip-ltd: TCP/IP Ltd [/a/0]"},
		{"a dropped duplicate names nobody", mentions(`Acme`) + "-- content/a/x.md --\n---\nurl: /a/0/\ncompanies: Gone\n---\n", "acme: Acme [/a/0]"},
		{"term pages", "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[taxonomies]\ncompany = 'companies'\n" +
			"-- content/companies/acme/_index.md --\n---\ntitle: The Acme Company\n---\n" + mentions(`acme`, `[ACME, other]`),
			"acme: The Acme Company [/a/0 /a/1]\nother: other [/a/1]"},
		{"term pages of a taxonomy of another name", "-- hugo.toml --\nbaseURL = 'https://example.org/'\n[taxonomies]\nfirm = 'firms'\n[params.readFinder]\ncompaniesKey = 'firms'\n" +
			"-- content/firms/acme/_index.md --\n---\ntitle: The Acme Company\n---\n-- content/firms/bare/_index.md --\n" +
			strings.ReplaceAll(mentions(`[acme, {name: ACME, slug: the-acme}, bare]`), "companies:", "firms:"),
			"bare: bare [/a/0]\nthe-acme: The Acme Company [/a/0]"},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, "companies", showCompanies(load(t, tt.archive)), tt.want) })
	}
}

func TestCompanyErrors(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		want          []string
	}{
		{"two names on one slug", mentions(`AT&T`, `Acme`, `ATT`), []string{`"AT&T" (content/a/0.md) and "ATT" (content/a/2.md) have one slug "att"`}},
		{"an explicit slug of another", mentions(`Acme`, `{name: Other, slug: acme}`), []string{`content/a/0.md`, `content/a/1.md`, `"acme"`}},
		{"two slugs for one name", mentions(`{name: Acme, slug: one}`, `{name: acme, slug: two}`), []string{`"one" (content/a/0.md), "two" (content/a/1.md)`}},
		{"all are named", mentions(`[AT&T, a b]`, `[ATT, A  b, A-B]`), []string{`"att"`, `"a-b"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tryLoad(t, tt.archive, Options{})
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want one with %s", err, want)
				}
			}
		})
	}
}

func TestCompanyWithoutSlug(t *testing.T) {
	l := load(t, mentions(`["!!!", "..", Acme]`))
	equal(t, "companies", showCompanies(l), "acme: Acme [/a/0]")
	l.warned(t, "content/a/0.md", `company "!!!" makes an empty slug`)
	l.warned(t, "content/a/0.md", `company ".." makes an empty slug`)
}

// TestCompanyURLs: an url is who is meant. Two of one name may be two companies.
func TestCompanyURLs(t *testing.T) {
	l := load(t, mentions(`{name: Apollo, url: "https://www.apollo.example/"}`, `{name: APOLLO, url: "http://apollo.example"}`,
		`{name: Apollo, url: "https://apollo.example/maps"}`, `[{name: Wile, url: www.wile.example}, {name: Moon Maps, url: "https://Apollo.example"}]`))
	equal(t, "companies", showCompanies(l), "apollo: Apollo [/a/0 /a/1 /a/2]\nmoon-maps: Moon Maps [/a/3]\nwile: Wile [/a/3]")
	equal(t, "warnings", l.warnings, []Warning{
		{File: "content/a/2.md", Message: `company "Apollo" has the url "https://apollo.example/maps" here and "https://www.apollo.example/" in content/a/0.md:` +
			` if these are two companies, they need two names`},
		{File: "content/a/3.md", Message: `company "Wile": url: want an absolute http or https address, got "www.wile.example"; it is left out`},
	})
	equal(t, "near duplicates", showNear(l.near), []string{"address: Apollo | Moon Maps"})
}

// TestSlugsAreHugos compares our slugs with where Hugo publishes the terms' pages.
func TestSlugsAreHugos(t *testing.T) {
	l := load(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
[taxonomies]
company = 'companies'
-- layouts/_shortcodes/terms.html --
{{ range .Page.GetTerms "companies" }}{{ .RelPermalink | strings.TrimPrefix "/companies/" | strings.TrimSuffix "/" }} {{ end }}
-- content/a/a.md --
---
companies: [AT&T, C#, C++, "Acme, Inc.", Acme Inc, "Ben & Jerry's", Größe AG, İş Bankası, 三菱電機, 3.14, A--B, "Yahoo!", Nu_Bank, "100%", A/B Test, A., .a, "a\\b", -a-, a/]
---
At {{< terms >}}
`)
	var slugs []string
	for _, c := range l.pubs[0].Companies {
		slugs = append(slugs, (&url.URL{Path: c.Slug}).EscapedPath())
	}
	want := strings.Fields(strings.TrimPrefix(l.article(t, "/a").Body, "At "))
	slices.Sort(slugs)
	slices.Sort(want)
	equal(t, "slugs", slugs, want)
}

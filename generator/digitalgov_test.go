package generator

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/read-finder/read-finder/site"
)

// TestDigitalgov extracts a real site of a few thousand pages, where the checkout has it beside it: old posts with
// raw HTML, tables, scripts and entities. An HTML parser is the oracle for what the tokenizer made of them.
func TestDigitalgov(t *testing.T) {
	const source = "../../shared/sites/digitalgov"
	if _, err := os.Stat(source); err != nil {
		t.Skipf("the site is not beside this checkout: %v", err)
	}
	for _, tt := range []struct {
		name            string
		expired         bool
		pages, articles int
	}{{"published", false, 928, 927}, {"with expired", true, 2640, 2639}} {
		t.Run(tt.name, func(t *testing.T) {
			w, tol := &warnings{}, &tolerances{}
			s, err := loadSite(Options{Source: source, Hugo: map[string]any{"buildExpired": tt.expired}}, w, tol)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			e := s.editions[0]
			set, err := decodeSettings(e.params, map[string]any{"companiesKey": "host"})
			if err != nil {
				t.Fatal(err)
			}
			x, err := extract(t.Context(), e, set, func(string, int, int) {}, w, tol)
			if err != nil {
				t.Fatal(err)
			}
			pub := x.pub
			if len(e.pages) != tt.pages || len(pub.Articles) != tt.articles {
				t.Errorf("%d pages, %d articles, want %d and %d", len(e.pages), len(pub.Articles), tt.pages, tt.articles)
			}
			l := loaded{warnings: w.sorted()}
			l.warned(t, "content/news/2023/09/2023-09-15-infrastructure-as-a-public-service.md",
				"content/news/2023/11/2023-11-20-infrastructure-as-a-public-service.md")

			byURL := map[string]site.Article{}
			tags, authors := map[string]bool{}, map[string]bool{}
			for _, a := range pub.Articles {
				byURL[a.URL] = a
				authors[a.Author] = true
				for _, tag := range a.Tags {
					tags[tag] = true
				}
				if strings.Contains(a.Body, "&rsquo;") || strings.Contains(a.Title+a.Excerpt, "&rsquo;") {
					t.Errorf("%s shows an entity", a.Path)
				}
			}
			// Topics have pages with a title, authors have pages without one, customer-service has no page.
			for _, name := range []string{"Open source", "customer-service"} {
				if !tags[name] {
					t.Errorf("no article has the tag %q", name)
				}
			}
			if tags["open-source"] || !authors["jeremyzilar"] {
				t.Error("terms are not shown by the title that their page has")
			}
			checkBodies(t, e, byURL)
			if tt.expired {
				checkHosts(t, e, set, x)
			}
		})
	}
}

// checkHosts takes the hosts of events for companies: they are as many people have written them. What the report suggests is
// then the registry, and leaves nothing to report.
func checkHosts(t *testing.T, e *edition, s settings, x *extraction) {
	t.Helper()
	equal(t, "near duplicates", showNear(x.near), []string{
		"abbreviation: Agency for Healthcare Research and Quality (AHRQ) | AHRQ",
		"one letter: API Community of Practice | APIs Community of Practice",
		"abbreviation: Digital Analytics Program (DAP) | DAP | Digital Analytics Program",
		"abbreviation: ECTO | Emerging Citizen Technology Office (ECTO) | Emerging Citizen Technology Office | The GSA Emerging Citizen Technology Office (ECTO)",
		"abbreviation: U.S. Web Design System | USWDS",
	})
	suggestion, err := x.registry.suggest([]EditionReport{{NearDuplicates: x.near}})
	if err != nil {
		t.Fatal(err)
	}
	var articles []extracted
	for _, p := range e.pages {
		articles = append(articles, extracted{file: p.file, companies: shown(e, p, s.companiesKey, &warnings{})})
	}
	e.data = func(string) (any, string, error) {
		m, err := decodeConfig(suggestion.File, []byte(suggestion.Add))
		return m, suggestion.File, err
	}
	d, err := companiesOf(e, s, articles, &warnings{})
	if err != nil {
		t.Fatal(err)
	}
	merged := map[string]int{}
	for _, c := range d.companies {
		merged[c.Name] = len(c.Articles)
	}
	if n := merged["Digital Analytics Program (DAP)"]; n != 34 || merged["DAP"]+merged["Digital Analytics Program"] > 0 {
		t.Errorf("%d articles of the program, want 34: %v", n, merged)
	}
	if near := nearDuplicates(d, articles); len(d.companies) != len(x.pub.Companies)-8 || len(near) > 0 {
		t.Errorf("%d companies of %d, and still %q", len(d.companies), len(x.pub.Companies), showNear(near))
	}
}

// checkBodies compares bodies with the parsed content: cells apart, script text absent.
func checkBodies(t *testing.T, e *edition, byURL map[string]site.Article) {
	t.Helper()
	rows := 0
	for _, p := range e.pages {
		content, _, err := p.render(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		body := byURL[p.permalink].Body
		for n := range root.Descendants() {
			switch n.DataAtom {
			case atom.Tr:
				rows++
				if cells := cellTexts(n); !strings.Contains(body, strings.Join(cells, " ")) {
					t.Errorf("%s: cells %q are not in the body", p.file, cells)
				}
			case atom.Script, atom.Style:
				text := ""
				if n.FirstChild != nil {
					text = strings.Join(strings.Fields(n.FirstChild.Data), " ")
				}
				if text != "" && strings.Contains(body, text) {
					t.Errorf("%s: the body has the script %q", p.file, text)
				}
			}
		}
	}
	if rows == 0 {
		t.Error("no table row was checked")
	}
}

// cellTexts returns the text of the cells of a row, without those that hold more than text: their inner boundaries
// are not the row's.
func cellTexts(row *html.Node) []string {
	var cells []string
	for cell := range row.ChildNodes() {
		if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th {
			continue
		}
		var b strings.Builder
		for n := range cell.Descendants() {
			if n.Type == html.TextNode {
				b.WriteString(n.Data)
			} else if isBlock(n.DataAtom) || isHidden(n.DataAtom) {
				return nil
			}
		}
		if text := strings.Join(strings.Fields(b.String()), " "); text != "" {
			cells = append(cells, text)
		}
	}
	return cells
}

// TestDigitalgovWarts lays the files of that site that repeat a front matter key over it: Hugo refuses each of them.
func TestDigitalgovWarts(t *testing.T) {
	const source, warts = "../../shared/sites/digitalgov", "../../shared/sites/digitalgov-warts"
	if _, err := os.Stat(warts); err != nil {
		t.Skipf("the site is not beside this checkout: %v", err)
	}
	dir := t.TempDir()
	for _, from := range []string{source, warts} {
		if err := copyOver(dir, from); err != nil {
			t.Fatal(err)
		}
	}
	w, tol := &warnings{}, &tolerances{}
	s, err := loadSite(Options{Source: dir, Hugo: map[string]any{"buildExpired": true}}, w, tol)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if got := len(s.editions[0].pages); got != 2640 {
		t.Errorf("%d pages, want 2640", got)
	}
	var got []string
	for _, v := range tol.sorted() {
		got = append(got, v.File)
		if v.Rung != RungFrontMatter || !strings.HasPrefix(v.Reason, "repeated ") {
			t.Errorf("tolerance %+q", v)
		}
	}
	var want []string
	for _, name := range tree(t, warts) {
		if strings.HasSuffix(name, ".md") {
			want = append(want, name)
		}
	}
	if len(want) != 15 {
		t.Errorf("%d files with warts, want 15", len(want))
	}
	equal(t, "files", got, want)
}

// copyOver copies the files of a folder into dir, over those that are there. os.CopyFS refuses to.
func copyOver(dir, from string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, rel), 0o777)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), data, 0o666)
	})
}

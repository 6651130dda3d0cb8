package sitetest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/text"
)

// A Scan answers queries by looking through all text, as the contract puts it: it is what every clever answer is compared
// with. It shares the fold with the engine, and nothing else.
type Scan struct {
	fold      *text.Folder
	articles  [][]weighted
	companies []profile
}

// A weighted is the folded text of one field of an article, or of one tag, and what a token in it is worth.
type weighted struct {
	text   string
	weight int
}

// A profile is what a company is found and ordered by.
type profile struct {
	name, slug string // folded
	articles   int
}

// NewScan returns a Scan of p.
func NewScan(p *site.Publication) *Scan {
	s := &Scan{fold: text.NewFolder(p.FoldDiacritics)}
	for _, a := range p.Articles {
		fields := []weighted{{a.Title, 8}, {a.Section, 4}, {a.Author, 4}}
		for _, tag := range a.Tags {
			fields = append(fields, weighted{tag, 4})
		}
		fields = append(fields, weighted{a.Excerpt, 2}, weighted{a.Body, 1})
		for i := range fields {
			fields[i].text = s.fold.String(fields[i].text)
		}
		s.articles = append(s.articles, fields)
	}
	for _, c := range p.Companies {
		s.companies = append(s.companies, profile{s.fold.String(c.Name), s.fold.String(c.Slug), len(c.Articles)})
	}
	return s
}

// tokens returns the folded tokens of q of which the fold leaves something.
func (s *Scan) tokens(q string) []string {
	var tokens []string
	for _, token := range strings.Fields(q) {
		if token = s.fold.String(token); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// Search returns the first limit articles, as indexes into Publication.Articles, that contain every token of q: by the sum
// of the weights of the best field of each token, the higher first, then as the publication has them.
func (s *Scan) Search(q string, limit int) []int {
	tokens := s.tokens(q)
	if len(tokens) == 0 {
		return nil
	}
	type hit struct{ article, score int }
	var hits []hit
	for i, fields := range s.articles {
		if score := score(fields, tokens); score > 0 {
			hits = append(hits, hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	var found []int
	for _, h := range hits[:min(limit, len(hits))] {
		found = append(found, h.article)
	}
	return found
}

// score returns the sum of what the tokens are worth, and 0 if one of them is in no field.
func score(fields []weighted, tokens []string) int {
	sum := 0
	for _, token := range tokens {
		w := best(fields, token)
		if w == 0 {
			return 0
		}
		sum += w
	}
	return sum
}

func best(fields []weighted, token string) int {
	for _, f := range fields { // by weight, descending
		if strings.Contains(f.text, token) {
			return f.weight
		}
	}
	return 0
}

// Weights returns what each token of q is worth in an article, an index into Publication.Articles, and nil if one of them is
// in no field.
func (s *Scan) Weights(q string, article int) []int {
	var weights []int
	for _, token := range s.tokens(q) {
		w := best(s.articles[article], token)
		if w == 0 {
			return nil
		}
		weights = append(weights, w)
	}
	return weights
}

// Companies returns the first limit companies, as indexes into Publication.Companies, in whose name or slug every token of
// q is: names that equal q first, then names that begin with it, then the rest; within each those with more articles
// first, then by folded name, then by slug. White space counts as one space.
func (s *Scan) Companies(q string, limit int) []int {
	tokens := s.tokens(q)
	if len(tokens) == 0 {
		return nil
	}
	whole := strings.Join(tokens, " ")
	type hit struct {
		fit     int
		company int
		profile
	}
	var hits []hit
	for i, c := range s.companies {
		if slices.ContainsFunc(tokens, func(token string) bool {
			return !strings.Contains(c.name, token) && !strings.Contains(c.slug, token)
		}) {
			continue
		}
		c.name = strings.Join(strings.Fields(c.name), " ")
		fit := 2
		if c.name == whole {
			fit = 0
		} else if strings.HasPrefix(c.name, whole) {
			fit = 1
		}
		hits = append(hits, hit{fit, i, c})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(b.articles, a.articles),
			cmp.Compare(a.name, b.name), cmp.Compare(a.slug, b.slug))
	})
	var found []int
	for _, h := range hits[:min(limit, len(hits))] {
		found = append(found, h.company)
	}
	return found
}

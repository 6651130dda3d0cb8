package generator

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/read-finder/read-finder/site"
)

// An extracted is an article together with what is needed to place it among the others.
type extracted struct {
	site.Article
	file      string
	companies []name
}

// An extraction is what one language of a site holds.
type extraction struct {
	settings   settings
	pub        *site.Publication
	near       []NearDuplicate
	registry   *registry
	notIndexed []NotIndexed
	missing    []MissingPage // see checkRendered
}

// extract turns the selected pages of an edition into a publication.
func extract(ctx context.Context, e *edition, s settings, progress func(string, int, int), w *warnings, t *tolerances) (
	*extraction, error) {

	pages, notIndexed := selectPages(e, s, w)
	articles := make([]extracted, len(pages))
	var mu sync.Mutex
	done := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range pages {
		g.Go(func() (err error) {
			if err = ctx.Err(); err != nil {
				return err
			}
			if articles[i], err = extractPage(ctx, e, s, p, w, t); err != nil {
				return fmt.Errorf("%s: %w", p.file, err)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress("extract", done, len(pages))
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if len(articles) == 0 {
		w.add("", "language %q has no articles: no published page lies in a section that is indexed%s", e.language, noArticlesHint(e, notIndexed))
	}

	articles = dropDuplicatePaths(articles, w)
	pub := &site.Publication{Language: e.language, Prefix: e.prefix, FoldDiacritics: s.foldDiacritics}
	for i := range articles {
		pub.Articles = append(pub.Articles, articles[i].Article)
	}
	d, err := companiesOf(e, s, articles, w)
	if err != nil {
		return nil, err
	}
	for _, c := range d.companies {
		pub.Companies = append(pub.Companies, c.Company)
	}
	return &extraction{settings: s, pub: pub, near: nearDuplicates(d, articles), registry: d.registry, notIndexed: notIndexed}, nil
}

// noArticlesHint says what an edition without articles has instead, as lines of their own.
func noArticlesHint(e *edition, notIndexed []NotIndexed) string {
	hint := ""
	if slices.ContainsFunc(notIndexed, func(p NotIndexed) bool { return p.Reason == NoSection }) {
		hint += "\n  sections = [\"/\"] in [params.readFinder] indexes those in no section too"
	}
	if e.sectionPages > 0 {
		hint += fmt.Sprintf("\n  %s (_index.md) with text; only regular pages are articles", plural(e.sectionPages, "section page", "section pages"))
	}
	return hint
}

// selectPages returns the pages that are articles, those in the selected sections that have not opted out, and the
// others with the reason.
func selectPages(e *edition, s settings, w *warnings) ([]sourcePage, []NotIndexed) {
	sections := s.sections
	if sections == nil {
		sections = e.mainSections
	}
	found := map[string]bool{}
	var pages []sourcePage
	rest := append([]NotIndexed{}, e.noHTML...)
	leave := func(p sourcePage, reason string) { rest = append(rest, NotIndexed{p.file, reason}) }
	for _, p := range e.pages {
		section := p.section
		if sections != nil {
			i := slices.IndexFunc(sections, func(s string) bool { return inSection(p.path, s) })
			if i < 0 {
				leave(p, NotSelected)
				continue
			}
			section = sections[i]
		}
		if section == "" {
			leave(p, NoSection)
			continue
		}
		found[section] = true
		out, err := optedOut(p.params)
		if err != nil {
			w.add(p.file, "%s; the page is indexed", err)
		}
		if out {
			leave(p, OptedOut)
			continue
		}
		pages = append(pages, p)
	}
	for _, s := range sections {
		if !found[s] {
			w.add("", "section %q has no pages in language %q", s, e.language)
		}
	}
	return pages, rest
}

// inSection tells whether a logical path lies below a section, "blog" or "blog/news". Logical paths are in lower case
// unless the site says otherwise.
func inSection(path, section string) bool {
	prefix := "/" + strings.Trim(section, "/") + "/"
	return prefix == "//" || len(path) > len(prefix) && strings.EqualFold(path[:len(prefix)], prefix)
}

func extractPage(ctx context.Context, e *edition, s settings, p sourcePage, w *warnings, t *tolerances) (extracted, error) {
	path, err := articlePath(p.permalink, e.basePath)
	if err != nil {
		return extracted{}, err
	}
	excerpt := cmp.Or(plainText(scalar(p.params["excerpt"])), plainText(p.description))
	content, summary, err := p.render(ctx, excerpt == "")
	if err != nil {
		t.add(RungContent, p.file, "indexed by its source's text: "+cmp.Or(skipped(err.Error()), inFile(p.file, brief(firstLine(err.Error())))))
		content, summary = p.source(), ""
	}
	authorKey := s.authorKeys[0]
	for _, key := range s.authorKeys {
		if _, ok := p.params[key]; ok {
			authorKey = key
			break
		}
	}
	return extracted{
		Article: site.Article{
			Path:    path,
			URL:     p.permalink,
			Title:   plainText(p.title),
			Excerpt: cmp.Or(excerpt, visibleText(summary)),
			Tags:    shownNames(e, p, s.tagsKey, w),
			Section: p.section,
			Author:  strings.Join(shownNames(e, p, authorKey, w), ", "),
			Date:    p.date.UTC(),
			Body:    visibleText(content),
		},
		file:      p.file,
		companies: shown(e, p, s.companiesKey, w),
	}, nil
}

// shown returns the names under a front matter key as they are shown: by the title of a term's page where the key is a
// taxonomy and that page has one. Repeated names count once.
func shown(e *edition, p sourcePage, key string, w *warnings) []name {
	list, wrong := names(p.params[key])
	for _, err := range wrong {
		w.add(p.file, "front matter %s: %s; it is left out", key, err)
	}
	var all []name
	for _, n := range list {
		if title := plainText(e.termTitle(key, n.name)); title != "" {
			n.name, n.term = title, n.name
		} else {
			n.name = plainText(n.name)
			n.term = n.name
		}
		if n.name != "" && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

func shownNames(e *edition, p sourcePage, key string, w *warnings) []string {
	var all []string
	for _, n := range shown(e, p, key, w) {
		if !slices.Contains(all, n.name) {
			all = append(all, n.name)
		}
	}
	return all
}

// dropDuplicatePaths sorts articles into answer order and keeps one per path: the newer, ties by source file.
func dropDuplicatePaths(articles []extracted, w *warnings) []extracted {
	slices.SortFunc(articles, func(a, b extracted) int {
		return cmp.Or(site.CompareArticles(a.Article, b.Article), cmp.Compare(a.file, b.file))
	})
	first := map[string]string{} // path -> file
	return slices.DeleteFunc(articles, func(a extracted) bool {
		kept, ok := first[a.Path]
		if ok {
			w.add(a.file, "publishes to %q, as does %s, which is newer or first by name; this page is left out", a.Path, kept)
			return true
		}
		first[a.Path] = a.file
		return false
	})
}

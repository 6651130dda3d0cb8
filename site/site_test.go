package site_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/read-finder/read-finder/site"
)

func TestJSON(t *testing.T) {
	full := site.Article{
		Path: "/news/tech/one", URL: "https://example.org/news/tech/one/", Title: `<b> & "quotes"`, Excerpt: "L’été\u2028\n",
		Tags: []string{"a, b", "c"}, Section: "news", Author: "Ann, Bob",
		Date: time.Date(2024, 2, 29, 23, 30, 0, 999_999_999, time.FixedZone("", -5*3600)), Body: "never shown",
	}
	var empty site.Article
	for _, tt := range []struct {
		name, want string
		v          any
	}{
		{"entry", `{"path":"/news/tech/one","title":"<b> & \"quotes\"","excerpt":"L’été\u2028\n","tags":["a, b","c"],"tagsJoined":"a, b, c",` +
			`"section":"news","author":"Ann, Bob","date":"2024-03-01T04:30:00Z"}`, full.IndexEntry()},
		{"empty entry", `{"path":"","title":"","excerpt":"","tags":[],"tagsJoined":"","section":"","author":"","date":""}`, empty.IndexEntry()},
		{"result", `{"title":"<b> & \"quotes\"","excerpt":"L’été\u2028\n","path":"/news/tech/one","url":"https://example.org/news/tech/one/"}`, full.SearchResult()},
		{"empty result", `{"title":"","excerpt":"","path":"","url":""}`, empty.SearchResult()},
		{"reference", `{"title":"<b> & \"quotes\"","path":"/news/tech/one","url":"https://example.org/news/tech/one/"}`, full.Ref()},
		{"company", `{"slug":"at-t","name":"AT&T","articleCount":1,"articles":[{"title":"","path":"","url":""}]}`,
			site.CompanyResult{Slug: "at-t", Name: "AT&T", ArticleCount: 1, Articles: []site.ArticleRef{empty.Ref()}}},
		{"index", `{"version":1,"generatedAt":"2024-03-01T04:30:00Z","fingerprint":"0123456789abcdef","articles":[]}`,
			site.Index{Version: site.IndexVersion, GeneratedAt: site.FormatTime(full.Date), Fingerprint: "0123456789abcdef", Articles: []site.IndexEntry{}}},
	} {
		got, err := site.Marshal(tt.v)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := site.Marshal(func() {}); err == nil {
		t.Error("a function has JSON")
	}
}

// An article without tags has an empty list of them, never null.
func TestNoTagsAreAnEmptyList(t *testing.T) {
	for _, tags := range [][]string{nil, {}} {
		a := site.Article{Tags: tags}
		if e := a.IndexEntry(); e.Tags == nil || len(e.Tags) != 0 || e.TagsJoined != "" {
			t.Errorf("tags %#v: got %#v, %q", tags, e.Tags, e.TagsJoined)
		}
	}
}

func TestCompareArticles(t *testing.T) {
	noon := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	want := []site.Article{ // newest first, ties by path, those without a date last
		{Path: "/z", Date: noon.Add(time.Nanosecond)},
		{Path: "/A", Date: noon},
		{Path: "/a", Date: noon.In(time.FixedZone("", 7200))},
		{Path: "/a/b", Date: noon},
		{Path: "/é", Date: noon},
		{Path: "/0", Date: noon.Add(-time.Hour)},
		{Path: "/1", Date: time.Unix(0, 0)},
		{Path: "/a"},
		{Path: "/b"},
	}
	for seed := range uint64(20) {
		got := slices.Clone(want)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, site.CompareArticles)
		for i := range got {
			if got[i].Path != want[i].Path || !got[i].Date.Equal(want[i].Date) {
				t.Fatalf("seed %d: article %d is %q of %s, want %q of %s", seed, i, got[i].Path, got[i].Date, want[i].Path, want[i].Date)
			}
		}
	}
	if site.CompareArticles(want[1], want[1]) != 0 {
		t.Error("an article differs from itself")
	}
}

func TestSortCompanies(t *testing.T) {
	companies := []site.Company{{Slug: "b"}, {Slug: "a-b"}, {Slug: "a"}, {Slug: "é"}, {Slug: "Z"}}
	site.SortCompanies(companies)
	var slugs []string
	for _, c := range companies {
		slugs = append(slugs, c.Slug)
	}
	if want := []string{"Z", "a", "a-b", "b", "é"}; !slices.Equal(slugs, want) {
		t.Errorf("got %q, want %q", slugs, want)
	}
}

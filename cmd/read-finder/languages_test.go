package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/read-finder/read-finder/generator"
	"github.com/read-finder/read-finder/server"
)

// TestLanguagesServed generates a site in three languages, one written from right to left and one without spaces, and
// asks the server for each under its prefix. TestPreviewWatches asks the preview of the same site.
func TestLanguagesServed(t *testing.T) {
	dir := t.TempDir()
	report, err := generator.Generate(t.Context(), generator.Options{
		Source: "../../testdata/languages", Hugo: map[string]any{"publishDir": dir}, Settings: map[string]any{"widget": false},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tolerances)+len(report.Warnings) > 0 {
		t.Errorf("tolerances %v, warnings %v", report.Tolerances, report.Warnings)
	}
	var files []string
	for i, want := range []string{"en ", "ar /ar", "ja /ja"} {
		l := report.Languages[i]
		if got := l.Language + " " + l.Prefix; got != want || l.Articles != 1 || l.Companies != 1 {
			t.Errorf("language %d is %q with %d articles and %d companies, want %q with 1 and 1", i, got, l.Articles, l.Companies, want)
		}
		files = append(files, filepath.Join(dir, l.Prefix, generator.Dir, generator.CorpusName))
	}
	s, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	loader, err := server.NewLoader(s, server.LoaderConfig{Sources: files})
	if err != nil {
		t.Fatal(err)
	}
	loader.LoadFiles(t.Context())

	for _, tt := range []struct{ prefix, query, want string }{
		{"", "search?q=MORNING", `"articles":[{"title":"The port at night","excerpt":"Containers wait for morning.","path":"/news/port","url":"https://example.org/news/port/"}]`},
		{"/ar", "search?q=حاويات الصباح", `"articles":[{"title":"الميناء ليلا","excerpt":"الحاويات تنتظر الصباح.","path":"/ar/news/port","url":"https://example.org/ar/news/port/"}]`},
		{"/ja", "search?q=朝を待", `"articles":[{"title":"夜の港","excerpt":"コンテナは朝を待っている。","path":"/ja/news/port","url":"https://example.org/ja/news/port/"}]`},
		{"", "search?q=朝", `"count":0`},
		{"/ja", "search?q=morning", `"count":0`},
		{"/ar", "companies/search?q=أكمي", `"name":"أكمي","articleCount":1`},
		{"/ja", "companies/search?q=電機", `"name":"三菱電機","articleCount":1`},
		{"/ja", "read-finder-index.json", `"title":"夜の港"`},
		{"/ar", "read-finder-index.json", `"title":"الميناء ليلا"`},
	} {
		path, query, _ := strings.Cut(tt.query, "?q=")
		target := tt.prefix + "/api/" + path + "?q=" + url.QueryEscape(query)
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, target, nil))
		if body := answer.Body.String(); answer.Code != http.StatusOK || !strings.Contains(body, tt.want) {
			t.Errorf("%s %s: %d %s\nwant %s", tt.prefix, tt.query, answer.Code, body, tt.want)
		}
	}
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/read-finder/read-finder/server/search"
	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

// queryFlags are what a query can be asked with.
type queryFlags struct {
	corpus    string
	companies bool
	limit     int
	json      bool
	explain   bool
}

func newQueryCmd() *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query WORDS...",
		Short: "Search a corpus file",
		Long: `Query searches a corpus file as the server would: an article is found when every word occurs somewhere in its title,
excerpt, tags, section, author or body, in any case and inside longer words too.`,
		Example: `  read-finder query "solar storage"
  read-finder query --companies acme --json`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().StringVar(&f.corpus, "corpus", "public/api/read-finder.corpus", "corpus file to search")
	cmd.Flags().BoolVar(&f.companies, "companies", false, "search companies instead of articles")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "most results to print (default 80, with --companies 200)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the answer as the API would")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "print for every word and article the field that it was found in")
	cmd.RunE = action(func(cmd *cobra.Command, args []string) error {
		return f.run(cmd, strings.Join(args, " "))
	})
	return cmd
}

// The contract's default limits.
const (
	defaultArticles  = 80
	defaultCompanies = 200
)

func (f *queryFlags) run(cmd *cobra.Command, words string) error {
	switch {
	case cmd.Flags().Changed("limit") && f.limit < 1:
		return &usageError{fmt.Errorf(`invalid argument "%d" for "--limit": want 1 or more`, f.limit)}
	case f.companies && f.explain:
		return &usageError{errors.New("--explain is of articles, it does not go with --companies")}
	case f.limit == 0 && f.companies:
		f.limit = defaultCompanies
	case f.limit == 0:
		f.limit = defaultArticles
	}
	c, err := corpus.ReadFile(f.corpus)
	if err != nil {
		return err
	}
	e := search.New(c)
	q, err := e.Parse(words)
	if err != nil {
		return &usageError{err}
	}
	a := answer{Query: q.Text}
	if f.companies {
		a.Companies = make([]json.RawMessage, 0)
		for _, i := range e.Companies(nil, q, f.limit) {
			a.Companies = append(a.Companies, c.Company(i))
		}
	} else {
		a.Articles = make([]json.RawMessage, 0)
		for _, i := range e.Articles(nil, q, f.limit) {
			a.Articles = append(a.Articles, c.Article(i))
			if f.explain {
				a.Explain = append(a.Explain, explain(e, q, i))
			}
		}
		n := len(a.Articles)
		a.Count = &n
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), a)
	}
	return a.print(cmd.OutOrStdout())
}

// An answer is the API's response to an article or a company search, and the explanation that --explain adds.
type answer struct {
	Query     string            `json:"query"`
	Count     *int              `json:"count,omitempty"`
	Articles  []json.RawMessage `json:"articles,omitzero"`
	Companies []json.RawMessage `json:"companies,omitzero"`
	Explain   [][]match         `json:"explain,omitempty"` // of each article
}

// A match says in which field a word of the query counts most.
type match struct {
	Word   string `json:"word"`
	Field  string `json:"field"`
	Weight int    `json:"weight"`
}

func explain(e *search.Engine, q search.Query, article int) []match {
	var all []match
	for _, m := range e.Explain(q, article) {
		all = append(all, match{m.Token, m.Field.String(), m.Weight})
	}
	return all
}

// print prints the answer as a table.
func (a *answer) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, raw := range a.Articles {
		var r site.SearchResult
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("article %d of the corpus: %w", i, err)
		}
		fmt.Fprintf(tw, "%s\t%s\n", r.Path, r.Title)
		if a.Explain != nil {
			for _, m := range a.Explain[i] {
				fmt.Fprintf(tw, "  %s\t  in %s, weight %d\n", m.Word, m.Field, m.Weight)
			}
		}
	}
	for i, raw := range a.Companies {
		var r site.CompanyResult
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("company %d of the corpus: %w", i, err)
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", r.Slug, r.Name, count(r.ArticleCount, "article", "articles"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if a.Companies != nil {
		_, err := fmt.Fprintln(w, count(len(a.Companies), "company", "companies"))
		return err
	}
	_, err := fmt.Fprintln(w, count(len(a.Articles), "article", "articles"))
	return err
}

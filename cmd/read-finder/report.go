package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/read-finder/read-finder/generator"
)

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printReport prints what was generated, for people.
func printReport(w io.Writer, r *generator.Report) {
	for _, l := range r.Languages {
		name := ""
		if len(r.Languages) > 1 {
			name = l.Language + ": "
		}
		fmt.Fprintf(w, "%s%s, %s, %s\n", name, count(l.Articles, "article", "articles"),
			count(l.Companies, "company", "companies"), count(l.Words, "word", "words"))
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, a := range l.Artifacts {
			fmt.Fprintf(tw, "%s bytes\t  %s\n", grouped(a.Bytes), display(a.File))
		}
		tw.Flush()
		if l.Unchanged {
			fmt.Fprintf(w, "unchanged since fingerprint %s, left untouched\n", l.Fingerprint)
		} else {
			fmt.Fprintf(w, "fingerprint %s\n", l.Fingerprint)
		}
		printNotIndexed(w, l.NotIndexed)
		printChanges(w, l.Changes)
		printNearDuplicates(w, l.NearDuplicates)
	}
	printRegistry(w, r)
	for i, a := range r.Widget {
		if dir := filepath.Dir(a.File); i == 0 || dir != filepath.Dir(r.Widget[i-1].File) {
			fmt.Fprintf(w, "widget in %s\n", display(dir))
		}
	}
	var stages []string
	for _, s := range r.Stages {
		stages = append(stages, fmt.Sprintf("%s %.1f s", s.Name, s.Seconds))
	}
	fmt.Fprintln(w, strings.Join(stages, ", "))
}

// printNotIndexed prints how many published pages are no articles, by reason, and the first of them.
func printNotIndexed(w io.Writer, pages []generator.NotIndexed) {
	for _, reason := range []string{generator.NotSelected, generator.NoSection, generator.OptedOut, generator.NoHTML} {
		var files []string
		for _, p := range pages {
			if p.Reason == reason {
				files = append(files, p.File)
			}
		}
		if len(files) > 0 {
			fmt.Fprintf(w, "%s not indexed, %s: %s\n", count(len(files), "page", "pages"), reason, few(files, 3))
		}
	}
}

// printChanges prints which articles differ from the artifacts before; --json has all of them.
func printChanges(w io.Writer, c *generator.Changes) {
	if c == nil {
		return
	}
	for _, part := range []struct {
		what  string
		paths []string
	}{{"added", c.Added}, {"changed", c.Changed}, {"removed", c.Removed}} {
		if len(part.paths) > 0 {
			fmt.Fprintf(w, "%s %s: %s\n", count(len(part.paths), "article", "articles"), part.what, few(part.paths, 5))
		}
	}
	if c.Texts {
		fmt.Fprintln(w, "no article has changed: companies or settings have")
	}
}

func printNearDuplicates(w io.Writer, near []generator.NearDuplicate) {
	for _, n := range near[:min(len(near), maxNear)] {
		fmt.Fprintf(w, "these companies may be one (%s):\n", strings.Join(n.Reasons, ", "))
		for _, c := range n.Companies {
			in := few(c.Files, 3)
			if c.Registered {
				in = strings.TrimSuffix("the registry, "+in, ", ")
			}
			fmt.Fprintf(w, "  %q (slug %q) in %s\n", c.Name, c.Slug, in)
		}
	}
	if len(near) > maxNear {
		fmt.Fprintf(w, "... and %s; --json prints all\n", count(len(near)-maxNear, "group more", "groups more"))
	}
}

// printRegistry prints what merges the near-duplicates, to be pasted, where they have all been printed.
func printRegistry(w io.Writer, r *generator.Report) {
	if r.Registry == nil {
		return
	}
	for _, l := range r.Languages {
		if len(l.NearDuplicates) > maxNear {
			fmt.Fprintf(w, "to merge them, add what --json prints as \"registry\" to %s; companies that are not one get an entry each\n", r.Registry.File)
			return
		}
	}
	if r.Registry.Add != "" {
		fmt.Fprintf(w, "to merge them, add this to %s; companies that are not one get an entry each:\n\n%s\n", r.Registry.File, r.Registry.Add)
	}
	if r.Registry.Replace != "" {
		fmt.Fprintf(w, "to merge them, put this in the place of the entries in %s; companies that are not one get an entry each:\n\n%s\n", r.Registry.File, r.Registry.Replace)
	}
}

// What a log shows at most. The JSON report has all.
const (
	maxWarnings     = 50
	maxHugoWarnings = 5
	maxNear         = 20
)

// printWarnings prints the warnings by file: our own, and a few of those that Hugo logs on every build anyway.
func printWarnings(w io.Writer, r *generator.Report) {
	printTolerances(w, r.Tolerances)
	n := slices.IndexFunc(r.Warnings, func(v generator.Warning) bool { return v.Hugo })
	if n < 0 {
		n = len(r.Warnings)
	}
	printByFile(w, count(n, "warning", "warnings"), r.Warnings[:n], maxWarnings)
	hugo := r.Warnings[n:]
	printByFile(w, count(len(hugo), "warning", "warnings")+" of Hugo's", hugo, maxHugoWarnings)
}

// printTolerances prints what is wrong with the site and was borne, all of it: none may go unnoticed.
func printTolerances(w io.Writer, list []generator.Tolerance) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "tolerated (--strict makes it an error), %s:\n", count(len(list), "thing", "things"))
	var last generator.Tolerance
	for _, t := range oncePerShortcode(list) {
		if t.Rung != last.Rung {
			fmt.Fprintf(w, "  %s\n", t.Rung)
			last.File = ""
		}
		if t.File != last.File {
			fmt.Fprintf(w, "    %s\n", t.File)
		}
		fmt.Fprintf(w, "      %s\n", strings.ReplaceAll(t.Reason, "\n", "\n      "))
		last = t
	}
}

// oncePerShortcode keeps the first of the tolerances that say the same of a shortcode, and counts the files of the rest:
// one may be missing from every file of a site.
func oncePerShortcode(list []generator.Tolerance) []generator.Tolerance {
	files := map[string]int{}
	for _, t := range list {
		if t.Rung == generator.RungShortcode {
			files[t.Reason]++
		}
	}
	var kept []generator.Tolerance
	for _, t := range list {
		if t.Rung == generator.RungShortcode {
			n := files[t.Reason]
			if n == 0 {
				continue
			}
			files[t.Reason] = 0
			if n > 1 {
				t.Reason += ", here and in " + count(n-1, "other file", "other files")
			}
		}
		kept = append(kept, t)
	}
	return kept
}

func printByFile(w io.Writer, title string, list []generator.Warning, most int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	file, indent := "", "  "
	for _, v := range list[:min(len(list), most)] {
		if v.File != file {
			file, indent = v.File, "    "
			fmt.Fprintf(w, "  %s\n", file)
		}
		fmt.Fprintf(w, "%s%s\n", indent, strings.ReplaceAll(v.Message, "\n", "\n"+indent))
	}
	if len(list) > most {
		fmt.Fprintf(w, "  ... and %d more; --json prints all\n", len(list)-most)
	}
}

// few lists the first n files.
func few(files []string, n int) string {
	if len(files) <= n {
		return strings.Join(files, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(files[:n], ", "), len(files)-n)
}

// display shortens a file to a path below the current folder, where it lies there.
func display(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(int64(n)) + " " + many
}

// grouped writes n >= 0 with a comma between groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
		printNearDuplicates(w, l.NearDuplicates)
	}
	var stages []string
	for _, s := range r.Stages {
		stages = append(stages, fmt.Sprintf("%s %.1f s", s.Name, s.Seconds))
	}
	fmt.Fprintln(w, strings.Join(stages, ", "))
}

func printNearDuplicates(w io.Writer, near []generator.NearDuplicate) {
	for _, n := range near {
		fmt.Fprintln(w, "these companies may be one:")
		for _, c := range n.Companies {
			fmt.Fprintf(w, "  %q (slug %q) in %s\n", c.Name, c.Slug, few(c.Files, 3))
		}
	}
}

// maxWarnings bounds what a log shows. The JSON report has all.
const maxWarnings = 20

// printWarnings prints the warnings by file.
func printWarnings(w io.Writer, r *generator.Report) {
	if len(r.Warnings) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n", count(len(r.Warnings), "warning", "warnings"))
	file := ""
	for i, warning := range r.Warnings {
		if i == maxWarnings {
			fmt.Fprintf(w, "  ... and %d more; --json prints all\n", len(r.Warnings)-i)
			break
		}
		if warning.File != file {
			file = warning.File
			fmt.Fprintf(w, "  %s\n", file)
		}
		indent := "  "
		if file != "" {
			indent = "    "
		}
		fmt.Fprintf(w, "%s%s\n", indent, strings.ReplaceAll(warning.Message, "\n", "\n"+indent))
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

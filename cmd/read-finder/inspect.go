package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/read-finder/read-finder/site"
	"github.com/read-finder/read-finder/site/corpus"
)

func newInspectCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "inspect FILE",
		Short: "Verify a corpus file and print what is in it",
		Args:  cobra.ExactArgs(1),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			c, err := corpus.ReadFile(args[0])
			if err != nil {
				return err
			}
			return printMeta(cmd.OutOrStdout(), c.Meta())
		}),
	}
}

func printMeta(w io.Writer, m *corpus.Meta) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, value any) { fmt.Fprintf(tw, "%s\t%v\n", name, value) }
	row("format version", m.FormatVersion)
	row("fold version", m.FoldVersion)
	row("fold diacritics", m.FoldDiacritics)
	row("language", m.Language)
	row("prefix", fmt.Sprintf("%q", m.Prefix))
	row("fingerprint", m.Fingerprint)
	row("generated at", site.FormatTime(m.GeneratedAt))
	row("articles", grouped(int64(m.Articles)))
	row("companies", grouped(int64(m.Companies)))
	row("words", grouped(int64(m.Words)))
	row("postings", grouped(int64(m.Postings)))
	row("bytes", grouped(m.Bytes))
	for _, s := range m.Sections {
		row("  "+s.Name, grouped(s.Bytes))
	}
	row("checksums", "ok")
	return tw.Flush()
}

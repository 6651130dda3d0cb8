package main

import (
	"github.com/spf13/cobra"

	"github.com/read-finder/read-finder/generator"
)

func newGenerateCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write the article index and the search corpus of a Hugo site",
		Long: `Generate loads the Hugo site, without rendering it to disk, and writes the artifacts into <publishDir>/api/:

  read-finder-index.json  the articles' metadata, for the widget on the page
  read-finder.corpus      the search corpus, for read-finder-server

The widget, a script and a stylesheet, goes into <publishDir>/read-finder/.

A site in several languages gets one set per language, below that language's own prefix. Artifacts that already hold
the same content are left untouched. SOURCE_DATE_EPOCH sets the time that they show.`,
		Args: cobra.NoArgs,
	}
	flags := newSiteFlags(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print the report as JSON")
	cmd.RunE = action(func(cmd *cobra.Command, _ []string) error {
		o := flags.options(cmd)
		bar := newProgress(cmd.ErrOrStderr())
		o.Progress = bar.show
		report, err := generator.Generate(cmd.Context(), o)
		bar.clear()
		if err != nil {
			printWarnings(cmd.ErrOrStderr(), report)
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), report)
		}
		printReport(cmd.OutOrStdout(), report)
		printWarnings(cmd.ErrOrStderr(), report)
		return nil
	})
	return cmd
}

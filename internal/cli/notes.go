package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tidemark/internal/config"
	"tidemark/internal/phrase"
)

// noteUnused says which of the flags that name a source or an output the command that ran had no use for.
func (a *app) noteUnused(cmd *cobra.Command) {
	used := map[config.Subject]bool{config.NoSubject: true, config.Sources: a.usesSources.Load(), config.Sink: a.usesSink.Load()}
	for i := range config.Settings {
		if s := &config.Settings[i]; !used[s.About] && cmd.Flags().Changed(s.Name) {
			a.note("--%s was not used: %s does not need it here", s.Name, cmd.CommandPath())
		}
	}
}

// noteUnfit says what was given of the sources and fits none of them.
func (a *app) noteUnfit(why []string) {
	for _, text := range why {
		a.note("%s", text)
	}
}

// note writes a note for the person who typed the command: to stderr, beside the answer.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.Err, "note: "+phrase.Printable(fmt.Sprintf(format, args...)))
}

// problem writes what went wrong for the person who typed the command: to stderr.
func (a *app) problem(format string, args ...any) {
	fmt.Fprintln(a.Err, "tidemark: "+phrase.Printable(fmt.Sprintf(format, args...)))
}

package cli

import (
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"tidemark/internal/report"
)

// noteUnused says which of the flags that name a source or an output the command that ran had no use for.
func (a *app) noteUnused(cmd *cobra.Command) {
	for name, used := range map[string]*atomic.Bool{"kafka": &a.usesSources, "kafka-config": &a.usesSources, "positions": &a.usesSources, "source": &a.usesSources, "sink": &a.usesSink} {
		if cmd.Flags().Changed(name) && !used.Load() {
			a.say("--%s was not used: nothing that %s was asked here needs it", name, cmd.CommandPath())
		}
	}
}

// noteUnfit says what was given of the sources and fits none of them.
func (a *app) noteUnfit(why []string) {
	for _, text := range why {
		a.say("%s", text)
	}
}

// say writes a note for the person who typed the command: to stderr, beside the answer.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.Err, report.Printable("note: "+fmt.Sprintf(format, args...)))
}

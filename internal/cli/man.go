package cli

import (
	"context"
	"fmt"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:         "man",
		Short:       "Print the manual page",
		Example:     "tidemark man | man -l -",
		Args:        args(0, 0),
		Annotations: exits(exitsWithoutCheckpoint),
		RunE: a.run(func(_ context.Context, cmd *cobra.Command, _ []string) error {
			root := cmd.Root()
			withoutQuotes(root)
			page, err := mango.NewManPage(1, root)
			if err != nil {
				return err
			}
			var exits []string
			for _, e := range exitsOf(root) {
				exits = append(exits, fmt.Sprintf("%d %s", e.status, e.means))
			}
			page = page.WithSection("Exit Status", strings.Join(exits, "; ")+".")
			_, err = fmt.Fprint(a.Out, page.Build(roff.NewDocument()))
			return err
		}),
	}
}

// withoutQuotes takes the backquotes, which mark the value of a flag for --help, out of the usage of all flags.
func withoutQuotes(cmd *cobra.Command) {
	for _, c := range append(cmd.Commands(), cmd) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
		}
	}
}

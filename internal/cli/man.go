package cli

import (
	"context"
	"fmt"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "tidemark man | man -l -",
		Args:    args(0, 0),
		RunE: a.run(func(_ context.Context, cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(a.Out, page.Build(roff.NewDocument()))
			return err
		}),
	}
}

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this program",
		Example: "tidemark version",
		Args:    args(0, 0),
		RunE: a.run(func(context.Context, *cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, "tidemark "+a.Version)
			return err
		}),
	}
}

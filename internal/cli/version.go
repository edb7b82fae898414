package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// versionFlag makes --version, which people type first.
func versionFlag(root *cobra.Command, version string) {
	root.Version = version
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.Flags().Bool("version", false, "print the version of this program")
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print the version of this program",
		Example:     "tidemark version",
		Args:        args(0, 0),
		Annotations: exits(exitsWithoutCheckpoint),
		RunE: a.run(func(context.Context, *cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, "tidemark "+a.Version)
			return err
		}),
	}
}

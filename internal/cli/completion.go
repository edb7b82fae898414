package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"tidemark/internal/phrase"
)

// tuneCompletion makes the command completion, which cobra brings along, refuse a shell that it does not know.
func tuneCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, _ := root.Find([]string{"completion"})
	c.Use, c.Short = "completion SHELL", "Print the completion script of a shell"
	c.Long = "Prints the script that completes commands and flags in a shell. The help of each shell shows how to load it."
	c.Example = root.Name() + " completion bash > ~/.local/share/bash-completion/completions/" + root.Name()
	c.Annotations = exits(exitsWithoutCheckpoint)
	c.Args, c.RunE = cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
		names := commandNames(c)
		if len(args) == 0 {
			return usageError("SHELL is missing: %s", strings.Join(names, ", "))
		}
		return usageError("%q is not a supported shell (%s)%s", args[0], strings.Join(names, ", "), phrase.DidYouMean(args[0], names))
	}
}

package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// args is between least and most arguments, with words for the user where there are others.
func args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		if !cmd.HasParent() {
			if err := mistyped(cmd, args[0]); err != nil {
				return err
			}
		}
		if len(args) < least {
			return usageError("%s: %s is missing. Usage: %s", cmd.CommandPath(), strings.Fields(cmd.Use)[len(args)+1], cmd.UseLine())
		}
		return usageError("%s: %q is one argument too many. Usage: %s", cmd.CommandPath(), args[most], cmd.UseLine())
	}
}

// mistyped is an error where a location looks like a command that was not typed right.
func mistyped(cmd *cobra.Command, location string) error {
	if strings.ContainsAny(location, "/:.") {
		return nil
	}
	if _, err := os.Lstat(location); err == nil {
		return nil
	}
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := nearest(location, names); near != "" {
		return usageError("%q is neither a command nor a folder; did you mean %q?", location, near)
	}
	return nil
}

// flagError names the nearest flag where one is not known.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		text = "unknown flag: --" + name + maybe("--", name, names)
	}
	return usageError("%s (%s --help lists the flags)", text, cmd.CommandPath())
}

// maybe is "; did you mean …?" where one of names is near word, else "".
func maybe(prefix, word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf("; did you mean %s%s?", prefix, near)
	}
	return ""
}

// nearest is the name that word was probably meant to be; "" where none is near.
func nearest(word string, names []string) string {
	best, least := "", len(word)/2+1
	for _, name := range names {
		if d := distance(word, name); d < least || len(word) > 2 && strings.HasPrefix(name, word) && best == "" {
			best, least = name, min(d, least)
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed to make a into b.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

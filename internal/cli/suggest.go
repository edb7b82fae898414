package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/internal/phrase"
)

// args takes between least and most arguments, with words for the user where there are others.
func args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		if !cmd.HasParent() {
			if err := checkMistyped(cmd, args[0]); err != nil {
				return err
			}
		}
		if len(args) < least {
			return usageError("%s is missing. Usage: %s", strings.Fields(cmd.Use)[len(args)+1], cmd.UseLine())
		}
		return usageError("unexpected argument %q. Usage: %s", args[most], cmd.UseLine())
	}
}

// checkMistyped returns an error where a location looks like a command that was not typed right.
func checkMistyped(cmd *cobra.Command, location string) error {
	if strings.ContainsAny(location, "/:.") {
		return nil
	}
	if _, err := os.Lstat(location); err == nil {
		return nil
	}
	if near := phrase.Nearest(location, commandNames(cmd.Root())); near != "" {
		return usageError("%q is neither a command nor a folder; did you mean %q?", location, near)
	}
	return nil
}

// valueWords say what is wrong with the value of a flag, by its type.
var valueWords = map[string]string{
	"int64":    "not a whole number",
	"int":      "not a whole number",
	"duration": "not a time such as 30s or 5m",
	"bool":     "neither true nor false",
}

// flagError names the nearest flag where one is not known, and what the value of a flag must be.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		of := wrong.GetFlag()
		if _, own := of.Value.(*choice); own {
			text = fmt.Sprintf("--%s: %v", of.Name, errors.Unwrap(wrong))
		} else if word := valueWords[of.Value.Type()]; word != "" {
			text = fmt.Sprintf("--%s: %q is %s", of.Name, wrong.GetValue(), word)
		}
	}
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		text = "unknown flag: --" + name
		if near := phrase.Nearest(name, names); near != "" {
			text += "; did you mean --" + near + "?"
		}
	}
	return usageError("%s (%s --help lists the flags)", text, cmd.CommandPath())
}

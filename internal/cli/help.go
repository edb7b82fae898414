package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/internal/config"
	"tidemark/internal/report"
)

// helpWidth is how wide help gets: it is read in terminals of 80 columns.
const helpWidth = 78

// exitHelp is the end of every command's help that gives a verdict.
const exitHelp = `  0  nothing at or above --fail-on     1  something is
  2  the command line is wrong         3  something could not be read
  4  not a checkpoint                130  interrupted`

// exitKey is the annotation of a command whose exit statuses mean something else.
const exitKey = "exit"

// help writes the help of a command: what it does, real examples, then flags by group and the exit
// statuses, no wider than 80 columns.
func (a *app) help(cmd *cobra.Command, _ []string) {
	_ = a.configure(cmd) // only for colours: help is there whatever the settings are
	h := &helpText{color: a.colorWanted()}
	h.text(cmd.Long, cmd.Short)
	h.title("usage")
	h.line("  " + cmd.UseLine())
	if cmd.Example != "" {
		h.title("examples")
		for line := range strings.Lines(cmd.Example) {
			h.line("  " + strings.TrimSpace(line))
		}
	}
	h.commands(cmd, a.order)
	for _, group := range append([]string{""}, config.Groups...) {
		h.flags(cmd, group)
	}
	h.line("\n  These flags can be set for good: TIDEMARK_MAX_REQUESTS=1000, or in a file;\n  tidemark config --help says how.")
	h.title("exit status")
	h.line(cmp.Or(cmd.Annotations[exitKey], exitHelp))
	fmt.Fprint(cmd.OutOrStdout(), h.b.String())
}

// usualCommands makes what cobra brings along behave like the rest: help and completion refuse a word that they do
// not know, and --version is what people type first.
func usualCommands(root *cobra.Command, version string) {
	root.Version = version
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.Flags().Bool("version", false, "print the version of this program")
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Use, c.Short, c.Long = "help [COMMAND]", "Show the help of a command", ""
			c.Example = "tidemark help check"
			c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
				of, left, err := root.Find(args)
				if err != nil || len(left) > 0 {
					return usageError("%q is no command%s (%s --help lists them)", strings.Join(args, " "), didYouMean("", args[0], commandNames(root)), root.Name())
				}
				return of.Help()
			}
		case "completion":
			c.Use, c.Short = "completion SHELL", "Print the completion script of a shell"
			c.Long = "Prints the script with which a shell completes commands and flags. The help of each shell says how to load it."
			c.Example = "tidemark completion bash > ~/.local/share/bash-completion/completions/tidemark"
			c.Args, c.RunE = cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
				names := commandNames(c)
				if len(args) == 0 {
					return usageError("SHELL is missing: %s", strings.Join(names, ", "))
				}
				return usageError("%q is no shell known here (%s)%s", args[0], strings.Join(names, ", "), didYouMean("", args[0], names))
			}
		}
	}
}

// commandNames are the commands below one, without those that are hidden.
func commandNames(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// helpText collects the help of one command.
type helpText struct {
	b     strings.Builder
	color bool
}

func (h *helpText) line(text string) { h.b.WriteString(text + "\n") }

func (h *helpText) text(long, short string) {
	if long == "" {
		long = short + "."
	}
	for i, p := range strings.Split(long, "\n\n") {
		if i > 0 {
			h.line("")
		}
		for line := range strings.Lines(report.Wrap(p, helpWidth)) {
			h.line(strings.TrimRight(line, "\n"))
		}
	}
}

func (h *helpText) title(text string) {
	text = strings.ToUpper(text)
	if h.color {
		text = "\x1b[1m" + text + "\x1b[m"
	}
	h.line("\n" + text)
}

// commands lists them in their order; those that cobra adds come last.
func (h *helpText) commands(cmd *cobra.Command, order []string) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	all := slices.Clone(cmd.Commands())
	rank := func(c *cobra.Command) int {
		if i := slices.Index(order, c.Name()); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(all, func(a, b *cobra.Command) int { return cmp.Compare(rank(a), rank(b)) })
	h.title("commands")
	for _, c := range all {
		if c.IsAvailableCommand() || c.Name() == "help" {
			h.line(fmt.Sprintf("  %-12s %s", c.Name(), c.Short))
		}
	}
}

// flags writes the flags of one group; "" are the command's own.
func (h *helpText) flags(cmd *cobra.Command, group string) {
	begun := false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || strings.Join(f.Annotations[groupKey], "") != group {
			return
		}
		if !begun {
			title := "flags"
			if group != "" {
				title += ": " + group
			}
			h.title(title)
			begun = true
		}
		h.flag(f)
	})
}

func (h *helpText) flag(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "-1" {
		usage += " (default " + f.DefValue + ")"
	}
	for part := range strings.SplitSeq(usage, "\n") {
		for line := range strings.SplitSeq(strings.TrimRight(report.Wrap(part, helpWidth-23), "\n"), "\n") {
			h.line(fmt.Sprintf("  %-20s %s", name, line))
			name = ""
		}
	}
}

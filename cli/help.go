package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/config"
	"tidemark/report"
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

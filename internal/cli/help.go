package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/internal/config"
	"tidemark/internal/phrase"
)

// Help is written here, and not by charm.land/fang: that (v2.0.1) has no groups of flags, no names of their values and no
// exit statuses, and writes lines of 150 columns; before each help and error it asks the terminal for its background, which
// takes 4 s where none answers, under NO_COLOR and TERM=dumb too; and it shows /tmp/NoSuch in an error as /Tmp/Nosuch. None
// of that can be set. The manual page, completion and --version come from the libraries that it has them from.

// helpWidth is how wide help gets, in cells: it is read in terminals of 80 columns.
const helpWidth = 78

// nameWidth is the width of the column with the names of flags, in cells.
const nameWidth = 20

// help writes the help of a command: what it does, real examples, then flags by group and the exit statuses.
func (a *app) help(cmd *cobra.Command, _ []string) {
	_ = a.configure(cmd) // only for colors: help is there whatever the settings are
	h := a.newHelpText()
	h.paragraphs(cmp.Or(cmd.Long, cmd.Short+"."))
	h.section("usage")
	h.line("  " + cmd.UseLine())
	if cmd.Example != "" {
		h.section("examples")
		for line := range strings.Lines(cmd.Example) {
			h.line("  " + strings.TrimSpace(line))
		}
	}
	h.commands(cmd, a.order)
	h.flags(cmd, "")
	if !cmd.HasParent() || readsCheckpoint(cmd) {
		for _, group := range config.Groups {
			h.flags(cmd, group)
		}
		h.line("\n  These flags can be set for good: TIDEMARK_MAX_REQUESTS=1000, or in a file;\n  tidemark config --help says how.")
	} else {
		h.line("\n  The flags of all commands: " + cmd.Root().Name() + " --help.")
	}
	h.section("exit status")
	for _, e := range exitsOf(cmd) {
		h.entry(fmt.Sprintf("%3d", e.status), e.means, 4)
	}
	fmt.Fprint(cmd.OutOrStdout(), h.b.String())
}

// tuneHelp makes the command help, which cobra brings along, refuse a word that is no command.
func tuneHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	c, _, _ := root.Find([]string{"help"})
	c.Use, c.Short, c.Long = "help [COMMAND]", "Show the help of a command", ""
	c.Example = root.Name() + " help check"
	c.Annotations = exits(exitsWithoutCheckpoint)
	c.Run, c.RunE = nil, func(_ *cobra.Command, args []string) error {
		of, left, err := root.Find(args)
		if err != nil || len(left) > 0 {
			return usageError("%q is no command%s (%s --help lists them)", strings.Join(args, " "), phrase.DidYouMean(args[0], commandNames(root)), root.Name())
		}
		return of.Help()
	}
}

// commandNames returns the commands below one, without those that are hidden.
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
	b           strings.Builder
	width       int            // in cells
	title, name lipgloss.Style // without colors they change nothing
}

func (a *app) newHelpText() *helpText {
	h := &helpText{width: min(helpWidth, a.options().Width-2)}
	if a.colorWanted() {
		accent := lipgloss.Color("14")
		if a.flags.look == "light" {
			accent = lipgloss.Color("30")
		}
		h.title, h.name = h.title.Bold(true), h.name.Foreground(accent)
	}
	return h
}

func (h *helpText) line(text string) { h.b.WriteString(text + "\n") }

func (h *helpText) paragraphs(text string) {
	for i, p := range strings.Split(text, "\n\n") {
		if i > 0 {
			h.line("")
		}
		for line := range strings.Lines(p) {
			for _, part := range phrase.Wrap(strings.TrimRight(line, "\n"), h.width) {
				h.line(part)
			}
		}
	}
}

func (h *helpText) section(title string) { h.line("\n" + h.title.Render(strings.ToUpper(title))) }

// entry writes a name in a column of that width, and beside it what it is about. A longer name has a line of its own.
func (h *helpText) entry(name, text string, column int) {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, phrase.Wrap(line, h.width-column-3)...)
	}
	beside := "  " + h.name.Render(name) + phrase.Fit("", column-phrase.Width(name)) + " "
	below := phrase.Fit("", column+3)
	if phrase.Width(name) > column {
		h.line("  " + h.name.Render(name))
		beside = below
	}
	for i, line := range lines {
		if i > 0 {
			beside = below
		}
		h.line(beside + line)
	}
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
	h.section("commands")
	for _, c := range all {
		if c.IsAvailableCommand() || c.Name() == "help" {
			h.entry(c.Name(), c.Short, 12)
		}
	}
}

// flags writes the flags of one group; "" are the command's own.
func (h *helpText) flags(cmd *cobra.Command, group string) {
	var all []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.Join(f.Annotations[groupKey], "") == group {
			all = append(all, f)
		}
	})
	if len(all) == 0 {
		return
	}
	title := "flags"
	if group != "" {
		title += ": " + group
	}
	h.section(title)
	for _, f := range all {
		h.flag(f)
	}
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
	if !slices.Contains([]string{"", "false", "0", "0s", "-1"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	h.entry(name, usage, nameWidth)
}

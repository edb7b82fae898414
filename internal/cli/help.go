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

// helpWidth is how wide help gets if no terminal says otherwise, in cells.
const helpWidth = 80

// commandWidth is the width of the column with the names of commands, in cells.
const commandWidth = 12

// help writes the help of a command: what it does, real examples, then flags by group and the exit statuses.
func (a *app) help(cmd *cobra.Command, _ []string) {
	_ = a.configure(cmd) // only for colors: help is there whatever the settings are
	h := a.newHelpText()
	h.paragraphs(cmp.Or(cmd.Long, cmd.Short+"."))
	h.section("Usage")
	h.line("  " + cmd.UseLine())
	h.column = widestName(cmd)
	if cmd.Example != "" {
		h.section("Examples")
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
		h.line("")
		h.paragraphs("Each of these flags is also a variable, such as TIDEMARK_MAX_REQUESTS=1000, and a key of the settings file: see tidemark config --help.")
	} else {
		h.line("")
		h.paragraphs("For the flags of all commands, see " + cmd.Root().Name() + " --help.")
	}
	h.section("Exit status")
	for _, e := range exitsOf(cmd) {
		h.entry(fmt.Sprintf("%3d", e.status), e.means, 3)
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
			return usageError("%q is not a command%s (%s --help lists them)", strings.Join(args, " "), phrase.DidYouMean(args[0], commandNames(root)), root.Name())
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
	column      int            // of the names of flags, in cells
	title, name lipgloss.Style // without colors they change nothing
}

func (a *app) newHelpText() *helpText {
	h := &helpText{width: helpWidth}
	if isTerminal(a.Out) {
		h.width = a.options().Width
	}
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

func (h *helpText) section(title string) { h.line("\n" + h.title.Render(title)) }

// entry writes a name in a column of that width, and next to it what it is about.
func (h *helpText) entry(name, text string, column int) {
	first := "  " + h.name.Render(name) + phrase.Blanks(column-phrase.Width(name)+2)
	for _, line := range phrase.Wrap(text, h.width-column-4) {
		h.line(first + line)
		first = phrase.Blanks(column + 4)
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
	h.section("Commands")
	for _, c := range all {
		if c.IsAvailableCommand() || c.Name() == "help" {
			h.entry(c.Name(), c.Short, commandWidth)
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
	title := "Flags"
	if group != "" {
		title += ": " + group
	}
	h.section(title)
	for _, f := range all {
		h.flag(f)
	}
}

func (h *helpText) flag(f *pflag.Flag) {
	_, usage := pflag.UnquoteUsage(f)
	if f.Name == "help" {
		usage = "show this help"
	}
	if !slices.Contains([]string{"", "false", "0", "0s", "-1"}, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	h.entry(flagName(f), usage, h.column)
}

// flagName is a flag as it is typed, with the name of its value: "--sink LOCATION".
func flagName(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	value, _ := pflag.UnquoteUsage(f)
	return strings.TrimSpace(name + " " + value)
}

// widestName is how wide the widest flag of a command is, in cells: the flags of all groups line up.
func widestName(cmd *cobra.Command) int {
	widest := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			widest = max(widest, phrase.Width(flagName(f)))
		}
	})
	return widest
}

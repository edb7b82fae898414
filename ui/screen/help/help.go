package help

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// help is the keys of the screen below it and those of everywhere, drawn from the key map itself.

// ---- model

type model struct {
	kit.Reader
	s  *kit.Session
	of kit.Screen
}

func (x *model) Title() string { return "help" }

// ---- keys

func (x *model) Keys() []key.Binding { return kit.ReaderKeys(kit.Keys.Back) }

// ---- update

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if k, ok := msg.(kit.Input); ok && !x.Typing() && kit.Pressed(k, kit.Keys.Enter) {
		return kit.Back{}, nil
	}
	return x.Reader.Update(msg)
}

// ---- view

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	column := w
	if w >= kit.WideFrom {
		column = w/2 - 2
	}
	own := x.list("ON THIS SCREEN: "+x.of.Title(), x.of.Keys())
	all := x.list("EVERYWHERE", x.s.Everywhere())
	signs := []string{"", " " + t.Strong.Styled("SIGNS")}
	for _, l := range [][2]string{
		{t.Bad.Styled("✗"), "critical: the restart fails, or data is silently wrong"}, {t.Warn.Styled("!"), "high: decide before a restart · medium: will hurt later"},
		{t.Info.Styled("-"), "low: untidy, harmless"}, {t.Info.Styled("i"), "info: normal, worth knowing"},
		{t.Good.Styled("✓"), "looked at, and right"}, {t.Unknown.Styled("?"), "not known: not given, or could not be read"}, {"…", "being read; more will come"},
	} {
		signs = append(signs, signLines("   "+l[0]+"  ", l[1], column)...)
	}
	lines := kit.Indent1(phrase.Wrap("No key changes, moves or deletes a file. Written are only the files that you name, and what is remembered in your home: on this machine, and in no checkpoint.", w-2))
	lines = append(lines, "")
	if w >= kit.WideFrom {
		left := slices.Concat(own, signs, x.forms(column))
		lines = append(lines, widget.Beside(left, column, "  ", all, max(len(left), len(all)))...)
		return x.Show(x.s, append(lines, x.commands(w)...), h)
	}
	return x.Show(x.s, slices.Concat(lines, own, []string{""}, all, signs, x.forms(column), x.commands(w)), h)
}

// signLines are a sign or a key with what it means beside it, in lines of w cells.
func signLines(lead, text string, w int) []string {
	lines := phrase.Wrap(text, w-phrase.Width(lead)-1)
	for i := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", phrase.Width(lead))
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// forms are what can stand after "/", in lines of w cells.
func (x *model) forms(w int) []string {
	t := &x.s.Theme
	lines := []string{"", " " + t.Strong.Styled("AFTER "+x.s.Label(kit.Keys.Find)) + t.Dim.Styled("   case does not count")}
	for _, f := range [][2]string{{"text", "what holds it"}, {"!text", "what does not; ! goes before the other forms, too"}, {"-f text", "what has its letters in that order"},
		{"-r regex", "what the regular expression matches, in the syntax of RE2"}, {"/regex/", "the same"}} {
		lines = append(lines, signLines("   "+t.Accent.Styled(phrase.Fit(f[0], 9))+" ", f[1], w)...)
	}
	return lines
}

// commands are those of the command line.
func (x *model) commands(w int) []string {
	t := &x.s.Theme
	lines := []string{"", " " + t.Strong.Styled("AFTER "+x.s.Label(kit.Keys.Command)) + t.Dim.Styled("   tab completes, ↑ and ↓ recall earlier lines")}
	for _, c := range x.s.Specs {
		name := strings.TrimSpace(c.Command + " " + c.Args)
		if phrase.Width(name) <= 30 {
			lines = append(lines, "   "+t.Accent.Styled(phrase.Fit(name, 30))+" "+phrase.Cut(c.Does, w-36))
			continue
		}
		lines = append(lines, "   "+t.Accent.Styled(phrase.Cut(name, w-4)), strings.Repeat(" ", 34)+phrase.Cut(c.Does, w-36))
	}
	return lines
}

func (x *model) list(head string, bindings []key.Binding) []string {
	t := &x.s.Theme
	lines := []string{" " + t.Strong.Styled(head)}
	for _, b := range bindings {
		lines = append(lines, "   "+t.Accent.Styled(phrase.Fit(x.s.Label(b), 9))+" "+b.Help().Desc)
	}
	return lines
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "help", Does: "the keys of this screen", Key: kit.Keys.Help, Anywhere: true, Once: true,
	Open: func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return &model{s: s, of: s.Top()}, nil },
}

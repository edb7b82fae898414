package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// help is the keys of the screen below it and those of everywhere, drawn from the key map itself.

// ---- model

type help struct {
	text
	s  *session
	of screen
}

func (x *help) title() string { return "help" }

// ---- keys

func (x *help) keys() []key.Binding { return textKeys(keys.back) }

// ---- update

func (x *help) update(msg tea.Msg) (action, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && !x.typing() && pressed(k, keys.enter) {
		return back{}, nil
	}
	return x.text.update(msg)
}

// ---- view

func (x *help) view(w, h int) []string {
	t := &x.s.theme
	column := w
	if w >= wide {
		column = w/2 - 2
	}
	own := x.list("ON THIS SCREEN: "+x.of.title(), x.of.keys())
	all := x.list("EVERYWHERE", x.s.everywhere())
	signs := []string{"", " " + t.section.Styled("SIGNS")}
	for _, l := range [][2]string{
		{t.critical.Styled("✗"), "critical: the restart fails, or data is silently wrong"}, {t.warn.Styled("!"), "high: decide before a restart · medium: will hurt later"},
		{t.info.Styled("-"), "low: untidy, harmless"}, {t.info.Styled("i"), "info: normal, worth knowing"},
		{t.good.Styled("✓"), "looked at, and right"}, {t.unknown.Styled("?"), "not known: not given, or could not be read"}, {"…", "being read; more will come"},
	} {
		signs = append(signs, signLines("   "+l[0]+"  ", l[1], column)...)
	}
	lines := indent1(widget.Wrap("No key changes, moves or deletes a file. Written are only the files that you name, and what is remembered in your home: on this machine, and in no checkpoint.", w-2))
	lines = append(lines, "")
	if w >= wide {
		left := slices.Concat(own, signs, x.forms(column))
		lines = append(lines, widget.Beside(left, column, "  ", all, max(len(left), len(all)))...)
		return x.show(x.s, append(lines, x.commands(w)...), h)
	}
	return x.show(x.s, slices.Concat(lines, own, []string{""}, all, signs, x.forms(column), x.commands(w)), h)
}

// signLines are a sign or a key with what it means beside it, in lines of w cells.
func signLines(lead, text string, w int) []string {
	lines := widget.Wrap(text, w-widget.Width(lead)-1)
	for i := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", widget.Width(lead))
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// forms are what can stand after "/", in lines of w cells.
func (x *help) forms(w int) []string {
	t := &x.s.theme
	lines := []string{"", " " + t.section.Styled("AFTER "+x.s.label(keys.find)) + t.dim.Styled("   case does not count")}
	for _, f := range [][2]string{{"text", "what holds it"}, {"!text", "what does not; ! goes before the other forms, too"}, {"-f text", "what has its letters in that order"},
		{"-r regex", "what the regular expression matches, in the syntax of RE2"}, {"/regex/", "the same"}} {
		lines = append(lines, signLines("   "+t.key.Styled(widget.Fit(f[0], 9))+" ", f[1], w)...)
	}
	return lines
}

// commands are those of the command line.
func (x *help) commands(w int) []string {
	t := &x.s.theme
	lines := []string{"", " " + t.section.Styled("AFTER "+x.s.label(keys.command)) + t.dim.Styled("   tab completes, ↑ and ↓ recall earlier lines")}
	for _, c := range x.s.specs {
		name := strings.TrimSpace(c.command + " " + c.args)
		if widget.Width(name) <= 30 {
			lines = append(lines, "   "+t.key.Styled(widget.Fit(name, 30))+" "+widget.Cut(c.does, w-36))
			continue
		}
		lines = append(lines, "   "+t.key.Styled(widget.Cut(name, w-4)), strings.Repeat(" ", 34)+widget.Cut(c.does, w-36))
	}
	return lines
}

func (x *help) list(head string, bindings []key.Binding) []string {
	t := &x.s.theme
	lines := []string{" " + t.section.Styled(head)}
	for _, b := range bindings {
		lines = append(lines, "   "+t.key.Styled(widget.Fit(x.s.label(b), 9))+" "+b.Help().Desc)
	}
	return lines
}

// ---- the lines that open it

var helpSpec = Spec{
	command: "help", does: "the keys of this screen", key: keys.help, anywhere: true, once: true,
	open: func(s *session, _ *words) (screen, error) { return &help{s: s, of: s.top()}, nil },
}

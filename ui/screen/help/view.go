package help

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The panels.
const (
	ownID   = "own"
	signsID = "signs"
	moveID  = "move"
	goID    = "go"
	doID    = "do"
	afterID = "after"
	safeID  = "read-only"
)

// entry is a key, or what may be typed, and what it does; with no key a head above others.
type entry struct {
	key, does string
	role      phrase.Role // of the key; Plain for that of keys
}

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	own := x.panel(ownID, capital(x.of.Title())+": this screen", x.own())
	if x.Filter.Typing || x.Filter.Pattern != "" {
		return x.Board.View(t, w, h, x.matches())
	}
	switch {
	case w >= kit.TwoColumns:
		signs, after := x.panel(signsID, "Signs", signs), x.after()
		after.Grow, after.Least, after.Rank = true, 3, 2
		safe := x.readOnly()
		safe.Rank = 3
		return x.Board.View(t, w, h, kit.Stack(kit.Across([]int{1, 1}, own, signs), kit.Across([]int{1, 1, 1}, x.panel(moveID, "Move", x.moves()),
			x.panel(goID, "Go to", x.places()), x.panel(doID, "Do", x.deeds())), safe, after))
	case w >= kit.BareFrom:
		left := x.panel(ownID, own.Title, join(x.own(), head("Move"), x.moves(), head("Signs"), signs, head(safeShort)))
		right := x.panel(goID, "Go to", join(x.places(), head("Do"), x.deeds(), x.typed()))
		left.Least, right.Least, left.Grow, right.Grow = 3, 3, true, true
		return x.Board.View(t, w, h, kit.Across([]int{1, 1}, left, right))
	}
	all := x.panel(ownID, own.Title, join(x.own(), head("Move"), x.moves(), head("Go to"), x.places(), head("Do"), x.deeds(), head("Signs"), signs,
		x.typed(), head(safeShort)))
	all.Least, all.Grow = 3, true
	return x.Board.View(t, w, h, all)
}

func head(title string) []entry { return []entry{{}, {does: title}} }

func join(groups ...[]entry) (all []entry) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// panel is a list of keys.
func (x *model) panel(id, title string, entries []entry) *kit.Panel {
	return &kit.Panel{ID: id, Title: title, Text: func(w int) []string { return x.lines(entries, w) }}
}

// The cells of a key: no fewer, and no more where the others of its list are short.
const (
	leastKey = 3
	mostKey  = 14
)

func (x *model) lines(entries []entry, w int) (lines []string) {
	t, cells := &x.s.Theme, leastKey
	for _, e := range entries {
		if n := phrase.Width(e.key); n <= mostKey {
			cells = max(cells, n)
		}
	}
	for _, e := range entries {
		switch {
		case e.key == "" && e.does == "":
			lines = append(lines, "")
		case e.key == "":
			lines = append(lines, kit.StyledLines(t.Strong, phrase.Wrap(e.does, w))...)
		default:
			style := t.Accent
			if e.role != phrase.Plain {
				style = t.Role(e.role)
			}
			lead := phrase.Fit(e.key, max(cells, phrase.Width(e.key))) + " "
			if phrase.Width(lead) > w/2 {
				lines = append(lines, t.Accent.Styled(phrase.Cut(e.key, w)))
				lead = phrase.Blanks(cells + 1)
			}
			for i, l := range phrase.Wrap(e.does, max(w-phrase.Width(lead), 8)) {
				if i > 0 {
					lead = phrase.Blanks(phrase.Width(lead))
				}
				lines = append(lines, style.Styled(lead)+l)
			}
		}
	}
	return lines
}

// matches is a panel with the keys, signs and commands that the filter leaves, whatever panel they are in.
func (x *model) matches() *kit.Panel {
	all := join(x.own(), x.moves(), x.places(), x.deeds(), signs, forms, x.commands())
	var kept []entry
	for _, e := range all {
		if x.Filter.Pattern == "" || x.Filter.Wants(e.key+" "+e.does) {
			kept = append(kept, e)
		}
	}
	p := x.panel(ownID, "Keys", kept)
	p.Right, p.Least, p.Grow = kit.FilterEdge(&x.s.Theme, &x.Filter, len(kept), len(all)), 3, true
	if len(kept) == 0 {
		p.Text = func(w int) []string {
			return phrase.Wrap(x.s.WithKeys("No key matches. %s shows all again.", kit.Keys.Back), w)
		}
	}
	return p
}

// own are the keys of the screen itself.
func (x *model) own() (all []entry) {
	for _, b := range x.of.Keys() {
		if b.Enabled() && !x.isMove(b) {
			all = append(all, entry{key: x.s.Label(b), does: b.Help().Desc})
		}
	}
	if len(all) == 0 {
		return []entry{{does: "No special keys"}}
	}
	return all
}

// isMove reports whether a key is named among those that move.
func (x *model) isMove(b key.Binding) bool {
	if kit.IsMoving(b) {
		return true
	}
	for _, m := range []key.Binding{kit.Keys.Pane, kit.Keys.Back, kit.Keys.Older, kit.Keys.Newer, kit.Keys.Next, kit.Keys.Previous} {
		if kit.MarkOf(b) == kit.MarkOf(m) {
			return true
		}
	}
	return false
}

// moves are the keys that move, in pairs.
func (x *model) moves() (all []entry) {
	k, moving := &kit.Keys, kit.Moving()
	for _, m := range []struct {
		does string
		keys []key.Binding
	}{
		{"up, down", moving[0:2]}, {"a page up, down", moving[2:4]}, {"half a page up, down", moving[4:6]}, {"first, last", moving[6:8]},
		{"in", []key.Binding{k.Enter}}, {"out, one level up", []key.Binding{k.Back}}, {"one batch back, forward", []key.Binding{k.Older, k.Newer}},
		{"next panel, previous", []key.Binding{k.Pane}}, {"columns to the right, left", []key.Binding{k.Right}},
		{"filter; next, previous", []key.Binding{k.Find, k.Next, k.Previous}}, {"history back, forward", []key.Binding{k.Backward, k.Forward}},
		{"next worst finding", []key.Binding{k.Worst}},
	} {
		var labels []string
		for _, b := range m.keys {
			labels = append(labels, x.s.Label(b))
		}
		all = append(all, entry{key: strings.Join(labels, " "), does: m.does})
	}
	return all
}

// places are the keys that open a screen.
func (x *model) places() (all []entry) {
	for _, c := range kit.ScreenRows(x.s.Specs) {
		does := c.Tab
		if does == "" {
			does = c.Key.Help().Desc
		}
		all = append(all, entry{key: x.s.Label(c.Key), does: does})
	}
	return append(all, entry{key: x.s.Label(kit.Keys.Bookmarks), does: kit.Keys.Bookmarks.Help().Desc})
}

// deeds are the other keys of every screen.
func (x *model) deeds() (all []entry) {
	named := map[string]bool{}
	for _, e := range join(x.places(), x.moves()) {
		named[e.key] = true
	}
	for _, b := range x.s.Everywhere() {
		move := x.isMove(b) || kit.MarkOf(b) == kit.MarkOf(kit.Keys.Backward) || kit.MarkOf(b) == kit.MarkOf(kit.Keys.Forward)
		if e := (entry{key: x.s.Label(b), does: b.Help().Desc}); !named[e.key] && !move {
			all = append(all, e)
		}
	}
	return all
}

var signs = []entry{
	{"✗", "critical: the restart fails, or data is lost or wrong", phrase.Bad}, {"!", "high: decide before you restart", phrase.Warn},
	{"*", "medium: fix it later", phrase.Warn}, {"-", "low: untidy, harmless", phrase.Info}, {"i", "info: normal, worth knowing", phrase.Info},
	{"✓", "checked and correct", phrase.Good}, {"?", "not checked, or unknown", phrase.Open}, {"…", "reading", phrase.Dim},
}

// forms are what may be typed after "/".
var forms = []entry{
	{key: "text", does: "lines with the text; case does not count"}, {key: "!text", does: "lines without it"},
	{key: "-f text", does: "lines with its letters in that order"},
	{key: "-r regex", does: "lines that match the regular expression (RE2)"}, {key: "/regex/", does: "the same"},
}

// typed is what may be typed after "/" and ":", under heads.
func (x *model) typed() []entry {
	return join(head("After "+x.s.Label(kit.Keys.Find)), forms, head("After "+x.s.Label(kit.Keys.Command)), x.commands())
}

// commands are those of the command line.
func (x *model) commands() (all []entry) {
	for _, c := range x.s.Specs {
		all = append(all, entry{key: strings.TrimSpace(x.s.FirstKey(kit.Keys.Command) + c.Command + " " + c.Args), does: c.Does})
	}
	return all
}

// after is a panel with what may be typed after "/" and ":".
func (x *model) after() *kit.Panel {
	return x.panel(afterID, "After "+x.s.Label(kit.Keys.Find)+" and "+x.s.Label(kit.Keys.Command), join(forms, x.commands()))
}

// safeShort is where there is no room for more.
const safeShort = "Read-only: no key changes, moves or deletes anything in a checkpoint."

func (x *model) readOnly() *kit.Panel {
	const text = "No key changes, moves or deletes anything in a checkpoint. tidemark writes only files you name and its own settings in your home."
	return &kit.Panel{ID: safeID, Title: "Read-only", Rank: 1,
		Text: func(w int) []string { return phrase.Wrap(text, w) },
		Fold: func(int) string { return " " + safeShort }}
}

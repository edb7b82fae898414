package ui

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// letters types text, a key each.
func (d *driver) letters(text string) {
	for _, c := range text {
		d.press(string(c))
	}
}

func shownLabels(m *menu) []string {
	var out []string
	for i := range m.shown {
		out = append(out, cmp.Or(m.shown[i].line, m.shown[i].label))
	}
	return out
}

// TestPaletteDoesWhatItOffers finds things by some of their letters and does the first that is offered.
func TestPaletteDoesWhatItOffers(t *testing.T) {
	for _, c := range []struct {
		from         []string
		typed, first string
		shows        string // on the screen, or its crumbs
	}{
		{nil, "offgap", "finding offset-gap", "overview › findings"},
		{nil, "batch 9", "batch 9", "overview › batch 9"},
		{nil, "tree", ":tree", "overview › tree"},
		{nil, "metad", "metadata", "overview › metadata"},
		{nil, "utc", "UTC or local time", "overview"},
		{[]string{"F"}, "sort", "sort", "overview › findings"},
		{nil, "offsets/8:2@70", ":offsets/8:2@70", "overview › offsets/8"},
		{nil, "state 0/3 /missing", ":state 0/3 /missing", "overview"}, // there is no state: told in the footer
		{nil, "which rows", "", "Nothing matches."},
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
		d.run(d.Init())
		d.press(c.from...)
		d.press("ctrl+k")
		d.shows("─ Go to, or do ─")
		d.letters(c.typed)
		if c.first == "" {
			d.shows(c.shows)
			continue
		}
		if got := shownLabels(d.menu); len(got) == 0 || got[0] != c.first {
			t.Fatalf("%q finds %q, want %q first", c.typed, got, c.first)
		}
		d.press("enter")
		if d.menu != nil {
			t.Errorf("%q: the palette stays open", c.typed)
		}
		if d.crumbs() != c.shows {
			t.Errorf("%q goes to %q, want %q", c.typed, d.crumbs(), c.shows)
		}
	}
}

// TestPaletteHasEveryKeyAndCommand holds the palette to the lists that help and command line are drawn from.
func TestPaletteHasEveryKeyAndCommand(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	for _, from := range []string{"O", "B", "F", "S", "T", "D", "u"} {
		d.press(from)
		d.press("ctrl+k")
		text := ""
		for _, i := range d.menu.items {
			text += i.right + "\n"
		}
		for _, k := range append(d.top().Keys(), d.Everywhere()...) {
			if l := k.Help().Key; !strings.Contains(text, l+"\n") && l != "ctrl+k" {
				t.Errorf("on %s the palette lacks %s, %s", d.top().Title(), l, k.Help().Desc)
			}
		}
		for _, c := range specs {
			found := false
			for _, i := range d.menu.items {
				found = found || strings.HasPrefix(i.line, ":"+c.Command)
			}
			if !found {
				t.Errorf("the palette lacks :%s", c.Command)
			}
		}
		d.press("esc")
	}
}

func TestPaletteBeginsACommandThatWantsMore(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("ctrl+k")
	d.letters(":batch N")
	d.press("enter")
	if !d.prompt.Typing || d.prompt.Typed() != "batch " {
		t.Fatalf("the command line holds %q", d.prompt.Typed())
	}
	d.letters("9")
	d.press("enter")
	if d.crumbs() != "overview › batch 9" {
		t.Errorf("it goes to %q", d.crumbs())
	}
}

func TestMenuMovesNarrowsAndForgets(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
	d.run(d.Init())
	did, gone := "", ""
	fresh := func(letters bool) {
		did, gone = "", ""
		m := &menu{title: "CHOOSE", none: "nothing here", remove: func(i item) tea.Cmd { gone = i.id; return nil }}
		for i := range 30 {
			x := item{label: fmt.Sprintf("item %d", i), id: fmt.Sprint(i)}
			x.do = func() tea.Cmd { did = x.id; return nil }
			if letters && i < 3 {
				x.key = string(rune('a' + i))
			}
			m.items = append(m.items, x)
		}
		d.offer(m)
	}
	for _, c := range []struct {
		letters bool
		keys    string
		did     string
	}{
		{false, "enter", "0"}, {false, "down down up enter", "1"}, {false, "2 9 enter", "29"}, {false, "2 9 backspace backspace enter", "0"}, {false, "pgdown enter", "10"}, {false, "esc", ""}, {false, "backspace", ""},
		{true, "b", "1"}, {true, "j enter", "1"}, {true, "/ 2 9 enter", "29"}, {true, "q", ""}, {true, "h", ""}, {true, "z enter", "0"},
	} {
		fresh(c.letters)
		d.press(strings.Fields(c.keys)...)
		if did != c.did || d.menu != nil {
			t.Errorf("%q does %q, want %q; menu open: %v", c.keys, did, c.did, d.menu != nil)
		}
		d.menu = nil
	}
	fresh(false)
	d.press("down", "ctrl+x")
	if gone != "1" || d.menu == nil || len(d.menu.items) != 29 || d.menu.shown[d.menu.cursor.At].id != "2" {
		t.Errorf("forgetting an item: %q is gone, %d are left", gone, len(d.menu.items))
	}
}

// totals are how many things a menu or the command line has to offer: another number with each new command.
var totals = regexp.MustCompile(`((?:Go to, or do ─.* |the first |── ))\d+`)

// TestPaletteScreens compares the palette and the command line with golden files.
func TestPaletteScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for name, keys := range map[string][]string{
		"palette": {"F", "ctrl+k"}, "palette-found": {"ctrl+k", "g", "a", "p"}, "palette-nothing": {"ctrl+k", "q", "q", "q"},
		"command-empty": {":"}, "command-completed": {":", "b", "a"}, "command-batches": {":", "b", "a", "t", "c", "h", " ", "1"}, "command-cycled": {":", "o", "f", "f", "s", "e", "t", "s", "/", "tab", "tab"},
	} {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
				d.run(d.Init())
				d.press(keys...)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), totals.ReplaceAllString(d.screen(), "$1##"))
			})
		}
	}
}

// ---- the command line

func TestCommandLineCompletes(t *testing.T) {
	for _, c := range []struct{ keys, line string }{
		{"b a tab", "batches"}, {"b a tab tab", "batch "}, {"b a tab tab tab", "batches"}, {"b a shift+tab", "batch "}, {"q u e tab", "question "}, {"q u e tab tab", "question 1"},
		{"f i n d i n g space o right", "finding offset-gap"}, {"o f tab", "offsets/"}, {"o f tab tab", "offsets/11"}, {"m e tab", "metadata"}, {"1 tab", "11"}, {"z z tab", "zz"},
		{"f i n d i n g s space s tab", "findings sort "}, {"f i n d i n g s space s tab n tab", "findings sort newest"},
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
		d.run(d.Init())
		d.press(":")
		for _, k := range strings.Fields(c.keys) {
			switch k {
			case "space":
				d.press(" ")
			case "shift+tab":
				d.send(tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
			default:
				d.press(k)
			}
		}
		if got := d.prompt.Typed(); got != c.line {
			t.Errorf("%s: the line is %q, want %q", c.keys, got, c.line)
		}
	}
}

func TestCommandLineRecallsEarlierLines(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	for _, line := range []string{"batch 3", "nonsense", "findings", "batch 3"} {
		d.typed(line)
	}
	d.press(":")
	d.letters("tr")
	for _, step := range []struct{ key, line string }{
		{"up", "batch 3"}, {"up", "findings"}, {"up", "nonsense"}, {"up", "nonsense"}, {"down", "findings"}, {"down", "batch 3"}, {"down", "tr"}, {"down", "tr"},
	} {
		d.press(step.key)
		if got := d.prompt.Typed(); got != step.line {
			t.Fatalf("%s: %q, want %q", step.key, got, step.line)
		}
	}
}

// TestNothingIsReadToComplete counts what the storage is asked for while a line is typed: nothing.
func TestNothingIsReadToComplete(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.hold = true
	d.press(":")
	d.letters("tree state/0/1/")
	d.press("tab", "esc", "ctrl+k")
	d.letters("off")
	if len(d.late) > 0 {
		t.Errorf("%d commands run for completing", len(d.late))
	}
}

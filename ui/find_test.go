package ui

import (
	"strings"
	"testing"
)

// TestFiltersSayHowTheyLook holds the forms of a filter on the screens that have one.
func TestFiltersSayHowTheyLook(t *testing.T) {
	for _, c := range []struct {
		on, typed string
		shows     []string
		hides     string
	}{
		{"F", "!offset-gap", []string{"/!offset-gap", "without", "3 of 4", "log-malformed"}, "✗ critical  offset-gap"},
		{"F", "-f ofgap", []string{"fuzzy", "1 of 4", "offset-gap"}, "! high      log-malformed"},
		{"F", "-r (!|i) (high|info)", []string{"regex", "2 of 4"}, "✗ critical  offset-gap"},
		{"F", "/cut|json/", []string{"regex", "1 of 4"}, "✗ critical  offset-gap"},
		{"F", "-r (", []string{"! not a regular expression: missing closing ): (", "offset-gap", "log-malformed"}, "0 of 4"},
		{"B", "!uncommitted", []string{"without", "11 of 12"}, "▸    11"},
		{"B", "missing:", []string{"1 of 12", "5  missing"}, "▸    11"},
		{"B", "-r ^1[01]", []string{"2 of 12"}, "    9  "},
		{"U", "!orders/1", []string{"without", "orders/0", "orders/2"}, "  orders/1"},
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), 140, 40)
		d.run(d.Init())
		d.press(c.on, "/")
		d.shows("text · !text without it · -f letters in order · -r regex")
		d.letters(c.typed)
		d.press("enter")
		d.shows(c.shows...)
		d.hides(c.hides)
	}
}

// TestHelpFindsAKey: the filter leaves the keys, signs and commands with a word, whatever panel they are in.
func TestHelpFindsAKey(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}} {
		d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
		d.run(d.Init())
		d.press("F", "?")
		d.shows("Findings: this screen", "O ")
		d.press("/")
		d.letters("expression")
		d.shows("filter /expression", "1 of ", "-r regex")
		d.hides("export to a file")
		d.press("enter", "/", "ctrl+u")
		d.letters("export")
		d.press("enter")
		d.shows("e ", "export to a file")
		d.press("/", "ctrl+u")
		d.letters("nonsense")
		d.press("enter")
		d.shows("No key matches.")
		d.press("esc")
		if d.crumbs() != "overview › findings › help" {
			t.Fatalf("esc leaves the screen before it drops the filter: %q", d.crumbs())
		}
		d.shows("Findings: this screen")
		d.press("esc")
		if d.crumbs() != "overview › findings" {
			t.Errorf("esc goes to %q", d.crumbs())
		}
	}
}

// TestTextIsSearched finds words in a screen that is only read, and goes from one to the next.
func TestTextIsSearched(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 140, 40)
	d.run(d.Init())
	d.press("1", "/")
	d.letters("!zzz")
	d.press("enter")
	d.shows("without")
}

// TestBytesAreSearchedAcrossRows finds text that stands on two rows of the screen, and bytes named in hex.
func TestBytesAreSearchedAcrossRows(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
	d.run(d.Init())
	d.typed("bytes offsets/11")
	for _, c := range []struct {
		typed string
		place string
	}{
		{"batchtimestampms", "offsets/11@38"}, {"22 62 61 74", "offsets/11@4"}, {"-r \"1\":[0-9]+", "offsets/11@"}, {"2650", "offsets/11@"},
	} {
		d.press("/", "ctrl+u")
		d.letters(c.typed)
		d.press("enter")
		if got := d.at(); !strings.HasPrefix(got, c.place) {
			t.Errorf("%q is found at %s, want %s", c.typed, got, c.place)
		}
	}
	d.press("/", "ctrl+u")
	d.letters("batch")
	d.press("enter")
	first := d.at()
	d.press("n")
	second := d.at()
	d.press("N")
	if second == first || d.at() != first {
		t.Errorf("n goes from %s to %s, and N to %s", first, second, d.at())
	}
}

package ui

import (
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

func TestCommands(t *testing.T) {
	for line, want := range map[string]string{
		"11": "overview › batch 11", "batch 3": "overview › batch 3", "offsets/3:3@90": "overview › offsets/3", "metadata": "overview › metadata",
		"findings": "overview › findings", "help": "overview › help", "": "overview", "5": "there is no file of batch 5", "nonsense": "is neither a command",
		"../../etc/passwd": "is neither a command",
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), 140, 40)
		d.run(d.Init())
		d.press(":")
		for _, c := range line {
			d.press(string(c))
		}
		d.shows(":" + line)
		d.press("enter")
		if strings.HasPrefix(want, "overview") {
			if d.crumbs() != want {
				t.Errorf(":%s goes to %q, want %q", line, d.crumbs(), want)
			}
			continue
		}
		d.shows(want)
	}
}

func TestPlacesAreReadAsTheyAreWritten(t *testing.T) {
	for _, at := range []decode.Where{{File: "offsets/7", Line: 3, Offset: 69}, {File: "state/0/0/1.delta", Offset: 12}, {File: "metadata"}, {File: "a:b@c/d", Line: 1}} {
		if got := parsePlace(at.String()); got != at {
			t.Errorf("%s is read as %+v, want %+v", at, got, at)
		}
	}
}

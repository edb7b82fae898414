package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/ui/kit"
)

func TestCommands(t *testing.T) {
	for line, want := range map[string]string{
		"11": "overview › batch 11", "batch 3": "overview › batch 3", "offsets/3:3@90": "overview › offsets/3", "metadata": "overview › metadata",
		"findings": "overview › findings", "help": "overview › help", "": "overview", "5": "batch 5 has no file", "nonsense": "is no command",
		"../../etc/passwd": "is no command",
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
		if got := kit.ParsePlace(at.String()); got != at {
			t.Errorf("%s is read as %+v, want %+v", at, got, at)
		}
	}
}

// TestLinesWaitForWhatIsBeingRead asks for what is not known yet: it comes when it is, unless a key is pressed.
func TestLinesWaitForWhatIsBeingRead(t *testing.T) {
	for _, c := range []struct {
		line, key string // a key that is pressed meanwhile
		crumbs    string
		shows     string
	}{
		{"finding log-malformed", "", "overview › findings", "! log-malformed"},
		{"finding log-malformed", "j", "overview", "Three questions"},
		{"finding nothing-like-it", "", "overview", "nothing-like-it"},
		{"finding offset-gap 2", "", "overview", "offset-gap"},
	} {
		d := drive(t, openTree(tree()), nil, 140, 40)
		events := everything(t, tree())
		d.hold = true
		d.run(d.Init())
		d.send(opened{to: d.reading.ID, cp: mustOpen(t, tree())})
		d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: events[:2], Next: func() tea.Msg { return nil }})
		d.typed(c.line)
		d.shows("when it is read")
		if c.key != "" {
			d.press(c.key)
		}
		d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: events[2:]})
		if d.crumbs() != c.crumbs {
			t.Errorf(":%s goes to %q, want %q", c.line, d.crumbs(), c.crumbs)
		}
		d.shows(c.shows)
	}
}

// TestKeyIsFoundInTheOperatorThatItFits looks keys up from the command line.
func TestKeyIsFoundInTheOperatorThatItFits(t *testing.T) {
	for _, c := range []struct {
		archive, line string
		crumbs, shows string
	}{
		{"state-4.3-rocks-tws-ttl-avro", "key ann", "overview › rows of 0", "value ann · "},
		{"state-4.3-rocks-tws-ttl-avro", `key 0 {"value":"ann"}`, "overview › rows of 0", `key {"value":"ann"} · `},
		{"state-4.3-rocks-tws-ttl-avro", "key 5 ann", "overview", "state has no operator 5"},
		{"state-4.3-hdfs-chain-dedup-agg", `key {"user":"ann"}`, "overview", "operator 0: "},
		{"state-4.3-rocks-window-agg", `key {"user":`, "overview", "operator 0: "},
		{"incident-batch-hole", "key 7", "overview", "no state, so no key to find"},
	} {
		d := drive(t, archive(c.archive), nil, 200, 40)
		d.examine = examine.Examine
		d.run(d.Init())
		d.typed(c.line)
		if d.crumbs() != c.crumbs {
			t.Errorf(":%s goes to %q, want %q", c.line, d.crumbs(), c.crumbs)
		}
		d.shows(c.shows)
	}
}

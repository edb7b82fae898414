package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks/examine"
	"tidemark/ui/kit"
)

// TestQuestionShowsWays asks for the ways back where state is damaged: the cheapest comes first, and each with its cost.
func TestQuestionShowsWays(t *testing.T) {
	d := drive(t, archive("state-4.3-hdfs-damage-missing-delta"), nil, 160, 50)
	d.examine = examine.Examine
	d.run(d.Init())
	overview := strings.Join(strings.Fields(d.shown()), " ")
	for _, want := range []string{"Look for state/0/0/7.delta", "Found: put it back"} {
		if !strings.Contains(overview, want) {
			t.Errorf("the overview does not name the cheapest way, %q:\n%s", want, d.shown())
		}
	}
	d.press("1")
	text := strings.Join(strings.Fields(strings.ToLower(d.shown())), " ")
	at := 0
	for _, want := range []string{"ways to recover, cheapest first", "copy the whole checkpoint", "1 put back state/0/0/7.delta"} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q, or not in its place:\n%s", want, d.shown())
		}
		at += i
	}
}

// TestQuestionShowsWhatWasCompared: the overview has the head of it on one line that is not cut, the screen of the question each comparison on its own.
func TestQuestionShowsWhatWasCompared(t *testing.T) {
	d := drive(t, archive("state-3.5-hdfs-window-agg"), nil, 120, 50)
	d.examine = examine.Examine
	d.run(d.Init())
	if text := d.shown(); !strings.Contains(text, "all files checked are intact; nothing the restart needs is missing  ") || strings.Contains(text, "with the older files") {
		t.Errorf("the overview:\n%s", text)
	}
	d.send(tea.WindowSizeMsg{Width: 190, Height: 50})
	d.press("1")
	for _, want := range []string{" All files checked are intact; nothing the restart needs is missing. ", " ✓ 2 state snapshots with the older files that rebuild their versions ", " were checked by name and size "} {
		if text := trimmed(d.shown()); !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
}

// TestFileOutsideTheCheckpoint opens the place of a finding about the output: it is said to be outside, and not called out of reach.
func TestFileOutsideTheCheckpoint(t *testing.T) {
	d := drive(t, archive("file-source"), nil, 120, 40)
	d.examine = examine.Examine
	d.run(d.Init())
	d.run(d.do(kit.GoFile(decode.Where{File: "/data/orders/_spark_metadata"}, -1)))
	if text := d.shown(); !strings.Contains(text, "outside this checkpoint") || strings.Contains(text, "invalid argument") {
		t.Error(text)
	}
}

// trimmed is a screen without the blanks at the ends of its lines.
func trimmed(screen string) string {
	lines := strings.Split(screen, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

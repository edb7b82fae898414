package ui

import (
	"strings"
	"testing"

	"tidemark/checks"
)

// TestQuestionShowsWays asks for the ways back where state is damaged: the cheapest comes first, and each with its cost.
func TestQuestionShowsWays(t *testing.T) {
	d := drive(t, archive("state-4.3-hdfs-damage-missing-delta"), nil, 160, 50)
	d.examine = checks.Examine
	d.run(d.Init())
	if text := d.shown(); !strings.Contains(text, "cheapest: put back state/0/0/7.delta") {
		t.Errorf("the overview does not name the cheapest way:\n%s", text)
	}
	d.press("1")
	text := strings.Join(strings.Fields(d.shown()), " ")
	at := 0
	for _, want := range []string{"THE WAYS BACK, CHEAPEST FIRST", "copy the whole checkpoint", "1. Put back state/0/0/7.delta"} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q, or not in its place:\n%s", want, d.shown())
		}
		at += i
	}
}

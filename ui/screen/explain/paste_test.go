package explain

import (
	"strings"
	"testing"

	"tidemark/internal/trace"
	"tidemark/ui/kit"
)

// TestPasteKeepsAMegabyte: of what is pasted only the end is kept.
func TestPasteKeepsAMegabyte(t *testing.T) {
	x := newModel(&kit.Session{})
	for range 5 {
		x.add(strings.Repeat("\x1b[2J long \u202e\n", 40_000))
	}
	if n := len(x.paste); n == 0 || n > 1<<20 {
		t.Errorf("%d bytes are kept", n)
	}
}

// TestExplanationOfAnOlderPasteIsDropped: what was asked for before the last paste says nothing of it.
func TestExplanationOfAnOlderPasteIsDropped(t *testing.T) {
	x := newModel(&kit.Session{})
	x.Update(explained{asked: x.asked - 1, said: &trace.Explanation{}})
	if x.said != nil {
		t.Error("the answer to an older paste is shown")
	}
}

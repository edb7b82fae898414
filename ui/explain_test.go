package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// gone is what Spark says of the tree of the tests, whose batch 5 has no plan.
const gone = `26/11/29 14:02:07 ERROR MicroBatchExecution: Query orders [id = 1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2, runId = 91d0bd6e-9a3e-4d4f-a2a1-0c1f3f1f8c55] terminated with error
java.lang.IllegalStateException: batch 5 doesn't exist
	at org.apache.spark.sql.execution.streaming.HDFSMetadataLog$.verifyBatchIds(HDFSMetadataLog.scala:430)
	at org.apache.spark.sql.execution.streaming.MicroBatchExecution.populateStartOffsets(MicroBatchExecution.scala:480)
`

// TestExplainScreens compares the screens of a paste with their golden files.
func TestExplainScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for name, then := range map[string]func(d *driver){
			"explain-paste":   func(d *driver) { d.send(tea.PasteMsg{Content: strings.ReplaceAll(gone, "\n", "\r")}) }, // as terminals paste
			"explain-nothing": func(d *driver) { d.send(tea.PasteMsg{Content: "all is well"}); d.press("enter") },
			"explain-agrees":  func(d *driver) { d.send(tea.PasteMsg{Content: gone}); d.press("enter") },
			"explain-more":    func(d *driver) { d.send(tea.PasteMsg{Content: gone}); d.press("enter", "G") },
			"explain-other": func(d *driver) {
				d.send(tea.PasteMsg{Content: strings.ReplaceAll(gone, "1f0c9a2e", "aaaaaaaa")})
				d.press("enter")
			},
		} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := explainIn(t, size[0], size[1])
				then(d)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// explainIn is the explorer with ":explain" open.
func explainIn(t *testing.T, w, h int) *driver {
	t.Helper()
	d := drive(t, openTree(tree()), everything(t, tree()), w, h)
	d.run(d.Init())
	d.press(":", "e", "x", "p", "l", "a", "i", "n", "enter")
	d.shows("Explain a Spark error")
	return d
}

// TestExplainTakesWhatIsTyped gives the keys that a terminal sends which does not tell a paste from typing: line
// ends are enter, and do not end it.
func TestExplainTakesWhatIsTyped(t *testing.T) {
	d := explainIn(t, 120, 40)
	for line := range strings.Lines("java.lang.IllegalStateException: batch 5 doesn't exist\n\tat q.Q.q(Q.scala:1)\nCaused by: x.Y: q\n") {
		for _, r := range strings.TrimSuffix(line, "\n") {
			switch r {
			case '\t':
				d.press("tab")
			default:
				d.send(tea.KeyPressMsg{Text: string(r), Code: r})
			}
		}
		d.press("enter")
	}
	d.shows("Explain a Spark error", "Caused by: x.Y: q")
	if d.quit {
		t.Fatal("a letter of the paste has ended the program")
	}
	d.press("ctrl+d")
	d.shows("What it means here", "offsets/5 is missing", "3 lines", "Caused by: x.Y: q")
	d.press("a")
	d.shows("Explain a Spark error", "nothing yet")
	d.press("x", "backspace", "backspace")
	d.shows("What it means here", "offsets/5 is missing", "3 lines", "Caused by: x.Y: q")
}

// TestPasteAnywhereIsExplained pastes a trace where nothing is typed, and something else.
func TestPasteAnywhereIsExplained(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B")
	d.send(tea.PasteMsg{Content: "just words"})
	if d.top().Title() != "batches" {
		t.Errorf("a paste of words opens %q", d.top().Title())
	}
	d.send(tea.PasteMsg{Content: gone})
	d.shows("✓ The checkpoint agrees.")
	if got := d.crumbs(); got != "overview › batches › explain" {
		t.Errorf("a paste opens %q", got)
	}
	d.press("esc")
	d.press("/")
	d.send(tea.PasteMsg{Content: gone})
	if d.top().Title() != "batches" {
		t.Errorf("a paste into a filter opens %q", d.top().Title())
	}
}

// TestExplainFollowsTheExamination asks before the examination is over: the answer is given anew when it is.
func TestExplainFollowsTheExamination(t *testing.T) {
	d := drive(t, openTree(tree()), nil, 120, 40)
	events := everything(t, tree())
	d.hold = true
	d.run(d.Init())
	d.send(opened{to: d.reading.ID, cp: mustOpen(t, tree())})
	d.late, d.hold = nil, false
	d.send(tea.PasteMsg{Content: strings.ReplaceAll(gone, "batch 5 doesn't exist", "[SOMETHING_NEW] it is")})
	d.shows("Not everything in the checkpoint is checked yet.")
	for i := range events {
		d.Verdict.Add(events[i])
	}
	d.run(d.tell(d.top(), kit.Grown{}))
	if strings.Contains(d.screen(), "is checked yet") {
		t.Errorf("still so far:\n%s", d.screen())
	}
}

// TestExplainOpensThePlace goes to what the trace is about.
func TestExplainOpensThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"Failed to read log file s3a://lake/cp/offsets/8. Incomplete log file": "offsets/8",
		"java.lang.IllegalStateException: batch 7 doesn't exist":               "batch 7",
	} {
		d := explainIn(t, 120, 40)
		d.send(tea.PasteMsg{Content: text})
		d.press("enter", "enter")
		if got := d.top().Title(); !strings.Contains(got, want) {
			t.Errorf("%q opens %q", text, got)
		}
	}
}

// TestExplainIsHarmless pastes what would drive a terminal, and more than is kept.
func TestExplainIsHarmless(t *testing.T) {
	evil := "java.io.FileNotFoundException: x\x1b[2J\x1b]0;owned\x07\u202egnp\u009b31m/state/0/0/\x1b[2J1.zip [A_\x1b[31mB] offsets/8\n"
	fsys := tree()
	fsys["offsets/.x\x1b[2J"] = &fstest.MapFile{Data: []byte("x")}
	for _, size := range [][2]int{{80, 24}, {60, 15}, {200, 60}} {
		d := drive(t, openTree(fsys), everything(t, tree()), size[0], size[1])
		d.run(d.Init())
		d.press(":", "e", "x", "p", "l", "a", "i", "n", "enter")
		d.send(tea.PasteMsg{Content: evil})
		wellFormed(t, d.View().Content, size[0], size[1])
		d.press("enter")
		for range 12 {
			wellFormed(t, d.View().Content, size[0], size[1])
			d.press("down")
		}
	}
	d := explainIn(t, 80, 24)
	for range 5 {
		d.send(tea.PasteMsg{Content: strings.Repeat("\x1b[2J long \u202e\n", 40_000)})
	}
	wellFormed(t, d.View().Content, 80, 24)
}

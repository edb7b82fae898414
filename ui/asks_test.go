package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/output"
	"tidemark/ui/kit"
)

// namedSink is a sink at a location.
type namedSink string

func (s namedSink) Look(context.Context, output.Query) (output.Held, error) {
	return output.Held{Location: string(s)}, nil
}

// asks is an explorer in which a sink can be named: "s3://lake/orders" has batch 11, "s3://lake/odd" proves nothing, and there is no
// other.
func asks(t *testing.T, w, h int) *driver {
	o := openTree(tree())
	o.Answer = func(kind, text string) (func(context.Context) (func(*examine.Options), error), error) {
		return func(context.Context) (func(*examine.Options), error) {
			if !strings.HasPrefix(text, "s3://lake/o") {
				return nil, fmt.Errorf("%s: there is no such folder", text)
			}
			return func(o *examine.Options) { o.Sink = namedSink(text) }, nil
		}, nil
	}
	d := drive(t, o, nil, w, h)
	d.examine = func(_ context.Context, _ *checkpoint.Checkpoint, opt examine.Options) iter.Seq[checks.Event] {
		events := everything(t, tree())
		if opt.Sink == nil {
			return slices.Values(events)
		}
		sink := &checks.Output{Held: output.Held{Location: string(opt.Sink.(namedSink)), Highest: 11}, Situation: checks.Unacknowledged, First: 11, Last: 11}
		if sink.Location == "s3://lake/odd" {
			sink.Unknown, sink.Settle = "nothing is at this location", "Name another one."
		}
		done := *events[len(events)-1].Done
		done.Questions = slices.Clone(done.Questions)
		done.Questions[2] = checks.Question{Name: checks.ReplaySafe, Answer: "yes", Because: "the sink has batch 11 and skips it"}
		return slices.Values(append(events[:len(events)-1:len(events)-1], checks.Event{Sink: sink}, checks.Event{Done: &done}))
	}
	d.run(d.Init())
	return d
}

// type types a text and presses enter.
func (d *driver) enters(text string) {
	d.letters(text)
	d.press("enter")
}

// TestAskForTheSink: enter on the question that lacks the sink asks for it. A wrong answer is told with its reason, and the line stays; a
// good one is judged at once, and the same row is under the cursor.
func TestAskForTheSink(t *testing.T) {
	d := asks(t, 120, 40)
	d.shows("not checked  enter: name the sink", "not checked  enter: compare with a spec")
	for d.overviewFocus() != "questions" {
		d.press("tab")
	}
	d.press("j", "j", "enter")
	d.shows("Which location does the query write to?", ":sink ", "Only listings and logs are read")
	d.press("enter")
	d.shows("location is missing")
	d.enters("s3://nowhere")
	d.shows("✗ s3://nowhere: there is no such folder", ":sink s3://nowhere")
	d.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	d.enters("s3://lake/odd")
	d.shows("✗ Nothing is at this location. Name another one.")
	if d.Examine.Sink != nil || d.Verdict.Sink != nil {
		t.Error("an answer that is of no use has changed what is known")
	}
	d.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	d.enters("s3://lake/orders")
	d.shows("the sink has batch 11 and skips it", "▸✓ Replay safe?")
	if strings.Contains(d.screen(), "Which location does the query write to?") {
		t.Errorf("the line is still open:\n%s", d.screen())
	}
	d.press("enter")
	if d.crumbs() != "overview › question 3" {
		t.Errorf("with an answer enter goes to %q", d.crumbs())
	}
}

// overviewFocus is the panel of the top screen that has the keys.
func (d *driver) overviewFocus() string {
	return d.top().Screen.(interface{ Focus() string }).Focus()
}

// TestTellFromAnywhere: a line with the location takes it at once, on any screen, which keeps its row; esc asks for nothing more; and what
// was told is of this checkpoint only.
func TestTellFromAnywhere(t *testing.T) {
	d := asks(t, 120, 40)
	d.press("F", "j", "j")
	before := d.selected()
	d.press(":")
	d.enters("sink")
	d.shows("Which location does the query write to?")
	d.press("esc")
	if strings.Contains(d.screen(), "Which location does the query write to?") || d.crumbs() != "overview › findings" {
		t.Errorf("esc leaves the line open, or more:\n%s", d.screen())
	}
	d.press(":")
	d.enters("sink s3://lake/orders")
	if d.Verdict.Sink == nil || d.crumbs() != "overview › findings" || d.selected() != before {
		t.Errorf("on %q with %q under the cursor, want %q; the sink is %v", d.crumbs(), d.selected(), before, d.Verdict.Sink)
	}
	d.closeCheckpoint("")
	if d.Examine.Sink != nil {
		t.Error("the sink is remembered for another checkpoint")
	}
}

// TestTellWhileReading: what is told before all is read is judged afterwards; an answer that is dropped changes nothing.
func TestTellWhileReading(t *testing.T) {
	d := asks(t, 120, 40)
	d.Examining = true
	d.press(":")
	d.enters("sink s3://lake/orders")
	d.shows("It is checked when reading ends")
	d.Examining = false
	d.run(d.grow(kit.Chunk[checks.Event]{To: d.reading.ID}))
	if d.Verdict.Sink == nil {
		t.Errorf("it is not judged when all was read:\n%s", d.screen())
	}
	d = asks(t, 120, 40)
	d.hold = true
	d.press(":")
	d.enters("sink s3://lake/orders")
	d.shows("Checking. esc stops it")
	d.press("esc")
	late := d.late
	d.hold = false
	for _, cmd := range late {
		d.run(cmd)
	}
	if d.Examine.Sink != nil || d.Verdict.Sink != nil {
		t.Error("an answer that was dropped is taken")
	}
}

// TestAskWithoutAnswers: where nothing can be told, no row asks for it, and the line says so.
func TestAskWithoutAnswers(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	if strings.Contains(d.screen(), "enter: name") {
		t.Errorf("it offers what it cannot do:\n%s", d.screen())
	}
	d.press(":")
	d.enters("sink")
	d.shows("nothing can be named here")
}

// TestFailedJudgement: an examination that ends with an error is the error of the line.
func TestFailedJudgement(t *testing.T) {
	d := asks(t, 120, 40)
	before := d.Verdict.Done
	d.examine = func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event] {
		return slices.Values([]checks.Event{{Done: &checks.Done{Err: errors.New("the connection was reset")}}})
	}
	d.press(":")
	d.enters("sink s3://lake/orders")
	d.shows("✗ the connection was reset", ":sink s3://lake/orders")
	if d.Verdict.Done != before || d.Verdict.Err != nil {
		t.Error("what was known is gone")
	}
}

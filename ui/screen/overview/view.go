package overview

import (
	"strings"

	"charm.land/lipgloss/v2"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

// Lines of a body from which on a screen has room for more.
const (
	roomyBody = 26 // a blank line below the reason, and all facts
	tallBody  = 36 // the newest batches
)

// measure is how many cells a line of the reason has at most.
const measure = 118

func (o *model) View(w, h int) []string {
	o.refocus()
	reason := o.reason(w, h)
	o.above = len(reason)
	return append(reason, o.Board.View(&o.Session.Theme, w, max(h-len(reason), 0), o.layout(w, h))...)
}

// Layers implements kit.Boarded.
func (o *model) Layers(x, y int) []*lipgloss.Layer { return o.Board.Layers(x, y+o.above) }

// reason is why the banner says what it says, in whole lines; while files are read, how far that has come. There is none as of
// another batch: the reason is in the banner then.
func (o *model) reason(w, h int) []string {
	s, t := o.Session, &o.Session.Theme
	if s.AsOf >= 0 {
		return nil
	}
	d := s.Decision()
	var lines []string
	if p := s.Verdict.Progress; d.State == checks.StillReading && p.Of > 0 {
		lines = []string{t.Progress(p.Batches, p.Of, min(max(w/3, 10), 40)) + "  " + phrase.Count(p.Batches) + " of " + phrase.Units(p.Of, "batches")}
	} else {
		lines = emphasized(t, phrase.Wrap(t.Signs(kit.Prose(d.Because)), min(w-3, measure)))
	}
	bar := t.Role(phrase.Verdicts.Of(string(d.State)).Role)
	if d.State == checks.NoVerdict {
		bar = t.Dim
	}
	for i := range lines {
		lines[i] = bar.Styled("▌") + " " + lines[i]
	}
	if h >= roomyBody && len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// emphasized makes the first clause of a text strong.
func emphasized(t *kit.Theme, lines []string) []string {
	for i, line := range lines {
		if at := strings.IndexAny(line, ";:"); at >= 0 && strings.HasPrefix(line[at+1:]+" ", " ") {
			lines[i] = t.Strong.Styled(line[:at]) + line[at:]
			return lines
		}
		if strings.HasSuffix(line, ".") || strings.Contains(line, ". ") {
			return lines
		}
		lines[i] = t.Strong.Styled(line)
	}
	return lines
}

// layout is the panels of what is known, by how much room there is.
func (o *model) layout(w, h int) kit.Node {
	s := o.Session
	switch v := &s.Verdict; {
	case s.Checkpoint == nil && s.Err != nil:
		return stack(w, o.happened(), o.retry(), o.unanswered())
	case s.Checkpoint == nil:
		return o.opening()
	case s.AsOf >= 0 && v.Known:
		return o.asOf(w, h)
	}
	why, steps := o.answerPanels(w, h)
	if w >= kit.ThreeColumns {
		left := kit.Stack(o.findingsPanel(), o.timelinePanel(), o.batchesPanel())
		return kit.Stack(kit.Across([]int{1, 1, 1}, why, steps, o.questionsPanel(true)), kit.Across([]int{2, 1}, left, o.related()))
	}
	var batches *kit.Panel
	if h >= tallBody {
		batches = o.batchesPanel()
	}
	return stack(w, why, steps, o.questionsPanel(false), o.findingsPanel(), o.timelinePanel(), batches)
}

// related is what is next to the lists where there are three columns: the state that a restart loads, and the batch under the cursor.
func (o *model) related() kit.Node {
	if len(o.rows) == 0 {
		return o.statePanel()
	}
	batch := o.BatchPanel(o.rows[min(o.newest.At, len(o.rows)-1)])
	batch.Rank, batch.Grow = 8, true
	if len(o.Session.Verdict.Operators) == 0 && len(o.Session.Verdict.Loads) == 0 {
		return batch
	}
	return kit.Stack(o.statePanel(), batch)
}

// stack puts panels one below the other, the first two next to each other where there is room for two columns.
func stack(w int, left, right *kit.Panel, below ...*kit.Panel) kit.Node {
	nodes := []kit.Node{left, right}
	if w >= kit.TwoColumns {
		nodes = []kit.Node{kit.Across([]int{1, 1}, left, right)}
	}
	for _, p := range below {
		nodes = append(nodes, p)
	}
	return kit.Stack(nodes...)
}

// answerPanels are why a restart is as the banner says, and what to do.
func (o *model) answerPanels(w, h int) (why, steps *kit.Panel) {
	if !o.Session.Verdict.Done {
		return o.soFarPanel(), o.stillPanel()
	}
	return o.whyPanel(h < roomyBody), o.stepsPanel()
}

// opening is what is shown until the checkpoint is open.
func (o *model) opening() *kit.Panel {
	return &kit.Panel{ID: whyID, Title: "Opening", Text: func(w int) []string {
		text := phrase.Wrap("Read-only: tidemark never changes a checkpoint.", w)
		return append([]string{"Lists the folders of " + phrase.Middle(kit.Safe(o.Session.Location), max(w-23, 1)) + "."}, text...)
	}}
}

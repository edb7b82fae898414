package batches

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// listParts are how the width is shared between the list and what is related to its row.
var listParts = []int{66, 34}

// listWidth is how many cells the table has on a screen of w cells.
func (t *model) listWidth(w int) int {
	if w >= kit.Wide {
		return w - w*listParts[1]/100
	}
	return w
}

func (t *model) View(w, h int) []string {
	theme := &t.Session.Theme
	if t.Session.Checkpoint == nil {
		return t.Board.View(theme, w, h, t.say("… opening the checkpoint"))
	}
	if len(t.rows) == 0 {
		return t.Board.View(theme, w, h, t.empty())
	}
	if t.local != t.Session.Clock.Local {
		t.fit()
	}
	list := t.list()
	list.Grow = true
	above := kit.Stack(t.Stopped(), t.timeline(w, h))
	if w < kit.Wide {
		return t.Board.View(theme, w, h, kit.Stack(above, list))
	}
	r, _ := t.row()
	left, right := kit.Node(list), kit.Stack(t.BatchPanel(r), t.FindingsPanel(r), t.StatePanel(r))
	if w >= kit.ThreeColumns {
		list.Grow = false
		steps := t.Session.StepsPanel(page.StepsOf(&t.Session.Verdict.Advice), "No steps are known yet.")
		steps.Rank, steps.Grow = 4, true
		left, right = kit.Stack(list, t.ReadsPanel(r), t.StatePanel(r)), kit.Stack(t.BatchPanel(r), t.FindingsPanel(r), steps)
	}
	return t.Board.View(theme, w, h, kit.Stack(above, kit.Across(listParts, left, right)))
}

// list is the panel of the table.
func (t *model) list() *kit.Panel {
	right := t.order.words() + t.Session.WithKeys(" · %s sorts", kit.Keys.Sort)
	switch {
	case len(t.marked) == 1:
		right = fmt.Sprintf("* %d is marked", t.marked[0])
	case len(t.marked) == 2:
		right = fmt.Sprintf("* %d and %d are marked", min(t.marked[0], t.marked[1]), max(t.marked[0], t.marked[1]))
	}
	p := t.Panel(&t.Session.Theme, t, right)
	if t.len() == 0 {
		p.Rows.Says(func(int) []string { return t.Session.NothingMatches() })
	}
	if t.Filtering() && !t.Filter.Typing && !t.fits {
		p.Right += t.Session.Theme.Dim.Styled(" · batch IDs and what was read")
	}
	return p
}

// timeline is the panel of the lanes, as many as the screen has room for.
func (t *model) timeline(w, h int) *kit.Panel {
	n := kit.MostTimeline
	switch {
	case h < 16:
		n = 1
	case h < 26:
		n = 4
	}
	lines := func(w int) []string { return t.plot.Lines(&t.BatchLoader, t.rows, w, n, true) }
	return &kit.Panel{ID: timelineID, Title: "Timeline", Rank: 1, Text: lines, Fold: func(w int) string { return lines(w)[0] },
		Chosen: func(x, _ int) kit.Input {
			if row, ok := t.plot.RowAt(x, t.rows); ok {
				return kit.Select{Panel: kit.ListID, Row: t.placeOf(row)}
			}
			return nil
		}}
}

func (t *model) say(text string) *kit.Panel {
	return &kit.Panel{ID: kit.ListID, Title: t.Name, Text: func(w int) []string { return phrase.Wrap(text, w) }}
}

func (t *model) empty() *kit.Panel {
	c := t.Session.Checkpoint
	for _, d := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if d.Err != nil {
			return t.say(fmt.Sprintf("%s could not be listed: %s. Whether batches exist is unknown.", d.Name, kit.Safe(d.Err.Error())))
		}
	}
	return t.say("No batches: offsets and commits have no file. The query never started, this folder is no checkpoint, or the copy lacks the logs.")
}

// Len and Row make it the rows of its table.
func (t *model) Len() int { return len(t.rows) }

func (t *model) Row(i int, r *widget.Row) {
	row, look := t.rows[i], &t.Session.Theme
	if row.Missing > 0 {
		r.Note, r.Style = t.gap(row), look.Role(t.GapRole(row))
		return
	}
	if t.Waits(row.ID) {
		r.Style = look.Warn
	}
	r.Cells[colBatch].Text = idOf(row.ID)
	if slices.Contains(t.marked, row.ID) {
		r.Cells[colBatch] = widget.Cell{Text: "* " + idOf(row.ID), Style: look.Accent}
	}
	r.Cells[colCommitted] = t.committed(row.ID)
	if t.Session.Examine.Sink != nil {
		r.Cells[colSink] = look.InOutput(t.Session.Verdict.Sink, row.ID)
	}
	if n, ok := t.Session.StateSizes[row.ID+1]; ok {
		r.Cells[colState].Text = look.Plot.Styled(widget.Step(n, t.newState)) + " " + phrase.Bytes(n)
	} else {
		r.Cells[colState] = widget.Cell{Text: "–", Style: look.Dim}
	}
	f := t.Facts(row.ID)
	if f == nil {
		r.Cells[colStarted] = widget.Cell{Text: "…", Style: look.Dim}
		return
	}
	t.fill(f, r)
}

// gap is a row of missing batches: dashes to both sides of what is missing.
func (t *model) gap(r kit.BatchRow) string {
	name, w := idOf(r.ID), t.Table.Columns[colBatch].Width
	if r.Missing > 1 {
		name += "–" + idOf(r.ID+r.Missing-1)
	}
	text := strings.Repeat("╌", max(w-len(name)-1, 2)) + " " + name + "  " + kit.GapWords(t.Session.Checkpoint, r) + " "
	return text + strings.Repeat("╌", max(t.listWidth(t.w)-4-phrase.Width(text), 0))
}

// committed is whether a batch is committed.
func (t *model) committed(id int64) widget.Cell {
	c, look := &t.Session.Checkpoint.Commits, &t.Session.Theme
	switch {
	case c.Find(id) != nil:
		return widget.Cell{Text: "✓ yes", Style: look.Good}
	case c.Err != nil:
		return widget.Cell{Text: "?", Style: look.Unknown}
	case t.Waits(id):
		return widget.Cell{Text: "! no", Style: look.Warn}
	}
	return widget.Cell{Text: "no"}
}

func (t *model) fill(f *kit.BatchFacts, r *widget.Row) {
	look, b := &t.Session.Theme, f.B
	if b.Plan == nil || b.Plan.Timestamp == 0 {
		r.Cells[colStarted] = look.Cell(page.Planned(t.Session.Checkpoint, b, t.time))
		r.Cells[colStarted].Wide = b.Plan == nil
	}
	if b.Plan == nil {
		return
	}
	for i := range columns {
		c := &columns[i]
		if c.cell == nil || t.Table.Columns[i].Width == 0 {
			continue
		}
		if v, ok := c.value(t, b.ID, f); ok {
			r.Cells[i].Text = look.Signs(c.cell(t, f, v))
		} else if i != colStarted {
			r.Cells[i] = widget.Cell{Text: t.without(i, f), Style: look.Dim}
		}
	}
	for c := max(r.From, fixed); c < min(r.To, fixed+len(t.parts)); c++ {
		r.Cells[c].Text = look.Signs(f.Part(t.parts[c-fixed]))
	}
}

// without is what is drawn of a batch that has no value in a column.
func (t *model) without(i int, f *kit.BatchFacts) string {
	switch {
	case i == colRead:
		return t.Session.Theme.Signs(t.read(f))
	case i == colWatermark && f.B.Plan.HasMetadata:
		return "none"
	}
	return "–"
}

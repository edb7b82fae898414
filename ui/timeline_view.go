package ui

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/ui/widget"
)

// ---- view

func (t *timeline) view(w, h int) []string {
	if t.s.cp == nil {
		return []string{"", "   … the checkpoint is being opened"}
	}
	if len(t.rows) == 0 {
		return t.empty(w)
	}
	head := fmt.Sprintf(" %s, newest first · a → b: reads from a up to b · =: nothing new", plural(t.batches, "batch"))
	if t.sought() {
		head = " " + filterLine(&t.s.theme, &t.filter, fmt.Sprintf("%d of %d rows; looks at numbers and the words missing, unplanned, uncommitted", t.len(), len(t.rows)))
	} else if t.err != nil {
		head = " " + t.s.theme.unknown.Styled("? no more is read: "+safe(t.err.Error())) + t.s.withKeys("   %s reads again", keys.reread)
	}
	if len(t.marked) > 0 && !t.sought() {
		head = t.markedWords()
	}
	lines := append(t.plotLines(w), t.s.theme.dim.Styled(head))
	return append(lines, t.table.View(t, w, h-len(lines))...)
}

// sought reports whether a filter is typed or set.
func (t *timeline) sought() bool { return t.filter.Typing || t.filter.Pattern != "" }

// markedWords say what is marked and what that is for.
func (t *timeline) markedWords() string {
	if len(t.marked) == 1 {
		return fmt.Sprintf(" * %d is marked · %s compares it with the batch under the cursor · %s marks another", t.marked[0], t.s.firstKey(keys.compare), t.s.firstKey(keys.mark))
	}
	return fmt.Sprintf(" * %d and %d are marked · %s compares them", min(t.marked[0], t.marked[1]), max(t.marked[0], t.marked[1]), t.s.firstKey(keys.compare))
}

// The plot has all its lines where the table keeps most of the screen, and the fewest lines elsewhere.
const (
	plotRoom  = 26 // lines of a screen from which on the plot has all its lines
	plotLeast = 14 // and below which there is none
)

func (t *timeline) plotDetail() plotDetail {
	if t.h < plotRoom {
		return plotBrief
	}
	return plotFull
}

// plotHeight is how many lines the plot takes.
func (t *timeline) plotHeight() int {
	if len(t.rows) == 0 || t.h < plotLeast {
		return 0
	}
	n := t.plot.height(t.s, t.plotDetail())
	if t.plot.overall != nil {
		n++
	}
	return n
}

// plotLines is the plot with the selected batch marked.
func (t *timeline) plotLines(w int) []string {
	if t.plotHeight() == 0 {
		return nil
	}
	plot := t.plot.draw(&t.gathered, t.rows, names, t.plotDetail(), true)
	return fill(indent1(append(t.plot.all(t.s, names), plot.View(w-1)...)), t.plotHeight())
}

func (t *timeline) empty(w int) []string {
	c := t.s.cp
	lines := []string{"", " " + t.s.theme.section.Styled("NO BATCHES")}
	text := "Neither offsets nor commits holds a batch. A query that was never started has none; so has a folder that is no checkpoint, or a copy that left the logs out."
	for _, d := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if d.Err != nil {
			text = fmt.Sprintf("%s could not be listed: %s. Whether there are batches is not known.", d.Name, safe(d.Err.Error()))
		}
	}
	return append(lines, indent(widget.Wrap(text, w-6))...)
}

// Len and Row make it the rows of its table.
func (t *timeline) Len() int { return len(t.rows) }

func (t *timeline) Row(i int, r *widget.Row) {
	row, look := t.rows[i], &t.s.theme
	if row.missing > 0 {
		r.Style = look.strong // whether that is damage is for the findings to say
		ids := fmt.Sprintf("%d", row.id)
		if row.missing > 1 {
			ids = fmt.Sprintf("%d … %d (%s)", row.id, row.id+row.missing-1, plural(row.missing, "batch"))
		}
		r.Note = fmt.Sprintf("╌╌╌ %s missing: no file in offsets, none in commits ╌╌╌", ids)
		return
	}
	r.Cells[0].Text = strconv.FormatInt(row.id, 10)
	if slices.Contains(t.marked, row.id) {
		r.Cells[0].Text = "* " + r.Cells[0].Text
	}
	r.Cells[1] = t.committed(row.id)
	f := t.facts(row.id)
	if f == nil {
		r.Cells[2] = widget.Cell{Text: "…", Style: look.dim}
		return
	}
	t.fill(f, r)
}

// committed is whether a batch is committed and, where an output is looked at, whether it is there.
func (t *timeline) committed(id int64) widget.Cell {
	c, look := &t.s.cp.Commits, &t.s.theme
	cell := look.yesNo(c.Find(id) != nil)
	if c.Find(id) == nil && c.Err != nil {
		cell = widget.Cell{Text: "?", Style: look.unknown}
	}
	if t.s.Examine.Sink == nil {
		return cell
	}
	there := look.inOutput(t.s.verdict.Sink, id)
	if c.Find(id) != nil {
		cell.Style = there.Style
	}
	cell.Text = widget.Fit(cell.Text, 6) + "  " + there.Text
	return cell
}

func (t *timeline) fill(f *batchFacts, r *widget.Row) {
	look, b := &t.s.theme, f.b
	switch {
	case b.Plan == nil && len(b.Unread) > 0:
		r.Cells[2] = widget.Cell{Text: "? " + b.Unread[0].Why(), Style: look.unknown}
	case b.Plan == nil && t.s.cp.Offsets.Err != nil:
		r.Cells[2] = widget.Cell{Text: "? offsets could not be listed", Style: look.unknown, Wide: true}
	case b.Plan == nil:
		r.Cells[2] = widget.Cell{Text: fmt.Sprintf("✗ missing: %s is not there", path.Join(t.s.cp.Offsets.Name, strconv.FormatInt(b.ID, 10))), Style: look.warn, Wide: true}
	case b.Plan.Timestamp == 0 && len(b.Plan.Problems) > 0:
		r.Cells[2] = widget.Cell{Text: "! broken, " + string(b.Plan.Problems[0].Flaw), Style: look.warn}
	default:
		r.Cells[2].Text = t.time(b.Plan.Timestamp)
	}
	if b.Plan == nil {
		return
	}
	r.Cells[3].Text = t.took(f)
	r.Cells[4].Text = cmp.Or(f.sum.Short(look.ascii), "–")
	r.Cells[5].Text = t.time(b.Plan.Watermark)
	for c := max(r.From, fixed); c < min(r.To, fixed+len(t.columns)); c++ {
		r.Cells[c].Text = f.part(t.columns[c-fixed])
	}
}

// took is the time from the plan to the commit, where the times that the store reports can be
// believed: a copy has new ones. They can when commits lie between the plans around them.
func (t *timeline) took(f *batchFacts) string {
	mine, before := t.s.cp.Commits.Find(f.b.ID), t.s.cp.Commits.Find(f.b.ID-1)
	planned := f.b.Timestamp()
	if mine == nil || mine.Modified == 0 || planned == 0 || mine.Modified < planned {
		return "–"
	}
	if next := f.after.Timestamp(); next != 0 {
		if mine.Modified > next+999 { // some stores report whole seconds
			return "–"
		}
	} else if before == nil || before.Modified == 0 || before.Modified > planned+999 {
		return "–"
	}
	return span(mine.Modified - planned)
}

// part is what the batch reads of one part: "1200 → 1350".
func (f *batchFacts) part(c partColumn) string {
	if c.source >= len(f.ranges) {
		return "·"
	}
	i, ok := f.index[c.source][c.name]
	if !ok {
		return "·"
	}
	from, to := positions(f.ranges[c.source][i])
	if from == to {
		return to + "  ="
	}
	return from + " → " + to
}

package batches

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (t *model) View(w, h int) []string {
	if t.Session.Checkpoint == nil {
		return []string{"", "   … the checkpoint is being opened"}
	}
	if len(t.rows) == 0 {
		return t.empty(w)
	}
	head := fmt.Sprintf(" %s, newest first · a → b: reads from a up to b · =: nothing new", phrase.Units(t.batches, "batches"))
	if t.Filtering() {
		head = " " + kit.FilterLine(&t.Session.Theme, &t.filter, fmt.Sprintf("%d of %d rows; looks at numbers and the words missing, unplanned, uncommitted", t.len(), len(t.rows)))
	} else if t.Err != nil {
		head = " " + t.Session.Theme.Unknown.Styled("? no more is read: "+kit.Safe(t.Err.Error())) + t.Session.WithKeys("   %s reads again", kit.Keys.Reread)
	}
	if len(t.marked) > 0 && !t.Filtering() {
		head = t.markedWords()
	}
	lines := append(t.plotLines(w), t.Session.Theme.Dim.Styled(head))
	from, to := t.table.Window(t.len(), h-len(lines)-1)
	t.zone = kit.Zone{Top: len(lines) + 1, Width: w, From: from, To: to}
	return append(lines, t.table.View(t, w, h-len(lines))...)
}

// RowAt returns the row at a cell and a line of the screen.
func (t *model) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = t.zone.RowAt(x, y)
	return row, row == t.table.At, ok
}

// Filtering reports whether a filter is typed or set.
func (t *model) Filtering() bool { return t.filter.Typing || t.filter.Pattern != "" }

// markedWords say what is marked and what that is for.
func (t *model) markedWords() string {
	if len(t.marked) == 1 {
		return fmt.Sprintf(" * %d is marked · %s compares it with the batch under the cursor · %s marks another", t.marked[0], t.Session.FirstKey(kit.Keys.Compare), t.Session.FirstKey(kit.Keys.Mark))
	}
	return fmt.Sprintf(" * %d and %d are marked · %s compares them", min(t.marked[0], t.marked[1]), max(t.marked[0], t.marked[1]), t.Session.FirstKey(kit.Keys.Compare))
}

// The plot has all its lines where the table keeps most of the screen, and the fewest lines elsewhere.
const (
	plotRoom  = 26 // lines of a screen from which on the plot has all its lines
	plotLeast = 14 // and below which there is none
)

func (t *model) plotDetail() kit.PlotDetail {
	if t.h < plotRoom {
		return kit.PlotBrief
	}
	return kit.PlotFull
}

// plotHeight is how many lines the plot takes.
func (t *model) plotHeight() int {
	if len(t.rows) == 0 || t.h < plotLeast {
		return 0
	}
	n := t.plot.Height(t.Session, t.plotDetail())
	if t.plot.Overall != nil {
		n++
	}
	return n
}

// plotLines is the plot with the selected batch marked.
func (t *model) plotLines(w int) []string {
	if t.plotHeight() == 0 {
		return nil
	}
	plot := t.plot.Draw(&t.BatchLoader, t.rows, names, t.plotDetail(), true)
	return kit.Fill(kit.Indent1(append(t.plot.All(t.Session, names), plot.View(w-1)...)), t.plotHeight())
}

func (t *model) empty(w int) []string {
	c := t.Session.Checkpoint
	lines := []string{"", " " + t.Session.Theme.Strong.Styled("NO BATCHES")}
	text := "Neither offsets nor commits holds a batch. A query that was never started has none; so has a folder that is no checkpoint, or a copy that left the logs out."
	for _, d := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if d.Err != nil {
			text = fmt.Sprintf("%s could not be listed: %s. Whether there are batches is not known.", d.Name, kit.Safe(d.Err.Error()))
		}
	}
	return append(lines, kit.Indent(phrase.Wrap(text, w-6))...)
}

// Len and Row make it the rows of its table.
func (t *model) Len() int { return len(t.rows) }

func (t *model) Row(i int, r *widget.Row) {
	row, look := t.rows[i], &t.Session.Theme
	if row.Missing > 0 {
		r.Style = look.Strong // whether that is damage is for the findings to say
		r.Note = "╌╌╌ " + page.MissingBatches(t.Session.Checkpoint, row.ID, row.ID+row.Missing-1) + " ╌╌╌"
		return
	}
	r.Cells[0].Text = strconv.FormatInt(row.ID, 10)
	if slices.Contains(t.marked, row.ID) {
		r.Cells[0].Text = "* " + r.Cells[0].Text
	}
	r.Cells[1] = t.committed(row.ID)
	f := t.Facts(row.ID)
	if f == nil {
		r.Cells[2] = widget.Cell{Text: "…", Style: look.Dim}
		return
	}
	t.fill(f, r)
}

// committed is whether a batch is committed and, where an output is looked at, whether it is there.
func (t *model) committed(id int64) widget.Cell {
	c, look := &t.Session.Checkpoint.Commits, &t.Session.Theme
	cell := look.YesNo(c.Find(id) != nil)
	if c.Find(id) == nil && c.Err != nil {
		cell = widget.Cell{Text: "?", Style: look.Unknown}
	}
	if t.Session.Examine.Sink == nil {
		return cell
	}
	there := look.InOutput(t.Session.Verdict.Sink, id)
	if c.Find(id) != nil {
		cell.Style = there.Style
	}
	cell.Text = phrase.Fit(cell.Text, 6) + "  " + there.Text
	return cell
}

func (t *model) fill(f *kit.BatchFacts, r *widget.Row) {
	look, b := &t.Session.Theme, f.B
	r.Cells[2] = look.Cell(page.Planned(t.Session.Checkpoint, b, t.time))
	r.Cells[2].Wide = b.Plan == nil
	if b.Plan == nil {
		return
	}
	r.Cells[3].Text = t.took(f)
	r.Cells[4].Text = cmp.Or(look.Signs(f.Sum.Short()), "–")
	r.Cells[5].Text = t.time(b.Plan.Watermark)
	for c := max(r.From, fixed); c < min(r.To, fixed+len(t.columns)); c++ {
		r.Cells[c].Text = f.Part(t.columns[c-fixed])
	}
}

// took is the time from the plan to the commit, where the times that the store reports can be
// believed: a copy has new ones. They can when commits lie between the plans around them.
func (t *model) took(f *kit.BatchFacts) string {
	mine, before := t.Session.Checkpoint.Commits.Find(f.B.ID), t.Session.Checkpoint.Commits.Find(f.B.ID-1)
	planned := f.B.Timestamp()
	if mine == nil || mine.Modified == 0 || planned == 0 || mine.Modified < planned {
		return "–"
	}
	if next := f.After.Timestamp(); next != 0 {
		if mine.Modified > next+999 { // some stores report whole seconds
			return "–"
		}
	} else if before == nil || before.Modified == 0 || before.Modified > planned+999 {
		return "–"
	}
	return phrase.Span(mine.Modified - planned)
}

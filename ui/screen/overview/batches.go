package overview

import (
	"strconv"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// batchesPanel is the newest batches.
func (o *model) batchesPanel() *kit.Panel {
	if len(o.rows) == 0 {
		return nil
	}
	o.fit()
	return &kit.Panel{ID: batchesID, Title: "Newest batches", Opens: kit.Keys.Batches, Rank: 6, Grow: o.w >= kit.ThreeColumns,
		Rows: kit.TableRows(&o.newest, newestRows{o})}
}

// newestShown is how many batches the panel has.
func (o *model) newestShown() int {
	n := 10
	if o.w >= kit.ThreeColumns {
		n = 50
	}
	return min(len(o.rows), n)
}

// batchesShown are the batches of the panel, and the one before them, newest first.
func (o *model) batchesShown() (ids []int64) {
	for _, row := range o.rows[:min(o.newestShown()+1, len(o.rows))] {
		if row.Missing == 0 {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// The columns before those of partitions.
const (
	colBatch = iota
	colCommitted
	colStarted
	colInterval
	colRead
	colBehind
	fixedColumns
)

// partColumns is how many columns of partitions there are at most.
const partColumns = 12

// fit makes the columns as wide as what is in them. A column that is empty in every row is hidden.
func (o *model) fit() {
	o.newest.Columns = []widget.Column{{Title: "batch", Right: true}, {Title: "committed"}, {Title: "started"}, {Title: "interval", Right: true},
		{Title: "read", Right: true}, {Title: "behind", Right: true}}
	o.parts = o.partsShown()
	for _, c := range o.parts {
		o.newest.Columns = append(o.newest.Columns, widget.Column{Title: kit.PartOf(c.Source, c.Name)})
	}
	row := widget.Row{Cells: make([]widget.Cell, len(o.newest.Columns)), From: 1, To: len(o.newest.Columns)}
	for i := range o.newestShown() {
		clear(row.Cells)
		row.Note = ""
		newestRows{o}.Row(i, &row)
		for c := range row.Cells {
			if n := phrase.Width(row.Cells[c].Text); n > 0 && !row.Cells[c].Wide {
				o.newest.Columns[c].Width = max(o.newest.Columns[c].Width, n, phrase.Width(o.newest.Columns[c].Title))
			}
		}
	}
	o.newest.Columns[colBatch].Width = max(o.newest.Columns[colBatch].Width, 5) + 1
}

// partsShown are the partitions of the newest batch that has any.
func (o *model) partsShown() (all []kit.PartColumn) {
	for _, row := range o.rows[:o.newestShown()] {
		f := o.Facts(row.ID)
		if f == nil {
			continue
		}
		for i, ranges := range f.Ranges {
			for _, r := range ranges[:min(len(ranges), partColumns-len(all))] {
				all = append(all, kit.PartColumn{Source: i, Name: r.Part})
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// newestRows are the rows of the panel.
type newestRows struct{ o *model }

func (x newestRows) Len() int { return x.o.newestShown() }

func (x newestRows) Row(i int, r *widget.Row) {
	o, t, row := x.o, &x.o.Session.Theme, x.o.rows[i]
	if row.Missing > 0 {
		r.Style = t.Role(o.GapRole(row))
		r.Note = t.Signs("╌╌╌ ") + page.MissingBatches(o.Session.Checkpoint, row.ID, row.ID+row.Missing-1) + t.Signs(" ╌╌╌")
		return
	}
	r.Cells[colBatch].Text = strconv.FormatInt(row.ID, 10)
	r.Cells[colCommitted] = o.committed(row.ID)
	f := o.Facts(row.ID)
	switch {
	case f == nil:
		r.Cells[colStarted] = widget.Cell{Text: t.Signs("…"), Style: t.Dim}
		return
	case f.B.Plan == nil:
		r.Cells[colStarted] = t.Cell(page.Planned(o.Session.Checkpoint, f.B, o.Session.Clock.Full))
		r.Cells[colStarted].Wide = true
		return
	}
	r.Cells[colStarted] = t.Cell(page.Planned(o.Session.Checkpoint, f.B, o.Session.Clock.Full))
	if ms, ok := f.Interval(); ok && ms >= 0 {
		r.Cells[colInterval].Text = phrase.Span(ms)
	}
	r.Cells[colRead].Text = t.Signs(phrase.Or(f.Sum.Short(), "?"))
	if behind, ok := kit.LagOf(f.B); ok && behind >= 0 {
		r.Cells[colBehind].Text = phrase.Span(behind)
	}
	for i, c := range o.parts {
		if at := fixedColumns + i; at >= r.From && at < r.To {
			r.Cells[at].Text = t.Signs(f.Part(c))
		}
	}
}

// committed is whether a batch is committed.
func (o *model) committed(id int64) widget.Cell {
	s, t := o.Session, &o.Session.Theme
	switch {
	case s.Committed(id):
		return widget.Cell{Text: t.Signs("✓ yes"), Style: t.Good}
	case s.Checkpoint.Commits.Err != nil:
		return widget.Cell{Text: "?", Style: t.Unknown}
	case o.Waits(id):
		return widget.Cell{Text: "! no", Style: t.Warn}
	}
	return widget.Cell{Text: "no"}
}

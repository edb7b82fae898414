package overview

import (
	"cmp"
	"strconv"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// batchesPanel is the newest batches, or those around the one that is shown.
func (o *model) batchesPanel() *kit.Panel {
	if len(o.rows) == 0 {
		return nil
	}
	o.setColumns()
	return &kit.Panel{ID: batchesID, Title: "Newest batches", Opens: kit.Keys.Batches, Rank: 5, Grow: o.w >= kit.ThreeColumns,
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
	colPlanned
	colAfter
	colReads
	colWatermark
	colBehind
	fixedColumns
)

// partColumns is how many columns of partitions there are at most.
const partColumns = 12

// setColumns makes the columns for what the newest batches have: a column that is empty in every row is hidden.
func (o *model) setColumns() {
	o.newest.Columns = []widget.Column{{Title: "batch", Width: 8, Right: true}, {Title: "committed", Width: 9}, {Title: "planned", Width: 20},
		{Title: "after", Width: 10}, {Title: "reads", Width: 16, Right: true}, {}, {}}
	shown := o.rows[:o.newestShown()]
	for i := range shown {
		f := o.Facts(shown[i].ID)
		if f == nil || f.B.Plan == nil {
			continue
		}
		if f.B.Plan.Watermark != 0 {
			o.newest.Columns[colWatermark] = widget.Column{Title: "watermark", Width: 20}
			o.newest.Columns[colBehind] = widget.Column{Title: "behind", Width: 10}
		}
	}
	for _, c := range o.parts() {
		o.newest.Columns = append(o.newest.Columns, widget.Column{Title: kit.PartOf(c.Source, c.Name), Width: 18})
	}
}

// parts are the partitions of the newest batch that has any.
func (o *model) parts() (all []kit.PartColumn) {
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
		r.Style = t.Bad
		r.Note = t.Signs("╌╌╌ ") + page.MissingBatches(o.Session.Checkpoint, row.ID, row.ID+row.Missing-1) + t.Signs(" ╌╌╌")
		return
	}
	r.Cells[colBatch].Text = strconv.FormatInt(row.ID, 10)
	r.Cells[colCommitted] = committed(o.Session, row.ID)
	f := o.Facts(row.ID)
	if f == nil {
		r.Cells[colPlanned] = widget.Cell{Text: t.Signs("…"), Style: t.Dim}
		return
	}
	r.Cells[colPlanned] = t.Cell(page.Planned(o.Session.Checkpoint, f.B, o.Session.Clock.Full))
	if r.Cells[colPlanned].Wide = f.B.Plan == nil; f.B.Plan == nil {
		return
	}
	if a, b := f.Before.Timestamp(), f.B.Timestamp(); a != 0 && b > a {
		r.Cells[colAfter].Text = phrase.Span(b - a)
	}
	r.Cells[colReads].Text = cmp.Or(t.Signs(f.Sum.Short()), t.Signs("–"))
	if mark := f.B.Plan.Watermark; mark != 0 {
		r.Cells[colWatermark].Text = o.Session.Clock.Full(mark)
		if behind, ok := kit.LagOf(f.B); ok && behind >= 0 {
			r.Cells[colBehind].Text = phrase.Span(behind)
		}
	}
	for i, c := range o.parts() {
		r.Cells[fixedColumns+i].Text = t.Signs(f.Part(c))
	}
}

// committed is whether a batch is committed.
func committed(s *kit.Session, id int64) widget.Cell {
	t := &s.Theme
	switch {
	case s.Committed(id):
		return widget.Cell{Text: t.Signs("✓ yes"), Style: t.Good}
	case s.Checkpoint.Commits.Err != nil:
		return widget.Cell{Text: "?", Style: t.Unknown}
	}
	return widget.Cell{Text: "! no", Style: t.Warn}
}

package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Timeline is the batches as lanes of columns: a column a batch, the newest on the right, and below each other whether it is
// committed, what it reads, the time since the batch before it, how far its watermark is behind, and how large the state files
// of its version are. If there are more batches than columns, a lane above them has all of them, from the listing alone.
//
//	all batches  ━━━━━━━━━━━━━━✗━━━━━━━━━━━━   1,000 batches per column
//	committed    ━━━━━━━━━━━━━━✗━━━━━━━━━━━!   ✗ batch 12 missing · ! batch 25 uncommitted
//	records read ▂▃▃▃▂▃▅▇▅▃▃▂ ▂▃▃▃▄▃▃▂▂▃▃▃▃▂   at most 252 per batch
//	             0 08:06:00     10:11:00 25 ▲  2026-03-02 UTC
type Timeline struct {
	Window  widget.Cursor // over rows, newest first: At is the marked one, Height the columns
	cells   int           // of a column
	overall []widget.Sign // of all batches, oldest first; nil where they all have a column
	per     int           // rows in a column of overall
	final   bool          // overall has what all checks found
}

const (
	timelineNames = 12  // cells for the names of the lanes
	timelineWords = 33  // cells for the words behind the columns
	plotReads     = 60  // columns at most where the log is long: each costs reading a batch
	shortLog      = 256 // rows up to which a log is short: the examination has read it all
	plotColumns   = 120 // columns at most
)

// Layout gives a timeline its columns in a panel whose text has w cells.
func (p *Timeline) Layout(g *BatchLoader, rows []BatchRow, w int) {
	room := max(min(w-timelineNames-timelineWords-3, plotColumns*2), 1)
	most := plotColumns
	if len(rows) > shortLog {
		most = plotReads
	}
	cells := 1
	switch fit := min(len(rows), most); {
	case w+4 >= ThreeColumns && fit*4 <= room:
		cells = 4
	case w+4 >= Wide && fit*2 <= room:
		cells = 2
	}
	columns := max(min(room/cells, most), 1)
	final := g.Session.Verdict.Done
	if columns == p.Window.Height && cells == p.cells && (p.overall != nil) == (len(rows) > columns) && (p.overall == nil || final == p.final) {
		return
	}
	p.Window.Height, p.cells, p.final = columns, cells, final
	p.Window.Go(p.Window.At, len(rows))
	p.overall = nil
	if g.Session.Checkpoint != nil && len(rows) > columns {
		p.overall, p.per = overall(g, rows, columns)
	}
}

// overall is one sign for each of no more than columns runs of rows. It looks at every row, so it is made
// once for a width.
func overall(g *BatchLoader, rows []BatchRow, columns int) (signs []widget.Sign, per int) {
	per = (len(rows) + columns - 1) / columns
	signs = make([]widget.Sign, (len(rows)+per-1)/per)
	for i, r := range rows {
		at := len(signs) - 1 - i/per
		if s := g.sign(r); signs[at] == widget.Unknown || worse(s, signs[at]) {
			signs[at] = s
		}
	}
	return signs, per
}

// worse reports whether a is what one of many should be seen by, and not b.
func worse(a, b widget.Sign) bool {
	order := map[widget.Sign]int{widget.Lost: 5, widget.Gap: 4, widget.Open: 3, widget.Hole: 2, widget.Unknown: 1}
	return order[a] > order[b]
}

// window is which rows have a column.
func (p *Timeline) window(rows []BatchRow) (from, to int) {
	return p.Window.Window(len(rows), p.Window.Height)
}

// Wants are the batches to read for a timeline: those that have a column.
func (p *Timeline) Wants(rows []BatchRow) []int64 {
	from, to := p.window(rows)
	ids := make([]int64, 0, to-from+1)
	for i := from; i < min(to+1, len(rows)); i++ { // one more: the start of the oldest is recorded in the one before
		if rows[i].Missing == 0 {
			ids = append(ids, rows[i].ID)
		}
	}
	return ids
}

// RowAt is the row whose column is at a cell of a line; false for none.
func (p *Timeline) RowAt(x int, rows []BatchRow) (row int, ok bool) {
	from, to := p.window(rows)
	row = to - 1 - (x-timelineNames-1)/max(p.cells, 1)
	return row, x > timelineNames && row >= from
}

// LagOf is how far the watermark of a batch was behind its start, in ms; below 0 where it was ahead.
func LagOf(b *checkpoint.Batch) (ms int64, ok bool) {
	if b == nil || b.Plan == nil || b.Plan.Watermark == 0 || b.Plan.Timestamp == 0 {
		return 0, false
	}
	return b.Plan.Timestamp - b.Plan.Watermark, true
}

// noWatermark reports whether the offset file of a batch says that it has no watermark.
func noWatermark(f *BatchFacts) bool {
	return f.B.Plan != nil && f.B.Plan.HasMetadata && f.B.Plan.Watermark == 0
}

// Lines draws the timeline of rows in lines of no more than w cells, and no more than n of them: first the lane of the logs,
// then that of what is read, the axis, and the others. marked puts a mark below the row at the cursor of the window.
func (p *Timeline) Lines(g *BatchLoader, rows []BatchRow, w, n int, marked bool) []string {
	if len(rows) == 0 || n <= 0 {
		return nil
	}
	t, s := &g.Session.Theme, g.Session
	from, to := p.window(rows)
	plot := widget.Plot{Name: timelineNames, Cells: p.cells, At: -1, Palette: t.Palette(), Looks: t.signLooks()}
	room := w - timelineNames - (to-from)*p.cells - 3
	var head []string
	if p.overall != nil && n >= allFrom {
		head = p.all(s, w, marked)
		n--
	}
	logs := widget.PlotLine{Name: "committed", Signs: make([]widget.Sign, 0, to-from)}
	for i := to - 1; i >= from; i-- {
		logs.Signs = append(logs.Signs, g.sign(rows[i]))
	}
	logs.Words = logWords(rows[from:to], logs.Signs, room, t)
	plot.Lines = append(plot.Lines, logs)
	for i := range lanes {
		if n >= lanes[i].from {
			plot.Lines = append(plot.Lines, p.lane(g, rows[from:to], &lanes[i]))
		}
	}
	if len(s.StateSizes) > 0 && n >= stateFrom {
		plot.Lines = append(plot.Lines, p.state(s, rows[from:to]))
	}
	if n >= axisFrom {
		p.axis(&plot, g, rows, marked)
	}
	return append(head, plot.View(w)...)
}

// signLooks are the styles of columns that are no values.
func (t *Theme) signLooks() map[widget.Sign]widget.Style {
	return map[widget.Sign]widget.Style{widget.Lost: t.Bad, widget.Gap: t.Warn, widget.Hole: t.Dim, widget.Open: t.Warn,
		widget.Unread: t.Edge, widget.Below: t.Warn, widget.Here: t.Accent}
}

// axis names the oldest, the newest and the marked batch, with their times.
func (p *Timeline) axis(plot *widget.Plot, g *BatchLoader, rows []BatchRow, marked bool) {
	from, to := p.window(rows)
	var days [2]string
	for i, r := range []BatchRow{rows[to-1], rows[from]} {
		plot.Ends[i].Name = rowName(r)
		if f := g.Facts(r.ID); f != nil && f.B.Timestamp() != 0 && r.Missing == 0 {
			days[i], plot.Ends[i].Note, _ = DayAndTime(g.Session.Clock, f.B.Timestamp())
		}
	}
	if to-from < 2 {
		plot.Ends[1] = widget.Tick{}
	}
	plot.Words = cmp.Or(days[0], days[1])
	if plot.Words != "" && days[1] != "" && days[0] != days[1] {
		plot.Words += " to " + days[1]
	}
	if plot.Words != "" && !g.Session.Clock.Local {
		plot.Words += " UTC"
	}
	if marked && p.Window.At >= from && p.Window.At < to {
		plot.At = to - 1 - p.Window.At
		if plot.At > 0 && plot.At < to-from-1 {
			plot.Tag = rowName(rows[p.Window.At])
		}
	}
}

// ShortUnit is a unit in one word.
func ShortUnit(unit string) string { return strings.TrimPrefix(unit, "log ") }

// state is the lane of the state files of the version that a batch writes.
func (p *Timeline) state(s *Session, rows []BatchRow) widget.PlotLine {
	line := widget.PlotLine{Name: "state files", Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)),
		Style: s.Theme.Plot}
	for i, r := range rows {
		at := len(rows) - 1 - i
		if n, ok := s.StateSizes[r.ID+1]; ok && r.Missing == 0 {
			line.Values[at], line.Signs[at] = n, widget.Value
		}
	}
	if top, ok := line.Top(); ok {
		line.Words = "up to " + phrase.Bytes(top) + " per batch"
	}
	return line
}

// all is the lane of all batches; the column of the marked one shows the mark if there is nothing worse in it.
func (p *Timeline) all(s *Session, w int, marked bool) []string {
	line := widget.PlotLine{Name: "all batches", Signs: p.overall, Words: phrase.Units(int64(p.per), "batches") + " per column"}
	if at := len(p.overall) - 1 - p.Window.At/p.per; marked && p.overall[at] == widget.Normal {
		line.Signs = slices.Clone(p.overall)
		line.Signs[at] = widget.Here
	}
	plot := widget.Plot{Name: timelineNames, At: -1, Lines: []widget.PlotLine{line}, Palette: s.Theme.Palette(), Looks: s.Theme.signLooks()}
	return plot.View(w)
}

// rowName is a row of batches by its numbers.
func rowName(r BatchRow) string {
	if r.Missing > 1 {
		return fmt.Sprintf("%d–%d", r.ID, r.ID+r.Missing-1)
	}
	return strconv.FormatInt(r.ID, 10)
}

// SizesByVersion is how large the files of each version of state are together, over all operators, partitions
// and stores, as the listing has them: deltas, changelogs and snapshots of that version. It looks at every
// file, so it is worked out once.
func SizesByVersion(list []statestore.Operator) map[int64]int64 {
	sizes := map[int64]int64{}
	for i := range list {
		for _, p := range list[i].Partitions {
			for _, s := range p.Stores {
				for _, f := range s.Files {
					sizes[f.Version] += f.Size
				}
			}
		}
	}
	return sizes
}

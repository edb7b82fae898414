package kit

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// The batches as a plot: a column a batch, the newest on the right, and line under line what the log has of
// it, what it reads, how long after the batch before it was planned, how far its watermark was behind, and
// how large the state files of its version are. Above them, where there are more batches than columns, a
// line over all of them, which the listing alone tells.
//
//	all       ━━━━━━━━━━━━━━╌━━━━━━━━━━━━▲  1,000 batches a column
//	log       ━━━━━━━━━━━╌━━━━━━━━━━━━━━━✗  ✗ not committed  ╌ missing
//	reads     ▂▃▃▃▂▃▅▇▅▃▃╌▂▂▃▃▃▄▃▃▂▂▃▃▃▃▂  max 252 records
//	                                     ▲ 120

// TimePlot is a window of columns on rows of batches.
type TimePlot struct {
	Window  widget.Cursor // over rows, newest first: At is the marked one, Height the columns
	Overall []widget.Sign // of all batches, oldest first; nil where they all have a column
	per     int           // rows in a column of overall
}

const (
	plotReads   = 60  // columns at most where the log is long: each costs reading a batch
	shortLog    = 256 // rows up to which a log is short: the examination has read it whole
	plotColumns = 120 // columns at most
	PlotWords   = 28  // cells for the words behind the columns
)

// Layout gives a plot its columns on w cells, behind names of some cells.
func (p *TimePlot) Layout(c *checkpoint.Checkpoint, rows []BatchRow, w, names int) {
	columns := max(min(w-names-PlotWords-3, plotColumns), 1)
	if len(rows) > shortLog {
		columns = min(columns, plotReads)
	}
	if columns == p.Window.Height && (p.Overall != nil) == (len(rows) > columns) {
		return
	}
	p.Window.Height = columns
	p.Window.Go(p.Window.At, len(rows))
	p.Overall = nil
	if c != nil && len(rows) > columns {
		p.Overall, p.per = overall(c, rows, columns)
	}
}

// overall is one sign for each of no more than columns runs of rows. It looks at every row, so it is made
// once for a width.
func overall(c *checkpoint.Checkpoint, rows []BatchRow, columns int) (signs []widget.Sign, per int) {
	per = (len(rows) + columns - 1) / columns
	signs = make([]widget.Sign, (len(rows)+per-1)/per)
	for i, r := range rows {
		at := len(signs) - 1 - i/per
		if s := logSign(c, r); signs[at] == widget.Unknown || worse(s, signs[at]) {
			signs[at] = s
		}
	}
	return signs, per
}

// logSign is what the listing of the logs says of a row.
func logSign(c *checkpoint.Checkpoint, r BatchRow) widget.Sign {
	switch {
	case r.Missing > 0:
		return widget.Hole
	case c.Offsets.Find(r.ID) == nil:
		return widget.Half
	case c.Commits.Find(r.ID) == nil && c.Commits.Err != nil:
		return widget.Unknown
	case c.Commits.Find(r.ID) == nil:
		return widget.Mark
	}
	return widget.Normal
}

// worse reports whether a is what one of many should be seen by, and not b.
func worse(a, b widget.Sign) bool {
	order := map[widget.Sign]int{widget.Hole: 4, widget.Half: 3, widget.Mark: 2, widget.Unknown: 1}
	return order[a] > order[b]
}

// Wants are the batches to read for a plot: those that have a column.
func (p *TimePlot) Wants(rows []BatchRow) []int64 {
	from, to := p.Window.Window(len(rows), p.Window.Height)
	ids := make([]int64, 0, to-from+1)
	for i := from; i < min(to+1, len(rows)); i++ { // one more: where the oldest begins is written in the one before
		if rows[i].Missing == 0 {
			ids = append(ids, rows[i].ID)
		}
	}
	return ids
}

// PlotDetail is how many lines a plot has.
type PlotDetail int

const (
	PlotOne   PlotDetail = iota // only what the batches read
	PlotBrief                   // what matters most
	PlotFull
)

// plotSeries is what a line of the plot shows of a batch.
type plotSeries struct {
	name  string
	of    func(f *BatchFacts) (v int64, ok bool)
	words func(f *BatchFacts, top int64) string // f is of a batch with a value
	from  PlotDetail                            // from which on it is drawn
	none  func(f *BatchFacts) bool              // reports that a batch is known to have none; nil where that cannot be
	empty string                                // what is said where every batch is known to have none
}

// plotSeriesAll are the lines below that of the log, in their order.
var plotSeriesAll = []plotSeries{
	{"reads", func(f *BatchFacts) (int64, bool) { return f.count, f.counted },
		func(f *BatchFacts, top int64) string { return phrase.Units(top, f.unit) }, PlotOne, nil, ""},
	{"every", func(f *BatchFacts) (int64, bool) {
		a, b := f.Before.Timestamp(), f.B.Timestamp()
		return b - a, a != 0 && b != 0
	}, func(_ *BatchFacts, top int64) string { return phrase.Span(top) + " between plans" }, PlotFull, nil, ""},
	{"lag", func(f *BatchFacts) (int64, bool) { return LagOf(f.B) },
		func(_ *BatchFacts, top int64) string { return phrase.Span(top) + ", watermark" }, PlotBrief, noWatermark, "no watermark"},
}

// LagOf is how far the watermark of a batch was behind its plan, in ms; below 0 where it was ahead.
func LagOf(b *checkpoint.Batch) (ms int64, ok bool) {
	if b == nil || b.Plan == nil || b.Plan.Watermark == 0 || b.Plan.Timestamp == 0 {
		return 0, false
	}
	return b.Plan.Timestamp - b.Plan.Watermark, true
}

// noWatermark reports whether the plan of a batch says that it has no watermark.
func noWatermark(f *BatchFacts) bool {
	return f.B.Plan != nil && f.B.Plan.HasMetadata && f.B.Plan.Watermark == 0
}

// Draw makes the plot of rows: with as many lines as d says. at marks the row of the
// window, which is named by its batch.
func (p *TimePlot) Draw(g *BatchLoader, rows []BatchRow, names int, d PlotDetail, at bool) widget.Plot {
	t, s := &g.Session.Theme, g.Session
	from, to := p.Window.Window(len(rows), p.Window.Height)
	out := widget.Plot{Name: names, At: -1, Palette: t.Palette()}
	if at && p.Window.At < len(rows) {
		out.At, out.Tag = to-1-p.Window.At, rowName(rows[p.Window.At])
	}
	log := widget.PlotLine{Name: "log", Signs: make([]widget.Sign, 0, to-from)}
	for i := to - 1; i >= from; i-- {
		log.Signs = append(log.Signs, logSign(s.Checkpoint, rows[i]))
	}
	log.Words = logWords(log.Signs)
	if d > PlotOne {
		out.Lines = append(out.Lines, log)
	}
	for _, series := range plotSeriesAll {
		if d >= series.from {
			out.Lines = append(out.Lines, p.line(g, rows[from:to], &series))
		}
	}
	if len(s.StateSizes) > 0 && d == PlotFull {
		out.Lines = append(out.Lines, p.state(s, rows[from:to]))
	}
	return out
}

// Height is how many lines there are with a mark below them, without those of all.
func (p *TimePlot) Height(s *Session, d PlotDetail) int {
	n := 2
	for _, series := range plotSeriesAll {
		if d >= series.from {
			n++
		}
	}
	if len(s.StateSizes) > 0 && d == PlotFull {
		n++
	}
	return n
}

// line is one line over rows, the oldest first. Of batches that count in other units than the newest one
// nothing is drawn: they have another scale.
func (p *TimePlot) line(g *BatchLoader, rows []BatchRow, series *plotSeries) widget.PlotLine {
	line := widget.PlotLine{Name: series.name, Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)),
		Style: g.Session.Theme.Info}
	var newest *BatchFacts
	below, upper, none := 0, false, series.none != nil
	for i := range rows {
		at := len(rows) - 1 - i
		if rows[i].Missing > 0 {
			line.Signs[at] = widget.Hole
			continue
		}
		f := g.Facts(rows[i].ID)
		if f == nil {
			none = false
			continue
		}
		v, ok := series.of(f)
		if !ok {
			none = none && series.none(f)
			continue
		}
		if newest == nil {
			newest = f
		} else if series.name == "reads" && f.unit != newest.unit {
			continue
		}
		upper = upper || series.name == "reads" && f.upper
		if line.Values[at], line.Signs[at] = v, widget.Value; v < 0 {
			line.Signs[at] = widget.Below
			below++
		}
	}
	switch top, ok := line.Top(); {
	case ok:
		line.Words = "max " + map[bool]string{true: g.Session.Theme.Signs("≤ ")}[upper] + series.words(newest, top)
	case g.Reading || newest == nil && g.Err == nil && len(g.loaded) == 0:
		line.Words = "…"
	case none && newest == nil:
		line.Words = series.empty
	case below == 0:
		line.Words = "not known"
	}
	if below > 0 {
		line.Words += fmt.Sprintf(" ↓ %d below 0", below)
	}
	return line
}

// state is the line of the state files of the version that a batch writes.
func (p *TimePlot) state(s *Session, rows []BatchRow) widget.PlotLine {
	line := widget.PlotLine{Name: "state", Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)), Style: s.Theme.Info}
	for i, r := range rows {
		at := len(rows) - 1 - i
		if n, ok := s.StateSizes[r.ID+1]; r.Missing > 0 {
			line.Signs[at] = widget.Hole
		} else if ok {
			line.Values[at], line.Signs[at] = n, widget.Value
		}
	}
	if top, ok := line.Top(); ok {
		line.Words = "max " + phrase.Bytes(top) + " of files"
	}
	return line
}

// All is the line over all batches, with a sign where the marked row is; nothing where every batch has a
// column below.
func (p *TimePlot) All(s *Session, names int) []string {
	if p.Overall == nil {
		return nil
	}
	line := widget.PlotLine{Name: "all", Signs: p.Overall, Words: phrase.Units(int64(p.per), "batches") + " a column"}
	plot := widget.Plot{Name: names, At: len(p.Overall) - 1 - p.Window.At/p.per, Lines: []widget.PlotLine{line}, Palette: s.Theme.Palette()}
	return plot.View(names + len(p.Overall) + PlotWords + 3)[:1]
}

// logWords name the signs that a line of the log holds.
func logWords(signs []widget.Sign) string {
	have := map[widget.Sign]bool{}
	for _, s := range signs {
		have[s] = true
	}
	words := ""
	for _, w := range []struct {
		sign widget.Sign
		text string
	}{{widget.Mark, "✗ not committed"}, {widget.Hole, "╌ missing"}, {widget.Half, "! no plan"}} {
		if have[w.sign] {
			words += "  " + w.text
		}
	}
	if words == "" && have[widget.Normal] {
		return "━ committed"
	}
	if words == "" {
		return ""
	}
	return words[2:]
}

// rowName is a row of batches in a few characters.
func rowName(r BatchRow) string {
	if r.Missing > 1 {
		return fmt.Sprintf("%d … %d missing", r.ID, r.ID+r.Missing-1)
	}
	if r.Missing > 0 {
		return fmt.Sprintf("%d missing", r.ID)
	}
	return fmt.Sprintf("batch %d", r.ID)
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

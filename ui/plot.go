package ui

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/report"
	"tidemark/ui/widget"
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

// timePlot is a window of columns on rows of batches.
type timePlot struct {
	window  widget.Cursor // over rows, newest first: At is the marked one, Height the columns
	overall []widget.Sign // of all batches, oldest first; nil where they all have a column
	per     int           // rows in a column of overall
}

const (
	plotReads   = 60  // columns at most where the log is long: each costs reading a batch
	shortLog    = 256 // rows up to which a log is short: the examination has read it whole
	plotColumns = 120 // columns at most
	plotWords   = 28  // cells for the words behind the columns
)

// lay gives a plot its columns on w cells, behind names of some cells.
func (p *timePlot) lay(c *checkpoint.Checkpoint, rows []batchRow, w, names int) {
	columns := max(min(w-names-plotWords-3, plotColumns), 1)
	if len(rows) > shortLog {
		columns = min(columns, plotReads)
	}
	if columns == p.window.Height && (p.overall != nil) == (len(rows) > columns) {
		return
	}
	p.window.Height = columns
	p.window.Go(p.window.At, len(rows))
	p.overall = nil
	if c != nil && len(rows) > columns {
		p.overall, p.per = overall(c, rows, columns)
	}
}

// overall is one sign for each of no more than columns runs of rows. It looks at every row, so it is made
// once for a width.
func overall(c *checkpoint.Checkpoint, rows []batchRow, columns int) (signs []widget.Sign, per int) {
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
func logSign(c *checkpoint.Checkpoint, r batchRow) widget.Sign {
	switch {
	case r.missing > 0:
		return widget.Hole
	case c.Offsets.Find(r.id) == nil:
		return widget.Half
	case c.Commits.Find(r.id) == nil && c.Commits.Err != nil:
		return widget.Unknown
	case c.Commits.Find(r.id) == nil:
		return widget.Mark
	}
	return widget.Normal
}

// worse reports whether a is what one of many should be seen by, and not b.
func worse(a, b widget.Sign) bool {
	order := map[widget.Sign]int{widget.Hole: 4, widget.Half: 3, widget.Mark: 2, widget.Unknown: 1}
	return order[a] > order[b]
}

// wants are the batches to read for a plot: those that have a column.
func (p *timePlot) wants(rows []batchRow) []int64 {
	from, to := p.window.Window(len(rows), p.window.Height)
	ids := make([]int64, 0, to-from+1)
	for i := from; i < min(to+1, len(rows)); i++ { // one more: where the oldest begins is written in the one before
		if rows[i].missing == 0 {
			ids = append(ids, rows[i].id)
		}
	}
	return ids
}

// plotDetail is how many lines a plot has.
type plotDetail int

const (
	plotOne   plotDetail = iota // only what the batches read
	plotBrief                   // what matters most
	plotFull
)

// plotSeries is what a line of the plot shows of a batch.
type plotSeries struct {
	name  string
	of    func(f *batchFacts) (v int64, ok bool)
	words func(f *batchFacts, top int64) string // f is of a batch with a value
	from  plotDetail                            // from which on it is drawn
	none  func(f *batchFacts) bool              // reports that a batch is known to have none; nil where that cannot be
	empty string                                // what is said where every batch is known to have none
}

// plotSeriesAll are the lines below that of the log, in their order.
var plotSeriesAll = []plotSeries{
	{"reads", func(f *batchFacts) (int64, bool) { return f.count, f.counted },
		func(f *batchFacts, top int64) string { return report.Units(top, f.unit) }, plotOne, nil, ""},
	{"every", func(f *batchFacts) (int64, bool) {
		a, b := f.before.Timestamp(), f.b.Timestamp()
		return b - a, a != 0 && b != 0
	}, func(_ *batchFacts, top int64) string { return span(top) + " between plans" }, plotFull, nil, ""},
	{"lag", func(f *batchFacts) (int64, bool) { return lagOf(f.b) },
		func(_ *batchFacts, top int64) string { return span(top) + ", watermark" }, plotBrief, noWatermark, "no watermark"},
}

// lagOf is how far the watermark of a batch was behind its plan, in ms; below 0 where it was ahead.
func lagOf(b *checkpoint.Batch) (ms int64, ok bool) {
	if b == nil || b.Plan == nil || b.Plan.Watermark == 0 || b.Plan.Timestamp == 0 {
		return 0, false
	}
	return b.Plan.Timestamp - b.Plan.Watermark, true
}

// noWatermark reports whether the plan of a batch says that it has no watermark.
func noWatermark(f *batchFacts) bool {
	return f.b.Plan != nil && f.b.Plan.HasMetadata && f.b.Plan.Watermark == 0
}

// draw makes the plot of rows: with as many lines as d says. at marks the row of the
// window, which is named by its batch.
func (p *timePlot) draw(g *gathered, rows []batchRow, names int, d plotDetail, at bool) widget.Plot {
	t, s := &g.s.theme, g.s
	from, to := p.window.Window(len(rows), p.window.Height)
	out := widget.Plot{Name: names, At: -1, Look: t.look()}
	if at && p.window.At < len(rows) {
		out.At, out.Tag = to-1-p.window.At, rowName(rows[p.window.At])
	}
	log := widget.PlotLine{Name: "log", Signs: make([]widget.Sign, 0, to-from)}
	for i := to - 1; i >= from; i-- {
		log.Signs = append(log.Signs, logSign(s.cp, rows[i]))
	}
	log.Words = logWords(log.Signs)
	if d > plotOne {
		out.Lines = append(out.Lines, log)
	}
	for _, series := range plotSeriesAll {
		if d >= series.from {
			out.Lines = append(out.Lines, p.line(g, rows[from:to], &series))
		}
	}
	if len(s.sizes) > 0 && d == plotFull {
		out.Lines = append(out.Lines, p.state(s, rows[from:to]))
	}
	return out
}

// height is how many lines there are with a mark below them, without those of all.
func (p *timePlot) height(s *session, d plotDetail) int {
	n := 2
	for _, series := range plotSeriesAll {
		if d >= series.from {
			n++
		}
	}
	if len(s.sizes) > 0 && d == plotFull {
		n++
	}
	return n
}

// line is one line over rows, the oldest first. Of batches that count in other units than the newest one
// nothing is drawn: they have another scale.
func (p *timePlot) line(g *gathered, rows []batchRow, series *plotSeries) widget.PlotLine {
	line := widget.PlotLine{Name: series.name, Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)), Style: g.s.theme.info}
	var newest *batchFacts
	below, upper, none := 0, false, series.none != nil
	for i := range rows {
		at := len(rows) - 1 - i
		if rows[i].missing > 0 {
			line.Signs[at] = widget.Hole
			continue
		}
		f := g.facts(rows[i].id)
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
		line.Words = "max " + map[bool]string{true: g.s.theme.upTo()}[upper] + series.words(newest, top)
	case g.reading || newest == nil && g.err == nil && len(g.loaded) == 0:
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
func (p *timePlot) state(s *session, rows []batchRow) widget.PlotLine {
	line := widget.PlotLine{Name: "state", Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)), Style: s.theme.info}
	for i, r := range rows {
		at := len(rows) - 1 - i
		if n, ok := s.sizes[r.id+1]; r.missing > 0 {
			line.Signs[at] = widget.Hole
		} else if ok {
			line.Values[at], line.Signs[at] = n, widget.Value
		}
	}
	if top, ok := line.Top(); ok {
		line.Words = "max " + size(top) + " of files"
	}
	return line
}

// all is the line over all batches, with a sign where the marked row is; nothing where every batch has a
// column below.
func (p *timePlot) all(s *session, names int) []string {
	if p.overall == nil {
		return nil
	}
	line := widget.PlotLine{Name: "all", Signs: p.overall, Words: plural(int64(p.per), "batch") + " a column"}
	plot := widget.Plot{Name: names, At: len(p.overall) - 1 - p.window.At/p.per, Lines: []widget.PlotLine{line}, Look: s.theme.look()}
	return plot.View(names + len(p.overall) + plotWords + 3)[:1]
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
func rowName(r batchRow) string {
	if r.missing > 1 {
		return fmt.Sprintf("%d … %d missing", r.id, r.id+r.missing-1)
	}
	if r.missing > 0 {
		return fmt.Sprintf("%d missing", r.id)
	}
	return fmt.Sprintf("batch %d", r.id)
}

// stateSizes is how large the files of each version of state are together, over all operators, partitions
// and stores, as the listing has them: deltas, changelogs and snapshots of that version. It looks at every
// file, so it is worked out once.
func stateSizes(list []statestore.Operator) map[int64]int64 {
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

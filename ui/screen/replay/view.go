package replay

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (x *model) View(w, h int) []string {
	ranges, sink, todo := x.ranges(), x.sink(), x.s.AdvicePanel()
	if len(x.rows) == 0 {
		if w < kit.TwoColumns {
			return x.Board.View(&x.s.Theme, w, h, kit.Stack(ranges, sink, todo))
		}
		return x.Board.View(&x.s.Theme, w, h, kit.Stack(kit.Across([]int{1, 1}, ranges, sink), todo))
	}
	bars, lanes, about := x.bars(w, h), x.lanes(w), x.about()
	ranges.Least, ranges.Rank = max(h/4, 4), 1
	sink.Least, sink.Rank = max(h/6, 3), 2
	about.Least, about.Rank = max(h/9, 3), 4
	if w < kit.TwoColumns {
		todo.Rank, todo.Least = 3, 3
		return x.Board.View(&x.s.Theme, w, h, kit.Stack(bars, lanes, sink, ranges, todo, about))
	}
	if w >= kit.ThreeColumns {
		return x.Board.View(&x.s.Theme, w, h, kit.Stack(bars, lanes, kit.Across([]int{1, 1, 1}, ranges, kit.Stack(sink, about), todo)))
	}
	return x.Board.View(&x.s.Theme, w, h, kit.Stack(bars, lanes, kit.Across([]int{11, 9}, kit.Stack(ranges, about), kit.Stack(sink, todo))))
}

// ---- the bars

// bars is the list of the parts, with a bar each.
func (x *model) bars(w, h int) *kit.Panel {
	t := &x.s.Theme
	p := x.Panel(t, x, "")
	if w < kit.BareFrom {
		p.Title = "Replay" // leaves room for what the pieces of a bar are
	}
	p.Rows = &kit.Rows{Cursor: &x.Table.Cursor, Len: x.len(), Head: 1, Per: 2, Draw: x.draw}
	if h >= kit.Roomy && 3*x.len() <= h/3 {
		p.Rows.Per = 3
	}
	p.Least = 1 + p.Rows.Per*min(x.len(), max(h/9, 1))
	if len(x.rows) == 0 || x.Filtering() {
		return p
	}
	if p.Right = kit.RangeLegend(t); w >= kit.TwoColumns {
		p.Right += t.Dim.Styled(" (not to scale) · " + orders[x.order].name + x.askedAgo())
	}
	return p
}

// askedAgo says how old the answer of the sources or the sink is, behind other words; "" for nothing to say.
func (x *model) askedAgo() string {
	v := &x.s.Verdict
	ago := strings.TrimSpace(x.s.AskedAgo(x.s.Answered))
	if v.Kept == nil && v.Sink == nil || ago == "" {
		return ""
	}
	return " · " + ago
}

// columns are the widths of a row: the name, the bar, what is left, and the lag where there is room for it.
func (x *model) columns(w int) (name, bar, left, lag int) {
	name, left = min(max(x.names, 9), max(w/5, 12)), 16
	if w >= kit.TwoColumns-2 {
		left, lag = 24, 12
	}
	bar = w - 2 - name - left - 4
	if lag > 0 {
		bar -= lag + 2
	}
	return name, max(min(bar, kit.Measure), 10), left, lag
}

// draw draws the head and the rows in the window.
func (x *model) draw(w, h int, blurred bool) []string {
	t := &x.s.Theme
	palette := x.Table.Palette
	palette.Blurred = blurred
	name, bar, left, lag := x.columns(w)
	per := 2
	if x.Table.Height > 0 && (h-1)/x.Table.Height >= 3 {
		per = 3
	}
	head := phrase.Fit("partition", name) + "  " + phrase.Fit(x.heads(bar), bar) + "  " + phrase.Fit("left", left)
	if lag > 0 {
		head += "  " + phrase.FitRight("lag", lag)
	}
	lines := []string{palette.Row(t.Dim.Styled(head), w, false)}
	from, to := x.Table.Window(x.len(), x.Table.Height)
	for i := from; i < to; i++ {
		r := &x.rows[x.Table.Order.Row(i)]
		b := kit.RangeBarOf(&x.s.Verdict, r.of, &r.part, r.reads)
		line, joints, words := b.Draw(t, bar)
		has := t.Cell(x.left(r))
		row := phrase.Fit(t.Signs(phrase.Middle(x.partName(r), name)), name) + "  " + phrase.Fit(line, bar) + "  "
		row += has.Style.Styled(phrase.Fit(has.Text, left))
		if lag > 0 {
			row += "  " + phrase.FitRight(x.lag(r), lag)
		}
		lines = append(lines, palette.Row(row, w, i == x.Table.At))
		below := []string{joints, words}[:per-1]
		for _, text := range below {
			lines = append(lines, palette.Row(phrase.Blanks(name+2)+text, w, false))
		}
	}
	return lines
}

// heads are the words above the bars.
func (x *model) heads(w int) string {
	v := &x.s.Verdict
	first, last := v.Batches.FirstCommitted, v.Batches.LastCommitted
	if x.reruns() {
		last = v.Restart.Batch - 1
	}
	next := fmt.Sprintf("from batch %d on", max(v.Restart.Batch, 0))
	if x.reruns() {
		next = fmt.Sprintf("batch %d again", v.Restart.Batch)
	}
	if last < 0 {
		return next
	}
	room := kit.CommittedWidth(w) - 1
	head := fmt.Sprintf("batches %d–%d", first, last)
	if first == last {
		head = fmt.Sprintf("batch %d", last)
	}
	if phrase.Width(head) > room {
		head = fmt.Sprintf("to %d", last)
	}
	return phrase.Fit(head, room) + " " + next
}

// left is how much of what is read is left, in a cell.
func (x *model) left(r *replayRow) page.Cell {
	cell := page.PartCells(r.of, &r.part)[page.LeftOfPart]
	if r.of == nil || r.reads == nil || !r.reads.Counted {
		return cell
	}
	switch {
	case r.part.State == checks.Complete && r.reads.Count == 0:
		cell.Text = "nothing new"
	case r.part.State == checks.Complete && r.part.To != nil:
		cell.Text = phrase.Count(r.reads.Count) + " of " + phrase.Count(r.reads.Count)
	case r.part.LeftKnown:
		cell.Text = phrase.Count(r.part.Left) + " of " + phrase.Count(r.reads.Count)
	}
	return cell
}

func (x *model) lag(r *replayRow) string {
	if !r.part.LagKnown {
		return "–"
	}
	return phrase.Count(r.part.Lag)
}

// Row is one part as it is copied and searched: its cells without the bar.
func (x *model) Row(i int, row *widget.Row) {
	r := &x.rows[i]
	from, to := page.PartCells(r.of, &r.part)[page.BeginOfPart].Text, page.PartCells(r.of, &r.part)[page.EndOfPart].Text
	left := x.left(r)
	row.Cells[0].Text, row.Cells[1].Text = x.partName(r), from+" → "+to
	row.Cells[2].Text, row.Cells[3].Text = strings.TrimSpace(left.Mark+" "+left.Text), x.lag(r)
}

// ---- the other panels

// about is the selected part: what is left of it, and what else its source says.
func (x *model) about() *kit.Panel {
	p := &kit.Panel{ID: "about", Title: "Partition"}
	if x.Table.At >= x.len() {
		p.Text = func(int) []string { return x.s.NothingMatches() }
		return p
	}
	r := &x.rows[x.Table.Order.Row(x.Table.At)]
	left := page.PartCells(r.of, &r.part)[page.LeftOfPart]
	p.Title, p.Sign = x.partName(r), phrase.Sign{Symbol: left.Mark, Role: left.Role}
	p.Text = func(w int) []string {
		return x.s.Theme.Draw(min(w, kit.Measure), page.PartLeft(&x.s.Verdict, r.source, r.of, &r.part).Blocks...)
	}
	return p
}

// mostFates is how many ranges the screen shows.
const mostFates = 100

// ranges is what happens to each range. It is laid out once for a width.
func (x *model) ranges() *kit.Panel {
	return &kit.Panel{ID: "ranges", Title: "What happens to each range", Text: func(w int) []string {
		if x.stated == nil || x.statedAt != w {
			x.stated, x.statedAt = x.layOut(w), w
		}
		return slices.Clone(x.stated)
	}}
}

func (x *model) layOut(w int) []string {
	t := &x.s.Theme
	if !x.s.Verdict.Known {
		return []string{t.Dim.Styled("… reading the newest files")}
	}
	return t.Draw(w, page.FateTable(&x.s.Verdict, x.fates, mostFates)...)
}

// sink is the panel of what the sink already has.
func (x *model) sink() *kit.Panel {
	v, t := &x.s.Verdict, &x.s.Theme
	p := &kit.Panel{ID: "sink", Title: "What the sink already has", Opens: kit.Keys.Output}
	if v.Sink == nil {
		p.Sign = phrase.Sign{Symbol: "?", Role: phrase.Open}
		p.Fold = func(int) string {
			return t.Unknown.Styled("?") + " The sink was not checked: name it with " + x.s.HowTo(kit.WantedBy("sink"))
		}
		p.Text = func(w int) []string { return t.Draw(min(w, kit.Measure), x.unseenSink()...) }
		return p
	}
	sign := phrase.Situations.Of(string(v.Sink.Situation))
	p.Sign = phrase.Sign{Symbol: sign.Symbol, Role: sign.Role}
	p.Fold = func(int) string { return t.Paint(sign.Role, sign.Symbol) + " sink: " + sign.Word }
	p.Text = func(w int) []string { return t.Draw(min(w, kit.Measure), page.Output(v).Blocks...) }
	return p
}

// unseenSink says what is not known of the sink, and what would follow from either answer.
func (x *model) unseenSink() []page.Block {
	r := &x.s.Verdict.Restart
	say := func(text string) page.Block { return page.Paragraph{Text: page.Plain(text)} }
	how := page.Paragraph{Text: page.Text{{Text: "Name it: "}, {Role: phrase.Key, Text: x.s.HowTo(kit.WantedBy("sink"))}}}
	switch r.Outcome {
	case checks.Rerun:
	case checks.Next, checks.Fresh:
		return []page.Block{say("Not checked. No batch is re-run: a restart duplicates nothing."), how}
	case checks.Refuses:
		return []page.Block{say("Not checked. The restart fails before it writes."), how}
	default:
		return []page.Block{say("Not checked."), how}
	}
	has, lacks := "rows are duplicated, unless it deduplicates batch IDs", "Spark writes them once"
	if lost := page.LostRecords(x.fates); lost != "" {
		has, lacks = "nothing is lost", lost+" are lost"
	}
	why := fmt.Sprintf("Batch %d may be in the sink already: Spark writes commits/%[1]d after the sink has it.", r.Batch)
	return []page.Block{page.Paragraph{Text: append(page.Plain("Not checked. "), how.Text...)},
		page.Facts{Rows: []page.Fact{{Name: "has it", Text: page.Plain(has)}, {Name: "does not", Text: page.Plain(lacks)}}},
		page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: why}}}}
}

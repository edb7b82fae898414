package replay

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// cells are what the page says of a part, under its name among all sources.
func (x *model) cells(r *replayRow) []page.Cell {
	cells := page.PartCells(r.of, &r.part)
	cells[page.NameOfPart].Text = page.PartName(&x.s.Verdict, r.source, r.part.Name)
	return cells
}

func (x *model) Row(i int, row *widget.Row) {
	r, t := &x.rows[i], &x.s.Theme
	cells := x.cells(r)
	left := &cells[page.LeftOfPart]
	name := &cells[page.NameOfPart]
	name.Mark, name.Role, left.Mark = phrase.Or(left.Mark, " "), left.Role, "" // the sign stands at the left edge
	for j, c := range columns {
		if c.of == bars {
			row.Cells[j].Text = r.stretch.bar(x.full[r.part.Unit])
		} else {
			row.Cells[j] = t.Cell(cells[c.of])
		}
	}
}

// bar draws a stretch, its head at the right end: what is gone, what the batch reads, what follows to the head. What
// is more than nothing has a cell at least.
func (s stretch) bar(full int64) string {
	if full <= 0 || s.head <= s.low {
		return ""
	}
	pieces := []struct {
		n    int64
		sign string
	}{
		{min(max(s.oldest-s.from, 0), s.head-s.low), "╌"}, {max(s.to-max(s.from, s.oldest), 0), "█"}, {max(s.head-max(s.to, s.from, s.oldest), 0), "━"},
	}
	var b strings.Builder
	left := barWidth
	for i, p := range pieces {
		if p.n <= 0 {
			continue
		}
		n := max(int(float64(p.n)/float64(full)*barWidth+0.5), 1)
		for _, later := range pieces[i+1:] {
			if later.n > 0 {
				n = min(n, left-1)
			}
		}
		n = max(min(n, left), 0)
		b.WriteString(strings.Repeat(p.sign, n))
		left -= n
	}
	return strings.Repeat(" ", left) + b.String()
}

// head says what batch it is, and what the bars mean.
func (x *model) head() []string {
	t, v := &x.s.Theme, &x.s.Verdict
	parts := phrase.Units(int64(len(x.rows)), "parts")
	if x.Filtering() {
		return []string{" " + kit.FilterLine(t, &x.Filter, fmt.Sprintf("%d of %s", x.len(), parts))}
	}
	line := " … what a restart reads is being found out"
	if v.Known {
		asked := ""
		if v.Kept != nil || v.Sink != nil {
			asked = x.s.AskedAgo(x.s.Answered)
		}
		line = fmt.Sprintf(" %s of batch %d%s · ╌ gone  █ planned  ━ from there to the head", parts, v.Restart.Batch, asked)
	}
	return []string{t.Dim.Styled(line)}
}

func (x *model) View(w, h int) []string {
	if len(x.rows) == 0 {
		return kit.Scrolled(append([]string{""}, kit.Indent(x.statement(w-6))...), x.Scroll, h, x.s, true)
	}
	return x.List.View(&x.s.Theme, x.head(), x, x.detail)
}

// detail is what is left of the selected part, and what else its source says; then what becomes of each range.
func (x *model) detail(w, h int) []string {
	var lines []string
	if x.Table.At < x.len() {
		r := &x.rows[x.Table.Order.Row(x.Table.At)]
		lines = x.s.Theme.DrawSection(w, page.PartLeft(&x.s.Verdict, r.source, r.of, &r.part))
	}
	return kit.Scrolled(append(append(lines, ""), x.statement(w)...), x.Scroll, h, x.s, x.Inside)
}

// mostFates is how many ranges the screen tells.
const mostFates = 100

// statement is what becomes of each range, where that is known. It is laid out once for a width.
func (x *model) statement(w int) []string {
	if x.stated == nil || x.statedAt != w {
		x.stated, x.statedAt = x.layOut(w), w
	}
	return slices.Clone(x.stated)
}

// layOut lays the statement out for a width.
func (x *model) layOut(w int) []string {
	t := &x.s.Theme
	s := page.Fates(&x.s.Verdict, x.fates, mostFates)
	if !x.s.Verdict.Known {
		s.Blocks = []page.Block{page.Paragraph{Text: page.Plain("… not known yet")}}
	}
	lines := t.DrawSection(w, s)
	lines[0] += t.Dim.Styled("   a table to paste: tidemark check LOCATION --statement")
	if more := len(x.fates) - mostFates; more > 0 {
		lines = append(lines, fmt.Sprintf("… %s more: tidemark check LOCATION --statement has them all", phrase.Units(int64(more), "ranges")))
	}
	return lines
}

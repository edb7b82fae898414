package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// ---- view

// label is a part as its column has it: with its source where there are several.
func (r *replayRow) label(x *replay) string {
	name := safe(r.part.Name)
	if name == "" || len(x.s.verdict.Sources) > 1 {
		return strings.TrimSpace(fmt.Sprintf("source %d %s", r.source, name))
	}
	return name
}

func (r *replayRow) position(p *source.Position) string {
	switch {
	case p == nil:
		return "–"
	case r.of != nil:
		return safe(r.of.Say(p))
	}
	return safe(p.Text)
}

func (x *replay) Row(i int, row *widget.Row) {
	r := &x.rows[i]
	symbol, style := x.sign(r)
	row.Cells[0] = widget.Cell{Text: symbol + " " + r.label(x), Style: style}
	row.Cells[1] = widget.Cell{Text: "not asked", Style: style}
	if r.of != nil {
		row.Cells[1].Text = report.KeptWords(&r.part)
	}
	row.Cells[2].Text, row.Cells[3].Text, row.Cells[4].Text = r.position(r.part.From), r.position(r.part.Earliest), r.position(r.part.Latest)
	row.Cells[5].Text = r.stretch.bar(x.full[r.part.Unit])
	row.Cells[6].Text, row.Cells[7].Text = r.position(r.part.To), "–"
	if r.part.LagKnown {
		row.Cells[7].Text = report.Count(r.part.Lag)
	}
}

// sign is the symbol and the colour of what is left of a part.
func (x *replay) sign(r *replayRow) (string, ansi.Style) {
	t := &x.s.theme
	switch r.part.State {
	case checks.Complete, checks.Joins:
		return "✓", t.good
	case checks.NotJudged, checks.MaybeGone:
		return "?", t.unknown
	}
	return "✗", t.critical
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
func (x *replay) head() []string {
	t, v := &x.s.theme, &x.s.verdict
	if x.sought() {
		return []string{" " + t.strong.Styled(safe(x.filter.Text())) + t.dim.Styled(fmt.Sprintf("   %d of %s", x.len(), plural(int64(len(x.rows)), "part")))}
	}
	line := " … what a restart reads is being found out"
	if v.Known {
		asked := ""
		if v.Kept != nil || v.Sink != nil {
			asked = x.s.askedAgo(x.s.answered)
		}
		line = fmt.Sprintf(" %s of batch %d%s · ╌ gone  █ planned  ━ from there to the head", plural(int64(len(x.rows)), "part"), v.Restart.Batch, asked)
	}
	return []string{t.dim.Styled(line)}
}

func (x *replay) view(w, h int) []string {
	if len(x.rows) == 0 {
		lines := []string{"", "   " + x.s.theme.section.Styled("WHAT BECOMES OF WHAT")}
		return scrolled(append(lines, indent(x.statement(w-4))...), x.scroll, h, x.s, true)
	}
	return x.list.view(&x.s.theme, x.head(), x, x.words)
}

// words are what becomes of each range, that of the selected part first; then what else its source says.
func (x *replay) words(w, h int) []string {
	t := &x.s.theme
	var lines []string
	if x.table.At < x.len() {
		r := &x.rows[x.table.Order.Row(x.table.At)]
		lines = append(lines, t.section.Styled(strings.ToUpper("source "+strconv.Itoa(r.source))+" "+safe(r.part.Name)))
		lines = append(lines, x.sourceWords(r, w)...)
	}
	lines = append(lines, "", t.section.Styled("WHAT BECOMES OF WHAT")+t.dim.Styled("   a table to paste: tidemark check LOCATION --statement"))
	return scrolled(append(lines, x.statement(w)...), x.scroll, h, x.s, x.inside)
}

func (x *replay) sourceWords(r *replayRow, w int) []string {
	t := &x.s.theme
	if r.of == nil {
		return append(styledLines(t.unknown, widget.Wrap("? Nobody asked the source what it still has.", w)), widget.Wrap("Start again with --kafka BROKERS, with --source INDEX=LOCATION for a table or folder, or with --positions FILE.", w)...)
	}
	symbol, style := x.sign(r)
	lines := styledLines(style, widget.Wrap(symbol+" "+report.Sentence(report.KeptWords(&r.part)), w))
	lines = append(lines, wrapped(t, "told by", safe(r.of.ToldBy()), w)...)
	if r.of.Other != "" {
		lines = append(lines, styledLines(t.critical, widget.Wrap("✗ "+report.Sentence(safe(r.of.Other)), w))...)
	}
	for _, l := range r.of.Missing[:min(len(r.of.Missing), 5)] {
		lines = append(lines, widget.Wrap("✗ "+safe(l.What+": "+l.Why), w)...)
	}
	if n := len(r.of.Missing) - 5; n > 0 {
		lines = append(lines, fmt.Sprintf("… %d more", n))
	}
	for _, text := range slices.Concat(r.of.Facts, r.of.Unseen) {
		lines = append(lines, widget.Wrap(report.Sentence(prose(text)), w)...)
	}
	return lines
}

// mostFates is how many ranges the screen tells.
const mostFates = 100

// statement are the fates, a line each, the fate first: it is what matters.
func (x *replay) statement(w int) []string {
	t := &x.s.theme
	if !x.s.verdict.Known {
		return []string{"… not known yet"}
	}
	if len(x.fates) == 0 {
		return []string{"Nothing is planned or committed, so that there is no range to speak of."}
	}
	var lines []string
	for i := range x.fates {
		if i == mostFates {
			return append(lines, fmt.Sprintf("… %s more: tidemark check LOCATION --statement has them all", plural(int64(len(x.fates)-i), "range")))
		}
		f := &x.fates[i]
		symbol, style := t.fate(f.Word)
		cells := report.FateRow(&x.s.verdict, f)
		text := "batch " + cells[0]
		if f.Last > f.First {
			text = "batches " + cells[0]
		}
		if f.Part != nil {
			text += ", " + cells[1]
			if f.Part.To == nil {
				text += " from " + cells[2] + " on"
			} else {
				text += fmt.Sprintf(" %s → %s", cells[2], cells[3])
			}
			if f.Part.Counted {
				text += ", " + cells[4]
			}
		}
		head := style.Styled(symbol+" "+widget.Fit(string(f.Word), 10)) + "  "
		for j, line := range widget.Wrap(text+": "+prose(f.Evidence), max(w-14, 10)) {
			if j > 0 {
				head = strings.Repeat(" ", 14)
			}
			lines = append(lines, head+line)
		}
	}
	return lines
}

// fate is the symbol and the colour of a fate; its word stands beside them.
func (t *theme) fate(f checks.FateWord) (symbol string, style ansi.Style) {
	switch f {
	case checks.Safe, checks.Replayed, checks.ToRead, checks.Merged:
		return "✓", t.good
	case checks.FateOpen:
		return "?", t.unknown
	case checks.Doubled, checks.Skipped:
		return "!", t.warn
	}
	return "✗", t.critical
}

package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// Label is a part as its column has it: with its source where there are several.
func (r *replayRow) Label(x *model) string {
	name := kit.Safe(r.part.Name)
	if name == "" || len(x.s.Verdict.Sources) > 1 {
		return strings.TrimSpace(fmt.Sprintf("source %d %s", r.source, name))
	}
	return name
}

func (r *replayRow) position(p *source.Position) string {
	switch {
	case p == nil:
		return "–"
	case r.of != nil:
		return kit.Safe(r.of.Say(p))
	}
	return kit.Safe(p.Text)
}

func (x *model) Row(i int, row *widget.Row) {
	r := &x.rows[i]
	symbol, style := x.sign(r)
	row.Cells[0] = widget.Cell{Text: symbol + " " + r.Label(x), Style: style}
	row.Cells[1] = widget.Cell{Text: "not asked", Style: style}
	if r.of != nil {
		row.Cells[1].Text = page.Remains(&r.part)
	}
	row.Cells[2].Text, row.Cells[3].Text, row.Cells[4].Text = r.position(r.part.From), r.position(r.part.Earliest), r.position(r.part.Latest)
	row.Cells[5].Text = r.stretch.bar(x.full[r.part.Unit])
	row.Cells[6].Text, row.Cells[7].Text = r.position(r.part.To), "–"
	if r.part.LagKnown {
		row.Cells[7].Text = phrase.Count(r.part.Lag)
	}
}

// sign is the symbol and the colour of what is left of a part.
func (x *model) sign(r *replayRow) (string, widget.Style) {
	t := &x.s.Theme
	switch r.part.State {
	case checks.Complete, checks.Joins:
		return "✓", t.Good
	case checks.NotJudged, checks.MaybeGone:
		return "?", t.Unknown
	}
	return "✗", t.Critical
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
	if x.Filtering() {
		return []string{" " + t.Strong.Styled(kit.Safe(x.Filter.Text())) + t.Dim.Styled(fmt.Sprintf("   %d of %s", x.len(), kit.Plural(int64(len(x.rows)), "part")))}
	}
	line := " … what a restart reads is being found out"
	if v.Known {
		asked := ""
		if v.Kept != nil || v.Sink != nil {
			asked = x.s.AskedAgo(x.s.Answered)
		}
		line = fmt.Sprintf(" %s of batch %d%s · ╌ gone  █ planned  ━ from there to the head", kit.Plural(int64(len(x.rows)), "part"), v.Restart.Batch, asked)
	}
	return []string{t.Dim.Styled(line)}
}

func (x *model) View(w, h int) []string {
	if len(x.rows) == 0 {
		lines := []string{"", "   " + x.s.Theme.Section.Styled("WHAT BECOMES OF WHAT")}
		return kit.Scrolled(append(lines, kit.Indent(x.statement(w-4))...), x.Scroll, h, x.s, true)
	}
	return x.List.View(&x.s.Theme, x.head(), x, x.detail)
}

// detail are what becomes of each range, that of the selected part first; then what else its source says.
func (x *model) detail(w, h int) []string {
	t := &x.s.Theme
	var lines []string
	if x.Table.At < x.len() {
		r := &x.rows[x.Table.Order.Row(x.Table.At)]
		lines = append(lines, t.Section.Styled(strings.ToUpper("source "+strconv.Itoa(r.source))+" "+kit.Safe(r.part.Name)))
		lines = append(lines, x.sourceWords(r, w)...)
	}
	lines = append(lines, "", t.Section.Styled("WHAT BECOMES OF WHAT")+t.Dim.Styled("   a table to paste: tidemark check LOCATION --statement"))
	return kit.Scrolled(append(lines, x.statement(w)...), x.Scroll, h, x.s, x.Inside)
}

func (x *model) sourceWords(r *replayRow, w int) []string {
	t := &x.s.Theme
	if r.of == nil {
		return append(kit.StyledLines(t.Unknown, phrase.Wrap("? Nobody asked the source what it still has.", w)), phrase.Wrap("Start again with --kafka BROKERS, with --source INDEX=LOCATION for a table or folder, or with --positions FILE.", w)...)
	}
	symbol, style := x.sign(r)
	lines := kit.StyledLines(style, phrase.Wrap(symbol+" "+phrase.Sentence(page.Remains(&r.part)), w))
	lines = append(lines, kit.Wrapped(t, "told by", kit.Safe(r.of.ToldBy()), w)...)
	if r.of.Other != "" {
		lines = append(lines, kit.StyledLines(t.Critical, phrase.Wrap("✗ "+phrase.Sentence(kit.Safe(r.of.Other)), w))...)
	}
	for _, l := range r.of.Missing[:min(len(r.of.Missing), 5)] {
		lines = append(lines, phrase.Wrap("✗ "+kit.Safe(l.What+": "+l.Why), w)...)
	}
	if n := len(r.of.Missing) - 5; n > 0 {
		lines = append(lines, fmt.Sprintf("… %d more", n))
	}
	for _, text := range slices.Concat(r.of.Facts, r.of.Unseen) {
		lines = append(lines, phrase.Wrap(phrase.Sentence(kit.Prose(text)), w)...)
	}
	return lines
}

// mostFates is how many ranges the screen tells.
const mostFates = 100

// statement are the fates, a line each, the fate first: it is what matters.
func (x *model) statement(w int) []string {
	t := &x.s.Theme
	if !x.s.Verdict.Known {
		return []string{"… not known yet"}
	}
	if len(x.fates) == 0 {
		return []string{"Nothing is planned or committed, so that there is no range to speak of."}
	}
	var lines []string
	for i := range x.fates {
		if i == mostFates {
			return append(lines, fmt.Sprintf("… %s more: tidemark check LOCATION --statement has them all", kit.Plural(int64(len(x.fates)-i), "range")))
		}
		f := &x.fates[i]
		symbol, style := t.Fate(f.Word)
		cells := report.FateRow(&x.s.Verdict, f)
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
		head := style.Styled(symbol+" "+phrase.Fit(string(f.Word), 10)) + "  "
		for j, line := range phrase.Wrap(text+": "+kit.Prose(f.Evidence), max(w-14, 10)) {
			if j > 0 {
				head = strings.Repeat(" ", 14)
			}
			lines = append(lines, head+line)
		}
	}
	return lines
}

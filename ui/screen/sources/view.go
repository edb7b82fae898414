package sources

import (
	"fmt"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	if len(x.rows) == 0 {
		return x.Board.View(t, w, h, x.nothing())
	}
	about, kept := x.about(), x.remains()
	about.Least, kept.Least = max(h/5, 3), max(h/6, 3)
	about.Rank, kept.Rank = 1, 2
	if w >= kit.ThreeColumns {
		return x.Board.View(t, w, h, kit.Across([]int{3, 2}, x.list(w*3/5, w), kit.Stack(about, kept)))
	}
	list := x.list(w, w)
	list.Least = max(h/3, 4)
	if w >= kit.TwoColumns {
		return x.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{1, 1}, about, kept)))
	}
	return x.Board.View(t, w, h, kit.Stack(list, about, kept))
}

// nothing says why there is no row.
func (x *model) nothing() *kit.Panel {
	text, sign := "… reading the newest batches", phrase.Sign{}
	switch {
	case x.s.Checkpoint == nil:
		text = "… opening the checkpoint"
	case x.times == nil && x.err != nil:
		text = "The batches could not be read: " + kit.Safe(x.err.Error()) + ". " + x.s.WithKeys("%s reads them again.", kit.Keys.Reread)
		sign = phrase.Tones[phrase.Open]
	case x.times != nil:
		text = "No sources: no offset file that could be read names one. Spark writes one line for each source into offsets."
	}
	return &kit.Panel{ID: kit.ListID, Title: x.Name, Sign: sign, Text: func(w int) []string {
		return x.s.Theme.Draw(min(w, kit.Measure), page.Paragraph{Text: page.Plain(text)})
	}}
}

// list is the panel of the partitions, w cells wide on a screen of some.
func (x *model) list(w, screen int) *kit.Panel {
	x.fit(w - 2)
	return x.Panel(&x.s.Theme, x, x.summary(screen >= kit.TwoColumns))
}

// summary is which batches are shown, and the order.
func (x *model) summary(room bool) string {
	if x.reading {
		return "… reading the batches"
	}
	b := x.times.batches
	text := fmt.Sprintf("as of batch %d", b[len(b)-1])
	if room {
		text += fmt.Sprintf(" · over batches %d–%d", b[0], b[len(b)-1])
	}
	if text += " · " + orders[x.order].name; x.back {
		text += ", reversed"
	}
	return text
}

// fit gives the columns their widths, in a table of w cells.
func (x *model) fit(w int) {
	c := x.Table.Columns
	name, position, count := 12, 8, 10
	for i := range x.times.sources {
		s := &x.times.sources[i]
		for j := range s.parts[:min(len(s.parts), 1000)] {
			p := &s.parts[j]
			name, position = max(name, phrase.Width(kit.PartOf(s.index, p.name))), max(position, phrase.Width(p.position))
			count = max(count, phrase.Width(p.words(&x.s.Theme)))
		}
	}
	c[0].Width, c[1].Width, c[2].Width = min(name, max(w/4, 12)), min(position, max(w/5, 8)), min(count, 20)
	used := 2
	for _, col := range c[:5] {
		used += col.Width + 2
	}
	c[5].Width = max(min(w-used, sourceBatches), 8)
}

// words is how much the newest batch reads of a part, in words.
func (p *partTime) words(t *kit.Theme) string {
	if p.gone {
		return "gone"
	}
	return t.Signs(p.amount)
}

// share is which part of what the newest batch reads of a source is of a partition; "–" where that is not known.
func (s *sourceTime) share(p *partTime) string {
	if v := p.count(); s.counted && s.total > 0 && v >= 0 {
		return phrase.Share(v, s.total)
	}
	return "–"
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	row, t := x.rows[i], &x.s.Theme
	s := &x.times.sources[row.source]
	if row.part < 0 {
		r.Note, r.Style = s.headline(), t.Strong
		return
	}
	p := &s.parts[row.part]
	r.Cells[0].Text = kit.PartOf(s.index, p.name)
	r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Cells[4].Text = p.position, p.words(&x.s.Theme), s.share(p), "–"
	if p.gone {
		r.Cells[2].Style = t.Warn
	}
	if p.idle > 0 {
		r.Cells[4].Text = phrase.Count(int64(p.idle))
	}
	if p.idle >= idleFrom {
		r.Cells[4].Text, r.Cells[4].Style = "! "+r.Cells[4].Text, t.Warn
	}
	r.Cells[5].Text, r.Cells[5].Style = columnsOf(p.reads[max(0, len(p.reads)-x.Table.Columns[5].Width):]), t.Plot
}

// columnsOf draws values as columns; unknown ones are blank.
func columnsOf(values []int64) string {
	line := widget.PlotLine{Values: values, Signs: make([]widget.Sign, len(values))}
	for i, v := range values {
		if v >= 0 {
			line.Signs[i] = widget.Value
		}
	}
	plot := widget.Plot{At: -1, Lines: []widget.PlotLine{line}}
	return strings.TrimRight(strings.TrimPrefix(plot.View(len(values) + 3)[0], " "), " ")
}

// headline is a source in a line: what the newest batch reads of it, how unevenly, and what is idle.
func (s *sourceTime) headline() string {
	parts := []string{s.title, phrase.Units(int64(len(s.parts)), "partitions")}
	if s.idle > 0 {
		parts = append(parts, "! "+phrase.Count(int64(s.idle))+" idle")
	}
	switch {
	case !s.counted:
	case s.total == 0:
		parts = append(parts, "nothing new")
	default:
		parts = append(parts, "reads "+s.amount.String())
	}
	if times, _ := s.skew(); times > 0 {
		parts = append(parts, skewWords(times))
	}
	return strings.Join(parts, " · ")
}

// unevenFrom is how many times the mean the fullest part reads where parts are called uneven.
const unevenFrom = 1.2

// skewWords says how unevenly a batch reads its parts.
func skewWords(times float64) string {
	if times < unevenFrom {
		return "evenly spread"
	}
	return fmt.Sprintf("the fullest partition reads %.1f × the mean", times)
}

func (x *model) Place() string {
	if b := x.times; b != nil && len(b.batches) > 0 {
		return fmt.Sprintf("offsets/%d", b.batches[len(b.batches)-1])
	}
	return ""
}

package batch

import (
	"fmt"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

func (b *model) View(w, h int) []string {
	t := &b.Session.Theme
	f := b.Facts(b.id)
	switch {
	case b.Session.Checkpoint == nil || f == nil && b.Reading:
		return b.Board.View(t, w, h, b.say("… reading the batch"))
	case f == nil && b.Err != nil:
		return b.Board.View(t, w, h, b.Stopped())
	case f == nil:
		row := kit.BatchRow{ID: b.id, Missing: 1}
		return b.Board.View(t, w, h, kit.Stack(b.BatchPanel(row), b.FindingsPanel(row)))
	}
	row := kit.BatchRow{ID: b.id}
	facts, reads, raw := b.factsPanel(w, h), b.readsPanel(w), b.bytesPanel()
	switch {
	case w < kit.TwoColumns:
		return b.Board.View(t, w, h, b.folding(facts, reads, raw))
	case w < kit.Wide:
		return b.Board.View(t, w, h, kit.Across([]int{60, 40}, kit.Stack(b.Stopped(), facts, reads), raw))
	case w < kit.ThreeColumns:
		return b.Board.View(t, w, h, kit.Across([]int{60, 40}, kit.Stack(b.Stopped(), facts, reads), kit.Stack(raw, b.FindingsPanel(row))))
	}
	related := kit.Stack(b.FindingsPanel(row), b.StatePanel(row))
	return b.Board.View(t, w, h, kit.Across([]int{44, 31, 25}, kit.Stack(b.Stopped(), facts, reads), raw, related))
}

// folding are the panels one below the other: the one with the keys has the room, and the others have what is left.
func (b *model) folding(facts, reads, raw *kit.Panel) kit.Node {
	facts.Rank, reads.Rank, raw.Rank = 2, 1, 3
	facts.Fold = func(int) string { return facts.Sign.Symbol + " " + facts.Title + "  " + kit.Unstyled(b.facts.first()) }
	reads.Fold = func(int) string { return reads.Title + "  " + kit.Unstyled(reads.Right) }
	raw.Fold = func(int) string {
		return fmt.Sprintf("%s  offsets/%d and commits/%d", raw.Title, b.id, b.id) + b.Session.WithKeys("  %s", kit.Keys.Pane)
	}
	if b.Focus() != factsID {
		facts.Least = len(b.facts.lines)
	}
	if b.Focus() != bytesID {
		raw.Least = 8
	} else {
		reads.Least = len(b.reads)
	}
	facts.Unfolds, reads.Unfolds, raw.Unfolds = true, true, true
	for _, p := range []*kit.Panel{facts, reads, raw} {
		if p.Grow = p.ID == b.Focus(); p.Grow {
			p.Rank = 0
		}
	}
	return kit.Stack(b.Stopped(), facts, reads, raw)
}

func (b *model) say(text string) *kit.Panel {
	return &kit.Panel{ID: "say", Title: fmt.Sprintf("Batch %d", b.id), Text: func(w int) []string { return phrase.Wrap(text, w) }}
}

// first is what comes first of the facts.
func (f *facts) first() string {
	if len(f.all) == 0 {
		return ""
	}
	return f.all[0].Name + " " + f.all[0].Text
}

// factsPanel are the facts in lines under a cursor.
func (b *model) factsPanel(w, h int) *kit.Panel {
	p := &kit.Panel{ID: factsID, Title: fmt.Sprintf("Batch %d", b.id)}
	switch {
	case len(b.Facts(b.id).B.Problems()) > 0:
		p.Title, p.Sign = p.Title+" is damaged", phrase.Sign{Symbol: "✗", Role: b.DamageRole(b.id)}
	case b.Waits(b.id):
		p.Title, p.Sign = p.Title+" is uncommitted", phrase.Sign{Symbol: "!", Role: phrase.Warn}
	}
	f := &b.facts
	f.layout(&b.Session.Theme, b.leftWidth(w)-4)
	p.Least = min(len(f.lines), max(h/2, 3))
	p.Rows = &kit.Rows{Cursor: &f.cursor, Len: len(f.lines), Draw: func(w, lines int, blurred bool) []string {
		palette := b.Session.Theme.Palette()
		from, to := f.cursor.Window(len(f.lines), lines)
		var out []string
		for i := from; i < to; i++ {
			out = append(out, palette.Row(f.lines[i], w, i == f.cursor.At && !blurred))
		}
		return out
	}}
	return p
}

// leftWidth is how many cells the facts and the list have on a screen of w cells.
func (b *model) leftWidth(w int) int {
	switch {
	case w < kit.TwoColumns:
		return w
	case w < kit.ThreeColumns:
		return w - w*40/100
	}
	return w - w*31/100 - w*25/100
}

// layout makes the lines of the facts, once for a width.
func (f *facts) layout(t *kit.Theme, w int) {
	if f.w != w {
		f.lines, f.of = t.FactLines(f.all, w)
		f.w = w
		f.cursor.Go(f.cursor.At, len(f.lines))
	}
}

// readsPanel is the list of what is read.
func (b *model) readsPanel(w int) *kit.Panel {
	b.setColumns()
	b.fitBars(b.leftWidth(w))
	p := b.Panel(&b.Session.Theme, b, b.readsWords())
	p.Grow = true
	switch {
	case b.Facts(b.id).B.Plan == nil:
		p.Rows, p.Text = nil, func(w int) []string {
			return phrase.Wrap("Unknown: the offset file has the ranges, and it could not be read.", w)
		}
	case len(b.reads) == 0:
		text := "No source has an offset in this batch."
		if len(b.Facts(b.id).B.Plan.Problems) > 0 {
			text = "Unknown: the offset file has the ranges, and it does not parse."
		}
		p.Rows.Says(func(w int) []string { return phrase.Wrap(text, w) })
	case b.Table.Order.Len(len(b.reads)) == 0:
		p.Rows.Says(func(int) []string { return b.Session.NothingMatches() })
	}
	return p
}

// readsWords are how many partitions are read, and in what order they are.
func (b *model) readsWords() string {
	n := int64(0)
	for i := range b.reads {
		if !b.reads[i].wide {
			n++
		}
	}
	if n < 2 {
		return ""
	}
	words := []string{phrase.Units(n, "partitions")}
	if sum := b.Facts(b.id).Sum.Short(); sum != "" {
		words = append(words, sum)
	}
	return strings.Join(append(words, orders[b.order].name), " · ")
}

// bytesPanel are both files as written, scrolled to the selected bytes.
func (b *model) bytesPanel() *kit.Panel {
	t := &b.Session.Theme
	at, line := b.selected()
	return &kit.Panel{ID: bytesID, Title: "Bytes", Right: t.Dim.Styled(kit.Safe(at.String())), Grow: true, Least: 3,
		Text: func(w int) []string {
			lines, first := b.raw.view(t, at, line, w)
			if first >= 0 && b.raw.shown != at {
				b.raw.shown = at
				b.ScrollTo(bytesID, first)
			}
			return lines
		}}
}

package compare

import (
	"fmt"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- what differs

// row is a partition with its offsets in both batches.
type row struct {
	source, part, a, b, word string
}

// setRows takes the partitions that differ out of the page, and counts those that do not.
func (x *model) setRows() {
	x.rows, x.same = nil, 0
	for _, cells := range x.cells("positions") {
		r := row{source: cells[0].Text, part: cells[1].Text, a: cells[2].Text, b: cells[3].Text, word: cells[4].Text}
		r.word = strings.TrimPrefix(r.word, fmt.Sprintf("batch %d is ahead by ", x.b))
		if r.word == "same" {
			x.same++
			continue
		}
		x.rows = append(x.rows, r)
	}
	columns := []widget.Column{{Title: "partition"}, {Title: "source"}, {Title: fmt.Sprintf("batch %d", x.a), Right: true},
		{Title: x.s.Theme.Signs(fmt.Sprintf("→ batch %d", x.b))}, {Title: "ahead by", Width: 12, Grow: true}}
	for i := range columns[:4] {
		columns[i].Width = phrase.Width(columns[i].Title)
	}
	for i := range x.rows {
		r := &x.rows[i]
		for k, text := range []string{phrase.Or(r.part, "position"), r.source, r.a, x.s.Theme.Signs("→ " + r.b)} {
			columns[k].Width = min(max(columns[k].Width, phrase.Width(text)), []int{40, 12, 32, 34}[k])
		}
	}
	if !x.manySources() {
		columns[1].Width = 0
	}
	x.Table.Columns = columns
	x.arrange()
}

func (x *model) manySources() bool {
	for i := range x.rows {
		if x.rows[i].source != x.rows[0].source {
			return true
		}
	}
	return false
}

// cells are the rows of the table of a section, without its head.
func (x *model) cells(section string) [][]page.Cell {
	if s := x.page.Section(section); s != nil {
		for _, b := range s.Blocks {
			if t, ok := b.(page.Table); ok && len(t.Rows) > 0 {
				return t.Rows[1:]
			}
		}
	}
	return nil
}

// sentences are the paragraphs of a section.
func (x *model) sentences(section string) (blocks []page.Block) {
	if s := x.page.Section(section); s != nil {
		for _, b := range s.Blocks {
			if _, ok := b.(page.Table); !ok {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	w := &x.rows[i]
	r.Cells[0].Text, r.Cells[1].Text = phrase.Or(w.part, "position"), w.source
	r.Cells[2].Text, r.Cells[3].Text, r.Cells[4].Text = w.a, x.s.Theme.Signs("→ "+w.b), x.s.Theme.Signs(w.word)
}

// arrange chooses the rows that the filter wants.
func (x *model) arrange() {
	x.Table.Order.All()
	if x.Filter.Pattern != "" {
		x.Table.Order.Set(len(x.rows), func(i int) bool {
			r := &x.rows[i]
			return x.Filter.Wants(strings.Join([]string{phrase.Or(r.part, "position"), r.source, r.a, "→ " + r.b, r.word}, " "))
		}, nil)
	}
	x.Table.Go(x.Table.At, x.Table.Order.Len(len(x.rows)))
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.arrange()
}

// ---- view

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	title := fmt.Sprintf("Batches %d and %d", x.a, x.b)
	say := func(title string, sign phrase.Sign, text string) []string {
		return x.Board.View(t, w, h, &kit.Panel{ID: "say", Title: title, Sign: sign,
			Text: func(w int) []string { return phrase.Wrap(text, w) }})
	}
	switch {
	case !x.done:
		return say(title, phrase.Sign{}, "… reading both batches")
	case x.err != nil:
		return say("Not comparable", phrase.Sign{Symbol: "?", Role: phrase.Open}, phrase.Sentence(kit.Safe(x.err.Error())))
	}
	both := &kit.Panel{ID: "batches", Title: title, Text: x.both, Rank: 1, Least: 4}
	settings := &kit.Panel{ID: "settings", Title: "Settings", Text: x.settings, Rank: 2, Least: 1}
	var state *kit.Panel
	if x.page.Section("state") != nil {
		state = &kit.Panel{ID: "state", Title: "State", Opens: kit.Keys.State, Text: x.state, Rank: 3, Least: 1}
	}
	if w < kit.TwoColumns {
		return x.Board.View(t, w, h, kit.Stack(both, x.offsets(), settings, state))
	}
	return x.Board.View(t, w, h, kit.Across([]int{60, 40}, kit.Stack(both, x.offsets()), kit.Stack(settings, state)))
}

// both are the facts on both batches next to each other.
func (x *model) both(w int) []string {
	t := &x.s.Theme
	lines := []string{t.Dim.Styled(phrase.Fit("between", 10)) + " " + x.apart}
	for _, c := range x.cells("batches") {
		text := c[1].Text
		if c[1].Text != c[2].Text {
			text += " → " + c[2].Text
		} else {
			text = t.Dim.Styled(text)
		}
		lines = append(lines, t.Dim.Styled(phrase.Fit(c[0].Text, 10))+" "+text)
	}
	return append(lines, t.Draw(w, x.sentences("positions")...)...)
}

// offsets are the partitions that differ.
func (x *model) offsets() *kit.Panel {
	right := ""
	if x.same > 0 {
		right = phrase.Units(int64(x.same), "partitions") + " the same"
	}
	p := x.Panel(&x.s.Theme, x, right)
	p.Grow = true
	switch {
	case len(x.rows) == 0:
		p.Rows.Says(func(w int) []string { return phrase.Wrap("All offsets are the same in both batches.", w) })
	case x.Table.Order.Len(len(x.rows)) == 0:
		p.Rows.Says(func(int) []string { return x.s.NothingMatches() })
	}
	return p
}

// settings are those that differ: what was recorded, and what is.
func (x *model) settings(w int) []string { return x.diff("settings", 0, w) }

// state is how the records of the state differ.
func (x *model) state(w int) []string { return x.diff("state", 1, w) }

// diff draws a table of a section as a diff: names in the columns up to last, then the old and the new value below each other.
func (x *model) diff(section string, last, w int) []string {
	t := &x.s.Theme
	var lines []string
	for _, c := range x.cells(section) {
		var name []string
		for _, cell := range c[:last+1] {
			name = append(name, cell.Text)
		}
		was, is := c[last+1].Text, c[last+2].Text
		head := phrase.Middle(strings.Join(name, " "), w)
		if line := head + "  " + t.Bad.Styled("- "+was) + "  " + t.Good.Styled("+ "+is); phrase.Width(line) <= w {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, head)
		for _, side := range []struct {
			mark, text string
			style      widget.Style
		}{{"- ", was, t.Bad}, {"+ ", is, t.Good}} {
			for i, l := range phrase.Wrap(side.text, w-4) {
				mark := side.mark
				if i > 0 {
					mark = "  "
				}
				lines = append(lines, "  "+side.style.Styled(mark+l))
			}
		}
	}
	return append(lines, t.Draw(w, x.sentences(section)...)...)
}

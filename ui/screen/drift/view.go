package drift

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (d *model) View(w, h int) []string {
	t := &d.s.Theme
	if len(d.rows)+len(d.equal) == 0 {
		return d.Board.View(t, w, h, d.nothing(w))
	}
	d.fit(w)
	list := d.Panel(t, d, "")
	if !d.Filtering() {
		list.Right = d.tally(w >= kit.TwoColumns)
	}
	about, todo, ways := d.about(), d.todo(), d.ways(w)
	about.Least, about.Rank = 3, 2
	kit.RoomForSteps(list, todo, d.len(), w, h)
	switch {
	case w >= kit.ThreeColumns && ways != nil:
		return d.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{4, 3, 4}, about, todo, ways)))
	case w >= kit.TwoColumns:
		return d.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{1, 1}, about, todo), ways))
	}
	return d.Board.View(t, w, h, kit.Stack(list, about, todo, ways))
}

// fit shares w cells between the columns: none is wider than its longest cell.
func (d *model) fit(w int) {
	c := d.Table.Columns
	c[2].Title = "declared"
	if spec := d.s.Examine.Spec; spec != nil && spec.From != "" {
		c[2].Title = "declared in " + kit.Safe(path.Base(spec.From))
	}
	widest := d.wide
	for j := range widest {
		widest[j] = max(widest[j], phrase.Width(c[j].Title))
	}
	room := w - 4
	c[0].Width = max(min(widest[0], room*3/10), 12)
	room -= c[0].Width + 6
	c[1].Width = max(min(widest[1], room*3/10), 8)
	c[2].Width = max(min(widest[2], room*7/20), 8)
	c[3].Width = 8
}

// tally is how many differences there are of each effect; with the words for that where they fit.
func (d *model) tally(words bool) string {
	t := &d.s.Theme
	count := map[checks.Effect]int{page.Same: len(d.equal)}
	for _, x := range d.rows {
		if x.Effect != page.Same {
			count[x.Effect]++
		}
	}
	if !words { // by their signs alone two effects cannot be told apart
		count[checks.RefusesDrift] += count[checks.Misreads]
		count[page.Same] += count[checks.Allowed]
		count[checks.Misreads], count[checks.Allowed] = 0, 0
	}
	var parts []string
	for _, e := range page.Effects {
		sign := phrase.Effects.Of(string(e))
		role, part := sign.Role, sign.Symbol+" "+phrase.Count(int64(count[e]))
		if words {
			part += " " + tallied[e]
		}
		if e == page.Same || e == page.NotCompared {
			role = phrase.Dim
		}
		if count[e] > 0 {
			parts = append(parts, t.Paint(role, part))
		}
	}
	return strings.Join(parts, t.Dim.Styled(map[bool]string{true: " · ", false: " "}[words]))
}

// tallied are the effects behind a count.
var tallied = map[checks.Effect]string{
	checks.Misreads: "with wrong results", checks.RefusesDrift: "will fail", checks.KeepsRecorded: "kept as recorded",
	checks.Allowed: "allowed", page.NotCompared: "not compared", page.Same: "equal",
}

// Row is one difference in the table, or the row that the equal fields share.
func (d *model) Row(i int, r *widget.Row) {
	t := &d.s.Theme
	if i >= len(d.rows) {
		sign := phrase.Effects.Of(string(page.Same))
		words := d.s.WithKeys(fmt.Sprintf(" %d equal (%%s shows them): ", len(d.equal)), kit.Keys.Compare) + d.equalNames()
		r.Cells[0] = widget.Cell{Wide: true, Text: t.Role(sign.Role).Styled(sign.Symbol) + t.Dim.Styled(words)}
		return
	}
	x := d.rows[i]
	sign := phrase.Effects.Of(string(x.Effect))
	r.Cells[0].Text = t.Role(sign.Role).Styled(sign.Symbol) + " " + t.Signs(page.FieldName(x.Field))
	r.Cells[3] = d.effect(x)
	switch {
	case x.Effect == page.Same || x.Effect == page.NotCompared:
		r.Cells[1] = widget.Cell{Text: "–", Style: t.Dim}
		r.Cells[2] = r.Cells[1]
	default:
		diff := d.diff(x)
		r.Cells[1].Text, r.Cells[2].Text = d.side(diff, false), d.side(diff, true)
	}
}

// equalNames are the equal fields; settings are counted.
func (d *model) equalNames() string {
	var names []string
	settings := 0
	for _, x := range d.equal {
		if strings.HasPrefix(x.Field, "conf.") {
			settings++
		} else {
			names = append(names, page.FieldName(x.Field))
		}
	}
	if settings > 0 {
		names = append(names, phrase.Units(int64(settings), "settings"))
	}
	return strings.Join(names, ", ")
}

// side is one side of a difference in a cell: what only it has is marked with a minus (recorded) or a plus (declared).
func (d *model) side(diff *page.Diff, declared bool) string {
	t := &d.s.Theme
	items, mark, style := diff.Recorded, "- ", t.Bad
	if declared {
		items, mark, style = diff.Declared, "+ ", t.Good
	}
	switch {
	case len(items) == 0 && declared:
		return t.Dim.Styled("not declared")
	case len(items) == 0:
		return t.Dim.Styled("not recorded")
	case len(diff.Recorded) <= 1 && len(diff.Declared) <= 1:
		recorded, other := diff.Short()
		if declared {
			recorded = other
		}
		return style.Styled(mark + t.Signs(recorded))
	}
	texts := make([]string, len(items))
	for i, x := range items {
		switch {
		case x.Other:
			texts[i] = style.Styled(mark + t.Signs(x.Text))
		case diff.Columns:
			texts[i], _, _ = strings.Cut(x.Text, " ")
		default:
			texts[i] = x.Text
		}
	}
	return strings.Join(texts, ", ")
}

// effect is what a restart does with a difference, in a cell.
func (d *model) effect(x *checks.Drift) widget.Cell {
	t := &d.s.Theme
	sign := phrase.Effects.Of(string(x.Effect))
	switch x.Effect {
	case checks.RefusesDrift:
		return widget.Cell{Text: t.Bad.Styled("will fail") + "  " + kit.Safe(x.Error)}
	case checks.KeepsRecorded:
		recorded, _ := d.diff(x).Short()
		return widget.Cell{Text: t.Signs("keeps " + phrase.Or(recorded, "the recorded value"))}
	case page.NotCompared, page.Same:
		return widget.Cell{Text: effectWords(x), Style: t.Dim}
	}
	return widget.Cell{Text: effectWords(x), Style: t.Role(sign.Role)}
}

func effectWords(x *checks.Drift) string {
	switch x.Effect {
	case page.NotCompared:
		return "not compared: " + kit.Prose(x.Meaning)
	case page.Same:
		return "equal"
	}
	return cmp.Or(phrase.Effects.Of(string(x.Effect)).Word, string(x.Effect))
}

package drift

import (
	"cmp"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// head is the line above the table: how many differences there are of each effect.
func (d *model) head() []string {
	t := &d.s.Theme
	if d.Filtering() {
		return []string{" " + kit.FilterLine(t, &d.Filter, phrase.Units(int64(d.len()), "differences")+" of "+phrase.Count(int64(len(d.rows))))}
	}
	line := d.tally(true)
	if phrase.Width(line) > d.W {
		line = d.tally(false)
	}
	if a := &d.s.Verdict.Advice; a.Way != "" {
		return append([]string{line}, t.Draw(d.W, page.Paragraph{Mark: page.Span{Text: " →"}, Text: page.AdviceLine(a), Whole: true})...)
	}
	return []string{line}
}

// tally is how many differences there are of each effect, with or without what that means.
func (d *model) tally(words bool) string {
	t := &d.s.Theme
	var parts []string
	for _, e := range page.Effects {
		n := 0
		for _, x := range d.rows {
			if x.Effect == e {
				n++
			}
		}
		sign := phrase.Effects.Of(string(e))
		if n > 0 && (words || sign.Word != "") {
			part := t.Paint(sign.Role, sign.Symbol+" "+phrase.Count(int64(n))+" "+string(e))
			if words && sign.Word != "" {
				part += t.Dim.Styled(" (" + sign.Word + ")")
			}
			parts = append(parts, part)
		}
	}
	return " " + strings.Join(parts, "   ")
}

// Row is one difference in the table.
func (d *model) Row(i int, r *widget.Row) {
	x := d.rows[i]
	sign := phrase.Effects.Of(string(x.Effect))
	r.Cells[0] = d.s.Theme.Cell(page.Cell{Mark: sign.Symbol, Text: string(x.Effect), Role: sign.Role})
	r.Cells[1].Text, r.Cells[4].Text = kit.Safe(x.Field), sparkDoes(x)
	if x.Effect != page.Same && x.Effect != page.NotCompared {
		r.Cells[2].Text, r.Cells[3].Text = kit.OrDash(kit.Safe(x.Declared)), kit.OrDash(kit.Safe(x.Recorded))
	}
}

// sparkDoes is what comes of a difference, in a few words: Spark's own where it refuses.
func sparkDoes(x *checks.Drift) string {
	if x.Effect == page.NotCompared {
		return kit.Prose(x.Meaning)
	}
	return cmp.Or(kit.Safe(x.Error), phrase.Effects.Of(string(x.Effect)).Word)
}

func (d *model) View(w, h int) []string {
	if len(d.rows) == 0 {
		return d.empty(w)
	}
	return d.List.View(&d.s.Theme, d.head(), d, d.detail)
}

// empty says why there is nothing to show.
func (d *model) empty(w int) []string {
	t := &d.s.Theme
	switch {
	case d.s.Examine.Spec == nil:
		return t.Nothing(w, page.Text{{Role: phrase.Open, Text: "? NOTHING IS COMPARED: no spec was given"}}, page.NoSpec,
			"A spec says what the code of the query declares: sources, operators, settings, sink. Start again with --spec FILE, and what differs is shown here, with what Spark does about it.",
			"tidemark spec LOCATION writes one from what a checkpoint records: from this one, to be changed as the code was changed, or from one that the new release made in a test.")
	case !d.s.Verdict.Known:
		return t.Nothing(w, page.Plain("… what the checkpoint records is being read."))
	}
	answer, because := kit.AnswerTo(d.s, checks.SameQuery)
	sign := phrase.Answers.Of(answer)
	return t.Nothing(w, page.Text{{Role: sign.Role, Text: sign.Symbol + " " + page.NoDifference}}, "Same query? "+phrase.Sentence(phrase.Or(answer, sign.Word)+", "+kit.Prose(because)))
}

// detail is the words on the selected difference, scrolled, in no more than h lines of w cells.
func (d *model) detail(w, h int) []string {
	x := d.selected()
	if x == nil {
		return d.s.NothingMatches()
	}
	return kit.Scrolled(d.s.Theme.Draw(w, page.DriftRow(&d.s.Verdict, x)...), d.Scroll, h, d.s, d.Inside)
}

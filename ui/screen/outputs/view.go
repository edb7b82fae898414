package outputs

import (
	"slices"
	"strconv"
	"strings"

	"tidemark/internal/output"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (x *model) Row(i int, r *widget.Row) {
	id, t := x.rows[i], &x.s.Theme
	r.Cells[colBatch].Text = strconv.FormatInt(id, 10)
	r.Cells[colOffsets], r.Cells[colCommitted] = t.YesNo(x.s.Planned(id)), t.YesNo(x.s.Committed(id))
	r.Cells[colSink] = t.InOutput(x.out, id)
	for c := colRows; c < columns; c++ {
		r.Cells[c].Text = "–"
	}
	b := x.batch(id)
	if b == nil {
		return
	}
	if b.Rows >= 0 {
		r.Cells[colRows].Text = phrase.Count(b.Rows)
	}
	if b.Files >= 0 {
		r.Cells[colFiles].Text = phrase.Count(b.Files)
	}
	if b.Version >= 0 {
		r.Cells[colVersion].Text = strconv.FormatInt(b.Version, 10)
	}
	age, at, _ := strings.Cut(x.s.Clock.Aged(b.Time), "  ")
	if at != "" {
		age += "  " + t.Dim.Styled(at)
	}
	r.Cells[colWritten].Text, r.Cells[colWhere].Text = phrase.Or(age, "–"), phrase.Or(kit.Safe(b.Where.String()), "–")
}

// batch is what the sink records of one batch; nil for nothing.
func (x *model) batch(id int64) *output.Batch {
	if x.out == nil {
		return nil
	}
	if i := slices.IndexFunc(x.out.Batches, func(b output.Batch) bool { return b.ID == id }); i >= 0 {
		return &x.out.Batches[i]
	}
	if id == x.out.Highest {
		return &output.Batch{ID: id, Rows: -1, Files: -1, Proof: x.out.Proof}
	}
	return nil
}

// summary is the order of the list, or that it is still being read; and how old it is.
func (x *model) summary() string {
	switch {
	case x.err != nil:
		return "? not read to its end"
	case x.reading:
		return "… reading the sink"
	}
	order := orders[x.order].name
	if x.back {
		order += ", reversed"
	}
	if ago := strings.TrimSpace(x.s.AskedAgo(x.asked)); ago != "" {
		order += " · " + ago
	}
	return order
}

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	if x.notGiven() {
		return x.Board.View(t, w, h, x.missing(w))
	}
	list, about, todo := x.Panel(t, x, x.summary()), x.about(), x.s.AdvicePanel()
	list.Least = 4
	about.Least, todo.Least = max(h/4, 3), 3
	about.Rank, todo.Rank = 1, 2
	switch {
	case w >= kit.ThreeColumns:
		return x.Board.View(t, w, h, kit.Across([]int{2, 1}, list, kit.Stack(about, todo)))
	case w >= kit.TwoColumns:
		list.Least = max(h/2-2, 4)
		return x.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{1, 1}, about, todo)))
	}
	return x.Board.View(t, w, h, kit.Stack(list, about, todo))
}

// missing says that no sink was given, and what one would show.
func (x *model) missing(w int) kit.Node {
	t := &x.s.Theme
	say := func(text string) page.Block { return page.Paragraph{Text: page.Plain(text)} }
	none := &kit.Panel{ID: "none", Title: "Not checked", Sign: phrase.Sign{Symbol: "?", Role: phrase.Open}, Text: func(w int) []string {
		return t.Draw(min(w, kit.Measure), say("Not checked: no sink was given."),
			say("Delta, Iceberg, Hudi and the file sink record which batches they have. "+
				"They show whether a re-run batch is written twice, once, or not at all."))
	}}
	steps := x.s.StepsPanel(page.Steps{Items: []page.Step{{Do: "Find the table or folder the query writes to"},
		x.s.TellStep(kit.WantedBy("sink")), {Do: "Or write it into the spec, as sink.location"}}}, "")
	if w >= kit.TwoColumns {
		return kit.Across([]int{1, 1}, none, steps)
	}
	return kit.Stack(none, steps)
}

// about is what the sink is, and how it compares with the checkpoint.
func (x *model) about() *kit.Panel {
	t := &x.s.Theme
	p := &kit.Panel{ID: "about", Title: "The sink"}
	switch {
	case x.err != nil:
		p.Sign = phrase.Sign{Symbol: "?", Role: phrase.Open}
		p.Text = func(w int) []string {
			text := "The sink was not read to its end: " + kit.Safe(x.err.Error()) + ". " + x.s.WithKeys("%s reads it again.", kit.Keys.Reread)
			return t.Draw(min(w, kit.Measure), page.Paragraph{Text: page.Plain(text)})
		}
		return p
	case x.out == nil:
		p.Text = func(int) []string { return []string{t.Dim.Styled("… reading the sink")} }
		return p
	}
	sign := phrase.Situations.Of(string(x.out.Situation))
	p.Sign, p.Right = phrase.Sign{Symbol: sign.Symbol, Role: sign.Role}, t.Paint(sign.Role, sign.Word)
	p.Fold = func(int) string { return t.Paint(sign.Role, sign.Head()) }
	p.Text = func(w int) []string {
		v := x.s.Verdict
		v.Sink = x.out
		return t.Draw(min(w, kit.Measure), page.Output(&v).Blocks...)
	}
	return p
}

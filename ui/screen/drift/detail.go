package drift

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// about is the panel of the selected difference: both sides, what the difference means, and Spark's error.
func (d *model) about() *kit.Panel {
	x := d.selected()
	p := &kit.Panel{ID: "about", Title: "Difference", Fold: func(int) string { return d.fold(x) }}
	switch {
	case d.onFold():
		p.Title, p.Sign = "Equal", phrase.Effects.Of(string(page.Same))
		p.Text = d.equalText
	case x == nil:
		p.Text = func(int) []string { return d.s.NothingMatches() }
	default:
		p.Title, p.Sign = page.FieldName(x.Field), phrase.Effects.Of(string(x.Effect))
		p.Text = func(w int) []string { return d.difference(x, w) }
	}
	return p
}

func (d *model) fold(x *checks.Drift) string {
	if x == nil {
		return ""
	}
	sign := phrase.Effects.Of(string(x.Effect))
	return d.s.Theme.Role(sign.Role).Styled(sign.Symbol) + " " + page.FieldName(x.Field) + d.s.Theme.Dim.Styled("  "+effectWords(x))
}

// equalText are the fields that are equal, by name.
func (d *model) equalText(w int) []string {
	names := make([]string, len(d.equal))
	for i, x := range d.equal {
		names[i] = page.FieldName(x.Field)
	}
	blocks := []page.Block{page.Paragraph{Text: page.Plain(strings.Join(names, ", "))}, page.Blank{},
		page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: "The code declares what the checkpoint records."}}}}
	return d.s.Theme.Draw(min(w, kit.Measure), blocks...)
}

// difference is one difference in full.
func (d *model) difference(x *checks.Drift, w int) []string {
	t := &d.s.Theme
	w = min(w, kit.Measure)
	if x.Effect == page.Same || x.Effect == page.NotCompared {
		return t.Draw(w, page.Paragraph{Text: page.Plain(phrase.Sentence(phrase.Prose(x.Meaning)))})
	}
	lines := d.sides(x, w)
	blocks := []page.Block{page.Paragraph{Text: page.Plain(phrase.Prose(x.Meaning))}}
	if x.Error != "" {
		blocks = append(blocks, page.Facts{Rows: []page.Fact{{Name: "Spark", Text: page.Plain(phrase.Printable(x.Error))}}})
	}
	return append(lines, t.Draw(w, blocks...)...)
}

// leastSides is how many cells both sides need next to each other.
const leastSides = 50

// sides are what is recorded and what is declared, under their places: next to each other where there is room.
func (d *model) sides(x *checks.Drift, w int) []string {
	diff := d.diff(x)
	if w < leastSides {
		return slices.Concat(d.oneSide(diff, x, false, w), d.oneSide(diff, x, true, w))
	}
	half := (w - 2) / 2
	left, right := d.oneSide(diff, x, false, half), d.oneSide(diff, x, true, half)
	var lines []string
	for i := range max(len(left), len(right)) {
		var a, b string
		if i < len(left) {
			a = left[i]
		}
		if i < len(right) {
			b = right[i]
		}
		lines = append(lines, phrase.Fit(a, half)+"  "+b)
	}
	return lines
}

// oneSide is one side in lines of w cells: an item a line.
func (d *model) oneSide(diff *page.Diff, x *checks.Drift, declared bool, w int) []string {
	t := &d.s.Theme
	items, mark, style, head, none := diff.Recorded, "-", t.Bad, "recorded", "nothing is recorded"
	where := phrase.Printable(x.Where.String())
	if declared {
		items, mark, style, head, none = diff.Declared, "+", t.Good, "declared", "nothing is declared"
		where = d.declaredAt(x)
	}
	lines := []string{t.Dim.Styled(phrase.Fit(phrase.Or(phrase.Middle(where, w-2), head), w))}
	if len(items) == 0 {
		return append(lines, t.Dim.Styled("  "+none))
	}
	name := 0
	for i := range items {
		if column, _, ok := strings.Cut(items[i].Text, " "); ok && diff.Columns {
			name = max(name, min(phrase.Width(column), w/2))
		}
	}
	for _, item := range items {
		text := item.Text
		if column, kind, ok := strings.Cut(text, " "); ok && diff.Columns {
			text = phrase.Fit(column, name) + "  " + kind
		}
		wrapped := phrase.Wrap(t.Signs(text), max(w-2, 8))
		if diff.Columns {
			wrapped = []string{phrase.Cut(t.Signs(text), max(w-2, 8))}
		}
		for i, line := range wrapped {
			if item.Other {
				lines = append(lines, style.Styled(map[bool]string{true: mark, false: " "}[i == 0]+" "+line))
			} else {
				lines = append(lines, "  "+line)
			}
		}
	}
	return lines
}

// declaredAt is where the spec declares a value: "spec.yaml:3"; "" where that is not known.
func (d *model) declaredAt(x *checks.Drift) string {
	spec := d.s.Examine.Spec
	if spec == nil || spec.From == "" {
		return ""
	}
	name := kit.Safe(path.Base(spec.From))
	if x.Place.Line > 0 {
		name += fmt.Sprintf(":%d", x.Place.Line)
	}
	return name
}

// todo is the panel of what to do about the selected difference.
func (d *model) todo() *kit.Panel {
	steps := d.steps()
	p := d.s.StepsPanel(steps, "Nothing to do about this.")
	if len(steps.Items) > 0 {
		p.Right, p.Opens = d.s.Theme.Dim.Styled("copy"), kit.Keys.Copy
	}
	return p
}

func (d *model) steps() page.Steps {
	if x := d.selected(); x != nil {
		return page.StepsFrom(x.NextStep, x.Avoid)
	}
	return page.Steps{}
}

// ways is the panel of the ways to choose from; nil where the code fits the checkpoint.
func (d *model) ways(w int) *kit.Panel {
	table := page.MigrationWays(&d.s.Verdict)
	if len(table.Rows) == 0 {
		return nil
	}
	return &kit.Panel{ID: "ways", Title: "Choose", Opens: kit.Keys.Plan, Rank: 3, Text: func(w int) []string {
		return d.s.Theme.Draw(w, table)
	}}
}

// nothing says why there is no difference to show, and what would show one.
func (d *model) nothing(w int) kit.Node {
	t := &d.s.Theme
	text := func(id, title string, sign phrase.Sign, blocks ...page.Block) *kit.Panel {
		return &kit.Panel{ID: id, Title: title, Sign: sign, Text: func(w int) []string { return t.Draw(min(w, kit.Measure), blocks...) }}
	}
	say := func(s string) page.Block { return page.Paragraph{Text: page.Plain(s)} }
	switch {
	case d.lacksSpec():
		why := text("none", "Not compared", phrase.Sign{Symbol: "?", Role: phrase.Open}, say("Not compared: no spec was given."),
			say("A spec declares what the code reads, keeps, and writes. tidemark compares it with what the checkpoint records."))
		todo := d.s.StepsPanel(d.nameSpec(), "")
		recorded := text("recorded", "Recorded in this checkpoint", phrase.Sign{}, page.Recorded(&d.s.Verdict))
		if w >= kit.TwoColumns {
			return kit.Stack(kit.Across([]int{1, 1}, why, todo), recorded)
		}
		return kit.Stack(why, todo, recorded)
	case !d.s.Verdict.Known:
		return text("none", "Differences", phrase.Sign{}, say("… reading what the checkpoint records"))
	}
	answer, because := kit.AnswerTo(d.s, checks.SameQuery)
	sign := phrase.Answers.Of(answer)
	return text("none", "Differences", phrase.Sign{Symbol: sign.Symbol, Role: sign.Role}, say(page.NoDifference),
		say("Same query? "+phrase.Sentence(phrase.Or(answer, sign.Word)+", "+kit.Prose(because))))
}

// nameSpec is how to have the code compared.
func (d *model) nameSpec() page.Steps {
	return page.Steps{Items: []page.Step{
		{Do: "Write a spec with tidemark spec LOCATION, from this checkpoint or from one the new code wrote in a test"},
		{Do: "Change in it what changed in the code"}, d.s.TellStep(kit.WantedBy("spec"))}}
}

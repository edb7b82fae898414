package question

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

func (q *model) View(w, h int) []string {
	answer, findings, missing := q.answerPanel(), q.findingsPanel(), q.openPanel()
	compared, ways := q.sectionPanel("compared", comparedID, 3), q.sectionPanel("recovery", waysID, 4)
	if !q.moved {
		q.SetFocus(openID)
		if len(q.behind()) > 0 && q.s.Missing(q.name().Name) == nil { // what the answer lacks comes first

			q.SetFocus(findingsID)
		}
	}
	root := kit.Stack(answer, findings, missing, compared, ways)
	if w >= kit.TwoColumns && (missing != nil || compared != nil) {
		root = kit.Across([]int{3, 2}, kit.Stack(answer, findings, ways), kit.Stack(missing, compared))
	}
	return q.Board.View(&q.s.Theme, w, h, root)
}

func (q *model) name() page.QuestionName { return page.QuestionNames[q.i] }

func (q *model) answer() checks.Question { return page.Answer(&q.s.Verdict, q.name().Name) }

// answerPanel is the question, its answer, and why.
func (q *model) answerPanel() *kit.Panel {
	a := q.answer()
	sign := phrase.Answers.Of(a.Answer)
	t := &q.s.Theme
	return &kit.Panel{ID: answerID, Title: phrase.Capital(q.name().Short), Sign: sign, Right: t.Paint(sign.Role, sign.Word), Text: func(w int) []string {
		lines := kit.StyledLines(t.Dim, phrase.Wrap(q.name().Asks, w))
		return append(lines, phrase.Wrap(t.Signs(phrase.Capital(phrase.Sentence(kit.Prose(a.Head())))), w)...)
	}}
}

// behind are the findings behind the answer.
func (q *model) behind() []int {
	a := q.answer()
	return page.Behind(&q.s.Verdict, &a)
}

// shown are those that the filter leaves.
func (q *model) shown() (all []int) {
	for _, i := range q.behind() {
		if q.filter.Pattern == "" || q.filter.Wants(rowOf(&q.s.Verdict.Findings[i])) {
			all = append(all, i)
		}
	}
	return all
}

// rowOf is a finding as its row has it.
func rowOf(f *checks.Finding) string {
	return phrase.Severities.Of(f.Severity.String()).Word + " " + f.Code + " " + phrase.Batch(f.Batch) + " " + kit.Prose(f.Title)
}

// findingLines is how many lines a finding has: its head, and its title.
const findingLines = 2

func (q *model) findingsPanel() *kit.Panel {
	t, v := &q.s.Theme, &q.s.Verdict
	p := &kit.Panel{ID: findingsID, Title: "Findings behind it", Opens: kit.Keys.Findings, Rank: 1}
	behind, shown := q.behind(), q.shown()
	if len(behind) == 0 {
		text := "None."
		if !v.Done {
			text = "… None so far."
		}
		p.Text = func(int) []string { return []string{t.Signs(text)} }
		return p
	}
	if q.filter.Typing || q.filter.Pattern != "" {
		p.Right = kit.FilterEdge(t, &q.filter, len(shown), len(behind))
	}
	p.Rows = &kit.Rows{Cursor: &q.findings, Len: len(shown), Per: findingLines, More: !v.Done, Draw: func(w, h int, blurred bool) []string {
		return q.drawFindings(shown, w, h, blurred)
	}}
	return p
}

func (q *model) drawFindings(shown []int, w, h int, blurred bool) (lines []string) {
	t, palette := &q.s.Theme, q.s.Theme.Palette()
	palette.Blurred = blurred
	if len(shown) == 0 {
		return []string{" " + q.s.WithKeys("No finding matches. %s shows all.", kit.Keys.Back)}
	}
	from, to := q.findings.Window(len(shown), h/findingLines)
	for at := from; at < to; at++ {
		f := &q.s.Verdict.Findings[shown[at]]
		symbol, style := t.Severity(f.Severity)
		head := style.Styled(t.Signs(symbol)+" "+phrase.Severities.Of(f.Severity.String()).Word) + "  " + f.Code + "  " + t.Dim.Styled(phrase.Batch(f.Batch))
		lines = append(lines, palette.Row(head, w, at == q.findings.At), "   "+phrase.Fit("  "+kit.Prose(f.Title), w-4)+" ")
	}
	return lines
}

// missing is something that was not checked, and what can be told for it; nil for nothing.
type missing struct {
	text string
	ask  *kit.Wanted
}

// rows are what was not checked.
func (q *model) rows() (all []missing) {
	v := &q.s.Verdict
	if ask := q.s.Missing(q.name().Name); ask != nil {
		all = append(all, missing{q.name().Short, ask})
	}
	for _, i := range page.OpenOf(v, q.name().Name) {
		n := &v.NotRun[i]
		m := missing{page.NotRunLine(n), q.s.AskFor(n)}
		if m.ask != nil {
			m.text = n.Code
		}
		all = append(all, m)
	}
	return all
}

func (q *model) openPanel() *kit.Panel {
	t, rows := &q.s.Theme, q.rows()
	p := &kit.Panel{ID: openID, Title: "Not checked", Rank: 2}
	if len(rows) == 0 && q.s.Verdict.Done {
		return nil
	}
	if len(rows) == 0 {
		p.Text = func(int) []string { return []string{t.Signs("… Still reading.")} }
		return p
	}
	p.Rows = &kit.Rows{Cursor: &q.open, Len: len(rows), Draw: func(w, h int, blurred bool) (lines []string) {
		palette := t.Palette()
		palette.Blurred = blurred
		from, to := q.open.Window(len(rows), h)
		for i := from; i < to; i++ {
			line := t.Paint(phrase.NotRun.Role, phrase.NotRun.Symbol) + " " + rows[i].text
			if ask := rows[i].ask; ask != nil {
				how := t.Accent.Styled("enter") + t.Dim.Styled(": "+ask.Brief)
				line = phrase.Fit(line, max(w-5-phrase.Width(how), 12)) + "  " + how
			}
			lines = append(lines, palette.Row(line, w, i == q.open.At))
		}
		return lines
	}}
	return p
}

// sectionPanel is a section of the page about the question as a panel; nil where the page has none.
func (q *model) sectionPanel(section, id string, rank int) *kit.Panel {
	p := page.Question(&q.s.Verdict, q.name())
	s := p.Section(section)
	if s == nil {
		return nil
	}
	return &kit.Panel{ID: id, Title: s.Title, Rank: rank, Least: 2, Text: func(w int) []string { return q.s.Theme.Draw(w, s.Blocks...) }}
}

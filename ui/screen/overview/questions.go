package overview

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The panel of the three questions: a row each, whose answer is asked for where it is missing.

// roomyRow is how many lines a question has in a column of its own.
const roomyRow = 3

func (o *model) questionsPanel(roomy bool) *kit.Panel {
	p := &kit.Panel{ID: questionsID, Title: "Three questions", Rank: 2, Fold: o.questionsFold}
	p.Rows = &kit.Rows{Cursor: &o.questions, Len: len(page.QuestionNames), Few: true, Draw: func(w, _ int, blurred bool) []string {
		return o.drawQuestions(w, blurred)
	}}
	if roomy {
		p.Rows.Per = roomyRow
		p.Rows.Draw = func(w, _ int, blurred bool) []string { return o.drawRoomy(w, blurred) }
	}
	return p
}

// answer is what a question has for an answer so far.
type answer struct {
	sign           phrase.Sign
	asks           string // "Intact?"
	because, brief string
	how            string // to get an answer that is missing
}

func (o *model) answer(i int, w int) answer {
	name := page.QuestionNames[i]
	q := page.Answer(&o.Session.Verdict, name.Name)
	a := answer{sign: phrase.Answers.Of(q.Answer), asks: phrase.Capital(name.Short), because: kit.Prose(q.Short()), brief: kit.Prose(q.Head())}
	if ask := o.Session.Missing(name.Name); ask != nil {
		a.sign = phrase.Answers.Of("unknown")
		if a.because, a.brief, a.how = "not checked", "", "enter: "+ask.Long; w < kit.TwoColumns {
			a.because, a.how = "not checked: "+ask.Brief, ""
		}
	} else if q.Answer == "" {
		a.because, a.brief = o.soFar(name.Name), ""
	} else if n := brokenLoads(&o.Session.Verdict); n > 0 && name.Name == checks.Intact && q.Answer == "no" {
		a.because, a.brief = o.cannotLoad(n), ""
	}
	return a
}

// soFar is what is known of an answer while files are read.
func (o *model) soFar(question string) string {
	switch v := &o.Session.Verdict; {
	case question == checks.Intact && len(v.Findings) > 0:
		return "found so far: " + v.Findings[0].Code
	case question == checks.Intact:
		return "nothing broken so far"
	case question == checks.ReplaySafe && v.Known && v.Restart.Outcome == checks.Rerun:
		return phrase.Batch(v.Restart.Batch) + " will be re-run"
	}
	return "still reading"
}

func (o *model) drawQuestions(w int, blurred bool) (lines []string) {
	t, p := &o.Session.Theme, o.Session.Theme.Palette()
	p.Blurred = blurred
	for i := range page.QuestionNames {
		a := o.answer(i, w)
		line := t.Paint(a.sign.Role, t.Signs(a.sign.Symbol)) + " " + phrase.Fit(a.asks, 13) + " " + paintAnswer(t, a.sign) + " "
		room := w - 2 - phrase.Width(line) - 2
		text := fitting(room, a.because, a.brief)
		if more := room - phrase.Width(text) - 2; a.how != "" && more > 0 {
			text += "  " + t.Dim.Styled(phrase.Cut(a.how, more))
		}
		lines = append(lines, p.Row(line+phrase.Fit(text, room)+" "+t.Accent.Styled(o.Session.QuestionKey(i)), w, i == o.questions.At && !blurred))
	}
	return lines
}

// drawRoomy draws each question in two lines, with a blank one below.
func (o *model) drawRoomy(w int, blurred bool) (lines []string) {
	t, p := &o.Session.Theme, o.Session.Theme.Palette()
	p.Blurred = blurred
	for i := range page.QuestionNames {
		a := o.answer(i, w)
		head := t.Paint(a.sign.Role, t.Signs(a.sign.Symbol)) + " " + phrase.Fit(a.asks, 13) + " " + paintAnswer(t, a.sign)
		key := t.Accent.Styled(o.Session.QuestionKey(i))
		lines = append(lines, p.Row(phrase.Fit(head, w-3)+key, w, i == o.questions.At && !blurred))
		for _, text := range kit.FirstLines(append(phrase.Wrap(phrase.Or(a.brief, a.because), w-6), ""), roomyRow-1) {
			lines = append(lines, p.Row("    "+text, w, false))
		}
	}
	return lines
}

// paintAnswer is the word of an answer: only a bad one has a color.
func paintAnswer(t *kit.Theme, s phrase.Sign) string {
	word := phrase.Fit(s.Word, 7)
	if s.Role == phrase.Bad {
		return t.Bad.Styled(word)
	}
	return t.Strong.Styled(word)
}

// questionsFold is the one line of the questions where there is no room for more.
func (o *model) questionsFold(w int) string {
	t, line := &o.Session.Theme, ""
	for i := range page.QuestionNames {
		a := o.answer(i, w)
		line += t.Paint(a.sign.Role, t.Signs(a.sign.Symbol)) + " " + a.asks + "  "
	}
	return line
}

// enterQuestion asks for what is missing, or opens the reasons of the answer.
func (o *model) enterQuestion() kit.Action {
	if ask := o.Session.Missing(page.QuestionNames[o.questions.At].Name); ask != nil {
		return kit.Go{Line: ask.Command}
	}
	return kit.Go{Line: "question " + o.Session.QuestionKey(o.questions.At)}
}

package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// question is what the answer to one of the three questions rests on.

// ---- model

type question struct {
	text
	s *session
	i int
}

func newQuestion(s *session, i int) *question { return &question{s: s, i: i} }

func (q *question) title() string { return questionNames[q.i].title }

// ---- keys

func (q *question) keys() []key.Binding {
	return textKeys(keys.back, keys.findings, keys.question)
}

// ---- view

func (q *question) view(w, h int) []string {
	t, x := &q.s.theme, questionNames[q.i]
	answer, because := answerTo(q.s, x.name)
	symbol, style := t.answer(answer)
	if answer == "" {
		symbol, answer, style = "…", "so far", t.dim
	}
	lines := []string{" " + t.section.Styled(strings.ToUpper(x.short)) + "  " + x.asks, "", "   " + style.Styled(symbol+" "+answer)}
	if a := q.s.questionAnswer(x.name); a != nil && len(a.Compared)+len(a.Less) > 0 {
		because = a.Head()
	}
	lines = append(lines, indent(widget.Wrap(report.Sentence(prose(because)), w-6))...)
	lines = append(lines, q.compared(w)...)
	lines = append(lines, q.evidence(w)...)
	if questionNames[q.i].name == "intact" {
		lines = append(lines, waysBack(q.s, w)...)
	}
	lines = append(lines, q.unread(w)...)
	return q.show(q.s, lines, h)
}

// compared are the comparisons of files with each other, and what was checked by less, one a line.
func (q *question) compared(w int) []string {
	a := q.s.questionAnswer(questionNames[q.i].name)
	if a == nil || len(a.Compared)+len(a.Less) == 0 {
		return nil
	}
	t := &q.s.theme
	lines := []string{"", " " + t.section.Styled("COMPARED WITH EACH OTHER, AND THEY AGREE")}
	for _, part := range []struct {
		symbol string
		all    []string
	}{{t.good.Styled("✓ "), a.Compared}, {t.unknown.Styled("? "), a.Less}} {
		for _, text := range part.all {
			lines = append(lines, indent(hanging(part.symbol, prose(text), w-6))...)
		}
	}
	return lines
}

// ours reports whether a check that bears on a question bears on this one.
func (q *question) ours(name string) bool {
	return cmp.Or(name, checks.Intact) == questionNames[q.i].name
}

// bears reports whether a finding bears on the answer: it is named there, or is about the question
// and of some weight.
func (q *question) bears(f *checks.Finding, because string) bool {
	if strings.Contains(because, f.Code) {
		return true
	}
	return q.ours(f.Question) && (f.Severity >= checks.High || !q.ours(checks.Intact))
}

// evidence are the findings that bear on the answer, worst first.
func (q *question) evidence(w int) []string {
	t := &q.s.theme
	_, because := answerTo(q.s, questionNames[q.i].name)
	lines := []string{"", " " + t.section.Styled("FINDINGS THAT BEAR ON IT")}
	n := 0
	for i := range q.s.verdict.Findings {
		f := &q.s.verdict.Findings[i]
		if !q.bears(f, because) {
			continue
		}
		n++
		symbol, style := t.severity(f.Severity)
		lines = append(lines, "   "+style.Styled(symbol+" "+f.Severity.String())+"  "+f.Code+"  "+batchWord(f.Batch)+"  "+safe(f.Where.String()))
		lines = append(lines, indent(indent(widget.Wrap(safe(f.Evidence), w-10)))...)
	}
	if n == 0 {
		word := "none"
		if !q.s.verdict.Done {
			word = "… none so far"
		}
		lines = append(lines, "   "+word)
	}
	return lines
}

// unread is what was not looked at: an answer cannot rest on it.
func (q *question) unread(w int) []string {
	t := &q.s.theme
	lines := []string{"", " " + t.section.Styled("NOT LOOKED AT")}
	for i := range q.s.verdict.NotRun {
		x := &q.s.verdict.NotRun[i]
		if x.Code != "" && !q.ours(x.Question) {
			continue
		}
		text := needs(x)
		if x.Code != "" {
			text = fmt.Sprintf("%s %s", x.Code, text)
		}
		lines = append(lines, "   "+t.unknown.Styled("? ")+widget.Cut(text, w-6))
	}
	if len(lines) == 2 {
		return nil
	}
	return lines
}

// ---- the lines that open it

var questionSpec = Spec{
	command: "question", args: "1, 2 or 3", need: true, does: "why one of the three questions has its answer", key: keys.question, nth: true, once: true,
	open: openQuestion, check: checkQuestion, complete: questionWords,
}

func openQuestion(s *session, w *words) (screen, error) {
	n, err := questionNumber(w.next())
	if err != nil {
		return nil, err
	}
	return newQuestion(s, n-1), nil
}

func checkQuestion(w *words) error {
	_, err := questionNumber(w.next())
	return err
}

func questionNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(questionNames) {
		return 0, fmt.Errorf("%q is no question: there are 1 to %d", text, len(questionNames))
	}
	return n, nil
}

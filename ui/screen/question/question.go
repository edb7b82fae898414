package question

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// question is what the answer to one of the three questions rests on.

// ---- model

type model struct {
	kit.Reader
	s *kit.Session
	i int
}

func newModel(s *kit.Session, i int) *model { return &model{s: s, i: i} }

func (q *model) Title() string { return kit.QuestionNames[q.i].Title }

// ---- keys

func (q *model) Keys() []key.Binding {
	return kit.ReaderKeys(kit.Keys.Back, kit.Keys.Findings, kit.Keys.Question)
}

// ---- view

func (q *model) View(w, h int) []string {
	t, x := &q.s.Theme, kit.QuestionNames[q.i]
	answer, because := kit.AnswerTo(q.s, x.Name)
	symbol, style := t.Answer(answer)
	if answer == "" {
		answer = "so far"
	}
	lines := []string{" " + t.Section.Styled(strings.ToUpper(x.Short)) + "  " + x.Asks, "", "   " + style.Styled(symbol+" "+answer)}
	if a := q.s.QuestionAnswer(x.Name); a != nil && len(a.Compared)+len(a.Less) > 0 {
		because = a.Head()
	}
	lines = append(lines, kit.Indent(widget.Wrap(phrase.Sentence(kit.Prose(because)), w-6))...)
	lines = append(lines, q.compared(w)...)
	lines = append(lines, q.evidence(w)...)
	if kit.QuestionNames[q.i].Name == "intact" {
		lines = append(lines, kit.WaysBack(q.s, w)...)
	}
	lines = append(lines, q.unread(w)...)
	return q.Show(q.s, lines, h)
}

// compared are the comparisons of files with each other, and what was checked by less, one a line.
func (q *model) compared(w int) []string {
	a := q.s.QuestionAnswer(kit.QuestionNames[q.i].Name)
	if a == nil || len(a.Compared)+len(a.Less) == 0 {
		return nil
	}
	t := &q.s.Theme
	lines := []string{"", " " + t.Section.Styled("COMPARED WITH EACH OTHER, AND THEY AGREE")}
	for _, part := range []struct {
		symbol string
		all    []string
	}{{t.Good.Styled("✓ "), a.Compared}, {t.Unknown.Styled("? "), a.Less}} {
		for _, text := range part.all {
			lines = append(lines, kit.Indent(kit.Hanging(part.symbol, kit.Prose(text), w-6))...)
		}
	}
	return lines
}

// ours reports whether a check that bears on a question bears on this one.
func (q *model) ours(name string) bool {
	return cmp.Or(name, checks.Intact) == kit.QuestionNames[q.i].Name
}

// bears reports whether a finding bears on the answer: it is named there, or is about the question
// and of some weight.
func (q *model) bears(f *checks.Finding, because string) bool {
	if strings.Contains(because, f.Code) {
		return true
	}
	return q.ours(f.Question) && (f.Severity >= checks.High || !q.ours(checks.Intact))
}

// evidence are the findings that bear on the answer, worst first.
func (q *model) evidence(w int) []string {
	t := &q.s.Theme
	_, because := kit.AnswerTo(q.s, kit.QuestionNames[q.i].Name)
	lines := []string{"", " " + t.Section.Styled("FINDINGS THAT BEAR ON IT")}
	n := 0
	for i := range q.s.Verdict.Findings {
		f := &q.s.Verdict.Findings[i]
		if !q.bears(f, because) {
			continue
		}
		n++
		symbol, style := t.Severity(f.Severity)
		lines = append(lines, "   "+style.Styled(symbol+" "+f.Severity.String())+"  "+f.Code+"  "+kit.BatchWord(f.Batch)+"  "+kit.Safe(f.Where.String()))
		lines = append(lines, kit.Indent(kit.Indent(widget.Wrap(kit.Safe(f.Evidence), w-10)))...)
	}
	if n == 0 {
		word := "none"
		if !q.s.Verdict.Done {
			word = "… none so far"
		}
		lines = append(lines, "   "+word)
	}
	return lines
}

// unread is what was not looked at: an answer cannot rest on it.
func (q *model) unread(w int) []string {
	t := &q.s.Theme
	lines := []string{"", " " + t.Section.Styled("NOT LOOKED AT")}
	for i := range q.s.Verdict.NotRun {
		x := &q.s.Verdict.NotRun[i]
		if x.Code != "" && !q.ours(x.Question) {
			continue
		}
		text := kit.WhatItNeeds(x)
		if x.Code != "" {
			text = fmt.Sprintf("%s %s", x.Code, text)
		}
		lines = append(lines, "   "+t.Unknown.Styled("? ")+widget.Cut(text, w-6))
	}
	if len(lines) == 2 {
		return nil
	}
	return lines
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "question", Args: "1, 2 or 3", Need: true, Does: "why one of the three questions has its answer", Key: kit.Keys.Question, Nth: true, Once: true,
	Open: open, Check: check, Complete: complete,
}

func open(s *kit.Session, w *kit.Words) (kit.Screen, error) {
	n, err := number(w.Next())
	if err != nil {
		return nil, err
	}
	return newModel(s, n-1), nil
}

func check(w *kit.Words) error {
	_, err := number(w.Next())
	return err
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(kit.QuestionNames) {
		return 0, fmt.Errorf("%q is no question: there are 1 to %d", text, len(kit.QuestionNames))
	}
	return n, nil
}

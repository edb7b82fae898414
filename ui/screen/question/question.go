package question

import (
	"fmt"
	"strconv"

	"charm.land/bubbles/v2/key"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// question is what the answer to one of the three questions rests on.

// ---- model

type model struct {
	kit.Reader
	s *kit.Session
	i int
}

func newModel(s *kit.Session, i int) *model { return &model{s: s, i: i} }

func (q *model) Title() string { return fmt.Sprintf("question %d", q.i+1) }

// ---- keys

func (q *model) Keys() []key.Binding {
	return kit.ReaderKeys(kit.Keys.Back, kit.Keys.Findings, kit.Keys.Question)
}

// ---- view

func (q *model) View(w, h int) []string {
	p := page.Question(&q.s.Verdict, page.QuestionNames[q.i])
	return q.Show(q.s, q.s.Theme.SayAll(w-3, p.Sections...), h)
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
	if err != nil || n < 1 || n > len(page.QuestionNames) {
		return 0, fmt.Errorf("%q is no question: there are 1 to %d", text, len(page.QuestionNames))
	}
	return n, nil
}

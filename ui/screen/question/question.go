package question

import (
	"fmt"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/page"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// question is what the answer to one of the three questions is based on: the findings behind it, the files that were compared, and
// what was not checked. What is missing for an answer is asked for on its row.

// ---- model

type model struct {
	kit.Board
	s              *kit.Session
	i              int
	findings, open widget.Cursor
	filter         widget.Filter // of the findings
	moved          bool          // a person has chosen a panel
}

func newModel(s *kit.Session, i int) *model { return &model{s: s, i: i} }

func (q *model) Title() string { return fmt.Sprintf("question %d", q.i+1) }

// The panels by their IDs.
const (
	answerID   = "answer"
	findingsID = "findings"
	openID     = "open"
	comparedID = "compared"
	waysID     = "ways"
)

// ---- keys

func (q *model) Keys() []key.Binding {
	var own []key.Binding
	if len(q.behind()) > 0 || len(q.rows()) > 0 {
		own = append(own, kit.Keys.Enter)
	}
	if len(q.behind()) > 0 {
		own = append(own, kit.Keys.Find)
	}
	return kit.PanelKeys(own...)
}

// ---- update

func (q *model) Load(kit.Scope) tea.Cmd { return nil }

func (q *model) Resize(int, int) {}

func (q *model) Typing() bool { return q.filter.Typing }

// SetFilter implements kit.Filterer.
func (q *model) SetFilter(pattern string) {
	q.filter.Set(pattern)
	q.SetFocus(findingsID)
	q.moved = true
}

func (q *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if q.filter.Typing {
		q.filter.Update(msg)
		q.findings.Go(0, len(q.shown()))
		return nil, nil
	}
	in, ok := msg.(kit.Input)
	switch {
	case !ok:
	case kit.Pressed(in, kit.Keys.Enter):
		return q.enter(), nil
	case kit.Pressed(in, kit.Keys.Find) && len(q.behind()) > 0:
		q.SetFocus(findingsID)
		q.moved = true
		q.filter.Begin()
	case kit.Pressed(in, kit.Keys.Back) && q.filter.Pattern != "":
		q.filter.Clear()
	case kit.Pressed(in, kit.Keys.Back):
		return kit.Back{}, nil
	default:
		q.moved = q.Board.Handle(in) != kit.NotForBoard || q.moved
	}
	return nil, nil
}

// enter opens the finding under the cursor, or asks for what a row needs.
func (q *model) enter() kit.Action {
	switch rows, shown := q.rows(), q.shown(); {
	case q.Focus() == findingsID && q.findings.At < len(shown):
		return kit.Go{Line: kit.FindingLine(&q.s.Verdict, shown[q.findings.At])}
	case q.Focus() == openID && q.open.At < len(rows) && rows[q.open.At].ask != nil:
		return kit.Go{Line: rows[q.open.At].ask.Command}
	}
	return nil
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
		return 0, fmt.Errorf("%q is not a question: the questions are 1 to %d", text, len(page.QuestionNames))
	}
	return n, nil
}

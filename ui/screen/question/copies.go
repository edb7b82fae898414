package question

import (
	"fmt"

	"tidemark/ui/kit"
)

func (q *model) Copies() []kit.Copyable {
	answer, because := kit.AnswerTo(q.s, kit.QuestionNames[q.i].Name)
	if answer == "" {
		return nil
	}
	return kit.OneLine("v", "answer", fmt.Sprintf("%s %s: %s", kit.QuestionNames[q.i].Short, answer, because))
}

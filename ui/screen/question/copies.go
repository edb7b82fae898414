package question

import (
	"fmt"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

func (q *model) Copies() []kit.Copyable {
	name := page.QuestionNames[q.i]
	answer := page.Answer(&q.s.Verdict, name.Name)
	if answer.Answer == "" {
		return nil
	}
	return kit.OneLine("v", "answer", fmt.Sprintf("%s %s: %s", name.Short, answer.Answer, answer.Because))
}

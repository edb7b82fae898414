package question

import (
	"fmt"

	"tidemark/ui/kit"
)

func (q *model) Command() string {
	return kit.LineOf(q.filter.Typed(), fmt.Sprintf("question %d", q.i+1))
}

package batch

import (
	"fmt"

	"tidemark/ui/kit"
)

func (b *model) Command() string {
	return kit.LineOf(b.Filter.Typed(), fmt.Sprintf("batch %d", b.id))
}

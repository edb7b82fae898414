package compare

import (
	"fmt"

	"tidemark/ui/kit"
)

func (x *model) Command() string {
	return kit.LineOf(x.Filter.Typed(), fmt.Sprintf("compare %d %d", x.a, x.b))
}

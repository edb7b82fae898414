package compare

import (
	"strings"

	"tidemark/ui/kit"
)

func (x *model) Copies() []kit.Copyable {
	if !x.done || x.err != nil {
		return nil
	}
	return kit.Ready("v", "differences", kit.Unstyled(strings.Join(x.lines, "\n")))
}

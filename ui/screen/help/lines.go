package help

import "tidemark/ui/kit"

func (x *model) Command() string { return kit.LineOf(x.Filter.Typed(), "help") }

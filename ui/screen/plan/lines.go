package plan

import "tidemark/ui/kit"

func (p *model) Command() string { return kit.LineOf(p.Filter.Typed(), "plan") }

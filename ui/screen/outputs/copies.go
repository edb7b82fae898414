package outputs

import "tidemark/ui/kit"

func (x *model) Copies() []kit.Copyable {
	return kit.OneLine("v", "row", kit.RowText(x, &x.Table))
}

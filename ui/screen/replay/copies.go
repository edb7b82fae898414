package replay

import "tidemark/ui/kit"

func (x *model) Copies() []kit.Copyable {
	return append(kit.OneLine("v", "row", kit.RowText(x, &x.Table)), x.s.Starts(-1)...)
}

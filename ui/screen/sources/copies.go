package sources

import "tidemark/ui/kit"

func (x *model) Copies() []kit.Copyable {
	all := kit.OneLine("v", "row", kit.RowText(x, &x.Table))
	return append(all, x.s.Starts(x.s.AsOf)...)
}

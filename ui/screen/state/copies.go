package state

import "tidemark/ui/kit"

func (x *model) Copies() []kit.Copyable {
	r := x.selected()
	if r == nil {
		return nil
	}
	return append(kit.OneLine("p", "path", x.s.PathOf(x.Place())), kit.Ready("v", "row", kit.RowText(x, &x.Table))...)
}

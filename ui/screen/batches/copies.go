package batches

import (
	"strings"

	"tidemark/ui/kit"
)

func (t *model) Copies() []kit.Copyable {
	r, ok := t.row()
	if !ok {
		return nil
	}
	row := kit.OneLine("v", "row", strings.Trim(kit.RowText(t, &t.Table), "╌ "))
	if r.Missing > 0 {
		return row
	}
	all := append(t.Session.BatchPath(r.ID), row...)
	return append(append(all, t.Session.BatchJSON(r.ID)...), t.Session.Starts(r.ID)...)
}

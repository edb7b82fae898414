package batches

import "tidemark/ui/kit"

func (t *model) Copies() []kit.Copyable {
	if t.table.At >= t.len() {
		return nil
	}
	r := t.rows[t.table.Order.Row(t.table.At)]
	row := kit.OneLine("v", "row", kit.RowText(t, &t.table))
	if r.Missing > 0 {
		return row
	}
	all := append(t.Session.BatchPath(r.ID), row...)
	return append(append(all, t.Session.BatchJSON(r.ID)...), t.Session.Starts(r.ID)...)
}

package findings

import (
	"bytes"
	"cmp"

	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (f *model) Copies() []kit.Copyable {
	found, not, gone := f.selected()
	x := cmp.Or(found, gone)
	switch {
	case not != nil:
		return kit.OneLine("v", "row", kit.RowText(f, &f.Table))
	case x == nil:
		return nil
	}
	var all []kit.Copyable
	if x.Where.File != "" {
		all = kit.OneLine("p", "path", f.s.PathOf(x.Where.File))
	}
	all = append(all, kit.OneLine("v", "evidence", x.Evidence)...)
	all = append(all, kit.Ready("n", "steps", kit.StepsText(f.steps()))...)
	copied := *x
	return append(all, kit.AsJSON(copied.Code, func(w *bytes.Buffer) error { return report.FindingJSON(w, &copied) })...)
}

package findings

import (
	"bytes"

	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (f *model) Copies() []kit.Copyable {
	x, skipped := f.selected()
	switch {
	case skipped != nil:
		return kit.OneLine("v", "row", kit.RowText(f, &f.Table))
	case x == nil:
		return nil
	}
	var all []kit.Copyable
	if x.Where.File != "" {
		all = kit.OneLine("p", "path", f.s.PathOf(x.Where.File))
	}
	all = append(all, kit.OneLine("v", "evidence", x.Evidence)...)
	found := *x
	return append(all, kit.AsJSON(found.Code, func(w *bytes.Buffer) error { return report.FindingJSON(w, &found) })...)
}

package drift

import (
	"bytes"
	"fmt"

	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (d *model) Copies() []kit.Copyable {
	x := d.selected()
	if x == nil {
		return nil
	}
	var all []kit.Copyable
	if x.Where.File != "" {
		all = kit.OneLine("p", "path", d.s.PathOf(x.Where.File))
	}
	differs := *x
	all = append(all, kit.OneLine("v", "difference", fmt.Sprintf("%s: declared %s, recorded %s", x.Field, x.Declared, x.Recorded))...)
	return append(all, kit.AsJSON(differs.Field, func(w *bytes.Buffer) error { return report.DriftJSON(w, &differs) })...)
}

package explain

import (
	"bytes"

	"tidemark/internal/page"
	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (x *model) Copies() []kit.Copyable {
	if x.said == nil || x.taking {
		return nil
	}
	said := x.said
	var b bytes.Buffer
	_ = report.Page(&b, page.Explanation(said), report.Options{}) // a Buffer takes everything
	var all []kit.Copyable
	if len(said.Files) > 0 {
		all = kit.OneLine("p", "path", x.s.PathOf(said.Files[0].Name))
	}
	all = append(all, kit.Ready("v", "explanation", b.String())...)
	return append(all, kit.AsJSON("the explanation, as tidemark explain --json prints it", func(w *bytes.Buffer) error { return report.ExplanationJSON(w, said) })...)
}

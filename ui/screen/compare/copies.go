package compare

import (
	"strings"

	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (x *model) Copies() []kit.Copyable {
	if !x.done || x.err != nil {
		return nil
	}
	return kit.Ready("v", "differences", x.text())
}

// text is the page as text has it: as wide as its tables are.
func (x *model) text() string {
	var b strings.Builder
	_ = report.Page(&b, x.page, report.Options{}) // a builder takes all
	return strings.TrimSuffix(b.String(), "\n")
}

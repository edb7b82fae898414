package plan

import (
	"strings"

	"tidemark/internal/report"
	"tidemark/ui/kit"
)

func (p *model) Copies() []kit.Copyable {
	if !p.s.Verdict.Done {
		return nil
	}
	var lines []string
	for _, l := range report.Plan(kit.CopyOf(&p.s.Verdict)) {
		lines = append(lines, l.Text)
	}
	return append(kit.Ready("v", "plan", strings.Join(lines, "\n")), p.s.Starts(-1)...)
}

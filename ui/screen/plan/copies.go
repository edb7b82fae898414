package plan

import (
	"strings"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

func (p *model) Copies() []kit.Copyable {
	if !p.s.Verdict.Done {
		return nil
	}
	plan := page.Plan(&p.s.Verdict)
	text := strings.Join(page.Layout{Width: whole}.Blocks(plan.Blocks...), "\n")
	return append(kit.Ready("v", "plan", text), p.s.Starts(-1)...)
}

// whole is how wide a text is laid out that is pasted elsewhere: its paragraphs stay on one line.
const whole = 1 << 20

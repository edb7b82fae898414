package report

import (
	"fmt"
	"strings"

	"tidemark/checks"
)

// Rollback says in sentences what going back to older state would mean; what the sources must still hold
// is not among them (see checks.Rollback.Ranges).
func Rollback(b *checks.Rollback) []string {
	all := []string{fmt.Sprintf("If the state cannot be had again: the newest that every store still has is version %d, as batch %d left it.", b.Version, b.Batch)}
	if len(b.Missing) > 0 {
		return append(all, fmt.Sprintf("Spark cannot go back there by its logs: %s not there any more. What is left is a new checkpoint that starts at positions of your choice.", isAre(b.Missing)))
	}
	var later []string
	for _, name := range b.Aside {
		later = append(later, name+" and later")
	}
	switch {
	case b.Last == b.Batch+1 && len(later) > 0:
		all = append(all, fmt.Sprintf("Back there, in a copy of the checkpoint: without %s Spark runs batch %d again as it was planned.", strings.Join(later, " and without "), b.Last))
	case b.Last > b.Batch:
		all = append(all, fmt.Sprintf("Back there, in a copy of the checkpoint: without %s Spark runs batch %d again as it was planned, and plans anew what batches %s read.",
			strings.Join(later, " and without "), b.Batch+1, span(b.Batch+2, b.Last)))
	}
	if b.Given > b.Batch {
		which := "batch"
		if b.Given > b.Batch+1 {
			which = "batches"
		}
		text := fmt.Sprintf("The sink was given %s %s before: it must take the rows twice, or be set back to batch %d too.", which, span(b.Batch+1, b.Given), b.Batch)
		if b.Given > b.Batch+1 {
			text += " One that knows batches by their numbers skips what it has under a number, though other rows come with it now."
		}
		all = append(all, text)
	}
	if len(b.Ranges) == 0 {
		return append(all, "What the sources must still hold is not told here: a plan is not there, or does not say where its sources ended.")
	}
	return append(all, "The sources must still hold what was read since:")
}

func isAre(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, " and ") + " are"
}

func span(first, last int64) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d to %d", first, last)
}

// rollbackPart follows what a restart does.
func rollbackPart(p *page, v *checks.Verdict) {
	b := v.Restart.Rollback
	if b == nil {
		return
	}
	p.line("")
	for _, text := range Rollback(b) {
		p.wrap("  ", text)
	}
	p.ranges(v, b.Ranges)
}

package kit

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// What is wrong with batches, as the findings have it: a missing batch stops a restart in one checkpoint, and is usual in another.

// found is how bad the findings about a batch are: the worst severity of each, and how many findings that was worked out from.
type found struct {
	worst map[int64]checks.Severity
	of    int
}

// Worst is the worst severity of the findings about a row; ok is false for none.
func (g *BatchLoader) Worst(r BatchRow) (worst checks.Severity, ok bool) {
	all := g.Session.Verdict.Findings
	if g.found.worst == nil || g.found.of != len(all) {
		g.found = found{map[int64]checks.Severity{}, len(all)}
		for i := range all { // worst first
			if _, have := g.found.worst[all[i].Batch]; !have && all[i].Batch >= 0 {
				g.found.worst[all[i].Batch] = all[i].Severity
			}
		}
	}
	first, hasFirst := g.found.worst[r.ID]
	last, hasLast := g.found.worst[r.ID+max(r.Missing-1, 0)] // findings about a gap name its first batch, or its last
	switch {
	case !hasFirst:
		return last, hasLast
	case hasLast && last == checks.Critical:
		return last, true
	}
	return first, true
}

// Waits reports whether a batch has no commit file and should have one: it is newer than all commits, or there is a finding
// about it. Queries that commit several batches at once have fewer commit files.
func (g *BatchLoader) Waits(id int64) bool {
	c := &g.Session.Checkpoint.Commits
	if c.Err != nil || c.Find(id) != nil {
		return false
	}
	_, found := g.Worst(BatchRow{ID: id})
	return found || id > c.Last()
}

// GapRole is how a run of missing batches is shown: bad where a restart fails because of it, and faint where it is usual.
func (g *BatchLoader) GapRole(r BatchRow) phrase.Role {
	switch worst, ok := g.Worst(r); {
	case ok && worst == checks.Critical:
		return phrase.Bad
	case ok:
		return phrase.Warn
	}
	return phrase.Dim
}

// DamageRole is how a batch with a damaged file is shown: bad if a restart fails because of it.
func (g *BatchLoader) DamageRole(id int64) phrase.Role {
	if g.GapRole(BatchRow{ID: id}) == phrase.Bad {
		return phrase.Bad
	}
	return phrase.Warn
}

// sign is what the listing and the findings say of a row, and its files where they were read.
func (g *BatchLoader) sign(r BatchRow) widget.Sign {
	c := g.Session.Checkpoint
	switch {
	case r.Missing > 0 || c.Offsets.Find(r.ID) == nil:
		return map[phrase.Role]widget.Sign{phrase.Bad: widget.Lost, phrase.Warn: widget.Gap, phrase.Dim: widget.Hole}[g.GapRole(r)]
	case g.damaged(r.ID):
		return map[phrase.Role]widget.Sign{phrase.Bad: widget.Lost, phrase.Warn: widget.Gap}[g.DamageRole(r.ID)]
	case c.Commits.Find(r.ID) == nil && c.Commits.Err != nil:
		return widget.Unknown
	case g.Waits(r.ID):
		return widget.Open
	}
	return widget.Normal
}

// damaged reports whether a file of a batch was read and does not parse.
func (g *BatchLoader) damaged(id int64) bool {
	b := g.loaded[id]
	return b != nil && b.Plan != nil && len(b.Plan.Problems) > 0
}

// GapWords say which files of a run of missing batches are missing.
func GapWords(c *checkpoint.Checkpoint, r BatchRow) string {
	for _, dir := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if dir.Err != nil {
			return "unknown: " + dir.Name + " could not be listed"
		}
	}
	return fmt.Sprintf("missing: offsets/%s and commits/%s", rowName(r), rowName(r))
}

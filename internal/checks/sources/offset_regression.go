package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var OffsetRegression = &checks.Check{
	Code:     "offset-regression",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	OnlyIf:   "the source was reset on purpose",
	Title:    "the offsets of a source decreased",
	Meaning: `This batch ends before the previous batch ended. Likely a topic, hub or table was deleted and created again, and
the query continued in spite of lost data. Other causes: an offset edited by hand, or a source that numbers its records again
after a restart. The query reads what the source now has below the old offsets, and those may be the same rows again.`,
	NextStep: `Find out when the source was created, and compare that with the time of this batch. From this batch on, treat
it as a new source. Check the sink around this batch for missing or duplicated rows.`,
	Avoid: `Do not raise the offsets by hand: if the source is new, its rows up to there would be skipped.`,
	Walk:  walkOffsetRegression,
}

func walkOffsetRegression(p *checks.Pass) checks.Walker {
	m := basics.FollowSources(p)
	older := map[string]source.Offset{} // by source: where the step before began
	return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
		for _, s := range m.Step(b) {
			before := older[s.Key]
			older[s.Key] = s.From
			if s.To.None || !basics.SameSource(s.From, s.To) || basics.Unordered(s.To) || s.To.Problem != nil || s.From.Problem != nil {
				continue
			}
			back := backwards(s.From, s.To)
			if len(back) == 0 {
				continue
			}
			f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where,
				Evidence: fmt.Sprintf("source %s, %s to %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(back, 8))}
			if b.Commit != nil && standsOut(p, before, s) {
				aheadOfBoth(&f, s, b)
			}
			p.Report(f)
		}
	}}
}

// standsOut reports whether the file before is what is wrong: each part that went back is still after where it was two files before, and the
// source, which was not made again, ends before where the file before has it.
func standsOut(p *checks.Pass, before source.Offset, s basics.SourceMove) bool {
	held := heldByKey(p, s.Key)
	if held == nil || len(before.Parts) == 0 || !basics.SameSource(before, s.To) {
		return false
	}
	was, peak := basics.PartFinder(before), basics.PartFinder(s.From)
	for i, part := range s.To.Parts {
		top, known := peak(i, part.Name)
		if c, ordered := part.Position.Compare(top); !known || !ordered || c >= 0 {
			continue
		}
		at, known := was(i, part.Name)
		if c, ordered := part.Position.Compare(at); !known || !ordered || c <= 0 {
			return false
		}
		there := held.Part(part.Name)
		if there == nil || there.Latest == nil || held.remade(part.Name) {
			return false
		}
		if c, ordered := there.Latest.Compare(top); !ordered || c >= 0 {
			return false
		}
	}
	return true
}

// heldByKey is what is known of a source by its key; nil for nothing.
func heldByKey(p *checks.Pass, key string) *heldSource {
	if p.Kept == nil {
		return nil
	}
	for i := range p.Kept.Sources {
		if s := &p.Kept.Sources[i]; s.Key == key && s.Err == nil {
			return Held(p.Kept, i)
		}
	}
	return nil
}

// aheadOfBoth is about one offset file that is above both its neighbors. The batch after it is committed, so the next start does not read it.
func aheadOfBoth(f *checks.Finding, s basics.SourceMove, b *checkpoint.Batch) {
	f.Severity = checks.Medium
	f.Title = "one offset file is ahead of the files around it"
	f.Evidence += "; the source ends before the higher one"
	f.Meaning = fmt.Sprintf(`%s has higher offsets than the files before and after it, and than the source. So it was edited, or the source was
created again and has grown since. Batch %d is committed, and a restart begins at its end or later. If the source was created again, some of
its records may never have been read.`, s.AsOf, b.ID)
}

// backwards are the parts that ended earlier than before.
func backwards(from, to source.Offset) []string {
	find := basics.PartFinder(from)
	var back []string
	for i, part := range to.Parts {
		at, known := find(i, part.Name)
		if !known {
			continue
		}
		if c, ordered := part.Position.Compare(at); ordered && c < 0 {
			text := fmt.Sprintf("%s%s → %s", basics.PartPrefix(part.Name), at.Text, part.Position.Text)
			if part.Unit != "" {
				text += " " + part.Unit
			}
			back = append(back, text)
		}
	}
	return back
}

package checks

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
)

var offsetRegression = &Check{
	Code:     "offset-regression",
	Severity: High,
	Title:    "a source went backwards",
	Meaning: `This batch ends before the one before it ended. A topic, hub or table that was deleted and created again under its
name does this where the query is told to go on in spite of lost data; so does a position that was edited by hand, and a source
that numbers anew after a restart. What the new one holds below the old positions is read if the query goes on from here; what
it holds may also be the same rows once more.`,
	NextStep: `Find out when the source was created, and compare that with the time of this batch. From this batch on treat it as
a new source, and look in the sink for rows that are missing or there twice around it.`,
	Avoid: `Do not raise the numbers by hand to where they stood: if the source is a new one, its rows up to there would be
skipped.`,
	Walk: walkOffsetRegression,
}

func walkOffsetRegression(p *Pass) Walker {
	m := followSources(p)
	return Walker{
		Batch: func(_, b *checkpoint.Batch) {
			for _, s := range m.step(b) {
				switch {
				case s.to.None && !s.before.None:
					lostPosition(p, b, s)
				case s.to.None || !sameSource(s.from, s.to) || unordered(s.to):
				default:
					if back := backwards(s); len(back) > 0 {
						p.Reportf(b.ID, s.to.Where, "source %s, %s to %s: %s", s.key, s.asOf, b.Plan.File, firstFew(back))
					}
				}
			}
		},
		Done: func(bool) { unreadEntries(p) },
	}
}

// unordered reports whether positions of this kind say nothing by their order. A Kinesis line is where
// its batch starts, and a batch that runs again may move that.
func unordered(o source.Offset) bool { return o.LogsStart() || is(o, "databricks-kinesis") }

// backwards are the parts that ended earlier than before.
func backwards(s move) []string {
	was := positions(s.from)
	var back []string
	for _, part := range s.to.Parts {
		at, known := was[part.Name]
		if !known {
			continue
		}
		if c, ordered := part.Position.Compare(at); ordered && c < 0 {
			text := fmt.Sprintf("%s%s → %s", partOf(part.Name), at.Text, part.Position.Text)
			if part.Unit != "" {
				text += " " + part.Unit
			}
			back = append(back, text)
		}
	}
	return back
}

// lostPosition is a source that had an offset in the plan before and has none here. Spark keeps the
// last one of every source, so it never writes this.
func lostPosition(p *Pass, b *checkpoint.Batch, s move) {
	f := Finding{Severity: High, Batch: b.ID, Where: s.to.Where,
		Title: "a source lost its position",
		Meaning: `Spark repeats the last position of a source in every plan, so a "-" after a position was put there by hand or by a
tool. A start from this plan takes the position of the plan before for it, without a word: what this batch read of the source is
read again.`,
		NextStep: copyFirst + `Then look for the file in a backup or among older versions of the object, and compare. Look in the sink for rows of
this batch that are there twice.`,
		Avoid:    `Do not restart before the line is back: nothing will say that rows come twice.`,
		Evidence: fmt.Sprintf("source %s stands at %s in %s, and has no offset (-) in %s", s.key, standsAt(s.from), s.asOf, b.Plan.File)}
	p.Report(f)
}

// unreadEntries is the newest plan of a query without state in which no source moved, committed, while
// the log of a file source goes on behind it. A query without state plans a batch only when there is
// something new (it has no watermark to move), so a position was lowered to the one before; those files
// are read again.
func unreadEntries(p *Pass) {
	st := p.Survey.Standing
	if st.Last == nil || st.Before == nil || st.LastCommitted != st.LastPlanned || !stateless(p) || continuous(p) {
		return
	}
	plan, before := st.Last.Plan, st.Before.Plan
	if plan == nil || before == nil || plan.Control != "" || plan.Watermark > 0 || len(plan.Sources) != len(before.Sources) {
		return
	}
	var stood []move
	for i, o := range inPlanOrder(plan) {
		was := sourceOf(before, i, o.Name)
		if o.None || was.None || !equal(was, o) {
			return
		}
		stood = append(stood, move{key: sourceKey(i, o), from: was, to: o})
	}
	for _, s := range stood {
		id, ok := logOffset(s.to)
		f := folderOf(p, s.key)
		if !ok || f == nil || !f.IsLog() || f.Log.Latest() <= id {
			continue
		}
		p.Report(Finding{Severity: High, Batch: st.LastPlanned, Where: s.to.Where,
			Title: "a committed batch that read nothing, and a source that has more",
			Meaning: `A query without state plans a batch only when some source has something new, but in this plan no source moved,
and the log of the file source goes on behind it. So its position was most likely set back to that of the batch before. The next
batch then reads those files again, and nothing will say so.`,
			NextStep: copyFirst + `Then compare the plan with a backup or an older version of the object, and look in the sink for rows of the files that
the later entries of the source's log name.`,
			Avoid: `Do not restart before that: the rows would come twice.`,
			Evidence: fmt.Sprintf("%s and %s both stand at entry %d of %s, whose log goes up to %d; commits/%d is there",
				before.File, plan.File, id, f.Name, f.Log.Latest(), st.LastPlanned)})
	}
}

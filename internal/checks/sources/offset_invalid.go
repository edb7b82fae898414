package sources

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var OffsetInvalid = &checks.Check{
	Code:     "offset-invalid",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Title:    "a position that may not stand in a log",
	Meaning: `A source never writes this value: before a batch is planned, "earliest" and "latest" are turned into real positions,
and a position is a number within its range. The line was edited by hand, made from the options of a query, or damaged. What Spark
does with it depends on the source: some stop, some read from another place than was meant.`,
	NextStep: `Compare with the plans before and after, and with a backup. Find out who wrote the line, and which position was
meant.`,
	Avoid: `Do not put "earliest" (-2) or "latest" (-1) into the log: they belong into the options of a new query.`,
	Walk:  walkOffsetInvalid,
}

func walkOffsetInvalid(p *checks.Pass) checks.Walker {
	newest, count := map[string]checks.Finding{}, map[string]int{}
	unknown := map[string]bool{} // sources that wrote what no decoder knows: another line may only look like something known
	m := basics.FollowSources(p)
	return checks.Walker{
		Batch: func(_, b *checkpoint.Batch) {
			if b.Plan == nil {
				return
			}
			for _, s := range m.Step(b) {
				if s.To.None && !s.Before.None {
					lostPosition(p, b, s)
				}
				impossibleJump(p, b, s)
			}
			for i, o := range b.Plan.InOrder() {
				key := basics.SourceKey(i, o)
				if !o.None && o.Problem == nil && len(o.Kinds) == 0 && !basics.NoTopics(o) {
					unknown[key] = true
				}
				e, ok := errors.AsType[*decode.Error](o.Problem)
				if !ok || e.Flaw != decode.Value {
					continue
				}
				newest[key] = checks.Finding{Severity: checks.High, Batch: b.ID, Where: e.Where,
					Evidence: fmt.Sprintf("source %s, %s: %v", key, e.What, e.Err)}
				count[key]++
			}
		},
		Done: func(bool) {
			for _, key := range slices.Sorted(maps.Keys(newest)) {
				f := newest[key]
				if unknown[key] {
					continue
				}
				if more := count[key] - 1; more > 0 {
					f.Evidence += fmt.Sprintf("; so in %d older plans", more)
				}
				p.Report(f)
			}
			unreadEntries(p)
		},
	}
}

// mostInABatch is how many records no partition takes in between two plans: a million a second for thirty years.
const mostInABatch = int64(1e15)

// impossibleJump is a position so far behind the one before that no source can have reached it.
func impossibleJump(p *checks.Pass, b *checkpoint.Batch, s basics.SourceMove) {
	if s.To.None || s.To.Problem != nil || s.From.Problem != nil || !basics.SameSource(s.From, s.To) {
		return
	}
	var far []string
	for _, r := range source.Ranges(s.From, s.To) {
		if r.Counted && r.Unit == "records" && r.Count > mostInABatch && r.From != nil && r.To != nil {
			far = append(far, fmt.Sprintf("%s%s → %s %s", basics.PartPrefix(r.Part), r.From.Text, r.To.Text, r.Unit))
		}
	}
	if len(far) == 0 {
		return
	}
	p.Report(checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where,
		Title: "a position that no source can have reached",
		Meaning: `No partition takes in so many records between two batches. The number was edited by hand, taken from another unit (a time
for an offset), or damaged. A start from there finds the source ending long before: it fails over lost data or, where failOnDataLoss is
false, goes on from another place.`,
		NextStep: basics.CopyFirst + `Then compare the plan with the ones beside it and with a backup, and put the true position back.`,
		Avoid:    `Do not set failOnDataLoss to false to get past it: what lies between would be skipped, or read twice.`,
		Evidence: fmt.Sprintf("source %s, %s to %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(far, 8))})
}

// lostPosition is a source that had an offset in the plan before and has none here. Spark keeps the
// last one of every source, so it never writes this.
func lostPosition(p *checks.Pass, b *checkpoint.Batch, s basics.SourceMove) {
	f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where,
		Title: "a source lost its position",
		Meaning: `Spark repeats the last position of a source in every plan, so a "-" after a position was put there by hand or by a
tool. A start from this plan takes the position of the plan before for it, without a word: what this batch read of the source is
read again.`,
		NextStep: basics.CopyFirst + `Then look for the file in a backup or among older versions of the object, and compare. Look in the sink for rows of
this batch that are there twice.`,
		Avoid:    `Do not restart before the line is back: nothing will say that rows come twice.`,
		Evidence: fmt.Sprintf("source %s stands at %s in %s, and has no offset (-) in %s", s.Key, standsAt(s.From), s.AsOf, b.Plan.File)}
	p.Report(f)
}

// unreadEntries is the newest plan, committed, in which no source moved although the query plans no
// batch without new data, while the log of a file source goes on behind it: a position was set back to
// the one before, and those files are read again. Where a checksum beside the plan disagrees, that
// tells the edit already.
func unreadEntries(p *checks.Pass) {
	st := p.Survey.Standing
	if st.Last == nil || st.Before == nil || st.LastCommitted != st.LastPlanned || len(st.Last.Checksums) > 0 || basics.Continuous(p) {
		return
	}
	plan, before := st.Last.Plan, st.Before.Plan
	if plan == nil || before == nil || len(plan.Sources) != len(before.Sources) || runsWithoutData(p, plan) {
		return
	}
	var stood []basics.SourceMove
	for i, o := range plan.InOrder() {
		was := basics.SourceOf(before, i, o.Name)
		if o.None || was.None || !basics.SamePositions(was, o) {
			return
		}
		stood = append(stood, basics.SourceMove{Key: basics.SourceKey(i, o), From: was, To: o})
	}
	for _, s := range stood {
		id, ok := basics.LogOffset(s.To)
		f := basics.FolderOf(p, s.Key)
		if !ok || f == nil || !f.IsLog() || f.Log.Latest() <= id {
			continue
		}
		p.Report(checks.Finding{Severity: checks.High, Batch: st.LastPlanned, Where: s.To.Where,
			Title: "a committed batch that read nothing, and a source that has more",
			Meaning: `Without a watermark a query plans a batch only when some source has something new, but in this plan no source
moved, and the log of the file source goes on behind it. So its position was most likely set back to that of the batch before. The next
batch then reads those files again, and nothing will say so.`,
			NextStep: basics.CopyFirst + `Then compare the plan with a backup or an older version of the object, and look in the sink for rows of the files that
the later entries of the source's log name.`,
			Avoid: `Do not restart before that: the rows would come twice.`,
			Evidence: fmt.Sprintf("%s and %s both stand at entry %d of %s, whose log goes up to %d; commits/%d is there",
				before.File, plan.File, id, f.Name, f.Log.Latest(), st.LastPlanned)})
	}
}

// runsWithoutData reports whether the query may plan a batch although no source has anything new: to
// move a watermark, or for timeouts of state that users keep themselves. A control batch is none.
func runsWithoutData(p *checks.Pass, plan *log.Plan) bool {
	if plan.Control != "" || plan.Watermark > 0 || p.State.Err != nil {
		return true
	}
	for _, op := range p.Survey.State {
		name := strings.ToLower(op.Name)
		if name == "" || strings.Contains(name, "groupswithstate") || strings.Contains(name, "transformwithstate") ||
			strings.Contains(name, "groupsinpandas") {
			return true
		}
	}
	return false
}

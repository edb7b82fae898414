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
	Title:    "an offset has a value sources never write",
	Meaning: `Spark replaces "earliest" and "latest" by real offsets before it plans a batch, and offsets are within a fixed
range. This line was edited by hand, copied from the options of a query, or damaged. The effect depends on the source: some
fail, some read from a wrong position.`,
	NextStep: `Compare with the offset files before and after, and with a backup. Find out who wrote the line, and which
offset was meant.`,
	Avoid: `Do not put "earliest" (-2) or "latest" (-1) into the log: they are options of a new query.`,
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
				snapshotAgain(p, b, s)
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
				if b.ID == p.Offsets.Last() && b.Commit == nil && cutOff(p, key, o) {
					newest[key] = endsAtCut(newest[key])
				}
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
					f.Evidence += fmt.Sprintf("; also in %d older offset files", more)
				}
				p.Report(f)
			}
			unreadEntries(p)
			doubted(p)
		},
	}
}

// cutOff reports whether all that is wrong with an offset are fractions, which a source that plans ranges cuts off: each position is then where
// the batch that it is planned for ends, and where the next begins.
func cutOff(p *checks.Pass, key string, o source.Offset) bool {
	kind := o.Likeliest()
	if kind.Taken == nil {
		return false
	}
	taken, err := o.TakenAs(kind)
	before := p.Survey.Standing.Before
	if err != nil || before == nil || before.Plan == nil {
		return false
	}
	find := basics.PartFinder(basics.SourceNamed(before.Plan, key))
	for i, part := range taken {
		at, known := find(i, part.Name)
		if !known || at.Order != source.Number || part.Position.Num < at.Num {
			return false
		}
	}
	return true
}

// endsAtCut is the finding about such an offset in a batch that runs again: nothing is read twice or skipped.
func endsAtCut(f checks.Finding) checks.Finding {
	f.Severity = checks.Medium
	f.Title = "an offset has a fraction"
	f.Meaning = `Sources write whole numbers: this line was edited by hand. Spark cuts the fraction off. The batch is uncommitted: it ends at
that number, and the next batch begins there.`
	f.NextStep = `Find out who edited the line, and compare the offset file with a backup.`
	return f
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
		Title: "an offset no source can have reached",
		Meaning: `No partition receives so many records between two batches. The number was edited by hand, has another unit
(a time instead of an offset), or is damaged. A restart finds the end of the source far below it. It will fail because of lost
data or, if failOnDataLoss is false, continue from another offset.`,
		NextStep: basics.CopyFirst + `Then compare the offset file with its neighbors and with a backup, and put the correct
offset back.`,
		Avoid:    `Do not set failOnDataLoss to false to avoid the error: records would be skipped or read twice.`,
		Evidence: fmt.Sprintf("source %s, %s to %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(far, 8))})
}

// lostPosition is a source that had an offset in the plan before and has none here. Spark keeps the
// last one of every source, so it never writes this.
func lostPosition(p *checks.Pass, b *checkpoint.Batch, s basics.SourceMove) {
	f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where,
		Title: "a source lost its offset",
		Meaning: `Spark repeats the last offset of a source in every offset file. So a person or a tool wrote this "-". A
restart silently uses the offset from the file before. What this batch read of the source is read again.`,
		NextStep: basics.CopyFirst + `Then look for the file in object versions or a backup, and compare. Check the sink for
duplicated rows of this batch.`,
		Avoid:    `Do not restart before the line is restored: rows would be duplicated silently.`,
		Evidence: fmt.Sprintf("source %s is at %s in %s, but has no offset (-) in %s", s.Key, standsAt(s.From), s.AsOf, b.Plan.File)}
	p.Report(f)
}

// unreadEntries is the newest plan, committed, in which no source moved although the query plans no
// batch without new data, while the log of a file source continues after it: a position was set back to
// the one before, and those files are read again. Where a checksum next to the plan disagrees, that
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
		unreadVersions(p, s, before.File, plan.File)
		id, ok := basics.LogOffset(s.To)
		f := basics.FolderOf(p, s.Key)
		if !ok || f == nil || !f.IsLog() || f.Log.Latest() <= id {
			continue
		}
		p.Report(checks.Finding{Severity: checks.High, Batch: st.LastPlanned, Where: s.To.Where,
			Title: "a committed batch read nothing although a source had more",
			Meaning: `Without a watermark, Spark plans a batch only if a source has new data. In this offset file no source
moved, although the file source log continues after it. Likely its offset was set back to that of the batch before. The next
batch then silently reads those files again.`,
			NextStep: basics.CopyFirst + `Then compare the offset file with object versions or a backup. Check the sink for
rows of the files in the later entries of the source log.`,
			Avoid: `Do not restart before that: rows would be duplicated.`,
			Evidence: fmt.Sprintf("%s and %s are both at entry %d of %s, whose log goes up to %d; commits/%d exists",
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

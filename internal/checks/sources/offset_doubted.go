package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// This file is the half of offset-invalid about tables: offsets that a source may write, and did not reach.

// doubted reports positions that the table itself shows to be impossible.
func doubted(p *checks.Pass) {
	if p.Kept == nil {
		return
	}
	for i := range p.Kept.Sources {
		s := Held(p.Kept, i)
		if len(s.Doubts) == 0 || s.Other != "" {
			continue
		}
		f := s.finding(phrase.Clauses(s.Doubts, 4))
		f.Where, f.Banner = s.newest().Where, ""
		f.Title = "an offset is past what its batch can have read"
		f.Meaning = `Spark plans a batch only up to what the table has at that time. This offset is further. Likely the line was edited by hand, or is from
another checkpoint. Rows between are never read, and nothing reports it.`
		f.NextStep = basics.CopyFirst + `Then compare the offset file with its neighbors and with a backup, and put the correct offset back.`
		f.Avoid = `Do not restart before that: Spark continues at the offset and skips the rows before it.`
		p.Report(f)
	}
}

// snapshotAgain is a table source that was past its first snapshot and is inside one again: Spark never goes back there
// (DeltaSourceOffset.validateOffsets).
func snapshotAgain(p *checks.Pass, b *checkpoint.Batch, s basics.SourceMove) {
	if s.To.None || s.From.None || s.To.Problem != nil || s.From.Problem != nil || !basics.SameSource(s.From, s.To) {
		return
	}
	_, before := s.From.Snapshot()
	inside, now := s.To.Snapshot()
	if before || !now || len(s.From.Parts) == 0 {
		return
	}
	p.Report(checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where,
		Title: "a source is inside its first snapshot again",
		Meaning: `A query reads the first snapshot of a table once, and then only its changes. This offset says that it reads a snapshot again. Likely the line
was edited by hand. A restart reads all rows of that version again.`,
		NextStep: basics.CopyFirst + `Then compare the offset file with its neighbors and with a backup, and put the correct line back.`,
		Avoid:    `Do not restart before that: rows would be duplicated silently.`,
		Evidence: fmt.Sprintf("source %s is past its first snapshot in %s, and in %s it is inside one: %s", s.Key, s.AsOf, b.Plan.File, inside)})
}

// unreadVersions is a committed batch in which no source moved, of a query that plans no batch without new data, while a Delta
// table has versions from there on: its position was set back to that of the batch before.
func unreadVersions(p *checks.Pass, s basics.SourceMove, before, newest string) {
	if p.Kept == nil || len(s.To.Parts) == 0 {
		return
	}
	for i := range p.Kept.Sources {
		k := Held(p.Kept, i)
		at := s.To.Parts[0].Position
		if k.Key != s.Key || k.Other != "" || !k.Kind().Ahead || len(k.Parts) == 0 || k.Parts[0].Latest == nil || k.Parts[0].Latest.Num <= at.Num {
			continue
		}
		f := k.finding(fmt.Sprintf("%s and %s are both at version %d, the table goes up to version %d, and the batch is committed",
			before, newest, at.Num, k.Parts[0].Latest.Num-1))
		f.Batch, f.Where, f.Banner = p.Survey.Standing.LastPlanned, s.To.Where, ""
		f.Title = "a committed batch read nothing although its source had more"
		f.Meaning = `Without a watermark, Spark plans a batch only if a source has new data. In this offset file no source moved. Likely its offset was set back
to that of the batch before. The next batch then silently reads the same rows again.`
		f.NextStep = basics.CopyFirst + `Then compare the offset file with object versions or a backup. Check the sink for rows of the named version.`
		f.Avoid = `Do not restart before that: rows would be duplicated.`
		p.Report(f)
	}
}

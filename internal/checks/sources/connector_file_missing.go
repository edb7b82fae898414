package sources

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var ConnectorFileMissing = &checks.Check{
	Code:     "connector-file-missing",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Salvage:  true,
	Title:    "a connector's own progress file is not there",
	Meaning: `The Kinesis connector keeps where each shard ended in files of its own, one folder a batch. The plan of a batch
holds only where it started. Without the folder of the last batch the connector cannot tell where the next one starts, and gives
up. A clean-up, a batch that read no records, or a write of an executor that was lost can do this.`,
	NextStep: `Look for the folder in a backup or among older versions of its objects, and put it back. If there is none, take the
positions in the newest plan as the start of a new checkpoint: that batch is then read again, so look first whether the sink
recognizes rows that come twice. Keep this checkpoint.`,
	Avoid: `Do not copy the folder of an older batch under the missing number: it holds other positions.`,
	Run:   runConnectorFileMissing,
}

func runConnectorFileMissing(ctx context.Context, p *checks.Pass) error {
	plan := basics.NewestPlan(p.Survey.Standing)
	if plan == nil || p.Sources.Err != nil {
		return nil
	}
	for i, o := range plan.InOrder() {
		key := basics.SourceKey(i, o)
		f := basics.FolderOf(p, key)
		if f != nil && (f.Err != nil || f.Shut) {
			continue
		}
		if o.Likeliest().EndsApart && p.Commits.Last() == p.Offsets.Last() {
			if err := shardsEnded(ctx, p, o, f); err != nil {
				return err
			}
		}
		firstPositions(p, key, o, f)
	}
	return nil
}

// shardsEnded looks at where the last batch, which is committed, recorded the end of each shard.
func shardsEnded(ctx context.Context, p *checks.Pass, o source.Offset, f *checkpoint.SourceFolder) error {
	l := p.Offsets.Last()
	if want := MissingEnd(f, o); want != "" {
		p.Reportf(l, decode.Where{File: path.Join(f.Name, want)}, "offsets/%d is batch %s of the connector, and %s/%s is not there; there are: %s",
			l, shardBatch(o), f.Name, want, phrase.Clauses(f.Ended, 8))
		return nil
	}
	if f == nil || len(f.Ended) == 0 {
		return nil
	}
	dir, _, _ := strings.Cut(f.Ended[0], "/")
	ended := p.List(ctx, path.Join(f.Name, dir, shardBatch(o)))
	if ended.Err != nil {
		p.Unread(checkpoint.Unread{Name: ended.Name, List: true, Err: ended.Err})
		return nil
	}
	var absent, there []string
	for _, part := range o.Parts {
		if part.Position.Text == "SHARD_END" {
			continue // read to its end before: nothing more to record
		}
		if ended.Find(part.Name) == nil {
			absent = append(absent, part.Name)
			continue
		}
		there = append(there, path.Join(ended.Name, part.Name))
	}
	for s, err := range p.Shards(ctx, slices.Values(there)) {
		if err != nil {
			return err
		}
		if s.Err != nil {
			p.Unread(checkpoint.Unread{Name: s.File, Err: s.Err})
		} else if len(s.Problems) > 0 {
			p.Report(checks.Finding{Severity: checks.High, Batch: l, Where: s.Problems[0].Where, Evidence: basics.FlawText(s.Problems[0]),
				Title: "a connector's own progress file does not parse",
				Meaning: `The next batch starts this shard where this file says that the last one ended. It does not parse, so the connector
stops at it or loses the position.`})
		}
	}
	if len(absent) > 0 {
		p.Report(checks.Finding{Severity: checks.High, Batch: l, Where: decode.Where{File: ended.Name},
			Title: "shards without a recorded end",
			Meaning: `The last batch read these shards, and the connector's files do not say where it ended in them. Depending on its
version the connector leaves such a shard out, or takes it for a new one.`,
			Evidence: fmt.Sprintf("offsets/%d has %d shards; no file in %s for %s", l, len(o.Parts), ended.Name, phrase.Clauses(absent, 8))})
	}
	return nil
}

// firstPositions is the file with which a source began. It counts only while batch 0 is not committed:
// that batch starts there. Later starts do not read it.
func firstPositions(p *checks.Pass, key string, o source.Offset, f *checkpoint.SourceFolder) {
	if f != nil && f.First != nil && len(f.First.Problems) > 0 && o.Likeliest().First == source.ReadsAlways {
		p.Report(checks.Finding{Severity: checks.High, Batch: -1, Where: f.First.Problems[0].Where,
			Evidence: basics.FlawText(f.First.Problems[0]),
			Title:    "where the source began does not parse",
			Meaning: `The Iceberg source reads this file at every start, although the plans hold the position to go on from, and stops where
it does not parse.`,
			NextStep: `Look for the file in a backup or among older versions of the object, and put it back.`})
	}
	if o.None || basics.Continuous(p) || o.Likeliest().First != source.ReadsUncommitted {
		return
	}
	if p.Offsets.Last() != 0 || p.Commits.Last() >= 0 {
		firstDamaged(p, f)
		return
	}
	name := fmt.Sprintf("sources/%s/0", key)
	found := checks.Finding{Severity: checks.High, Batch: 0, Where: decode.Where{File: name},
		Title: "where batch 0 starts is not recorded",
		Meaning: `Batch 0 is planned and not committed, and the file that says where it starts is missing or does not parse. Spark then
works out the query's starting position once more, as of now. With "latest" that lies behind the rows of this batch; with "earliest"
it is what the source still keeps.`,
		NextStep: `Look for the file in a backup or among older versions of the object, and put it back before the query starts. If
there is none, compare the query's starting position with the plan in offsets/0.`,
		Avoid: `Do not restart a query that begins at "latest" before that: rows would be left out without a word.`}
	switch {
	case f == nil || f.Find(0) == nil:
		found.Evidence = fmt.Sprintf("offsets/0 is there, commits/0 and %s are not", name)
	case f.First != nil && len(f.First.Problems) > 0:
		found.Where, found.Evidence = f.First.Problems[0].Where, basics.FlawText(f.First.Problems[0])
	default:
		return
	}
	p.Report(found)
}

// firstDamaged is a file of first positions that no start reads any more, and that does not parse.
func firstDamaged(p *checks.Pass, f *checkpoint.SourceFolder) {
	if f == nil || f.First == nil || len(f.First.Problems) == 0 {
		return
	}
	p.Report(checks.Finding{Severity: checks.Low, Batch: -1, Where: f.First.Problems[0].Where,
		Evidence: basics.FlawText(f.First.Problems[0]),
		Title:    "where the source began does not parse, and no start needs it",
		Meaning: `The source wrote here where it began, and reads it only while no batch is committed. The plans hold the position to go on
from. But something changed or cut a file of this checkpoint.`,
		NextStep: `Nothing for a restart. Find out what changed the file: other files may have met the same.`,
		Avoid:    `Do not delete the folder for it.`})
}

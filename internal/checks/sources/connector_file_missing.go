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
	Title:    "a progress file of the connector is missing",
	Meaning: `The Kinesis connector records the end of each shard in its own files, one folder per batch. The offset file of a
batch has only its start. Without the folder of the last batch, the connector cannot find where the next batch starts, and
fails. Likely causes: a cleanup, a batch without records, or a lost write of an executor.`,
	NextStep: `Look for the folder in object versions or a backup, and put it back. If it is not found: check that the sink
accepts duplicates, then start a new checkpoint at the positions in the newest offset file. That batch is read again. Keep
this checkpoint.`,
	Avoid: `Do not copy the folder of an older batch under the missing number: it has other positions.`,
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

// shardsEnded reads where the last batch, which is committed, recorded the end of each shard.
func shardsEnded(ctx context.Context, p *checks.Pass, o source.Offset, f *checkpoint.SourceFolder) error {
	l := p.Offsets.Last()
	if want := MissingEnd(f, o); want != "" {
		p.Reportf(l, decode.Where{File: path.Join(f.Name, want)}, "offsets/%d is batch %s of the connector, but %s/%s is missing; found: %s",
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
				Title: "a progress file of the connector cannot be parsed",
				Meaning: `The next batch starts this shard where this file says the last one ended. The file cannot be parsed,
so the connector fails or loses the position.`})
		}
	}
	if len(absent) > 0 {
		p.Report(checks.Finding{Severity: checks.High, Batch: l, Where: decode.Where{File: ended.Name},
			Title: "some shards have no recorded end",
			Meaning: `The last batch read these shards, but the connector's files do not record where it ended. Depending on
its version, the connector skips such a shard or treats it as new.`,
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
			Title:    "the recorded start of a source cannot be parsed",
			Meaning: `The Iceberg source reads this file at every start, and fails if it cannot be parsed. It does so although
the offset log has the offset to continue from.`,
			NextStep: `Look for the file in object versions or a backup, and put it back.`})
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
		Title: "the start of batch 0 is not recorded",
		Meaning: `Batch 0 is not committed, and the file with its start is missing or cannot be parsed. Spark then determines
the query's starting position again, as of now. With "latest" it is after the rows of this batch; with "earliest" it is the
oldest the source still has.`,
		NextStep: `Look for the file in object versions or a backup, and put it back before you restart. If it is not found:
compare the query's starting position with offsets/0.`,
		Avoid: `Do not restart a query that starts at "latest" before that: rows would be skipped silently.`}
	switch {
	case f == nil || f.Find(0) == nil:
		found.Evidence = fmt.Sprintf("offsets/0 exists, commits/0 and %s do not", name)
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
		Title:    "an unneeded start record of a source cannot be parsed",
		Meaning: `The source recorded its start here, and reads it only until a batch is committed. The offset log has the
offset to continue from. But something changed or cut off a file of this checkpoint.`,
		NextStep: `Nothing is needed for a restart. Find out what changed the file: other files may be affected too.`,
		Avoid:    `Do not delete the folder because of it.`})
}

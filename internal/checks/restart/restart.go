package restart

import (
	"context"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Judge is a start as its rules see it.
type Judge struct{ *basics.Start }

// rule is one step of a start. It decides what comes of it, or lets the start continue.
type rule struct {
	name   string
	decide func(*Judge) (checks.Restart, bool)
}

// rules are the steps of a start in Spark's order: the query id (StreamMetadata), the sources' own
// logs as they are opened, the two logs (MicroBatchExecution.populateStartOffsets), the last batch
// asked of each source once more, state, and the commit of the batch that runs. The first that
// decides is the answer; the last one always does.
//
// Real-time mode (4.1 on) drops the plans above C and continues after C. The checkpoint does not record
// that mode, so it is reported as what it would be without.
var rules = []rule{
	{"not a checkpoint", notACheckpoint},
	{"the declared query", declared(checks.WhenPlanned)},
	{"the tables of sources and sink", tablesOpened},
	{"the logs cannot be listed", unlisted},
	{"the query ID", QueryID},
	{"the logs of file sources", fileLogsOpened},
	{"nothing planned", nothingPlanned},
	{"continuous processing", continuousStart},
	{"the newest offset file is not found", NewestNotFound},
	{"the newest offset file", NewestPlanFlaw},
	{"the sources of the newest offset file", SourceCount},
	{"the declared number of sources", declared(checks.WhenSources)},
	{"the offset file before is missing", PlanBeforeMissing},
	{"the offset file before", PlanBeforeFlaw},
	{"the number of sources in both", SourceCounts},
	{"pinned settings", PinnedSettings},
	{"the metadata line", MetadataLine},
	{"the newest commit", NewestCommit},
	{"the declared checkpoint format", declared(checks.WhenCommitted)},
	{"an unfinished repartition", unfinishedRepartition},
	{"the ranges of partitions", rangedStart},
	{"the sources", Sources},
	{"the declared sources", declared(checks.WhenOpened)},
	{"the declared operators", declared(checks.WhenOperators)},
	{"the records of operators", operatorRecords},
	{"the declared schemas", declared(checks.WhenSchemas)},
	{"the schemas of a join's sides", joinSchemas},
	{"the schemas of a join of an older release", joinOf3},
	{"a side of a join without new rows", emptySide},
	{"the IDs of state files", UniqueIDs},
	{"state", stateStart},
	{"the rows of state", declared(checks.WhenLoaded)},
	{"the batch is written already", writtenAlready},
	{"the columns of the sink", sinkColumns},
	{"the next batch", goesOn},
}

// Predict is what Spark of release p.Spark does at the next start.
func Predict(ctx context.Context, p *checks.Pass) checks.Restart {
	s := &Judge{basics.NextStart(ctx, p)}
	for _, r := range rules {
		if out, ok := r.decide(s); ok {
			return out
		}
	}
	return Unknown("tidemark has no rule for this checkpoint")
}

// refuses is a start that fails over batch (-1: none) with Spark's words.
func refuses(batch int64, words, because string, args ...any) (checks.Restart, bool) {
	return checks.Restart{Outcome: checks.Refuses, Batch: batch, Error: words, Because: fmt.Sprintf(because, args...), StateVersion: -1},
		true
}

// Unknown is a start of which nothing can be said.
func Unknown(because string, args ...any) checks.Restart {
	return checks.Restart{Outcome: checks.Unknown, Batch: -1, StateVersion: -1, Because: fmt.Sprintf(because, args...)}
}

func goOn() (checks.Restart, bool) { return checks.Restart{}, false }

func notACheckpoint(s *Judge) (checks.Restart, bool) {
	if s.IsCheckpoint() {
		return goOn()
	}
	return Unknown("this is not a checkpoint: it has no offset log, commit log, state or query ID"), true
}

func unlisted(s *Judge) (checks.Restart, bool) {
	for _, l := range []struct {
		name string
		err  error
	}{{"offsets", s.Offsets.Err}, {"commits", s.Commits.Err}} {
		if l.err != nil {
			return Unknown("the folder %s, which a restart reads, could not be listed: %s", l.name, why(l.err)), true
		}
	}
	return goOn()
}

// unread is a log file that the start reads and that was not had: the answer may stand in it.
func (s *Judge) unread(b *checkpoint.Batch, name string) (checks.Restart, bool) {
	if b != nil {
		for _, u := range b.Unread {
			if u.Name == name {
				return Unknown("%s, which a restart reads, could not be read: %s", name, why(u.Err)), true
			}
		}
	}
	return Unknown("%s, which a restart reads, was not read", name), true
}

// why is the reason for which something could not be had, in a few words.
func why(err error) string {
	switch checkpoint.Why(err) {
	case "not logged in":
		return "the storage did not accept the credentials: they are expired or unknown"
	case "denied":
		return "access is denied"
	case "archived":
		return "it is archived and must be restored first"
	case "stopped":
		return "reading was stopped earlier"
	case "gone":
		return "it existed and is now missing, so something is changing this folder"
	}
	return err.Error()
}

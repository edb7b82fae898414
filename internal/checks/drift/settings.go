package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// confFormat is the version of the checkpoint's own format: 2 puts ids into the names of state files and
// into commits (4.0 on).
const confFormat = "spark.sql.streaming.stateStore.checkpointFormatVersion"

// pinnedToo are settings that a plan pins and that have no value of old releases where it does not; see
// assumed for the others.
var pinnedToo = []string{
	basics.ConfPartitions, basics.ConfStatePartitions, basics.ConfProvider, "spark.sql.streaming.stateStore.rocksdb.formatVersion",
	"spark.sql.dropDuplicates.deterministicKeyOrder.enabled", "spark.sql.streaming.statefulOperator.alwaysNullableOutput.enabled",
}

// compareConf holds the settings against those that the newest plan pins. All others are the session's, and
// a checkpoint does not record them.
func compareConf(c *comparer) {
	for _, key := range slices.Sorted(maps.Keys(c.Spec.Conf)) {
		field, declared := "conf."+key, strings.TrimSpace(c.Spec.Conf[key])
		if key == confFormat {
			c.checkpointFormat(field, declared)
			continue
		}
		recorded, ok := c.taken(key)
		switch {
		case !ok && key == basics.ConfPartitions && c.sessionPartitions(field, declared):
		case !ok && slices.Contains(pinnedToo, key):
			c.skip(field, "the newest offset file does not record it: the session value counts")
		case !ok:
			c.skip(field, "a checkpoint does not record it: the session value counts")
		case strings.EqualFold(strings.TrimSpace(recorded), declared):
			c.agree(field, false)
		default:
			c.differ(c.pinnedOther(key, declared, recorded))
		}
	}
}

// pinned is a setting as the newest plan pins it.
func (c *comparer) pinned(key string) (string, bool) {
	if c.Last == nil || c.Last.Plan == nil {
		return "", false
	}
	v, ok := c.Last.Plan.Conf[key]
	return v, ok
}

// taken is the value that a start takes for a setting, whatever the session says; false where that counts.
func (c *comparer) taken(key string) (string, bool) {
	if v, ok := c.pinned(key); ok {
		return v, true
	}
	if c.Last == nil || c.Last.Plan == nil || !c.Last.Plan.HasMetadata {
		return "", false
	}
	v, ok := assumed[key]
	return v, ok
}

func (c *comparer) confWhere() decode.Where {
	if c.Last == nil || c.Last.Plan == nil {
		return decode.Where{File: "offsets"}
	}
	return decode.Where{File: c.Last.Plan.File, Line: 2}
}

// pinnedOther is a setting that is pinned to another value.
func (c *comparer) pinnedOther(key, declared, recorded string) checks.Drift {
	d := checks.Drift{Field: "conf." + key, Declared: declared, Recorded: recorded, Effect: checks.KeepsRecorded, Where: c.confWhere(),
		Meaning: `Spark takes this setting from the newest offset file at every restart, whatever the session sets. The declared value has
no effect on this checkpoint.`}
	if _, ok := c.pinned(key); !ok {
		d.Recorded += " (missing in the newest offset file: the value of old releases)"
	}
	switch key {
	case basics.ConfPartitions:
		d.Meaning = fmt.Sprintf(`State has %s partitions, fixed in the offset log. The query keeps %s, whatever the session sets.`, recorded, recorded)
		if c.OnSpark(4, 1) {
			d.Meaning += ` Since Spark 4.1 this applies to state only: shuffles without state use the session value.`
		}
		d.NextStep = `Nothing to do for a restart. To get the declared number, the query needs a new checkpoint`
		if c.OnSpark(4, 2) {
			d.NextStep += `, or its state must be repartitioned offline (Spark 4.2 and later)`
		}
		d.NextStep += `.`
		d.Avoid = `Do not edit the number in the offset file: Spark would then look for rows in the wrong partitions.`
	case basics.ConfProvider:
		d.Meaning = `The query keeps the state store provider recorded in the newest offset file, whatever the session sets. No Spark
release converts state from one provider to the other.`
	}
	return d
}

// checkpointFormat compares the format of the checkpoint with the version of its newest commit. 4.0 and 4.1
// read only commits of the version that their format writes; 4.2 and later read both.
func (c *comparer) checkpointFormat(field, declared string) {
	commit := c.Committed
	if commit == nil || commit.Commit == nil || commit.Commit.Version == 0 || len(commit.Commit.Problems) > 0 {
		c.skip(field, "no commit shows it")
		return
	}
	recorded := "1"
	if commit.Commit.Version == 2 || commit.Commit.StateUniqueIDs != nil {
		recorded = "2"
	}
	d := checks.Drift{Field: field, Declared: declared, Recorded: recorded, Way: checks.Decide,
		Where: decode.Where{File: commit.Commit.File, Line: 1}}
	switch {
	case recorded == declared:
		c.agree(field, false)
		return
	case !c.OnSpark(4, 0):
		c.skip(field, "Spark %s does not have it", c.Spark)
		return
	case !c.OnSpark(4, 2):
		d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenCommitted, "INVALID_LOG_VERSION.EXACT_MATCH_VERSION"
		d.Meaning = fmt.Sprintf(`The newest commit has log version %d. Spark %s reads only the version its checkpoint format writes.`, commit.Commit.Version, c.Spark)
		d.NextStep = `Set ` + confFormat + ` back to ` + recorded + `. Spark 4.2 and later can change from 1 to 2.`
	case declared == "1" && c.Stateful():
		d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenLoaded, "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE"
		d.Meaning = `The state file names contain IDs, as in checkpoint format 2. With format 1 Spark looks for names without an ID, and
finds none.`
		d.NextStep = `Set ` + confFormat + ` back to 2. One checkpoint cannot change from 2 to 1.`
	default:
		d.Effect, d.Way = checks.Allowed, checks.Resume
		d.Meaning = `Spark writes the next batches in the declared format. It cannot change back from 2 to 1. Releases before 4.2 cannot
read a checkpoint with both formats.`
	}
	c.differ(d)
}

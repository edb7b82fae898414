package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var ConfChanged = &checks.Check{
	Code:     "conf-changed",
	Severity: checks.Medium,
	Question: checks.SameQuery,
	OnlyIf:   "the setting was changed on purpose",
	Title:    "a setting recorded in the offset log changed between two batches",
	Meaning: `Spark fixes these settings when the query first starts and writes them to each offset file. A restart takes them from the
newest offset file, whatever the session sets. Spark itself never changes them. Likely causes: an edited log, files of another checkpoint,
or a tool that repartitions state. Spark may misread state written with the other value.`,
	NextStep: `Find out who changed the setting and why. If nobody meant to, compare with a backup before the next restart.`,
	Avoid:    `Do not set the old value in the session: the newest offset file overrides it.`,
	Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(before, b *checkpoint.Batch) {
			if before == nil || before.Plan == nil || b.Plan == nil || b.Plan.Control != "" || before.Plan.Control != "" {
				return
			}
			was, is := before.Plan.Conf, b.Plan.Conf
			for _, key := range slices.Sorted(maps.Keys(is)) {
				old, ok := was[key]
				if !ok || old == is[key] {
					continue
				}
				f := checks.Finding{Severity: checks.Medium, Batch: b.ID, Where: decode.Where{File: b.Plan.File, Line: 2}}
				f.Evidence = fmt.Sprintf("%s is %q in batch %d and %q in batch %d", key, old, before.ID, is[key], b.ID)
				if b.ID == p.Offsets.Last() && shapesState(key) && !basics.Stateless(p) {
					f.Severity = checks.High // the state that is there was written under the old value
				}
				p.Report(f)
			}
		}}
	},
}

// shapesState reports whether state that was written under one value of a setting is misread, or not
// found, under another.
func shapesState(key string) bool {
	switch key {
	case "spark.sql.shuffle.partitions", "spark.sql.streaming.internal.stateStore.partitions",
		"spark.sql.streaming.stateStore.providerClass", "spark.sql.streaming.stateStore.compression.codec",
		"spark.sql.streaming.stateStore.encodingFormat":
		return true
	}
	return strings.HasSuffix(key, ".stateFormatVersion")
}

// assumed is what a start takes for a pinned setting that the newest plan does not record; a setting
// that is not listed takes the value of the session.
//
// OffsetSeqMetadata.relevantSQLConfs and relevantSQLConfDefaultValues.
var assumed = map[string]string{
	"spark.sql.streaming.multipleWatermarkPolicy":                   "min",
	"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion": "1",
	"spark.sql.streaming.aggregation.stateFormatVersion":            "1",
	"spark.sql.streaming.join.stateFormatVersion":                   "1",
	"spark.sql.streaming.stateStore.compression.codec":              "lz4",
	"spark.sql.streaming.statefulOperator.useStrictDistribution":    "false",
	"spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan":      "true",
	"spark.sql.streaming.stateStore.encodingFormat":                 "unsaferow",
	"spark.sql.streaming.stateStore.rowChecksum.enabled":            "false",
	"spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion":   "1",
	"spark.sql.function.protobufExtensions.enabled":                 "false",
	"spark.sql.streaming.queryEvolution.enableSourceEvolution":      "false",
}

var ConfMissing = &checks.Check{
	Code:     "conf-missing",
	Severity: checks.Medium,
	Question: checks.SameQuery,
	Title:    "the newest offset file lacks a setting that older ones record",
	Meaning: `A restart takes these settings from the newest offset file. If one is missing, Spark uses the default of old releases or the
session value. State written with the recorded value may then be misread. A restart with an older Spark release writes fewer settings. An
edited log may lose some too.`,
	NextStep: `If the query now runs on an older release, go back to the newer one. If not, compare the newest offset file with a backup
before the next restart. Set the setting in the session if Spark reads it there.`,
	Walk: func(p *checks.Pass) checks.Walker {
		seen := map[string]string{} // the newest value of each setting
		var newest *checkpoint.Batch
		var conf map[string]string
		return checks.Walker{
			Batch: func(_, b *checkpoint.Batch) {
				if b.Plan == nil || !b.Plan.HasMetadata {
					return
				}
				newest = b
				if len(conf) == len(b.Plan.Conf) && maps.Equal(conf, b.Plan.Conf) {
					return
				}
				conf = b.Plan.Conf
				maps.Copy(seen, conf)
			},
			Done: func(whole bool) {
				if !whole || newest == nil || newest.ID != p.Offsets.Last() {
					return
				}
				reportMissing(p, newest, seen)
				if _, older := seen[basics.ConfPartitions]; !older {
					reportUnpinned(p, newest)
				}
			},
		}
	},
}

// formatsOf are the operators whose rows a format of state is about.
var formatsOf = map[string]string{
	basics.ConfAggregate: "stateStoreSave",
	basics.ConfJoin:      "symmetricHashJoin",
	basics.ConfGroup:     "flatMapGroupsWithState",
}

// misreads is how bad another format of state is for the operators that exist, on 3.0 and older, which compare neither
// schemas nor rows with it (seen on 2.4.8 and 3.0.3); info where it changes nothing, and for later releases.
// Those releases do not record what an operator is: one that the spec does not name may be the one.
func misreads(p *checks.Pass, key string) (worst checks.Severity) {
	if p.Spark.AtLeast(spark.Version{Major: 3, Minor: 1}) || formatsOf[key] == "" {
		return checks.Info
	}
	for i := range p.Survey.State {
		name := p.Survey.State[i].Name
		if name == "" && p.Spec != nil && i < len(p.Spec.Operators) {
			name = p.Spec.Operators[i].Name
		}
		switch name {
		case formatsOf[key]:
			return checks.Critical
		case "":
			if key != basics.ConfJoin { // the stores of a join have names
				worst = checks.High
			}
		}
	}
	return worst
}

// reportMissing tells the settings of seen that the newest plan lacks; those for which a start takes
// the very value that is recorded only where there is nothing else to tell.
func reportMissing(p *checks.Pass, newest *checkpoint.Batch, seen map[string]string) {
	var other, same []string
	misread := checks.Info
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		if _, ok := newest.Plan.Conf[key]; ok {
			continue
		}
		value, known := assumed[key]
		switch {
		case !known:
			other = append(other, fmt.Sprintf("%s (was %q; a restart uses the session value)", key, seen[key]))
		case value != seen[key]:
			other = append(other, fmt.Sprintf("%s (was %q; a restart uses %q)", key, seen[key], value))
			misread = max(misread, misreads(p, key))
		default:
			same = append(same, fmt.Sprintf("%s (was %q; a restart uses the same value)", key, value))
		}
	}
	f := checks.Finding{Severity: checks.Medium, Batch: newest.ID, Where: decode.Where{File: newest.Plan.File, Line: 2}}
	if len(other) == 0 {
		f.Severity = checks.Info
		other = same
	}
	if misread > checks.Info {
		f.Severity = misread
		f.Title = "the newest offset file lacks the format of the state"
		f.Meaning = fmt.Sprintf(`A restart takes the format from the newest offset file. If it is missing, Spark assumes format 1. Spark %s
does not compare the rows with the format: it starts, and aggregates, joins or groups have wrong values. Spark 3.1 and later would fail. Likely
causes: an edited log, or an offset file of another release.`, p.Spark)
		f.NextStep = basics.CopyFirst + fmt.Sprintf(`Then look for %s in object versions or a backup, and put it back.`, newest.Plan.File)
		f.Avoid = "Do not restart before the setting is back: Spark would write wrong rows over the state."
	}
	if len(other) > 0 {
		f.Evidence = fmt.Sprintf("%s lacks %s", newest.Plan.File, strings.Join(other, ", "))
		p.Report(f)
	}
}

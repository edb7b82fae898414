package spark

import "fmt"

// Evidence is what a checkpoint shows of the release that wrote it. Names are within the checkpoint;
// an empty one means that there is no such file, or that nobody looked.
type Evidence struct {
	Plan        string            // the newest plan that can be read: "offsets/120"
	PlanVersion int               // of its version line
	Conf        map[string]string // that it pins; empty says nothing: continuous processing and 2.1 pin none

	Commit        string // the newest commit that can be read: "commits/119"
	CommitVersion int    // of its version line
	NoWatermark   bool   // the commit is "{}": it does not name a next watermark
	Watermark     bool   // the commit names a next watermark

	NoCommits bool // there is no commit, and no plan that was read pins a setting

	Schema           string // a file with the schema of a state store
	Changelog        string // a changelog of RocksDB
	RocksDB          string // a version of RocksDB, which is a zip file
	OperatorMetadata string // a file, or a folder of a stateful operator that has one
	Checksum         string // a checksum by Spark itself, beside a state file

	Schemaless string // the first partition of an operator that has state, and no file with its schema
	Recordless string // an operator that has state and no operator metadata
}

// pin is a setting that Spark writes into every plan of a query.
type pin struct {
	key   string
	since Version // every plan of this release and later has it
	early Version // late patch releases of this one have it too; zero: none known
}

// pins are the settings that plans pin, oldest first (OffsetSeqMetadata.relevantSQLConfs). Those of 3.2.4, 3.3,
// 3.5, 4.0, 4.1 and 4.3 were compared with files that these releases wrote.
var pins = []pin{
	{key: "spark.sql.shuffle.partitions", since: Version{2, 2}, early: Version{2, 1}},
	{key: "spark.sql.streaming.stateStore.providerClass", since: Version{2, 3}},
	{key: "spark.sql.streaming.multipleWatermarkPolicy", since: Version{2, 4}},
	{key: "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", since: Version{2, 4}},
	{key: "spark.sql.streaming.aggregation.stateFormatVersion", since: Version{2, 4}},
	{key: "spark.sql.streaming.join.stateFormatVersion", since: Version{3, 0}},
	{key: "spark.sql.streaming.stateStore.compression.codec", since: Version{3, 1}},
	{key: "spark.sql.streaming.stateStore.rocksdb.formatVersion", since: Version{3, 2}},
	{key: "spark.sql.streaming.statefulOperator.useStrictDistribution", since: Version{3, 3}, early: Version{3, 2}}, // SPARK-38204, 3.2.2 too
	{key: "spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", since: Version{4, 0}, early: Version{3, 5}},
	{key: "spark.sql.streaming.stateStore.encodingFormat", since: Version{4, 0}},
	{key: "spark.sql.streaming.stateStore.rowChecksum.enabled", since: Version{4, 2}},
	{key: "spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", since: Version{4, 2}},
	{key: "spark.sql.function.protobufExtensions.enabled", since: Version{4, 2}},
	{key: "spark.sql.streaming.queryEvolution.enableSourceEvolution", since: Version{4, 2}},
	{key: "spark.sql.dropDuplicates.deterministicKeyOrder.enabled", since: Version{4, 3}},
	{key: "spark.sql.streaming.statefulOperator.alwaysNullableOutput.enabled", since: Version{4, 3}},
}

// first is the oldest release that can have written the setting.
func (p pin) first() Version {
	if p.early != (Version{}) {
		return p.early
	}
	return p.since
}

// mark is something that only a release from some on writes.
type mark struct {
	name  string // the file that shows it; "" where it does not
	what  string // continues "offsets/8 …"
	since Version
}

// marks are the marks of the two logs, then those of state. State files live longer than log files:
// after a way back to an older release they tell of a run before, and so they count last.
func (e Evidence) marks() (logs, state []mark) {
	of := func(name string, holds bool) string {
		if holds {
			return name
		}
		return ""
	}
	logs = []mark{
		{of(e.Plan, e.PlanVersion == 2), "has offset log version 2", Version{4, 2}},
		{of(e.Commit, e.CommitVersion == 3), "has commit log version 3", Version{4, 2}},
		{of(e.Commit, e.CommitVersion == 2), "has commit log version 2", Version{4, 0}},
		{of(e.Commit, e.Watermark), "records the next watermark", Version{2, 4}},
		{e.Commit, "is a commit log", Version{2, 2}},
	}
	state = []mark{
		{e.Checksum, "is a checksum written by Spark", Version{4, 1}},
		{e.OperatorMetadata, "has operator metadata", Version{4, 0}},
		{e.Changelog, "is a RocksDB changelog", Version{3, 5}},
		{e.RocksDB, "is a RocksDB state file", Version{3, 2}},
		{e.Schema, "records the schema of a state store", Version{3, 1}},
	}
	return logs, state
}

// Infer is the releases that can have written this. What is there proves more than what is not: a key
// counts as absent only where no other evidence asks for a release that always writes it.
func Infer(e Evidence) Span {
	var s Span
	for _, p := range pins {
		if _, ok := e.Conf[p.key]; ok {
			s.raise(p.first(), "%s records %s (since %s)", e.Plan, p.key, p.first())
		}
	}
	logs, state := e.marks()
	for _, m := range logs {
		if m.name != "" {
			s.raise(m.since, "%s %s (since %s)", m.name, m.what, m.since)
		}
	}
	s.lower(e)
	for _, m := range state {
		if m.name == "" {
			continue
		}
		if s.Below != (Version{}) && m.since.AtLeast(s.Below) {
			s.Because = append(s.Because, fmt.Sprintf("%s %s (since %s): an earlier run used a newer release", m.name, m.what, m.since))
			continue
		}
		s.raise(m.since, "%s %s (since %s)", m.name, m.what, m.since)
	}
	if s.Below == (Version{}) {
		s.lowerByState(e)
	}
	return s
}

// lowerByState ends the span at the first release that would have written more beside the state. It counts where no plan
// pins a setting: state files live longer than plans, and a release that continues writes schemas and records
// of operators that it does not find.
func (s *Span) lowerByState(e Evidence) {
	for _, lack := range []mark{
		{e.Schemaless, "has state, but no schema file", Version{3, 1}},
		{e.Recordless, "has state, but no operator metadata", Version{4, 0}},
	} {
		if lack.name == "" || len(e.Conf) > 0 || s.From.AtLeast(lack.since) {
			continue
		}
		s.Below = lack.since
		s.Because = append(s.Because, fmt.Sprintf("%s %s (written since %s)", lack.name, lack.what, lack.since))
		return
	}
}

// lower ends the span at the first release that would have written more.
func (s *Span) lower(e Evidence) {
	for _, p := range pins {
		if _, ok := e.Conf[p.key]; ok || len(e.Conf) == 0 || s.From.AtLeast(p.since) {
			continue
		}
		s.Below = p.since
		s.Because = append(s.Because, fmt.Sprintf("%s lacks %s (recorded since %s)", e.Plan, p.key, p.since))
		return
	}
	if v := (Version{2, 2}); e.NoCommits && !s.From.AtLeast(v) {
		s.Below = v
		s.Because = append(s.Because, fmt.Sprintf("%s records no settings, and no commit exists (both since %s)", e.Plan, v))
		return
	}
	if v := (Version{2, 4}); e.NoWatermark && len(e.Conf) == 0 && !s.From.AtLeast(v) {
		s.Below = v
		s.Because = append(s.Because, fmt.Sprintf("%s records no next watermark (written since %s)", e.Commit, v))
	}
}

// raise begins the span at v, if that is later than it begins now. One line of evidence is kept.
func (s *Span) raise(v Version, format string, args ...any) {
	if s.From.AtLeast(v) {
		return
	}
	s.From = v
	s.Because = []string{fmt.Sprintf(format, args...)}
}

package restart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/stores"
)

// confRules are the values of offsets/L that stop a start, in the order in which they do: setting a
// value that its type does not take, then state that is opened with it.
var confRules = []rule{
	{"a value that its setting does not take", pinnedValues},
	{"source evolution without named sources", sourceEvolution},
	{basics.ConfProvider, providerClass},
	{"the provider of the files", providerOfFiles},
	{basics.ConfCodec, codecName},
	{basics.ConfTableFormat, tableFormat},
	{"state format changed", formatChanged},
	{"row checksums switched on", checksumsOfRows},
	{"codec changed", codecChanged},
}

// PinnedSettings are the settings of offsets/L, which a start puts over those of the session.
func PinnedSettings(s *Judge) (checks.Restart, bool) {
	for _, r := range confRules {
		if out, ok := r.decide(s); ok {
			return out, true
		}
	}
	return goOn()
}

// ifAbsent is what a setting is where a plan does not pin it and the session has no say: Spark's legacy values.
var ifAbsent = map[string]string{basics.ConfAggregate: "1", basics.ConfJoin: "1", basics.ConfGroup: "1", basics.ConfRowChecksum: "false"}

// conf is a pinned setting of the newest plan, and of the one before it, without white space around; "" where it is
// not pinned and nothing stands for it, and where the release does not read it from a plan.
func (s *Judge) conf(key string) (now, was string) {
	if slices.ContainsFunc(settings, func(c setting) bool { return c.key == key && !s.Spark.AtLeast(c.since) }) {
		return "", ""
	}
	value := func(p *log.Plan) string {
		v, pinned := p.Conf[key]
		if !pinned && p.HasMetadata {
			v = ifAbsent[key]
		}
		return strings.TrimSpace(v)
	}
	if p := s.Previous(); p != nil {
		was = value(p)
	}
	return value(s.Last.Plan), was
}

// setting is a pinned setting whose values Spark checks as it sets them.
type setting struct {
	key   string
	since spark.Version           // the first release that pins it
	is    string                  // the type: "int" or "boolean"; "" for a word
	least int                     // the least that a number may be, where knows is nil
	knows func(s *Judge) []string // the values that it takes; nil for all of the type
}

// anyNumber is the least of a setting that takes every number.
const anyNumber = math.MinInt32

// settings are those whose values a start checks. Seen on 4.3.0; the number of partitions and the formats of state on
// all releases.
var settings = []setting{
	{basics.ConfPartitions, spark.Version{Major: 2, Minor: 2}, "int", 1, nil},
	{basics.ConfProvider, spark.Version{Major: 2, Minor: 3}, "", 0, nil},
	{basics.ConfCodec, spark.Version{Major: 3, Minor: 1}, "", 0, nil},
	{basics.ConfJoin, spark.Version{Major: 3}, "int", 0, joinFormats},
	{basics.ConfAggregate, spark.Version{Major: 2, Minor: 4}, "int", 0, only("1", "2")},
	{basics.ConfGroup, spark.Version{Major: 2, Minor: 4}, "int", 0, only("1", "2")},
	{"spark.sql.streaming.multipleWatermarkPolicy", spark.Version{Major: 2, Minor: 4}, "", 0, only("min", "max")},
	{"spark.sql.streaming.statefulOperator.useStrictDistribution", spark.Version{Major: 3, Minor: 3}, "boolean", 0, nil},
	{basics.ConfTableFormat, spark.Version{Major: 3, Minor: 2}, "int", 0, nil},
	{"spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", spark.Version{Major: 4}, "boolean", 0, nil},
	{"spark.sql.streaming.stateStore.encodingFormat", spark.Version{Major: 4}, "", 0, only("unsaferow", "avro")},
	{basics.ConfRowChecksum, spark.Version{Major: 4, Minor: 2}, "boolean", 0, nil},
	{"spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", spark.Version{Major: 4, Minor: 2}, "int", anyNumber, nil},
	{"spark.sql.function.protobufExtensions.enabled", spark.Version{Major: 4, Minor: 2}, "boolean", 0, nil},
	{basics.ConfSourceEvolution, spark.Version{Major: 4, Minor: 2}, "boolean", 0, nil},
	{"spark.sql.dropDuplicates.deterministicKeyOrder.enabled", spark.Version{Major: 4, Minor: 3}, "boolean", 0, nil},
	{"spark.sql.streaming.statefulOperator.alwaysNullableOutput.enabled", spark.Version{Major: 4, Minor: 3}, "boolean", 0, nil},
}

func only(values ...string) func(*Judge) []string {
	return func(*Judge) []string { return values }
}

// joinFormats are the versions of a join's state. There is a third since 4.1 and a fourth since 4.2.
func joinFormats(s *Judge) []string {
	all := []string{"1", "2", "3", "4"}
	switch {
	case s.OnSpark(4, 2):
		return all
	case s.OnSpark(4, 1):
		return all[:3]
	}
	return all[:2]
}

// pinnedValues is a pinned value that its setting does not take. Up to 4.0 the messages have no conditions.
func pinnedValues(s *Judge) (checks.Restart, bool) {
	for _, c := range settings {
		if s.Spark.AtLeast(c.since) && slices.Contains(s.Last.Plan.Nulls, c.key) {
			return refuses(s.L, "requirement failed: value cannot be null for key: "+c.key, "%s pins %s to null", s.Last.Plan.File, c.key)
		}
		v, pinned := s.Last.Plan.Conf[c.key]
		if !pinned || !s.Spark.AtLeast(c.since) {
			continue
		}
		plain, err := c.plain(v)
		n, _ := strconv.Atoi(plain)
		invalid := s.Since(4, 1, "INVALID_CONF_VALUE.REQUIREMENT", fmt.Sprintf("'%s' in %s is invalid", v, c.key))
		switch {
		case err != nil:
			return refuses(s.L, s.Since(4, 1, "INVALID_CONF_VALUE.TYPE_MISMATCH", fmt.Sprintf("%s should be %s, but was %s", c.key, c.is, v)),
				"%s pins %s to %q, which is %v", s.Last.Plan.File, c.key, v, err)
		case c.knows != nil && !slices.Contains(c.knows(s), plain):
			return refuses(s.L, invalid, "%s pins %s to %q; Spark %s knows %s", s.Last.Plan.File, c.key, v, s.Spark, strings.Join(c.knows(s), ", "))
		case c.knows == nil && c.is == "int" && n < c.least:
			return refuses(s.L, invalid, "%s pins %s to %q, but the minimum is %d", s.Last.Plan.File, c.key, v, c.least)
		}
	}
	return goOn()
}

// plain is a value as Spark takes it, without what may stand around it; the error says what it is not.
func (c setting) plain(v string) (string, error) {
	switch trimmed := strings.TrimSpace(v); c.is {
	case "int":
		n, err := strconv.ParseInt(trimmed, 10, 32)
		if err != nil {
			return "", errors.New("not a number")
		}
		return strconv.FormatInt(n, 10), nil
	case "boolean":
		if !strings.EqualFold(trimmed, "true") && !strings.EqualFold(trimmed, "false") {
			return "", errors.New("neither true nor false")
		}
	}
	return strings.ToLower(v), nil
}

// sourceEvolution is a plan that pins named sources and does not name them (4.2 on; seen on 4.3.0).
func sourceEvolution(s *Judge) (checks.Restart, bool) {
	if now, _ := s.conf(basics.ConfSourceEvolution); !strings.EqualFold(now, "true") || s.Last.Plan.Version > 1 || !s.OnSpark(4, 2) {
		return goOn()
	}
	return refuses(s.L, "assertion failed: All sources should be named at this point", "%s pins %s to true, but its sources have no names", s.Last.Plan.File, basics.ConfSourceEvolution)
}

const Providers = "org.apache.spark.sql.execution.streaming.state."

// providerClass is a state store provider that cannot be loaded. A class of another maker may be on the
// driver's class path: it counts only where the plan before names one of Spark's own.
func providerClass(s *Judge) (checks.Restart, bool) {
	now, was := s.conf(basics.ConfProvider)
	if _, pinned := s.Last.Plan.Conf[basics.ConfProvider]; !s.Stateful() || !pinned || s.hasProvider(now) ||
		!strings.HasPrefix(now, Providers) && (was == now || !s.hasProvider(was)) {
		return goOn()
	}
	return refuses(s.FirstBatch(), "ClassNotFoundException", "%s pins the state store provider %s, which Spark %s does not have", s.Last.Plan.File, now, s.Spark)
}

func (s *Judge) hasProvider(class string) bool {
	name, ok := strings.CutPrefix(class, Providers)
	return ok && (name == "HDFSBackedStateStoreProvider" || name == "RocksDBStateStoreProvider" && s.OnSpark(3, 2))
}

// providerOfFiles is a provider that does not write the files that exist: it finds no file it can read.
func providerOfFiles(s *Judge) (checks.Restart, bool) {
	now, _ := s.conf(basics.ConfProvider)
	if !s.hasProvider(now) || s.StateVersion() < 1 {
		return goOn()
	}
	pinned, words := "hdfs", "CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS"
	if strings.HasSuffix(now, ".RocksDBStateStoreProvider") {
		pinned, words = "rocksdb", "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE"
	}
	for _, op := range s.Survey.State {
		if op.Provider != "" && op.Provider != pinned {
			return refuses(s.FirstBatch(), s.Since(4, 0, words, "does not exist"),
				"%s pins the state store provider %s, but %s has files of another provider (%s)", s.Last.Plan.File, now, op.Dir, op.Provider)
		}
	}
	return goOn()
}

// codecs are the short names of Spark's compression codecs (CompressionCodec).
var codecs = []string{"lz4", "lzf", "snappy", "zstd"}

// codecName is a codec that there is not. A name with a dot is a class and may be on the class path.
func codecName(s *Judge) (checks.Restart, bool) {
	now, _ := s.conf(basics.ConfCodec)
	if _, pinned := s.Last.Plan.Conf[basics.ConfCodec]; !s.compresses() || !pinned || !s.OnSpark(3, 1) || slices.Contains(codecs, strings.ToLower(now)) ||
		strings.Contains(now, ".") {
		return goOn()
	}
	words := s.Since(3, 5, "CODEC_NOT_AVAILABLE", fmt.Sprintf("Codec [%s] is not available", now))
	return refuses(s.FirstBatch(), words, "%s pins the codec %q, which Spark does not have", s.Last.Plan.File, now)
}

// codecOf is the short name of a codec, which may be given by its class.
func codecOf(name string) string {
	short, _ := strings.CutPrefix(strings.ToLower(name), "org.apache.spark.io.")
	return strings.TrimSuffix(short, "compressioncodec")
}

// codecChanged is state that was written with one codec and is opened with another: a query never
// changes a pinned setting, so the newest plan was edited.
func codecChanged(s *Judge) (checks.Restart, bool) {
	now, was := s.conf(basics.ConfCodec)
	if !s.compresses() || now == "" || was == "" || codecOf(now) == codecOf(was) || s.StateVersion() == 0 {
		return goOn()
	}
	words := "Stream is corrupted"
	if strings.EqualFold(now, "zstd") {
		words = "Unknown frame descriptor"
	}
	return refuses(s.FirstBatch(), s.Since(4, 0, "CANNOT_LOAD_STATE_STORE: "+words, words),
		"%s pins the codec %q; the state it loads was written with %q", s.Last.Plan.File, now, was)
}

// formatChanged is a state format that the newest plan pins and the plan before does not: the state
// that is there has the layout of the plan before. 3.0 and older compare neither schemas nor rows, so they run and misread it
// (seen on 2.4.8 and 3.0.3).
func formatChanged(s *Judge) (checks.Restart, bool) {
	if !s.OnSpark(3, 1) {
		return goOn()
	}
	for _, f := range []struct{ key, operator string }{{basics.ConfAggregate, "stateStoreSave"}, {basics.ConfJoin, "symmetricHashJoin"}} {
		now, was := s.conf(f.key)
		if now == "" || was == "" || now == was || s.StateVersion() == 0 || !s.hasOperator(f.operator) {
			continue
		}
		words := s.Since(4, 0, "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", "Provided schema doesn't match to the schema for existing state")
		switch {
		case f.key == basics.ConfJoin && (now > "2") != (was > "2"):
			words = "STDS_FAILED_TO_READ_OPERATOR_METADATA"
		case f.key == basics.ConfAggregate && !s.OnSpark(4, 0):
			words = "state format invalidation"
		}
		return refuses(s.FirstBatch(), words, "%s pins %s to %s; the state it loads was written with %s", s.Last.Plan.File, f.key, now, was)
	}
	return goOn()
}

func (s *Judge) hasOperator(name string) bool {
	for _, op := range s.Survey.State {
		if op.Name == name {
			return true
		}
	}
	return false
}

// tableFormat is a format of RocksDB's tables that no RocksDB of a release known here writes: its own newest is 6.
func tableFormat(s *Judge) (checks.Restart, bool) {
	now, _ := s.conf(basics.ConfTableFormat)
	if n, err := strconv.Atoi(now); err != nil || n <= 6 || s.StateVersion() < 0 ||
		!s.stateFile(func(f state.File) bool { return f.Role.RocksDB() }) {
		return goOn()
	}
	return refuses(s.FirstBatch(), s.Since(4, 0, stores.Uncategorized, "")+"RocksDBException: Unsupported BlockBasedTable format_version", "%s pins %s to %s, which RocksDB does not have", s.Last.Plan.File, basics.ConfTableFormat, now)
}

// checksumsOfRows is state whose rows carry no checksums and are read as if they did (4.2 on; seen on 4.3.0).
func checksumsOfRows(s *Judge) (checks.Restart, bool) {
	now, was := s.conf(basics.ConfRowChecksum)
	if !s.OnSpark(4, 2) || !strings.EqualFold(now, "true") || !strings.EqualFold(was, "false") || s.StateVersion() < 1 {
		return goOn()
	}
	return refuses(s.FirstBatch(), "STATE_STORE_ROW_CHECKSUM_VERIFICATION_FAILED", "%s pins %s to true; the state it loads was written without", s.Last.Plan.File, basics.ConfRowChecksum)
}

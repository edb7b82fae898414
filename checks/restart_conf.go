package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Names of pinned settings that can stop a start.
const (
	confPartitions = "spark.sql.shuffle.partitions"
	confProvider   = "spark.sql.streaming.stateStore.providerClass"
	confCodec      = "spark.sql.streaming.stateStore.compression.codec"
	confAggregate  = "spark.sql.streaming.aggregation.stateFormatVersion"
	confJoin       = "spark.sql.streaming.join.stateFormatVersion"
	confGroup      = "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion"
)

// confRules are the values of offsets/L that stop a start, in the order in which they do: setting a
// value that its type does not take, then state that is opened with it.
var confRules = []rule{
	{confPartitions, partitionsValue},
	{confJoin, formatValue(confJoin)},
	{confAggregate, formatValue(confAggregate)},
	{confGroup, formatValue(confGroup)},
	{confProvider, providerClass},
	{"the provider of the files", providerOfFiles},
	{confCodec, codecName},
	{"state format changed", formatChanged},
	{"codec changed", codecChanged},
}

// pinnedSettings are the settings of offsets/L, which a start puts over those of the session.
func pinnedSettings(s *start) (Restart, bool) {
	for _, r := range confRules {
		if out, ok := r.decide(s); ok {
			return out, true
		}
	}
	return goOn()
}

// conf is a pinned setting of the newest plan, and of the one before it.
func (s *start) conf(key string) (now, was string) {
	if p := s.previous(); p != nil {
		was = p.Conf[key]
	}
	return s.Last.Plan.Conf[key], was
}

// partitionsValue is a number of partitions that is no number. 4.1 restores it as an internal setting,
// whose check has other words.
func partitionsValue(s *start) (Restart, bool) {
	v, ok := s.Last.Plan.Conf[confPartitions]
	if !ok {
		return goOn()
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32)
	switch {
	case err != nil:
		words := s.since(4, 1, "INVALID_CONF_VALUE.TYPE_MISMATCH", fmt.Sprintf("%s should be int, but was %s", confPartitions, v))
		return refuses(s.L, words, "%s pins %s to %q, which is no number", s.Last.Plan.File, confPartitions, v)
	case n < 1 && !s.atLeast(4, 1):
		return refuses(s.L, fmt.Sprintf("The value of %s must be positive", confPartitions), "%s pins %s to %q", s.Last.Plan.File, confPartitions, v)
	}
	return goOn()
}

// formatValue is the version of a state format that the release does not have.
func formatValue(key string) func(*start) (Restart, bool) {
	return func(s *start) (Restart, bool) {
		v, ok := s.Last.Plan.Conf[key]
		if !ok || slices.Contains(s.formats(key), strings.TrimSpace(v)) {
			return goOn()
		}
		words := fmt.Sprintf("'%s' in %s is invalid", v, key)
		if _, err := strconv.Atoi(strings.TrimSpace(v)); err != nil {
			words = fmt.Sprintf("%s should be int, but was %s", key, v)
		}
		return refuses(s.L, words, "%s pins %s to %q; Spark %s knows %s", s.Last.Plan.File, key, v, s.Spark, strings.Join(s.formats(key), ", "))
	}
}

// formats are the versions that a release takes. Joins have a third since 4.1 and a fourth since 4.2.
func (s *start) formats(key string) []string {
	switch {
	case key == confJoin && s.atLeast(4, 2):
		return []string{"1", "2", "3", "4"}
	case key == confJoin && s.atLeast(4, 1):
		return []string{"1", "2", "3"}
	}
	return []string{"1", "2"}
}

const providers = "org.apache.spark.sql.execution.streaming.state."

// providerClass is a state store provider that cannot be loaded. A class of another maker may be on the
// driver's class path: it counts only where the plan before names one of Spark's own.
func providerClass(s *start) (Restart, bool) {
	now, was := s.conf(confProvider)
	if !s.stateful() || now == "" || s.hasProvider(now) || !strings.HasPrefix(now, providers) && (was == now || !s.hasProvider(was)) {
		return goOn()
	}
	return refuses(s.batch(), "ClassNotFoundException", "%s pins the state store provider %s, which Spark %s does not have", s.Last.Plan.File, now, s.Spark)
}

func (s *start) hasProvider(class string) bool {
	name, ok := strings.CutPrefix(class, providers)
	return ok && (name == "HDFSBackedStateStoreProvider" || name == "RocksDBStateStoreProvider" && s.atLeast(3, 2))
}

// providerOfFiles is a provider that does not write the files that are there: it finds none of its own.
func providerOfFiles(s *start) (Restart, bool) {
	now, _ := s.conf(confProvider)
	if !s.hasProvider(now) || s.stateVersion() < 1 {
		return goOn()
	}
	pinned, words := "hdfs", "CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS"
	if strings.HasSuffix(now, ".RocksDBStateStoreProvider") {
		pinned, words = "rocksdb", "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE"
	}
	for _, op := range s.Survey.State {
		if op.Provider != "" && op.Provider != pinned {
			return refuses(s.batch(), s.since(4, 0, words, "does not exist"),
				"%s pins the state store provider %s, and %s holds files of another provider (%s)", s.Last.Plan.File, now, op.Dir, op.Provider)
		}
	}
	return goOn()
}

// codecs are the short names of Spark's compression codecs (CompressionCodec).
var codecs = []string{"lz4", "lzf", "snappy", "zstd"}

// codecName is a codec that there is not. A name with a dot is a class and may be on the class path.
func codecName(s *start) (Restart, bool) {
	now, _ := s.conf(confCodec)
	if !s.compresses() || now == "" || slices.Contains(codecs, strings.ToLower(now)) || strings.Contains(now, ".") {
		return goOn()
	}
	words := s.since(3, 5, "CODEC_NOT_AVAILABLE", fmt.Sprintf("Codec [%s] is not available", now))
	return refuses(s.batch(), words, "%s pins the codec %q, which Spark does not have", s.Last.Plan.File, now)
}

// codecChanged is state that was written with one codec and is opened with another: a query never
// changes a pinned setting, so the newest plan was edited.
func codecChanged(s *start) (Restart, bool) {
	now, was := s.conf(confCodec)
	if !s.compresses() || now == "" || was == "" || strings.EqualFold(now, was) || s.stateVersion() == 0 {
		return goOn()
	}
	words := "Stream is corrupted"
	if strings.EqualFold(now, "zstd") {
		words = "Unknown frame descriptor"
	}
	return refuses(s.batch(), s.since(4, 0, "CANNOT_LOAD_STATE_STORE: "+words, words),
		"%s pins the codec %q; the state that it loads was written with %q", s.Last.Plan.File, now, was)
}

// formatChanged is a state format that the newest plan pins and the plan before does not: the state
// that is there has the layout of the plan before.
func formatChanged(s *start) (Restart, bool) {
	for _, f := range []struct{ key, operator string }{{confAggregate, "stateStoreSave"}, {confJoin, "symmetricHashJoin"}} {
		now, was := s.conf(f.key)
		if now == "" || was == "" || now == was || s.stateVersion() == 0 || !s.hasOperator(f.operator) {
			continue
		}
		words := s.since(4, 0, "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", "Provided schema doesn't match to the schema for existing state")
		switch {
		case f.key == confJoin && (now > "2") != (was > "2"):
			words = "STDS_FAILED_TO_READ_OPERATOR_METADATA"
		case f.key == confAggregate && !s.atLeast(4, 0):
			words = "state format invalidation"
		}
		return refuses(s.batch(), words, "%s pins %s to %s; the state that it loads was written with %s", s.Last.Plan.File, f.key, now, was)
	}
	return goOn()
}

func (s *start) hasOperator(name string) bool {
	for _, op := range s.Survey.State {
		if op.Name == name {
			return true
		}
	}
	return false
}

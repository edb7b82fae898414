package spark

import (
	"strings"
	"testing"
)

// until is the conf of a plan that pins all that releases up to v pin.
func until(v Version) map[string]string {
	conf := map[string]string{}
	for _, p := range pins {
		if v.AtLeast(p.since) {
			conf[p.key] = "1"
		}
	}
	return conf
}

func without(conf map[string]string, key string) map[string]string {
	delete(conf, key)
	return conf
}

func with(conf map[string]string, key string) map[string]string {
	conf[key] = "1"
	return conf
}

func TestInfer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		e     Evidence
		want  string
		after string // a part of the last line of evidence
	}{
		{"nothing to see", Evidence{}, "any", ""},
		{"continuous processing pins nothing", Evidence{Plan: "offsets/8", PlanVersion: 1, Commit: "commits/8", CommitVersion: 1}, ">=2.2", "commits/8 is a commit log"},
		{"2.2: partitions alone", Evidence{Plan: "offsets/8", Conf: until(Version{2, 2})}, ">=2.1 <2.3", "lacks spark.sql.streaming.stateStore.providerClass"},
		{"2.3: a commit without a watermark and no conf", Evidence{Commit: "commits/8", CommitVersion: 1, NoWatermark: true}, ">=2.2 <2.4", "commits/8 records no next watermark"},
		{"an edited commit does not outweigh the conf", Evidence{Plan: "offsets/8", Conf: until(Version{3, 3}), Commit: "commits/8", NoWatermark: true}, ">=3.2 <4.0", ""},
		{"2.4", Evidence{Plan: "offsets/8", Conf: until(Version{2, 4})}, ">=2.4 <3.0", "join.stateFormatVersion"},
		{"3.2.2 to early 3.5", Evidence{Plan: "offsets/8", Conf: until(Version{3, 4})}, ">=3.2 <4.0", ""},
		{"late 3.5 pins one key of 4.0", Evidence{Plan: "offsets/8", Conf: with(until(Version{3, 5}), "spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan")}, ">=3.5 <4.0", "encodingFormat"},
		{"4.0 and 4.1 pin the same", Evidence{Plan: "offsets/8", Conf: until(Version{4, 1})}, ">=4.0 <4.2", ""},
		{"a checksum beside state tells 4.1", Evidence{Plan: "offsets/8", Conf: until(Version{4, 1}), Checksum: "state/0/0/1.delta.crc"}, ">=4.1 <4.2", "1.delta.crc"},
		{"4.3", Evidence{Plan: "offsets/8", Conf: until(Version{4, 3})}, ">=4.3", ""},
		{"4.3, a key taken out by hand", Evidence{Plan: "offsets/8", Conf: without(until(Version{4, 3}), "spark.sql.shuffle.partitions")}, ">=4.3", ""},
		{"offset log version 2", Evidence{Plan: "offsets/8", PlanVersion: 2, Conf: until(Version{4, 2})}, ">=4.2 <4.3", ""},
		{"back to 3.5 after 4.1", Evidence{Plan: "offsets/8", Conf: until(Version{3, 5}), OperatorMetadata: "state/0", Checksum: "state/0/0/1.delta.crc"}, ">=3.2 <4.0", "an earlier run"},
		{"state alone", Evidence{Schema: "state/0/0/_metadata/schema"}, ">=3.1", ""},
		{"no plan, and state without a schema", Evidence{Commit: "commits/8", Watermark: true, Schemaless: "state/0/0", Recordless: "state/0"}, ">=2.4 <3.1", "state/0/0 has state"},
		{"no plan, a schema, and no record of the operator", Evidence{Commit: "commits/8", Schema: "state/0/0/_metadata/schema", Recordless: "state/0"}, ">=3.1 <4.0", "state/0 has state"},
		{"no plan, RocksDB", Evidence{RocksDB: "state/0/0/1.zip", Schemaless: "state/0/0", Recordless: "state/0"}, ">=3.2 <4.0", "no operator metadata"},
		{"no plan, a commit of version 2", Evidence{Commit: "commits/8", CommitVersion: 2, Schemaless: "state/0/0", Recordless: "state/0"}, ">=4.0", ""},
		{"a plan counts for more than what state lacks", Evidence{Plan: "offsets/8", Conf: until(Version{4, 3}), Schemaless: "state/0/0", Recordless: "state/0"}, ">=4.3", ""},
		{"a watermark in the commit", Evidence{Commit: "commits/8", Watermark: true}, ">=2.4", "records the next watermark"},
	} {
		got := Infer(c.e)
		if got.String() != c.want {
			t.Errorf("%s: %s, want %s (%q)", c.name, got, c.want, got.Because)
		}
		if c.after != "" && (len(got.Because) == 0 || !strings.Contains(got.Because[len(got.Because)-1], c.after)) {
			t.Errorf("%s: the evidence %q does not name %q", c.name, got.Because, c.after)
		}
	}
}

func TestPinsAreOldestFirst(t *testing.T) {
	t.Parallel()
	for i := 1; i < len(pins); i++ {
		if !pins[i].since.AtLeast(pins[i-1].since) {
			t.Errorf("%s stands after a younger key", pins[i].key)
		}
	}
}

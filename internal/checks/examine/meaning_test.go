package examine

import (
	"path/filepath"
	"strings"
	"testing"
)

// What a finding means and what to do next depends on what else is there: a case of TestCases shows the evidence, this the words.
func TestMeaningsFitTheEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		story, code string
		says        []string // in meaning or next step
		never       []string
	}{
		{"state-empty/state-not-copied", "state-empty", []string{"each executor writes to its own disk", "look for the folder on the disks of the executors"}, []string{"local file system"}},
		{"state-empty/on-disks-of-executors", "state-empty", []string{"was written on a local file system"}, nil},
		{"state-empty/partition-gone", "state-empty", nil, []string{"executor"}},
		{"sink-log-damaged/log-deleted", "sink-log-damaged", []string{"fails at batch 9", "batches 0 to 8", "If the query writes with Spark's file sink", "sink.kind"}, []string{"is empty"}},
		{"sink-log-damaged/log-deleted-kind-declared", "sink-log-damaged", []string{"fails at batch 20", "13.compact", "begins a new log with batch 20"}, []string{"foreachBatch"}},
		{"sink-log-damaged/log-deleted-partitioned", "sink-log-damaged", []string{"begins a new log with batch 11", "fails at batch 19", "9.compact"}, nil},
		{"conf-missing/layout-of-2.1", "conf-missing", []string{"it must be 2", "spark.sql.shuffle.partitions=2"}, nil},
		{"conf-missing/layout-of-2.1", "uncommitted-batch", []string{"before 2.2 have no commit log, so no commit is missing"}, nil},
		{"partial-copy/commits-cut-off", "partial-copy", []string{"stopped inside commits", "batches 10–23"}, nil},
		{"partition-added/available-now-3.4", "partition-added", []string{"SPARK-53560", "MISMATCHED_TOPIC_PARTITIONS", "Spark re-runs batch 3", "start the query once with another trigger"}, []string{"assign"}},
		{"partition-added/available-now-3.5", "partition-added", []string{"With Spark 3.5.0 to 3.5.6", "Spark 3.5.7 and later will start"}, []string{"4.0.1:"}},
		{"partition-added/available-now-4.0", "partition-added", []string{"With Spark 4.0.0 and 4.0.1", "Spark 4.0.2 and later will start", "(assign)"}, nil},
		{"partition-added/available-now-4.1", "partition-added", []string{"Spark 4.1 does not", "Nothing is needed"}, nil},
		{"second-writer/committed-twice", "second-writer", []string{"does not prove them", "Two different offset files of one batch would prove it"}, nil},
	} {
		v := readCase(t, filepath.Join("testdata/checks", c.story+".txtar")).examine(t)
		text := ""
		for _, f := range v.Findings {
			if f.Code == c.code {
				text += strings.Join(strings.Fields(f.Meaning+" "+f.NextStep), " ") + "\n"
			}
		}
		if text == "" {
			t.Errorf("%s: no %s", c.story, c.code)
		}
		for _, words := range c.says {
			if !strings.Contains(text, words) {
				t.Errorf("%s: %s does not say %q:\n%s", c.story, c.code, words, text)
			}
		}
		for _, words := range c.never {
			if strings.Contains(text, words) {
				t.Errorf("%s: %s says %q:\n%s", c.story, c.code, words, text)
			}
		}
	}
}

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
		{"conf-missing/layout-of-2.1", "conf-missing", []string{"for every start"}, []string{"written from then on"}},
		{"conf-missing/layout-of-2.1", "state-ahead", []string{"Spark 2.1.3 keeps the existing file"}, nil},
		{"conf-missing/layout-of-2.1", "uncommitted-batch", []string{"before 2.2 have no commit log, so no commit is missing"}, nil},
		{"partial-copy/commits-cut-off", "partial-copy", []string{"stopped inside commits", "batches 10–23"}, nil},
		{"partition-added/available-now-3.4", "partition-added", []string{"SPARK-53560", "MISMATCHED_TOPIC_PARTITIONS", "Spark re-runs batch 3", "start the query once with another trigger"}, []string{"assign"}},
		{"partition-added/available-now-3.5", "partition-added", []string{"With Spark 3.5.0 to 3.5.6", "Spark 3.5.7 and later will start"}, []string{"4.0.1:"}},
		{"partition-added/available-now-4.0", "partition-added", []string{"With Spark 4.0.0 and 4.0.1", "Spark 4.0.2 and later will start", "(assign)"}, nil},
		{"partition-added/available-now-4.1", "partition-added", []string{"Spark 4.1 does not", "Nothing is needed"}, nil},
		{"commit-without-offset/newest-plan-gone-3.1", "commit-without-offset", []string{"Then it fails, because the commit it writes already exists"}, []string{"silently"}},
		{"commit-without-offset/newest-plan-gone-2.4", "commit-without-offset", []string{"re-runs batch 1", "Spark 2.4 does not check", "continues silently", "the next start skips that batch"}, []string{"fails"}},
		{"commit-without-offset/all-plans-gone-3.0", "commit-without-offset", []string{"Spark 3.0 treats this as a new query", "silently starts at batch 0", "keeps the old commits"}, []string{"fail"}},
		{"commit-without-offset/all-plans-gone-3.0", "state-without-log", []string{"silently starts at batch 0"}, []string{"Then it fails"}},
		{"commit-without-offset/all-plans-gone-3.5", "commit-without-offset", []string{"Then it fails, because commits/0 exists"}, []string{"silently"}},
		{"commit-without-offset/all-plans-gone-3.5", "state-without-log", []string{"Then it fails"}, []string{"silently"}},
		{"conf-missing/format-lost-2.4", "conf-missing", []string{"Spark assumes format 1", "Spark 2.4 does not compare the rows"}, nil},
		{"conf-missing/format-lost-3.1", "conf-missing", []string{"State written with the recorded value may then be misread"}, []string{"Spark 3.1 does not compare"}},
		{"offset-gap/plan-before-missing-2.2", "offset-gap", []string{"Spark 2.2 does not need that file", "reads every source from its beginning"}, []string{"Spark will fail"}},
		{"log-malformed/name-with-zero-3.0", "log-malformed", []string{"continues with the next older file"}, []string{"fails"}},
		{"log-malformed/name-with-zero-3.1", "log-malformed", []string{"It fails because that file is missing"}, nil},
		{"log-malformed/folder-of-the-next-batch-3.0", "log-malformed", []string{"counts the folder as the newest batch"}, []string{"CONCURRENT"}},
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

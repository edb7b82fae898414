package examine

import (
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/internal/checks"
	"tidemark/internal/spec"
)

// heldAgainst is what comes of a checkpoint of ../../testdata/golden, held against a spec where one is given.
func heldAgainst(t *testing.T, golden, declared string, args ...string) checks.Verdict {
	t.Helper()
	c := readCase(t, caseFiles(t)[0])
	empty := &testCase{files: fstest.MapFS{}, location: "checkpoint", opt: c.opt, broken: c.broken}
	empty.opt.Spec = nil
	empty.from(t, "golden/"+golden)
	for _, a := range args {
		empty.arg(t, a)
	}
	if declared != "" {
		s, err := spec.Parse("spec.yaml", []byte("spec: 1\n"+declared))
		if err != nil {
			t.Fatal(err)
		}
		empty.opt.Spec = s
	}
	return empty.examine(t)
}

func TestMigrationGivesKafkaItsStartingOffsets(t *testing.T) {
	t.Parallel()
	m := heldAgainst(t, "kafka-two-sources", "").Migration
	if m == nil || m.Batch != 4 || m.File != "offsets/4" || len(m.Open) != 0 || len(m.Starts) != 2 {
		t.Fatalf("%+v", m)
	}
	if s := m.Starts[0]; s.Option != "startingOffsets" || s.Value != `{"orders":{"0":7,"1":6}}` || s.Without != "" {
		t.Errorf("source 0: %+v", s)
	}
	if strings.Contains(strings.Join(m.Steps, "\n"), "empty state") {
		t.Errorf("a query without state is told that it loses some: %q", m.Steps)
	}
}

// A start position that the source does not keep is held to what is left, and the plan says what that skips.
func TestMigrationStartsAtWhatIsLeft(t *testing.T) {
	t.Parallel()
	positions := `{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": 9, "1": 0}}, "latest": {"orders": {"0": 20, "1": 20}}}]}`
	m := heldAgainst(t, "kafka-two-sources", "").Migration
	if steps := strings.Join(m.Steps, "\n"); !strings.Contains(steps, "Not checked: whether the sources still have the records after these offsets") {
		t.Errorf("nothing says that the sources were not asked:\n%s", steps)
	}
	m = heldAgainst(t, "kafka-two-sources", "", "positions="+positions).Migration
	if s := m.Starts[0]; s.Value != `{"orders":{"0":9,"1":6}}` || !s.Asked || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "orders/0 7 to 9") {
		t.Errorf("source 0: %+v", s)
	}
	if s := m.Starts[1]; s.Asked || len(s.Notes) != 0 {
		t.Errorf("source 1 was not asked: %+v", s)
	}
	if steps := strings.Join(m.Steps, "\n"); !strings.Contains(steps, "Source 0: skipped, because their records are deleted: orders/0 7 to 9.") {
		t.Errorf("no step says what is skipped:\n%s", steps)
	}
}

func TestMigrationTellsWhatIsLost(t *testing.T) {
	t.Parallel()
	m := heldAgainst(t, "state-4.3-hdfs-window-agg", "", "removed:commits/11").Migration
	if m == nil || m.Batch != 10 || len(m.Open) != 1 || m.Open[0] != 11 {
		t.Fatalf("%+v", m)
	}
	steps := strings.Join(strings.Fields(strings.Join(m.Steps, " ")), " ")
	for _, want := range []string{"Batch 11 is not committed", "end of batch 10 as offsets/10 records it", "file source has no option for a start position", "stateStoreSave", "never start the old checkpoint again"} {
		if !strings.Contains(steps, want) {
			t.Errorf("no step says %q:\n%s", want, steps)
		}
	}
	if v := heldAgainst(t, "state-4.3-hdfs-window-agg", "", "removed:commits"); v.Migration != nil {
		t.Errorf("nothing is committed, and there is a plan all the same: %+v", v.Migration)
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, golden, spec string
		args              []string
		way               checks.Way
		what              string
	}{
		{"all is well", "kafka-clean-4.3", "", nil, checks.Resume, ""},
		{"a batch is re-run, and the sink was not read", "kafka-uncommitted", "", nil, checks.Decide, "the sink can take batch 3 twice"},
		{"the newest plan is empty", "incident-empty-last-offsets", "", nil, checks.Repair, ""},
		{"a state file is missing", "state-4.3-hdfs-damage-missing-delta", "", nil, checks.Repair, "fix before you restart: the query will fail at batch 12; cheapest: put back state/0/0/7.delta"},
		{"broken files come before the query", "state-4.3-hdfs-damage-missing-delta", "operators: []", nil, checks.Repair, ""},
		{"another query", "kafka-clean-4.3", "sources: [{kind: kafka, topics: [clicks]}]", nil, checks.Migrate, "start a new checkpoint from these offsets"},
		{"a setting that can be put back", "async-progress", "async_progress: false", nil, checks.Repair, "the query will fail at batch 4"},
		{"a file that could not be read", "kafka-clean-4.3", "", []string{"denied:offsets/5"}, checks.Reread, "a restart needs a file that could not be read"},
	} {
		a := heldAgainst(t, c.golden, c.spec, c.args...).Advice
		if a.Way != c.way || !strings.Contains(a.String(), c.what) || len(a.Reasons) == 0 {
			t.Errorf("%s: %s, because %q", c.why, a, a.Reasons)
		}
	}
}

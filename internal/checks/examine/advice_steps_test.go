package examine

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/logs"
)

// linesOf are the steps of a verdict as they are read, with the last line.
func linesOf(v *checks.Verdict) []string {
	var all []string
	told := *v
	told.Known, told.QueryID = true, "q"
	told.Add(checks.Event{Done: &checks.Done{Complete: true, Err: v.Err, Questions: v.Questions, Migration: v.Migration, Recover: v.Recover}})
	for _, s := range told.Advice.Steps {
		all = append(all, s.String())
	}
	if n := told.Advice.Never; n != "" {
		all = append(all, "Never "+n)
	}
	return all
}

func TestStepsLeaveOutWhatIsKnown(t *testing.T) {
	t.Parallel()
	position := func(n int64) *source.Position { return &source.Position{Text: "p", Order: source.Number, Num: n} }
	rerun := checks.Restart{Outcome: checks.Rerun, Batch: 3}
	const one = "Never run two queries on one checkpoint: both would write the same batches"
	const spec = "The code changed: compare it with this checkpoint first (--spec)"
	fails := checks.Restart{Outcome: checks.Refuses, Batch: 26}
	finding := []checks.Finding{{Check: logs.UncommittedBatch, Severity: checks.High, Batch: 3, Where: decode.Where{File: "offsets/3"}, NextStep: "Look at it. And then.", Avoid: "Do not write the commit file by hand, and do not\nrename one: rows are lost. Do not worry."}}
	putBack := checks.Recoveries{Ways: []checks.Recovery{
		{Way: checks.PutBack, Files: []string{"state/0/1/24.delta"}, To: -1, First: -1, Last: -1, Restart: checks.Restart{Outcome: checks.Next, Batch: 26}},
		{Way: checks.RollBack, To: 22, First: 23, Last: 25, Twice: []int64{23, 24, 25}, Ranges: []checks.Range{{Range: source.Range{Part: "orders/0", From: position(7)}}}, Restart: checks.Restart{Outcome: checks.Rerun, Batch: 23}},
	}}
	kept := &checks.Kept{Sources: []checks.KeptSource{{Recorded: availability.SourceProgress{Index: 0}, Reads: []checks.KeptPart{{Name: "orders/0", Earliest: position(5)}}}}}
	for name, c := range map[string]struct {
		v    checks.Verdict
		want []string
	}{
		"it fails, and one step makes it start": {
			checks.Verdict{Restart: checks.Restart{Outcome: checks.Refuses, Sound: true, Batch: 26, Because: "the source lost it", Despite: "start the query once with failOnDataLoss as false"}},
			[]string{"start the query once with failOnDataLoss as false"},
		},
		"the sink was not read": {
			checks.Verdict{Restart: rerun},
			[]string{"make sure no run of the query is active", "check the sink for rows of batch 3 (--sink)", "The sink has no rows of batch 3, or deduplicates batch IDs: restart the query", one},
		},
		"the sink has the batch": {
			checks.Verdict{Restart: rerun, Sink: &checks.Output{Situation: checks.Unacknowledged}},
			[]string{"make sure no run of the query is active", spec, "restart the query: Spark re-runs batch 3, and the sink already has it and skips it", one},
		},
		"the sink lacks the batch": {
			checks.Verdict{Restart: rerun, Sink: &checks.Output{Situation: checks.NotInSink}},
			[]string{"make sure no run of the query is active", spec, "restart the query: Spark re-runs batch 3, and the sink does not have it yet and gets it once", one},
		},
		"a file to put back": {
			checks.Verdict{Restart: fails, Recover: putBack},
			[]string{"stop every run, and copy the whole checkpoint", "look for state/0/1/24.delta in object versions, the trash or a backup",
				"Found: put it back, then restart: Spark starts batch 26",
				"Not found: roll back to batch 22, if the sources still have what batches 23 to 25 read and the sink accepts batches 23 to 25 twice"},
		},
		"a file to put back, sources and sink known": {
			checks.Verdict{Restart: fails, Recover: putBack, Kept: kept, Replay: "merged"},
			[]string{"stop every run, and copy the whole checkpoint", "look for state/0/1/24.delta in object versions, the trash or a backup",
				"Found: put it back, then restart: Spark starts batch 26", "Not found: roll back to batch 22"},
		},
		"something to decide": {
			checks.Verdict{Restart: checks.Restart{Outcome: checks.Next, Batch: 4}, Findings: finding},
			[]string{"look at it", "check the checkpoint again, then restart", "Never write the commit file by hand, and never rename one: rows are lost"},
		},
		"something to decide, and what follows from it": {
			checks.Verdict{Restart: checks.Restart{Outcome: checks.Next, Batch: 4},
				Findings: []checks.Finding{{Check: logs.UncommittedBatch, Severity: checks.High, Batch: 3, NextStep: "Look in the sink.\nIf they are missing: copy\nthe checkpoint. Then move it aside. It is large. If not, do nothing."}}},
			[]string{"stop every run, and copy the whole checkpoint", "look in the sink",
				"If they are missing: move it aside", "If not: do nothing", "check the checkpoint again, then restart"},
		},
		"code that does not fit": {
			checks.Verdict{Restart: checks.Restart{Outcome: checks.Next, Batch: 14}, Drift: []checks.Drift{{Field: "operators", Effect: checks.Misreads, Way: checks.Migrate}}, Migration: &checks.Migration{Batch: 12, File: "offsets/12", Open: []int64{13}}},
			[]string{"You still have the code that wrote this checkpoint: start that code, and change nothing here", "Otherwise: stop every run, and copy the whole checkpoint",
				"check the sink for rows of batch 13, which is not committed", "start a new checkpoint at the end of batch 12 (tidemark offsets LOCATION --as starting-offsets)"},
		},
	} {
		if diff := cmp.Diff(c.want, linesOf(&c.v)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestStepsOfGolden holds the steps of every golden to their form.
func TestStepsOfGolden(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../../testdata/golden/*-damage-*.tar.gz")
	if err != nil || len(archives) < 10 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	seen := 0
	for _, archive := range archives {
		if strings.HasSuffix(archive, ".rows.tar.gz") {
			continue
		}
		files := fstest.MapFS{}
		for name, f := range untar(t, archive) {
			if rest, ok := strings.CutPrefix(name, "checkpoint/"); ok {
				files[rest] = f
			}
		}
		v := judge(t, files)
		if v.Advice.Way != "" && len(v.Advice.Steps) == 0 || len(v.Advice.Steps) > 5 {
			t.Errorf("%s: %s in %d steps", filepath.Base(archive), v.Advice, len(v.Advice.Steps))
		}
		for i, s := range v.Advice.Steps {
			seen++
			if s.Do == "" || s.Do != strings.TrimRight(s.Do, ".: ") || strings.Contains(s.Do, ". ") || strings.ContainsAny(s.Do, "\n") {
				t.Errorf("%s: step %d is no clause: %q", filepath.Base(archive), i+1, s)
			}
		}
		if n := v.Advice.Never; strings.Contains(n, ". ") || strings.Contains(n, "do not ") {
			t.Errorf("%s: Never %s", filepath.Base(archive), n)
		}
	}
	if seen < 30 {
		t.Errorf("only %d steps", seen)
	}
}

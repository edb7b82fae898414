package page

import (
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// TestDoes says what a start does, and nothing of its batch that the logs contradict.
func TestDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		restart                checks.Restart
		lastPlanned, committed int64
		want                   string
	}{
		{checks.Restart{Outcome: checks.Fresh, StateVersion: -1}, -1, -1, "Spark 3.0 starts batch 0: no batch was planned here."},
		{checks.Restart{Outcome: checks.Fresh, StateVersion: -1}, -1, 7, "Spark 3.0 starts batch 0: the offset log is empty."},
		{checks.Restart{Outcome: checks.Fresh, StateVersion: 0}, -1, -1, "Spark 3.0 starts batch 0: the offset log is empty."},
		{checks.Restart{Outcome: checks.Rerun, Batch: 5}, 5, 4, "Spark 3.0 re-runs uncommitted batch 5 with its recorded offsets."},
		{checks.Restart{Outcome: checks.Rerun, Batch: 5}, 5, 6, "Spark 3.0 re-runs batch 5 with its recorded offsets."},
	} {
		v := checks.Verdict{Restart: c.restart}
		v.Spark = spark.Version{Major: 3}
		v.Standing = checkpoint.Standing{LastPlanned: c.lastPlanned, LastCommitted: c.committed}
		if got := does(&v, phrase.Clock{}).Text; got != c.want {
			t.Errorf("%s %d, newest commit %d: %q, want %q", c.restart.Outcome, c.restart.Batch, c.committed, got, c.want)
		}
	}
}

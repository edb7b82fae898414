package examine

import (
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// TestSideWithoutNewRows plans a batch of a join that 3.2.4 wrote, with and without new entries of its two sources. 3.2 to
// 3.5 fail where the left side, whose key is recorded as NOT NULL, has none; 3.1 compares schemas the other way round.
func TestSideWithoutNewRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		release     string
		left, right string // the source lines of batch 5; those of batch 4 are at entry 3
		conf        string
		want        checks.Outcome
		says        string
	}{
		{"3.1", "3", "3", "", checks.Rerun, ""},
		{"3.2", "3", "3", "", checks.Refuses, "the left side"},
		{"3.2", "3", "4", "", checks.Refuses, "the left side"},
		{"3.2", "4", "3", "", checks.Rerun, ""},
		{"3.2", "4", "4", "", checks.Rerun, ""},
		{"3.2", "3", "3", "false", checks.Rerun, ""},
		{"3.5", "3", "4", "", checks.Refuses, "the left side"},
		{"4.1", "4", "4", "", checks.Refuses, "as releases before 4.0 do"},
	} {
		tree := untar(t, "testdata/oracle/3.2.4/join.tar.gz")
		lines := strings.Split(string(tree["offsets/4"].Data), "\n")
		lines[2], lines[3] = `{"logOffset":`+c.left+`}`, `{"logOffset":`+c.right+`}`
		tree["offsets/5"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
		for _, log := range []string{"sources/0/4", "sources/1/4"} {
			tree[log] = tree[strings.TrimSuffix(log, "4")+"3"]
		}
		cp, err := checkpoint.Open(t.Context(), storage.FromFS(tree, "checkpoint"))
		if err != nil {
			t.Fatal(err)
		}
		release, err := spark.Parse(c.release)
		if err != nil {
			t.Fatal(err)
		}
		query := &spec.Spec{Conf: map[string]string{}}
		if c.conf != "" {
			query.Conf["spark.sql.streaming.stateStore.stateSchemaCheck"] = c.conf
		}
		var v checks.Verdict
		for e := range Examine(t.Context(), cp, Options{Spark: release, Spec: query}) {
			v.Add(e)
		}
		if v.Restart.Outcome != c.want || v.Restart.Batch != 5 || !strings.Contains(v.Restart.Because, c.says) {
			t.Errorf("Spark %s, sources at %s and %s: %s %d (%s)", c.release, c.left, c.right, v.Restart.Outcome, v.Restart.Batch, v.Restart.Because)
		}
	}
}

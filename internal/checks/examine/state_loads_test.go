package examine

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// TestLoadsOfAStart: every store that a start loads is there with what is missing of it, those without
// a folder too.
func TestLoadsOfAStart(t *testing.T) {
	t.Parallel()
	plan := strings.Replace(aPlan, `"conf":{}`, `"conf":{"spark.sql.shuffle.partitions":"3"}`, 1)
	files := map[string]string{}
	for id := range 4 {
		files[fmt.Sprintf("offsets/%d", id)], files[fmt.Sprintf("commits/%d", id)] = plan, aCommit
		files[fmt.Sprintf("state/0/0/%d.delta", id+1)] = "x"
		files[fmt.Sprintf("state/0/1/%d.delta", id+1)] = "x"
	}
	delete(files, "state/0/1/2.delta")
	files["state/0/0/3.delta"] = ""
	files["state/0/9/1.delta"] = "x" // beyond the partitions that the plan pins
	v := verdictOf(t, files)
	var got []string
	for i := range v.Loads {
		l := &v.Loads[i]
		c := l.Chain()
		got = append(got, fmt.Sprint(l.Dir, " ", l.Store != nil, " of ", l.Version, " loads ", l.Loadable, " missing ", l.Missing, l.Asked, " empty ", len(l.Empty), " files ", len(c.Files)))
	}
	want := `state/0/0 true of 4 loads 2 missing [] empty 1 files 4
state/0/1 true of 4 loads 1 missing [{2 2}]state/0/1/2.delta empty 0 files 3
state/0/2 false of 4 loads 0 missing [{1 4}]state/0/2/1.delta empty 0 files 0`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	if v.MoreLoads != 0 {
		t.Errorf("%d more", v.MoreLoads)
	}
}

// TestLoadsAreAsManyAsAreKept: a plan may name a million partitions; those that are not there are counted.
func TestLoadsAreAsManyAsAreKept(t *testing.T) {
	t.Parallel()
	plan := strings.Replace(aPlan, `"conf":{}`, `"conf":{"spark.sql.shuffle.partitions":"100000"}`, 1)
	v := verdictOf(t, map[string]string{"offsets/0": plan, "commits/0": aCommit, "state/0/0/1.delta": "x", "state/0/1/1.delta": "x"})
	if len(v.Loads) != basics.ListLimit+2 || v.MoreLoads != 100_000-basics.ListLimit-2 {
		t.Errorf("%d are listed and %d more counted", len(v.Loads), v.MoreLoads)
	}
	if v := verdictOf(t, map[string]string{"offsets/0": plan, "commits/0": aCommit}); len(v.Loads) != 0 {
		t.Errorf("without a folder of state %d are loaded", len(v.Loads))
	}
}

func verdictOf(t *testing.T, files map[string]string) *checks.Verdict {
	t.Helper()
	var v checks.Verdict
	for e := range Examine(t.Context(), small(t, files), Options{}) {
		v.Add(e)
	}
	return &v
}

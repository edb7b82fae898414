package examine

import (
	"context"
	"encoding/json"
	"flag"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/storage"
)

var updateRestarts = flag.Bool("update-restarts", false, "rewrite testdata/restarts/known.txt with the records that disagree now")

// knownRestarts names the records of testdata/restarts that disagree with what Spark did, under the points that differ. It only shrinks, as
// knownFile does, and no record may differ in more.
const knownRestarts = "testdata/restarts/known.txt"

// restarted is a restart that Spark really did, after something changed at its sources or in its query.
type restarted struct {
	name string
	tree fstest.MapFS // checkpoint, spec.yaml, positions.json, source, sink

	Kind, Spark string
	Blind       bool // nothing that is looked at shows what was done: neither a refusal nor damage is expected to be told
	Want        struct {
		Outcome checks.Outcome
		Batch   int64    // -1 where Spark named none
		Errors  []string // Spark's condition, or words of its errors
		Later   bool     // the first batch went well, and a later one failed
		Silent  bool     // it ran to its end, and rows were lost, came twice, or state was misread
	}
}

// TestRestarts predicts every restart of testdata/restarts, with the spec and the positions of its record, and compares it with what
// Spark did: the outcome, the batch, the error; something loud where Spark failed or was wrong, nothing loud where it was right.
func TestRestarts(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/restarts/*.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no records: %v", err)
	}
	known := readKnown(t, knownRestarts)
	wrong := map[string][]string{} // by the points that differ
	for _, archive := range archives {
		r := readRestarted(t, archive)
		v := r.examine(t)
		points := r.judge(v)
		if len(points) > 0 {
			why := strings.Join(points, "; ")
			wrong[why] = append(wrong[why], r.name)
		}
		was := known[r.name]
		more := slices.ContainsFunc(points, func(point string) bool { return !strings.Contains(was, point) })
		switch {
		case *updateRestarts:
		case more:
			w, got := r.Want, v.Restart
			t.Errorf("%s: %s\n  Spark:      %s %d %s\n  prediction: %s %d %s (%s)", r.name, strings.Join(points, "; "),
				w.Outcome, w.Batch, strings.Join(w.Errors, " | "), got.Outcome, got.Batch, got.Error, got.Because)
		case len(points) == 0 && was != "":
			t.Errorf("%q agrees now: take it off %s", r.name, knownRestarts)
		}
		delete(known, r.name)
	}
	if *updateRestarts {
		writeKnown(t, knownRestarts, wrong)
		return
	}
	for name := range known {
		t.Errorf("%s names %q, and there is no such record", knownRestarts, name)
	}
}

// TestRestartsOfAllKinds holds that the records show each outcome, of each area, by both releases.
func TestRestartsOfAllKinds(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/restarts/*.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, archive := range archives {
		r := readRestarted(t, archive)
		area, _, _ := strings.Cut(r.Kind, "-")
		what := string(r.Want.Outcome)
		switch {
		case r.Want.Later:
			what += ", later a failure"
		case r.Want.Silent:
			what += ", wrong"
		}
		seen[area+" "+what]++
		seen[area+" by "+r.Spark]++
	}
	for _, what := range []string{
		"kafka by 3.5.9", "kafka by 4.3.0", "query by 3.5.9", "query by 4.3.0", "delta by 3.5.9",
		"kafka next", "kafka rerun", "kafka refuses", "kafka next, wrong", "kafka rerun, wrong", "kafka rerun, later a failure",
		"query next", "query refuses", "query next, wrong", "delta next", "delta rerun", "delta next, wrong",
	} {
		if seen[what] == 0 {
			t.Errorf("no record: %s", what)
		}
	}
}

func readRestarted(t *testing.T, archive string) *restarted {
	t.Helper()
	r := &restarted{name: strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), tree: untar(t, archive)}
	if err := json.Unmarshal(r.file("record.json"), r); err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	return r
}

// file returns the bytes of a file of the record; nil where it has none of this name.
func (r *restarted) file(name string) []byte {
	if f := r.tree[name]; f != nil {
		return f.Data
	}
	return nil
}

// below returns what lies in a folder of the record; nil where it has no such folder.
func (r *restarted) below(t *testing.T, dir string) fs.FS {
	t.Helper()
	if _, err := fs.Stat(r.tree, dir); err != nil {
		return nil
	}
	sub, err := fs.Sub(r.tree, dir)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// examine is the verdict on the checkpoint of the record.
func (r *restarted) examine(t *testing.T) *checks.Verdict {
	t.Helper()
	release, err := spark.Parse(r.Spark)
	if err != nil {
		t.Fatal(err)
	}
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(r.below(t, "checkpoint"), "checkpoint"))
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	query, err := spec.Parse("spec.yaml", r.file("spec.yaml"))
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	opt := Options{Spark: release, Spec: query, Sink: r.sink(t, query), Kept: r.sources(t), Now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	v := &checks.Verdict{}
	for e := range Examine(t.Context(), cp, opt) {
		v.Add(e)
	}
	return v
}

// sink returns the output of the query: the table of the record, or only its kind.
func (r *restarted) sink(t *testing.T, query *spec.Spec) output.Sink {
	t.Helper()
	table := r.below(t, "sink")
	if table == nil {
		table = fstest.MapFS{}
	}
	return output.New(tablelog.FromFS(table, "sink"), output.Options{Kind: query.Sink.Kind})
}

// sources returns what tells of the sources: the table that a Delta source reads, else the file of positions.
func (r *restarted) sources(t *testing.T) availability.Prober {
	t.Helper()
	if table := r.below(t, "source"); table != nil {
		return &availability.TableLocation{Location: "source", Open: func(context.Context) (tablelog.Files, error) {
			return tablelog.FromFS(table, "source"), nil
		}}
	}
	if r.file("positions.json") == nil {
		return nil
	}
	kept, err := availability.Parse("positions.json", r.file("positions.json"))
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	return kept
}

// judge lists the points on which Spark did otherwise than the verdict says.
func (r *restarted) judge(v *checks.Verdict) (points []string) {
	got, want := &v.Restart, &r.Want
	refused, wrong := want.Outcome == checks.Refuses, want.Silent || want.Later
	predicted := got.Outcome == checks.Refuses
	worst, _ := v.Worst()
	alarm := predicted || worst >= checks.High
	loud := alarm || slices.ContainsFunc(v.Drift, func(d checks.Drift) bool { return d.Effect == checks.Misreads || d.Effect == checks.RefusesDrift })
	switch {
	case got.Outcome == want.Outcome && want.Batch != -1 && got.Batch != want.Batch:
		points = append(points, "another batch runs")
	case got.Outcome == want.Outcome:
	case refused && loud:
		points = append(points, "Spark refuses: a finding says what is wrong, the prediction does not")
	case !r.Blind:
		points = append(points, "Spark does otherwise")
	}
	if refused && predicted && !namesAny(got.Error, want.Errors) {
		points = append(points, "Spark has another error")
	}
	if (refused || wrong) && !loud && !r.Blind {
		points = append(points, "Spark fails or is wrong, and nothing says so")
	}
	if !refused && !wrong && alarm {
		points = append(points, "Spark is right, and an alarm is raised")
	}
	return points
}

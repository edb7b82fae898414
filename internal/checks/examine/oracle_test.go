package examine

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

var updateOracle = flag.Bool("update-oracle", false, "rewrite testdata/oracle/known.txt with the records that disagree now")

// knownFile names the records that disagree with what Spark did. It only shrinks: a record that is
// named there and agrees fails the test.
const knownFile = "testdata/oracle/known.txt"

// beyond says why a record of known.txt cannot be predicted from what is looked at: every record there
// falls under one of these.
var beyond = []struct {
	why string
	ids *regexp.Regexp
}{
	{"the form of a spec has no place for the rows that a join keeps of its sides", regexp.MustCompile(`^query-becomes-left-outer$`)},
	{"a RocksDB snapshot of the version before is whole, and where nothing changed two may be equal", regexp.MustCompile(`^state-newest-is-copy-of-prev$`)},
}

func (r *record) beyond() string {
	for _, b := range beyond {
		if b.ids.MatchString(r.ID) {
			return b.why
		}
	}
	return ""
}

// record is one restart that Spark really did: ops on a copy of a base, and what came of it.
type record struct {
	ID, Kind, Spark string
	Ops             []struct {
		Op, Path, To string
		Text, B64    *string
		At, Size     int
	}
	Want struct {
		Restart struct {
			Outcome checks.Outcome
			Batch   int64
			Error   string
		}
		ErrorAny []string `json:"error_any"`
		Silent   bool     `json:"silent_damage"`
	}
	Same bool  // the result was that of an undamaged restart
	Spec edits // of the base's query
}

// oracleBase is a checkpoint as Spark wrote it, the spec of its query by lines, and what the query wrote; nil
// where that is not kept.
type oracleBase struct {
	tree   fstest.MapFS
	spec   []string
	output output.Sink
}

// edits make one text of another: lines From up to To, counted from 0, give way to Lines. The last place
// comes first.
type edits []edit

type edit struct {
	From, To int
	Lines    []string
}

// UnmarshalJSON reads [from, to, [lines]].
func (e *edit) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&e.From, &e.To, &e.Lines})
}

func (all edits) of(lines []string) string {
	lines = slices.Clone(lines)
	for _, e := range all {
		lines = slices.Replace(lines, e.From, e.To, e.Lines...)
	}
	return strings.Join(lines, "\n")
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

// TestOracle predicts every restart that is recorded in testdata/oracle and compares it with what Spark
// did: the outcome, the batch, the error; a loud finding where the result was silently wrong, none
// where nothing had been done to the checkpoint.
func TestOracle(t *testing.T) {
	t.Parallel()
	known := readKnown(t, knownFile)
	bases, err := filepath.Glob("testdata/oracle/*/*.jsonl")
	if err != nil || len(bases) == 0 {
		t.Fatalf("no records: %v", err)
	}
	wrong := map[string][]string{} // by why
	total, disagree := 0, 0
	for _, file := range bases {
		stem := strings.TrimSuffix(file, ".jsonl")
		base := oracleBase{tree: untar(t, stem+".tar.gz"), spec: readLines(t, stem+".yaml")}
		if _, err := os.Stat(stem + ".out.tar.gz"); err == nil {
			base.output = output.New(tablelog.FromFS(untar(t, stem+".out.tar.gz"), "out"), output.Options{Kind: "file"})
		}
		for _, r := range readRecords(t, file) {
			total++
			name := filepath.ToSlash(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/oracle/"), ".jsonl")) + "/" + r.ID + " by " + r.Spark
			points, got := r.judge(t, base)
			if len(points) > 0 {
				disagree++
				wrong[r.beyond()] = append(wrong[r.beyond()], name)
			}
			switch {
			case *updateOracle:
			case len(points) > 0 && known[name] == "":
				w := r.Want.Restart
				t.Errorf("%s: %s\n  Spark:      %s %d %s\n  prediction: %s %d %s (%s)", name, strings.Join(points, ", "), w.Outcome, w.Batch, w.Error, got.Outcome, got.Batch, got.Error, got.Because)
			case len(points) > 0 && r.beyond() == "":
				t.Errorf("%s: nothing says why this record is on %s", name, knownFile)
			case len(points) == 0 && known[name] != "":
				t.Errorf("%q agrees now: take it off %s", name, knownFile)
			}
			delete(known, name)
		}
	}
	t.Logf("%d of %d records agree", total-disagree, total)
	if *updateOracle {
		writeKnown(t, knownFile, wrong)
		return
	}
	for name := range known {
		t.Errorf("%s names %q, and there is no such record", knownFile, name)
	}
}

// judge predicts the restart of a record and lists the points on which Spark did otherwise.
func (r *record) judge(t *testing.T, base oracleBase) (points []string, got checks.Restart) {
	t.Helper()
	tree := maps.Clone(base.tree)
	if err := r.apply(tree); err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	spark, err := spark.Parse(r.Spark)
	if err != nil {
		t.Fatal(err)
	}
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(tree, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	query, err := spec.Parse("spec.yaml", []byte(r.Spec.of(base.spec)))
	if err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	var v checks.Verdict
	for e := range Examine(t.Context(), cp, Options{Spark: spark, Spec: query, Sink: base.output, Now: time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)}) {
		v.Add(e)
	}
	got = v.Restart
	want := r.Want.Restart
	switch {
	case got.Outcome != want.Outcome:
		points = append(points, "outcome")
	case want.Batch != -1 && got.Batch != want.Batch:
		points = append(points, "batch")
	}
	if got.Outcome == checks.Refuses && want.Outcome == checks.Refuses && !r.accepts(got.Error) {
		points = append(points, "error")
	}
	worst, _ := v.Worst()
	if r.Want.Silent && worst < checks.High {
		points = append(points, "warned")
	}
	if r.ID == "none" && worst >= checks.High {
		points = append(points, "calm")
	}
	return points, got
}

// accepts reports whether an error names the condition or holds the words that Spark's had.
func (r *record) accepts(said string) bool {
	if len(r.Want.ErrorAny) == 0 {
		return namesAny(said, []string{r.Want.Restart.Error})
	}
	return namesAny(said, r.Want.ErrorAny)
}

var noWord = regexp.MustCompile(`[^a-z0-9]+`)

// namesAny reports whether an error names one of the conditions, or holds words of one that Spark had. Case and signs do not count.
func namesAny(said string, any []string) bool {
	plain := func(s string) string { return strings.TrimSpace(noWord.ReplaceAllString(strings.ToLower(s), " ")) }
	said = plain(said)
	return said != "" && slices.ContainsFunc(any, func(w string) bool {
		w = plain(w)
		return w != "" && (strings.Contains(said, w) || len(said) > 7 && strings.Contains(w, said))
	})
}

// apply does to the tree what was done to the checkpoint. Files are replaced, never changed in place:
// the base shares them.
func (r *record) apply(tree fstest.MapFS) error {
	for _, o := range r.Ops {
		f := tree[o.Path]
		if f == nil && slices.Contains([]string{"delete", "truncate", "flip", "copy", "move"}, o.Op) {
			return fmt.Errorf("%s %s: no such file", o.Op, o.Path)
		}
		switch o.Op {
		case "delete":
			delete(tree, o.Path)
			keepFolder(tree, o.Path)
		case "rmtree":
			maps.DeleteFunc(tree, func(name string, _ *fstest.MapFile) bool {
				return name == o.Path || strings.HasPrefix(name, o.Path+"/")
			})
			keepFolder(tree, o.Path)
		case "truncate":
			tree[o.Path] = &fstest.MapFile{Data: f.Data[:o.Size]}
		case "write":
			data, err := []byte(nil), error(nil)
			if o.B64 != nil {
				data, err = base64.StdEncoding.DecodeString(*o.B64)
			} else if o.Text != nil {
				data = []byte(*o.Text)
			}
			if err != nil {
				return err
			}
			tree[o.Path] = &fstest.MapFile{Data: data}
		case "flip":
			data := bytes.Clone(f.Data)
			data[o.At] ^= 0xFF
			tree[o.Path] = &fstest.MapFile{Data: data}
		case "copy", "move":
			tree[o.To] = f
			if o.Op == "move" {
				delete(tree, o.Path)
				moveBelow(tree, o.Path, o.To)
				keepFolder(tree, o.Path)
			}
		case "mkdir":
			tree[o.Path] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		default:
			return fmt.Errorf("%q is no operation", o.Op)
		}
	}
	return nil
}

// moveBelow moves what lies in a folder along with it.
func moveBelow(tree fstest.MapFS, from, to string) {
	for name, f := range maps.Clone(tree) {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			delete(tree, name)
			tree[to+"/"+rest] = f
		}
	}
}

// keepFolder keeps the folder of a file that was taken out, which may be empty now.
func keepFolder(tree fstest.MapFS, name string) {
	if dir := filepath.ToSlash(filepath.Dir(name)); dir != "." && tree[dir] == nil {
		tree[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	}
}

func readRecords(t *testing.T, file string) (all []record) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r record
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, r)
	}
}

func untar(t testing.TB, file string) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for h, data := range testfiles.In(t, file) {
		name := strings.TrimSuffix(h.Name, "/")
		if h.Typeflag == tar.TypeDir {
			tree[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			tree[name] = &fstest.MapFile{Data: data}
		}
	}
	return tree
}

// readKnown returns the records that a list names, each with the reason that stands above it.
func readKnown(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known, why := map[string]string{}, "no reason"
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if reason, ok := strings.CutPrefix(line, "# "); ok {
			why = reason
		} else if line != "" {
			known[line] = why
		}
	}
	return known
}

func writeKnown(t *testing.T, file string, wrong map[string][]string) {
	t.Helper()
	text := "# Records that disagree with what Spark did, by the reason. This list only shrinks.\n"
	for _, why := range slices.Sorted(maps.Keys(wrong)) {
		slices.Sort(wrong[why])
		text += "\n# " + why + "\n" + strings.Join(wrong[why], "\n") + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

package examine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/OneOfOne/xxhash"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/logs"
	"tidemark/internal/checks/sources"
	"tidemark/internal/checks/stores"
	"tidemark/storage"
)

// small is a checkpoint of a few files; names without content are plans and commits that parse.
func small(t *testing.T, files map[string]string) *checkpoint.Checkpoint {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(tree, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	return cp
}

const (
	aPlan   = "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1764403200000,\"conf\":{}}\n{\"orders\":{\"0\":10}}"
	aCommit = "v1\n{\"nextBatchWatermarkMs\":0}"
)

func TestNumbersOfTheLogs(t *testing.T) {
	t.Parallel()
	b := numbers(small(t, map[string]string{
		"offsets/3": aPlan, "offsets/4": aPlan, "offsets/7": aPlan, "offsets/8": aPlan,
		"commits/3": aCommit, "commits/7": aCommit, "commits/9": aCommit,
	}))
	got := fmt.Sprint(b.FirstPlanned, b.LastPlanned, b.FirstCommitted, b.LastCommitted, b.Uncommitted, b.MissingOffsets, b.MissingCommits)
	if want := "3 8 3 9 [4 8] [5 6] [4 5 6 8]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	none := numbers(small(t, map[string]string{"metadata": "{}"}))
	if none.FirstPlanned != -1 || none.LastCommitted != -1 {
		t.Errorf("empty logs begin at %d and end at %d, want -1", none.FirstPlanned, none.LastCommitted)
	}
}

// TestAWideHoleIsCounted: a name as large as a number can be must not list all below it.
func TestAWideHoleIsCounted(t *testing.T) {
	t.Parallel()
	b := numbers(small(t, map[string]string{"offsets/0": aPlan, "offsets/9223372036854775807": aPlan}))
	if len(b.MissingOffsets) != basics.ListLimit || b.More.MissingOffsets != 9223372036854775806-basics.ListLimit {
		t.Errorf("%d are listed and %d more counted", len(b.MissingOffsets), b.More.MissingOffsets)
	}
}

func TestWrittenByTheNewestPlan(t *testing.T) {
	t.Parallel()
	plan := func(keys ...string) string {
		conf := ""
		for _, k := range keys {
			conf += fmt.Sprintf(`,"spark.sql.%s":"1"`, k)
		}
		return "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1764403200000,\"conf\":{" + conf[1:] + "}}\n{\"orders\":{\"0\":10}}"
	}
	old := []string{"shuffle.partitions", "streaming.stateStore.providerClass"}
	newer := append(slices.Clone(old), "streaming.multipleWatermarkPolicy", "streaming.flatMapGroupsWithState.stateFormatVersion",
		"streaming.aggregation.stateFormatVersion", "streaming.join.stateFormatVersion")
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
		lines int // of evidence
	}{
		{"one release", map[string]string{"offsets/0": plan(newer...), "offsets/1": plan(newer...)}, ">=3.0 <3.1", 2},
		{"a change with the newest batch", map[string]string{"offsets/0": plan(old...), "offsets/1": plan(newer...)}, ">=3.0 <3.1", 3},
		{"the newest plan cannot be read", map[string]string{"offsets/0": plan(newer...), "offsets/1": ""}, ">=3.0 <3.1", 2},
		{"nothing but the query id", map[string]string{"metadata": `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`}, "any", 0},
	} {
		cp := small(t, c.files)
		survey, err := statestore.ReadSurvey(t.Context(), cp)
		if err != nil {
			t.Fatal(err)
		}
		got := basics.WrittenBy(cp, survey)
		if got.String() != c.want || len(got.Because) != c.lines {
			t.Errorf("%s: %s, want %s (%q)", c.name, got, c.want, got.Because)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	cp := small(t, map[string]string{"offsets/0": aPlan})
	survey, err := statestore.ReadSurvey(t.Context(), cp)
	if err != nil {
		t.Fatal(err)
	}
	finding := func(c *checks.Check, s checks.Severity) []checks.Finding {
		return []checks.Finding{{Check: c, Severity: s}}
	}
	for _, c := range []struct {
		name     string
		restart  checks.Restart
		found    []checks.Finding
		complete bool
		want     string
	}{
		{"all is well", checks.Restart{Outcome: checks.Next}, nil, true, "yes"},
		{"a batch to run again is no damage", checks.Restart{Outcome: checks.Rerun}, finding(logs.UncommittedBatch, checks.Info), true, "yes"},
		{"damage", checks.Restart{Outcome: checks.Next}, finding(logs.LogEmpty, checks.High), true, "no"},
		{"damage that no start reads", checks.Restart{Outcome: checks.Next}, finding(logs.LogEmpty, checks.Medium), true, "yes"},
		{"a source that went backwards is no damage here", checks.Restart{Outcome: checks.Next}, finding(sources.OffsetRegression, checks.High), true, "yes"},
		{"a start that refuses", checks.Restart{Outcome: checks.Refuses}, nil, true, "no"},
		{"a start that refuses for the release", checks.Restart{Outcome: checks.Refuses, Sound: true}, nil, true, "yes"},
		{"something was not looked at", checks.Restart{Outcome: checks.Next}, nil, false, "unknown"},
		{"what was found is enough", checks.Restart{Outcome: checks.Unknown}, finding(stores.StateFileMissing, checks.Critical), false, "no"},
		{"a start of which nothing can be said", checks.Restart{Outcome: checks.Unknown, Because: "commits/0 could not be read"}, nil, true, "unknown"},
	} {
		all := questions(&checks.Pass{Checkpoint: cp, Survey: survey, Restart: c.restart}, c.found, c.complete)
		if all[0].Answer != c.want {
			t.Errorf("%s: intact is %q, want %q (%s)", c.name, all[0].Answer, c.want, all[0].Because)
		}
		for i, name := range []string{"intact", "same_query", "replay_safe"} {
			if all[i].Name != name || all[i].Because == "" || i > 0 && all[i].Answer != "unknown" {
				t.Errorf("%s: question %d is %+v", c.name, i, all[i])
			}
		}
	}
}

// TestIntactAsksForTheBytesOfState: state that is there and was not read to its end is not called whole.
func TestIntactAsksForTheBytesOfState(t *testing.T) {
	t.Parallel()
	const delta, broken = "LZ4Block\x15\x04\x00\x00\x00\x04\x00\x00\x00\xdb\x80\x4d\x08\xff\xff\xff\xffLZ4Block\x15\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "123456789"
	zip, err := snapshot(`{"sstFiles":[],"numKeys":0}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		deny  string
		want  string
	}{
		{"a delta that was read", map[string]string{"state/0/0/1.delta": delta}, "", "yes"},
		{"a snapshot that names no more", map[string]string{"state/0/0/1.zip": string(zip)}, "", "yes"},
		{"not a delta", map[string]string{"state/0/0/1.delta": broken}, "", "no"},
		{"a version that no start loads", map[string]string{"state/0/0/1.delta": delta, "state/0/0/2.delta": broken}, "", "yes"},
		{"a delta that may not be read", map[string]string{"state/0/0/1.delta": delta}, "state/0/0/1.delta", "unknown"},
	} {
		files := map[string]string{"metadata": `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`, "offsets/0": planOfOnePartition, "commits/0": "v1\n{}"}
		maps.Copy(files, c.files)
		tc := &testCase{files: fstest.MapFS{}, location: "checkpoint", broken: map[string]error{}}
		for name, text := range files {
			tc.files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if c.deny != "" {
			tc.broken[c.deny] = fs.ErrPermission
		}
		v := tc.examine(t)
		if got := v.Questions[0]; got.Answer != c.want {
			t.Errorf("%s: %q, want %q (%s)", c.name, got.Answer, c.want, got.Because)
		}
	}
}

// TestIntactOfLongState: without --deep a long delta is known by its head only, and is not called whole.
func TestIntactOfLongState(t *testing.T) {
	t.Parallel()
	var long bytes.Buffer
	row := strings.Repeat("x", 60<<10)
	for long.Len() <= stores.ReadWhole {
		text := "\x00\x00\x00\x04key0" + string(binary.BigEndian.AppendUint32(nil, uint32(len(row)))) + row
		lz4Block(&long, text)
	}
	lz4Block(&long, "\xff\xff\xff\xff")
	lz4Block(&long, "")
	for _, c := range []struct {
		name string
		cut  int
		deep bool
		want string
	}{
		{"whole, by its head", 0, false, "unknown"},
		{"whole, read to its end", 0, true, "yes"},
		{"cut, by its head", 100, false, "unknown"},
		{"cut, read to its end", 100, true, "no"},
	} {
		tc := &testCase{location: "checkpoint", opt: Options{Deep: c.deep}, files: fstest.MapFS{
			"metadata":          &fstest.MapFile{Data: []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)},
			"offsets/0":         &fstest.MapFile{Data: []byte(planOfOnePartition)},
			"commits/0":         &fstest.MapFile{Data: []byte("v1\n{}")},
			"state/0/0/1.delta": &fstest.MapFile{Data: long.Bytes()[:long.Len()-c.cut]},
		}}
		v := tc.examine(t)
		if got := v.Questions[0]; got.Answer != c.want || !v.Complete {
			t.Errorf("%s: %q, want %q (%s)", c.name, got.Answer, c.want, got.Because)
		}
	}
}

// lz4Block writes a block as lz4-java does, without compressing it; no text is the end mark.
func lz4Block(w *bytes.Buffer, text string) {
	head := []byte("LZ4Block\x16")
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	sum := uint32(0)
	if text != "" {
		sum = xxhash.ChecksumString32S(text, 0x9747B28C) & 0x0fffffff
	}
	w.Write(binary.LittleEndian.AppendUint32(head, sum))
	w.WriteString(text)
}

// planOfOnePartition is a plan whose state has one partition.
const planOfOnePartition = "v1\n" + `{"batchTimestampMs":5,"conf":{"spark.sql.shuffle.partitions":"1"}}` + "\n" + `{"orders":{"0":1}}`

// TestEveryLoudCheckIsDamageOrNot asks of a new check whether its findings make the answer to "intact" no.
func TestEveryLoudCheckIsDamageOrNot(t *testing.T) {
	t.Parallel()
	for _, c := range every() {
		if c.Severity >= checks.High && c.Damage == 0 {
			t.Errorf("%s does not say whether it is damage", c.Code)
		}
	}
}

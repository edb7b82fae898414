package statestore

import (
	"fmt"
	"slices"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
)

// TestRebuild holds snapshots of any length against what an older one and a delta make.
func TestRebuild(t *testing.T) {
	t.Parallel()
	row := func(key, value string) string { return putRecord(unsafeRow(key), unsafeRow(value)) }
	long, rows := snapshotOf(40 << 20)
	longer, more := snapshotOf(41 << 20)
	if rows <= rebuiltApart || more <= rows {
		t.Fatal(rows, more)
	}
	none := deltaOf()
	g := &generated{large: map[string]largeFile{"state/0/0/4.snapshot": long, "state/0/0/6.snapshot": long, "state/0/0/7.snapshot": longer}}
	files := map[string][]byte{"offsets/0": nil, "state/0/0/4.snapshot": nil, "state/0/0/6.snapshot": nil, "state/0/0/7.snapshot": nil}
	for name, text := range map[string]string{
		"1.snapshot": deltaOf(row("a", "1"), row("b", "1"), row("c", "1")),
		"2.delta":    deltaOf(row("b", "2"), row("d", "1"), deleteRecord(unsafeRow("a"))),
		"2.snapshot": deltaOf(row("b", "2"), row("c", "1"), row("d", "1")),
		"3.delta":    none,
		"3.snapshot": deltaOf(row("b", "1"), row("c", "1"), row("e", "1"), row("f", "1")),
		"5.delta":    lzf("\x00\x00\x00\x04key"),
		"6.delta":    none, "7.delta": none,
	} {
		files["state/0/0/"+name] = []byte(text)
	}
	g.memory = inMemory(files)
	c, err := checkpoint.Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	file := func(v int64, role state.Role) state.File {
		f := state.File{Version: v, Role: role}
		name := "state/0/0/" + f.Name()
		f.Size = int64(len(files[name]))
		if l, ok := g.large[name]; ok {
			f.Size = l.size()
		}
		return f
	}
	cases := []struct {
		whole int64
		from  []state.File
		want  string // rows, rows of the others, same, apart, missing, more, other
	}{
		{2, []state.File{file(1, state.Snapshot), file(2, state.Delta)}, "3 3 true true 0 0 0"},
		{3, []state.File{file(2, state.Snapshot), file(3, state.Delta)}, "4 3 false true 1 2 1"},
		{3, nil, "4 0 true false 0 0 0"},
		{2, []state.File{file(1, state.Snapshot), file(5, state.Delta)}, "cut"},
		{6, []state.File{file(4, state.Snapshot), file(6, state.Delta)}, fmt.Sprint(rows, " ", rows, " true false 0 0 0")},
		{7, []state.File{file(4, state.Snapshot), file(7, state.Delta)}, fmt.Sprint(more, " ", rows, " false false 0 0 0")},
	}
	var all []Rebuilding
	for _, c := range cases {
		all = append(all, Rebuilding{Operator: &Operator{Provider: "hdfs"}, Store: &Store{Name: "default", Dir: "state/0/0"},
			Whole: file(c.whole, state.Snapshot), From: state.Chain{Version: c.whole, Files: c.from}})
	}
	i := 0
	for r, err := range Rebuild(t.Context(), c, nil, slices.Values(all)) {
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(r.Rows, r.FromRows, r.Same, r.Apart, r.Missing, r.More, r.Other)
		if e, bad := r.Err.(*decode.Error); bad {
			got = string(e.Flaw)
		}
		if got != cases[i].want {
			t.Errorf("%d.snapshot: %s (%v), want %s", cases[i].whole, got, r.Err, cases[i].want)
		}
		i++
	}
	if i != len(cases) {
		t.Errorf("%d came of %d", i, len(cases))
	}
}

package checkpoint

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// sourceLog is a file of a file source's log: entries like "3:c.json".
func sourceLog(entries ...string) string {
	text := "v1"
	for _, e := range entries {
		id, name, _ := strings.Cut(e, ":")
		text += fmt.Sprintf("\n"+`{"path":"file:///in/%s","timestamp":1700000000000,"batchId":%s}`, name, id)
	}
	return text
}

// planAt is a plan whose only source stands there.
func planAt(offset string) string {
	return "v1\n" + `{"batchWatermarkMs":0,"batchTimestampMs":1700000000000,"conf":{}}` + "\n" + offset
}

// TestTaken: the files of a batch are those of the entries between where it begins and where it ends, wherever in the
// log they stand, and what cannot be known is said.
func TestTaken(t *testing.T) {
	t.Parallel()
	compacted := map[string]string{
		"sources/0/0": sourceLog("0:a"), "sources/0/2.compact": sourceLog("0:a", "1:b", "1:c", "2:d"), "sources/0/3": sourceLog("3:e", "3:f", "3:g"), "sources/0/4": sourceLog("4:h"),
	}
	for _, c := range []struct {
		name       string
		files      map[string]string
		before, at string // offsets of batch 6 and 7; before is "" where offsets/6 is not there
		want       string
	}{
		{"one entry", compacted, `{"logOffset":2}`, `{"logOffset":3}`, "sources/0 3-3 n=3 e f"},
		{"several, some of them compacted", compacted, `{"logOffset":0}`, `{"logOffset":3}`, "sources/0 1-3 n=6 b c"},
		{"only compacted", compacted, `{"logOffset":0}`, `{"logOffset":1}`, "sources/0 1-1 n=2 b c"},
		{"none", compacted, `{"logOffset":3}`, `{"logOffset":3}`, "sources/0 4-3 n=0"},
		{"from the first on", compacted, `-`, `{"logOffset":0}`, "sources/0 0-0 n=1 a"},
		{"of 2.0", compacted, `2`, `3`, "sources/0 3-3 n=3 e f"},
		{"a number of another source", map[string]string{"sources/0/0": "0"}, `2`, `3`, ""},
		{"a number, and no log", nil, `2`, `3`, ""},
		{"no batch before", compacted, "", `{"logOffset":3}`, "sources/0 0--1 n=0 ! the start of the batch is unknown: offsets/6 was not read or is missing"},
		{"an entry is gone", map[string]string{"sources/0/3": sourceLog("3:e"), "sources/0/5": sourceLog("5:x")}, `{"logOffset":2}`, `{"logOffset":5}`, "sources/0 3-5 n=2 e x ! sources/0/4 is missing, and no compact file has its files"},
		{"the log is gone", nil, `{"logOffset":2}`, `{"logOffset":5}`, "sources/0 3-5 n=0 ! sources/0/3 is missing, and no compact file has its files"},
		{"a line is torn", map[string]string{"sources/0/3": sourceLog("3:e") + "\n{\"pa"}, `{"logOffset":2}`, `{"logOffset":3}`, "sources/0 3-3 n=1 e ! it cannot be read completely: sources/0/3"},
		{"as far as numbers go", compacted, `{"logOffset":-1}`, `{"logOffset":9223372036854775807}`, "sources/0 0-9223372036854775807 n=8 a b ! sources/0/5 is missing"},
		{"another kind", compacted, `{"orders":{"0":1}}`, `{"orders":{"0":2}}`, ""},
	} {
		files := map[string]string{"offsets/7": planAt(c.at), "commits/7": "v1\n{}"}
		if c.before != "" {
			files["offsets/6"] = planAt(c.before)
		}
		for name, text := range c.files {
			files[name] = text
		}
		cp, err := Open(t.Context(), testfiles.Tree(files))
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []bool{false, true} {
			logs := NewSourceLogs(cp, 2, list)
			var before *Batch
			if c.before != "" {
				if before, err = cp.Batch(t.Context(), 6); err != nil {
					t.Fatal(err)
				}
			}
			b, err := cp.Batch(t.Context(), 7)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time from memory
				taken, err := logs.Of(t.Context(), before, b)
				if err != nil {
					t.Fatal(err)
				}
				if got := saidOf(taken); got != c.want && !(strings.Contains(c.want, "!") && strings.HasPrefix(got, c.want)) {
					t.Errorf("%s (list %t): %s, want %s", c.name, list, got, c.want)
				}
			}
		}
	}
}

func saidOf(taken []Taken) string {
	var b strings.Builder
	for _, t := range taken {
		fmt.Fprintf(&b, "%s %d-%d n=%d", t.Log, t.First, t.Last, t.Count)
		for _, f := range t.Files {
			b.WriteString(" " + path.Base(f.Path))
		}
		if t.Why != "" {
			b.WriteString(" ! " + t.Why)
		}
	}
	return b.String()
}

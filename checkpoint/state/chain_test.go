package state

import (
	"fmt"
	"strings"
	"testing"
)

// store is a store from the names of its files; "=0" after one means that it has no bytes.
func store(t *testing.T, names string) []File {
	t.Helper()
	var files []File
	for _, name := range strings.Fields(names) {
		name, empty := strings.CutSuffix(name, "=0")
		f, ok := ParseName(name)
		if !ok {
			t.Fatalf("%q is no state file", name)
		}
		if !empty {
			f.Size = 100
		}
		files = append(files, f)
	}
	Sort(files)
	return files
}

func (c *Chain) tell() string {
	var b strings.Builder
	for _, f := range c.Files {
		fmt.Fprintf(&b, "%s ", f.Name())
	}
	for _, m := range c.Missing {
		fmt.Fprintf(&b, "-%d..%d ", m.From, m.To)
	}
	for _, f := range c.Passed {
		fmt.Fprintf(&b, "~%s ", f.Name())
	}
	return strings.TrimSpace(b.String())
}

func TestChain(t *testing.T) {
	t.Parallel()
	ids := func(known string) func(int64) (string, bool) {
		return func(v int64) (string, bool) {
			for _, k := range strings.Fields(known) {
				if at, id, _ := strings.Cut(k, "_"); at == fmt.Sprint(v) {
					return id, true
				}
			}
			return "", false
		}
	}
	tests := []struct {
		story, files string
		version      int64
		rules        Rules
		want         string
		newest       int64 // the newest version up to the asked one that loads
	}{
		{"the empty version needs nothing", "1.delta", 0, Rules{}, "", 0},
		{"from the first batch on", "1.delta 2.delta 3.delta", 3, Rules{}, "1.delta 2.delta 3.delta", 3},
		{"an older version of the same store", "1.delta 2.delta 3.delta", 2, Rules{}, "1.delta 2.delta", 2},
		{"from the newest snapshot on", "1.delta 2.delta 2.snapshot 3.delta 4.delta 4.snapshot 5.delta", 5, Rules{}, "4.snapshot 5.delta", 5},
		{"the snapshot of the version itself", "1.delta 2.delta 2.snapshot", 2, Rules{}, "2.snapshot", 2},
		{"a snapshot above the version is not looked at", "1.delta 2.delta 3.delta 3.snapshot", 2, Rules{}, "1.delta 2.delta", 2},
		{"older versions are purged", "16.delta 17.delta 22.snapshot 22.delta 23.delta", 23, Rules{}, "22.snapshot 23.delta", 23},
		{"a delta in the middle is missing", "22.snapshot 22.delta 23.delta 25.delta 26.delta", 26, Rules{}, "22.snapshot 23.delta 25.delta 26.delta -24..24", 23},
		{"two holes", "1.delta 3.delta 5.delta", 6, Rules{}, "1.delta 3.delta 5.delta -2..2 -4..4 -6..6", 1},
		{"no snapshot, and the first deltas are gone", "4.delta 5.delta 6.delta", 6, Rules{}, "4.delta 5.delta 6.delta -1..3", 0},
		{"nothing at all", "", 26, Rules{}, "-1..26", 0},
		{"a hole of billions is one span", "1.delta", 4_000_000_000, Rules{}, "1.delta -2..4000000000", 1},
		{"a delta that the snapshot makes needless", "1.delta 3.delta 3.snapshot 4.delta", 4, Rules{}, "3.snapshot 4.delta", 4},

		{"a zip for every version", "1.zip 2.zip 3.zip", 3, Rules{}, "3.zip", 3},
		{"the newest zip is missing", "10.zip 11.zip", 12, Rules{}, "11.zip -12..12", 11},
		{"changelogs after a zip", "1.changelog 2.changelog 3.changelog 3.zip 4.changelog 5.changelog", 5, Rules{}, "3.zip 4.changelog 5.changelog", 5},
		{"changelogs since the first batch", "1.changelog 2.changelog", 2, Rules{}, "1.changelog 2.changelog", 2},
		{"a changelog is missing", "3.zip 4.changelog 6.changelog", 6, Rules{}, "3.zip 4.changelog 6.changelog -5..5", 4},

		{"an empty snapshot stops 4.1", "1.delta 2.delta 2.snapshot=0 3.delta", 3, Rules{}, "2.snapshot 3.delta", 1},
		{"4.2 passes over it", "1.delta 2.delta 2.snapshot=0 3.delta", 3, Rules{Repairs: true}, "1.delta 2.delta 3.delta ~2.snapshot", 3},
		{"4.2 cannot where the delta is empty too", "1.delta 2.delta=0 2.snapshot=0 3.delta", 3, Rules{Repairs: true}, "2.snapshot 3.delta", 1},
		{"4.2 cannot without changelogs", "1.zip 2.zip=0", 2, Rules{Repairs: true}, "2.zip", 1},
		{"4.2 passes over two", "1.changelog 2.zip=0 2.changelog 3.zip=0 3.changelog", 3, Rules{Repairs: true}, "1.changelog 2.changelog 3.changelog ~3.zip ~2.zip", 3},

		{"ids: other attempts are not looked at", "2_a.changelog 2_b.changelog 1_c.zip", 2, Rules{ID: ids("2_b 1_c")}, "1_c.zip 2_b.changelog", 2},
		{"ids: the recorded one is missing", "1_c.zip 2_a.changelog", 2, Rules{ID: ids("2_b 1_c")}, "1_c.zip -2..2", 1},
		{"ids: not recorded, any will do", "1_c.zip 2_a.changelog", 2, Rules{ID: ids("2_a")}, "1_c.zip 2_a.changelog", 2},
		{"ids: a format 2 query that began in format 1", "1.zip 2_a.changelog", 2, Rules{ID: ids("2_a")}, "1.zip 2_a.changelog", 2},
	}
	for _, test := range tests {
		files := store(t, test.files)
		c := ChainOf(files, test.version, test.rules)
		if got := c.tell(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.story, got, test.want)
		}
		if got := NewestLoading(files, test.version, test.rules); got != test.newest {
			t.Errorf("%s: newest that loads is %d, want %d", test.story, got, test.newest)
		}
		if got, want := Loads(files, test.version, test.rules), test.newest == test.version; got != want {
			t.Errorf("%s: loads is %t, want %t", test.story, got, want)
		}
	}
}

// A store of empty zips, with changelogs or none that load, must not make the choice slow.
func TestChainOfManyBrokenFiles(t *testing.T) {
	t.Parallel()
	var files []File
	for v := int64(1); v <= 50_000; v++ {
		files = append(files, File{Version: v, Role: Zip}, File{Version: v, Role: Changelog, Size: 50})
	}
	Sort(files)
	c := ChainOf(files, 50_000, Rules{Repairs: true})
	if len(c.Files) != 50_000 || len(c.Passed) != 50_000 || !c.Whole() {
		t.Errorf("%d files, %d passed over, missing %v", len(c.Files), len(c.Passed), c.Missing)
	}
	for i := range files {
		files[i].Size = 0
	}
	if c := ChainOf(files, 50_000, Rules{Repairs: true}); len(c.Files) != 1 || len(c.Empty()) != 1 {
		t.Errorf("%d files, want the newest zip alone", len(c.Files))
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"7.delta", "7.snapshot", "7.zip", "7.changelog", "7_a630f607-abe8-4042-b679-dec29db0ac27.zip", "9223372036854775807.delta"} {
		if f, ok := ParseName(name); !ok || f.Name() != name {
			t.Errorf("%q became %v, %t", name, f, ok)
		}
	}
	for _, name := range []string{"", "7", ".delta", "07.delta", "+7.delta", "-7.delta", "0.delta", "7.delta.crc", ".7.delta.crc", "7.DELTA", "x.delta", "7_.zip",
		"temp-7", ".8.12345678.TID9.tmp", "7.delta.", "7.delta.x", "9223372036854775808.delta", "SSTs", "_metadata"} {
		if f, ok := ParseName(name); ok {
			t.Errorf("%q became %v", name, f)
		}
	}
	for name, want := range map[string]struct {
		of  string
		sum Sums
	}{"7.delta.crc": {"7.delta", SparkSum}, ".7.delta.crc": {"7.delta", HadoopSum}, ".7.delta.crc.crc": {"7.delta", SumOfSum}, "7.delta": {"", 0}} {
		if of, sum := ParseSum(name); of != want.of && sum != 0 || sum != want.sum {
			t.Errorf("%q is %d of %q", name, sum, of)
		}
	}
}

package ui

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// archive is Options for a checkpoint that Spark wrote.
func archive(name string) kit.Options {
	return archiveIn(filepath.Join("..", "testdata", "golden"), name)
}

// archiveIn is a packed checkpoint of a folder.
func archiveIn(folder, name string) kit.Options {
	return kit.Options{Location: "./" + name, Open: func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := storage.Open(ctx, filepath.Join(folder, name+".tar.gz"), storage.Options{Inside: []string{"offsets", "commits", "sources", "state", "metadata"}})
		if err != nil {
			return nil, err
		}
		return checkpoint.Open(ctx, s)
	}}
}

// TestRowsScreens compares the rows of stores that Spark wrote with golden files.
func TestRowsScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for name, picture := range map[string]struct {
		archive string
		keys    []string
	}{
		"rows-full":     {"state-4.3-rockscl-window-agg", []string{"enter", "j", "j", "j"}},
		"rows-panned":   {"state-4.3-rockscl-window-agg", []string{"enter", ">", ">", "right", "left", "left"}},
		"rows-filtered": {"state-4.3-rockscl-window-agg", []string{"enter", "/", "a", "n", "n", "enter"}},
		"rows-join":     {"state-4.3-rocks-join-inner", []string{"j", "enter"}},
		"rows-join-raw": {"state-4.3-rocks-join-inner", []string{"j", "enter", "v"}},
		"rows-map":      {"state-4.3-rockscl-tws-ttl", []string{"enter"}},
		"rows-broken":   {"state-4.3-hdfs-damage-missing-delta", []string{"enter"}},
		"rows-all":      {"state-4.3-hdfs-damage-missing-delta", []string{"g", "enter"}},
		"rows-compare":  {"state-4.3-rockscl-window-agg", []string{"g", "enter", "=", "8", "enter", "j", "j"}},
		"rows-ask-key":  {"state-4.3-rocks-window-agg", []string{"g", "K"}},
		"rows-no-key":   {"state-4.3-rocks-window-agg", []string{"enter", "K", `{"user":"ann"}`, "enter"}},
		"rows-key":      {"state-4.3-rocks-tws-ttl-avro", []string{"g", "enter", "K", "a", "n", "n", "enter"}},
	} {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := looksAt(t, archive(picture.archive), size[0], size[1], picture.keys...)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

func TestRowsGoBackToABatchThatLoads(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-damage-missing-delta"), 120, 40, "enter")
	d.shows("7.delta", "no rows, some could not be")
	for range 6 {
		d.press("left")
	}
	d.shows("Rows after batch 5", "version 6 · 3 rows", "bob")
	d.press("esc")
	if got := d.crumbs(); got != "overview › state" {
		t.Error(got)
	}
}

// TestRowsWithoutASchema: columns that are a guess say so, and what cannot be told at all says where to look
// instead.
func TestRowsWithoutASchema(t *testing.T) {
	old := guessable(t)
	d := looksAt(t, openTree(old), 120, 40, "enter")
	d.shows("? Guessed columns", "No schema is recorded", "11 rows", "column1", "column2", "8 BYTES", "ann", "null")
	d.press("K")
	d.shows("A bare word is the first key column, column1.")
	d.press("ann", "enter")
	d.shows("column1 ann · 4 rows", "All 2 partitions were read.")
	old["state/0/0/_metadata/schema"] = &fstest.MapFile{Data: []byte("\x00\x02v2\x00")}
	d = looksAt(t, openTree(old), 120, 40, "enter")
	d.shows("? No rows", "state schema", "esc, then tab")
}

// TestStateOfOldReleases: what no file records of an operator before 4.0 is told by its rows, on the screens too.
func TestStateOfOldReleases(t *testing.T) {
	old := filepath.Join("..", "checkpoint", "statestore", "testdata", "old")
	d := looksAt(t, archiveIn(old, "2.4-hdfs-join-inner"), 120, 40, "g")
	d.shows("operator 0 symmetricHashJoin (inferred)")
	d.press("enter")
	d.shows("6 rows · left", "field0  ad-12  BYTES", "column1  1772359356000000  8 BYTES", "? Guessed columns")
	d = looksAt(t, archiveIn(old, "3.1.3-dedup"), 120, 40, "g")
	d.shows("operator 0 dedupe (inferred)")
	d.press("up")
	d.shows("value __dummy__ VOID", "schema file", "has the input row as value, unlike the rows", "(SPARK-39650)")
	d.press("down", "enter")
	d.shows("__dummy__", "version 5 · 3 rows", "STRING", "BIGINT")
	d.press("K")
	d.press("c", "enter")
	d.shows("k c · 3 rows")
}

// guessable is a query that drops duplicates, as a release before 3.1 leaves it:
// without a schema.
func guessable(t *testing.T) fstest.MapFS {
	t.Helper()
	s, err := storage.Open(t.Context(), filepath.Join("..", "testdata", "golden", "state-3.5-hdfs-dedup-nowm.tar.gz"), storage.Options{Inside: []string{"offsets", "commits", "sources", "state", "metadata"}})
	if err != nil {
		t.Fatal(err)
	}
	old := fstest.MapFS{}
	for _, name := range []string{"metadata", "offsets/0", "offsets/1", "offsets/2", "commits/0", "commits/1", "commits/2", "state/0/0/1.delta", "state/0/0/2.delta", "state/0/0/3.delta", "state/0/1/1.delta", "state/0/1/2.delta", "state/0/1/3.delta"} {
		data, err := storage.ReadFile(t.Context(), s, name, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: data}
	}
	return old
}

// TestRowsAtAnySize walks at random over rows of every type on terminals of every size.
func TestRowsAtAnySize(t *testing.T) {
	names := []string{"j", "k", "G", "g", "tab", "left", "right", "v", "/", "e", "enter", "esc", "<", ">", "t", "down", "=", "K", "p", "b", "1"}
	for seed, name := range []string{"state-3.5-hdfs-rich-values", "state-4.3-hdfs-rich-keys", "state-4.3-rocks-tws-ttl-avro", "state-4.3-rocks-join-v3", "state-4.3-rockscl-tws-timers", "state-4.3-rocks-damage-missing-sst"} {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		o := archive(name)
		o.ASCII = seed%2 == 0
		d := looksAt(t, o, 100, 30, "enter")
		for range 40 {
			d.press(names[r.IntN(len(names))])
			w, h := 1+r.IntN(220), 1+r.IntN(60)
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			wellFormed(t, d.View().Content, w, h)
			if strings.Contains(d.View().Content, "failed") || t.Failed() {
				t.Fatalf("%s, %d×%d, %s:\n%s", name, w, h, d.crumbs(), d.screen())
			}
		}
	}
}

// TestRowsLookUpAKey: a key is looked for where its hash puts it; what is no key is asked for again.
func TestRowsLookUpAKey(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-hash-string"), 140, 40, "j", "enter")
	all := d.rows()
	d.press("K")
	d.shows("A bare word is the key", `{"`, "STRING", "esc shows all rows", "enter done")
	d.press(`{"no`, `":7}`, "enter")
	d.shows("✗ the key", "STRUCT<", `{"no":7}▏`)
	d.press("esc")
	if got := d.rows(); !slices.Equal(got, all) {
		t.Errorf("esc leaves the line open, or other rows: %q, not %q", got, all)
	}
	d.press("K", "n", "o", " ", "such", "enter")
	d.shows("No row has the key no such.", "Its hash puts it in partition", "only that one was read")
	d.press("esc")
	if got := d.rows(); !slices.Equal(got, all) || d.crumbs() != "overview › state › rows of 0/1" {
		t.Errorf("esc shows %d rows of %d, %s", len(got), len(all), d.crumbs())
	}
}

// TestRowsFindTheKeyOfAnotherPartition: every key that is anywhere is found from here, as it is shown.
func TestRowsFindTheKeyOfAnotherPartition(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-hash-string"), 140, 40, "g", "enter")
	all := d.rows()
	if d.crumbs() != "overview › state › rows of 0" || len(all) < 5 {
		t.Fatalf("%s, %d rows:\n%s", d.crumbs(), len(all), d.screen())
	}
	d.shows(" in ", " partitions", "part  ")
	found := 0
	for _, l := range all {
		key := strings.Split(l, "\t")[1]
		if key == "" || key == "null" || strings.Contains(d.screen(), `\x`) {
			continue
		}
		d.press("K", key, "enter")
		if got := d.rows(); len(got) != 1 || got[0] != l {
			t.Errorf("%q: found %q", l, got)
		}
		found++
		d.press("esc")
	}
	if found < 5 {
		t.Errorf("only %d keys were looked for", found)
	}
}

// TestStateAsksForAKey: from the screen of state the key is asked for before any row is read.
func TestStateAsksForAKey(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "K")
	d.shows("No row is read before the key is known", `"start":"2026-11-29T12:00:00Z"`, "window STRUCT<")
	d.press("esc")
	d.shows("Rows after batch", "rows in 2 partitions")
	if n := len(d.rows()); n == 0 {
		t.Error("esc does not show the rows")
	}
}

func TestRowsGoToAPartitionAndABatch(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter")
	all := len(d.rows())
	d.press("p", "1", "9", "enter")
	d.shows(`✗ "19" is not a partition (0 to`)
	d.press("backspace", "enter")
	if n := len(d.rows()); d.crumbs() != "overview › state › rows of 0/1" || n >= all {
		t.Errorf("%s shows %d of %d rows", d.crumbs(), n, all)
	}
	d.press("b")
	d.shows("have state files")
	d.press("x", "enter")
	d.shows(`"x" is not a batch ID`)
	d.press("backspace", "9", "9", "enter")
	d.shows("no state exists after batch 11")
	d.press("ctrl+u", "9", "enter")
	d.shows("Rows after batch 9", "version 10")
	d.press("p", "enter")
	d.shows("Rows after batch 9")
	if d.crumbs() != "overview › state › rows of 0" {
		t.Error(d.crumbs())
	}
}

// TestRowsCompareTwoBatches: what differs is counted as the rows of both batches have it.
func TestRowsCompareTwoBatches(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter")
	now := d.rows()
	batch := int64(11)
	d.shows("Rows after batch 11")
	d.press("left", "left", "left")
	before := d.rows()
	d.press("right", "right", "right", "=", fmt.Sprint(batch-3), "enter")
	d.shows(fmt.Sprintf("Changes since batch %d", batch-3), fmt.Sprintf("version %d → %d", batch-3+1, batch+1))
	if d.crumbs() != "overview › state › changes of 0" {
		t.Fatal(d.crumbs())
	}
	changes := map[string]int{}
	for _, r := range d.rows() {
		how, _, _ := strings.Cut(r, "\t")
		changes[how]++
	}
	var added, removed int
	for _, r := range now {
		if !slices.Contains(before, r) {
			added++
		}
	}
	for _, r := range before {
		if !slices.Contains(now, r) {
			removed++
		}
	}
	if changes["added"]+changes["changed"] != added || changes["removed"]+changes["changed"] != removed || added == 0 || removed == 0 {
		t.Errorf("%v, want %d new rows and %d old ones", changes, added, removed)
	}
	d.shows(fmt.Sprintf("%d added", changes["added"]), "+ added", "- removed")
	d.press("/", "r", "e", "m", "o", "v", "e", "d", "enter")
	if n := len(d.rows()); n != changes["removed"] {
		t.Errorf("the filter shows %d rows of %d that were removed", n, changes["removed"])
	}
	d.press("esc", "left")
	d.shows(fmt.Sprintf("Changes since batch %d", batch-4), fmt.Sprintf("version %d → %d", batch-4+1, batch-1+1))
	d.press("right", "esc")
	if got := d.rows(); !slices.Equal(got, now) {
		t.Errorf("esc shows %d rows, there were %d", len(got), len(now))
	}
}

func TestRowsShowBothValuesOfAChangedRow(t *testing.T) {
	const name = "state-3.5-hdfs-agg-v1"
	now := looksAt(t, archive(name), 140, 40, "g", "enter").rows()
	before := map[string][]string{} // by partition and key
	for _, r := range looksAt(t, archive(name), 140, 40, "g", "enter", "b", "0", "enter").rows() {
		cells := strings.Split(r, "\t")
		before[cells[0]+cells[1]] = cells
	}
	d := looksAt(t, archive(name), 140, 40, "g", "enter", "=", "0", "enter", "/", "c", "h", "a", "n", "g", "e", "d", "enter")
	shown := 0
	for _, r := range now {
		cells := strings.Split(r, "\t")
		was := before[cells[0]+cells[1]]
		if was == nil || slices.Equal(was, cells) {
			continue
		}
		d.press("g")
		for range shown {
			d.press("j")
		}
		for i := range cells {
			if was[i] != cells[i] {
				d.shows(was[i]+" → "+cells[i], "~ changed")
			}
		}
		shown++
	}
	if shown == 0 || shown != len(d.rows()) {
		t.Errorf("%d rows have changed, %d are shown:\n%s", shown, len(d.rows()), d.screen())
	}
}

func TestRowsAskAgainWhereThereIsNothingToCompare(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter", "b", "0", "enter", "=", "enter")
	d.shows("batch 0 is the first: no state exists before it")
	d.press("0", "enter")
	d.shows("batch 0 is already shown")
}

// TestRowsLookUpAKeyThatWasTypedEarly holds that nobody has to press enter again because the columns of
// the key came later than the key.
func TestRowsLookUpAKeyThatWasTypedEarly(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rocks-tws-ttl-avro"), 120, 40, "g")
	d.hold = true
	d.press("K", "a", "n", "n", "enter")
	d.shows("… when it is read")
	d.settle()
	d.hold = false
	d.shows("with this key", "Its hash puts it in partition")
}

// TestRowsSortByEachColumn: s goes from column to column, a click on the same head turns the order round, and numbers are
// numbers.
func TestRowsSortByEachColumn(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter")
	read := d.rows()
	column := func(n int) (out []string) {
		for _, r := range d.rows() {
			out = append(out, strings.Split(r, "\t")[n])
		}
		return out
	}
	d.press("s", "s", "s", "s") // part, window.start, window.end, user
	users := column(3)
	if !slices.IsSorted(users) || len(users) != len(read) {
		t.Errorf("the users are not sorted: %q", users)
	}
	d.run(d.tell(d.top(), kit.SortBy{Panel: kit.ListID, Column: 3}))
	slices.Reverse(users)
	if got := column(3); !slices.Equal(got, users) {
		t.Errorf("the other way round: %q, want %q", got, users)
	}
	d.run(d.tell(d.top(), kit.SortBy{Panel: kit.ListID, Column: 5}))
	sums := column(5)
	if !slices.IsSortedFunc(sums, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	}) {
		t.Errorf("numbers are not sorted: %q", sums)
	}
	for range len(strings.Split(read[0], "\t")) - 5 {
		d.press("s")
	}
	if got := d.rows(); !slices.Equal(got, read) {
		t.Errorf("behind the last column rows are not as they were read: %q", got)
	}
}

// TestRowsFindWhatIsDrawn: the filter finds a time as the cell shows it, without the day that all have, and as it is recorded.
func TestRowsFindWhatIsDrawn(t *testing.T) {
	for _, typed := range []string{"10:01:12.015015", "2026-03-01T10:01:12.015015Z", "(empty)"} {
		d := looksAt(t, archive("state-4.3-hdfs-session"), 140, 40, "g", "enter")
		d.shows("2026-03-01 UTC", "  10:01:12.015015  ", "(empty)")
		d.press("/", typed, "enter")
		if n := len(d.rows()); n != 1 {
			t.Errorf("/%s shows %d rows", typed, n)
		}
	}
}

// TestRowsSayWhenTheyLeaveState, if they record it; of a window the output mode decides, which no file records.
func TestRowsSayWhenTheyLeaveState(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-dedup-within-wm"), 140, 40, "g", "enter")
	if !strings.Contains(d.words(), "When the watermark passes 2026-03-01 10:02:26Z. Now it is at 2026-03-01 10:01:10Z: 1 min 15 s to go.") {
		t.Error(d.words())
	}
	for _, name := range []string{"state-4.3-hdfs-window-agg", "state-4.3-hdfs-session"} {
		if d := looksAt(t, archive(name), 140, 40, "g", "enter"); strings.Contains(d.screen(), "leave state") {
			t.Errorf("%s: when a row leaves state is not recorded", name)
		}
	}
}

package ui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/storage"
)

// archive is Options for a checkpoint that Spark wrote.
func archive(name string) Options {
	return Options{Location: "./" + name, Open: func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := storage.Open(ctx, filepath.Join("..", "testdata", "golden", name+".tar.gz"), storage.Options{Inside: []string{"offsets", "commits", "sources", "state", "metadata"}})
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
	d.shows("7.delta is not there", "0 rows could be read, and not all")
	for range 6 {
		d.press("left")
	}
	d.shows("as batch 5 left it, version 6", "3 rows, all there are", "bob")
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
	d.shows("? columns are a guess: no schema is recorded", "11 rows, all there are", "key column1", "column2 8 BYTES", "ann", "null")
	d.press("K")
	d.shows("its columns are a guess, so how a key is stored cannot be computed")
	old["state/0/0/_metadata/schema"] = &fstest.MapFile{Data: []byte("\x00\x02v2\x00")}
	d = looksAt(t, openTree(old), 120, 40, "enter")
	d.shows("NO ROWS CAN BE SHOWN", "state schema", "esc, then tab")
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

// paged is a screen of rows with a first page of n and more behind it.
func paged(t testing.TB, n int) (*driver, *rowsScreen) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	x := newRows(&d.session, &storeRow{storeKey: storeKey{0, 0, "default"}, newest: 5})
	d.hold = true
	d.run(d.push(x))
	views := []statestore.View{{Name: "default", ValueName: "value"}}
	first := page[rowPiece]{to: x.at.id, items: []rowPiece{{from: &rowsSource{cp: d.cp, state: &statestore.State{Batch: 4, Version: 5}, views: views, view: &views[0],
		columns: []rowColumn{{title: "k", ddl: "STRING", kind: row.String, of: ofKey}, {title: "n", ddl: "BIGINT", kind: row.Long, of: ofValue}}}}}}
	d.send(more(x, first, n))
	return d, x
}

func more(x *rowsScreen, p page[rowPiece], n int) page[rowPiece] {
	p.to = x.at.id
	p.next = func() tea.Msg { return nil }
	for i := range n {
		p.items = append(p.items, rowPiece{rowLine: rowLine{cells: []string{fmt.Sprintf("key %d", len(x.rows)+i), "1"}}})
	}
	return p
}

// TestRowsReadAsFarAsIsLooked: no more is read than the window nears, except for G and for a filter.
func TestRowsReadAsFarAsIsLooked(t *testing.T) {
	d, x := paged(t, 256)
	if x.reading {
		t.Fatal("it reads on though the window is far from the end")
	}
	for range 6 {
		d.press("pgdown")
	}
	if !x.reading {
		t.Fatal("it does not read on near the end")
	}
	d.send(more(x, page[rowPiece]{}, 256))
	if x.reading || len(x.rows) != 512 {
		t.Fatalf("%d rows, reading %t", len(x.rows), x.reading)
	}
	d.press("G")
	for range 3 {
		if d.send(more(x, page[rowPiece]{}, 256)); !x.reading || x.table.At != len(x.rows)-1 {
			t.Fatalf("G stays at %d of %d, reading %t", x.table.At, len(x.rows), x.reading)
		}
	}
	d.press("k")
	d.send(more(x, page[rowPiece]{}, 256))
	at := x.table.At
	d.press("/", "k", "e", "y", " ", "1", "9", "9", "9", "enter")
	for len(x.rows) < 2304 {
		d.send(more(x, page[rowPiece]{}, 256))
	}
	if x.len() != 1 || !strings.Contains(d.screen(), "key 1999") || !x.reading {
		t.Errorf("from row %d the filter shows %d of %d rows, reading %t", at, x.len(), len(x.rows), x.reading)
	}
	d.send(page[rowPiece]{to: x.at.id, err: errors.New("connection reset")})
	d.shows("no more is read: connection reset", "key 1999")
}

func TestRowsOfAPartitionWithoutKeys(t *testing.T) {
	d, x := paged(t, 0)
	d.send(page[rowPiece]{to: x.at.id})
	d.shows("0 rows, all there are", "No rows: partition 0 holds no key at version 5.")
}

func TestRowsKeepNoMoreThanTheyMay(t *testing.T) {
	d, x := paged(t, 10)
	for len(x.rows) < keptRows {
		x.rows = append(x.rows, x.rows[0])
	}
	d.send(more(x, page[rowPiece]{}, 1))
	d.press("G")
	if x.reading {
		t.Error("it reads on though as much is kept as may be")
	}
	d.shows("and no more is kept")
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
			if strings.Contains(d.View().Content, "broke down") || t.Failed() {
				t.Fatalf("%s, %d×%d, %s:\n%s", name, w, h, d.crumbs(), d.screen())
			}
		}
	}
}

// TestRowsLookUpAKey: a key is looked for where its hash puts it; what is no key is asked for again.
func TestRowsLookUpAKey(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-hash-string"), 140, 40, "j", "enter")
	x := d.top().screen.(*rowsScreen)
	all := len(x.rows)
	d.press("K")
	d.shows(`for example {"`, "STRING", "esc shows all rows", "enter done")
	d.press(`{"no`, `":7}`, "enter")
	d.shows("✗ the key", "STRUCT<", `{"no":7}▏`)
	d.press("esc")
	if x.ask.open() || len(x.rows) != all || x.want.key != "" {
		t.Errorf("esc leaves the line open, or other rows: %d of %d", len(x.rows), all)
	}
	d.press("K", "n", "o", " ", "such", "enter")
	d.shows(`No row has the key "no such". It was looked for in partition`, "where its hash puts it")
	d.press("esc")
	if len(x.rows) != all || d.crumbs() != "overview › state › rows of 0/1" {
		t.Errorf("esc shows %d rows of %d, %s", len(x.rows), all, d.crumbs())
	}
}

// TestRowsFindTheKeyOfAnotherPartition: every key that is anywhere is found from here, as it is shown.
func TestRowsFindTheKeyOfAnotherPartition(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-hash-string"), 140, 40, "g", "enter")
	x := d.top().screen.(*rowsScreen)
	if d.crumbs() != "overview › state › rows of 0" || len(x.rows) < 5 {
		t.Fatalf("%s, %d rows:\n%s", d.crumbs(), len(x.rows), d.screen())
	}
	d.shows("of all", "part  key")
	found := 0
	for _, l := range slices.Clone(x.rows) {
		if l.cells[1] == "" || l.cells[1] == "null" || strings.Contains(d.screen(), `\x`) {
			continue
		}
		d.press("K", l.cells[1], "enter")
		if len(x.rows) != 1 || x.rows[0].cells[0] != l.cells[0] || x.rows[0].cells[1] != l.cells[1] {
			t.Errorf("%v: found %v", l.cells, x.rows)
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
	x := d.top().screen.(*rowsScreen)
	d.shows("Nothing is read before the key is known", `"start":"2026-11-29T12:00:00Z"`, "window STRUCT<")
	if len(x.rows) > 0 {
		t.Errorf("%d rows were read", len(x.rows))
	}
	d.press("esc")
	if x.ask.open() || len(x.rows) == 0 || !x.done {
		t.Errorf("esc does not show all rows, but %d", len(x.rows))
	}
}

func TestRowsGoToAPartitionAndABatch(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter")
	x := d.top().screen.(*rowsScreen)
	all := len(x.rows)
	d.press("p", "1", "9", "enter")
	d.shows(`✗ "19" is no partition: there are 0 to`)
	d.press("backspace", "enter")
	if d.crumbs() != "overview › state › rows of 0/1" || len(x.rows) >= all {
		t.Errorf("%s shows %d of %d rows", d.crumbs(), len(x.rows), all)
	}
	d.press("b")
	d.shows("have state files")
	d.press("x", "enter")
	d.shows(`"x" is no batch`)
	d.press("backspace", "9", "9", "enter")
	d.shows("no state is there after batch 11")
	d.press("ctrl+u", "9", "enter")
	d.shows("as batch 9 left it, version 10")
	d.press("p", "enter")
	if d.crumbs() != "overview › state › rows of 0" || x.want.batch != 9 {
		t.Errorf("%s, batch %d", d.crumbs(), x.want.batch)
	}
}

// TestExamplesAreKeys: what the line offers as an example is taken.
func TestExamplesAreKeys(t *testing.T) {
	var fields []row.Field
	for i, name := range []string{"boolean", "byte", "short", "integer", "long", "float", "double", "date", "timestamp", "timestamp_ntz", "time(6)", "string", "binary", "decimal(10,2)", `{"type":"array","elementType":"long","containsNull":true}`, "interval"} {
		typ, err := row.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		label := fmt.Sprintf("c%d \"", i)
		fields = append(fields, row.Field{Name: label, Label: label, Type: typ})
	}
	all := row.StructOf(fields...)
	if _, err := row.ParseValue(all, []byte(example(all))); err != nil {
		t.Errorf("%s: %v", example(all), err)
	}
}

// TestRowsCompareTwoBatches: what differs is counted as the rows of both batches have it.
func TestRowsCompareTwoBatches(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter")
	x := d.top().screen.(*rowsScreen)
	rows := func() (all []string) {
		for _, l := range x.rows {
			all = append(all, strings.Join(l.cells, "|"))
		}
		return all
	}
	now := rows()
	batch := x.want.batch
	d.press("left", "left", "left")
	before := rows()
	d.press("right", "right", "right", "=", fmt.Sprint(batch-3), "enter")
	if x.want.before != batch-3 || d.crumbs() != "overview › state › changes of 0" {
		t.Fatalf("batch %d is compared, %s", x.want.before, d.crumbs())
	}
	var added, removed int64
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
	if x.changes["added"]+x.changes["changed"] != added || x.changes["removed"]+x.changes["changed"] != removed || added == 0 || removed == 0 {
		t.Errorf("%v, want %d new rows and %d old ones", x.changes, added, removed)
	}
	d.shows(fmt.Sprintf("%d added", x.changes["added"]), "+ added", "- removed", fmt.Sprintf("from batch %d to batch %d", batch-3, batch))
	d.press("/", "r", "e", "m", "o", "v", "e", "d", "enter")
	if int64(x.len()) != x.changes["removed"] {
		t.Errorf("the filter shows %d rows of %d that were removed", x.len(), x.changes["removed"])
	}
	d.press("esc", "left")
	d.shows(fmt.Sprintf("from batch %d to batch %d", batch-4, batch-1))
	d.press("right", "esc")
	if got := rows(); !slices.Equal(got, now) {
		t.Errorf("esc shows %d rows, there were %d", len(got), len(now))
	}
}

func TestRowsShowBothValuesOfAChangedRow(t *testing.T) {
	d := looksAt(t, archive("state-3.5-hdfs-agg-v1"), 140, 40, "g", "enter", "=", "0", "enter", "/", "c", "h", "a", "n", "g", "e", "d", "enter")
	x := d.top().screen.(*rowsScreen)
	if x.len() == 0 {
		t.Fatalf("nothing has changed:\n%s", d.screen())
	}
	l := x.selected()
	for i, c := range l.cells {
		if c != l.before[i] {
			d.shows(l.before[i]+" → "+c, "~ changed")
			return
		}
	}
	t.Errorf("%+v is called changed", l)
}

func TestRowsAskAgainWhereThereIsNothingToCompare(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40, "g", "enter", "b", "0", "enter", "=", "enter")
	d.shows("batch 0 is the first: there is no state before it")
	d.press("0", "enter")
	d.shows("batch 0 is the one that is shown")
}

// TestRowsLookUpAKeyThatWasTypedEarly holds that nobody has to press enter again because the columns of
// the key came later than the key.
func TestRowsLookUpAKeyThatWasTypedEarly(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rocks-tws-ttl-avro"), 120, 40, "g")
	d.hold = true
	d.press("K", "a", "n", "n", "enter")
	d.shows("… as soon as it is known")
	d.settle()
	d.hold = false
	d.shows(`with the key`, "where its hash puts it")
}

package ui

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"
	"github.com/OneOfOne/xxhash"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// stateful is tree without its gap and its cut file, with state up to version 12: operator 0 with
// three partitions of deltas and a snapshot of version 8, operator 1 a join in RocksDB.
func stateful() fstest.MapFS {
	fsys := tree()
	for id := range int64(12) {
		planned := now.UnixMilli() + (id-32)*60_000
		plan := fmt.Sprintf("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{\"spark.sql.shuffle.partitions\":\"3\",\"spark.sql.streaming.join.stateFormatVersion\":\"2\"}}\n{\"orders\":{\"0\":%d}}", planned, 1000+150*id)
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte(plan), ModTime: now}
		fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{\"nextBatchWatermarkMs\":0}"), ModTime: now}
	}
	put := func(name string, data []byte) { fsys[name] = &fstest.MapFile{Data: data, ModTime: now} }
	for p := range 3 {
		for v := 6; v <= 12; v++ {
			put(fmt.Sprintf("state/0/%d/%d.delta", p, v), delta(40+10*v))
		}
		put(fmt.Sprintf("state/0/%d/8.snapshot", p), delta(900*(p+1)))
		for _, name := range []string{"left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue"} {
			dir := fmt.Sprintf("state/1/%d/%s", p, name)
			put(dir+"/11.zip", snapshot(4000))
			put(dir+"/12.zip", snapshot(4100))
			put(dir+"/SSTs/000008-4f1c.sst", make([]byte, 20_000*(p+1))) // named by none of the two
		}
	}
	return fsys
}

// delta is a delta or an HDFS snapshot of one row, of size bytes (58 or more): a block of LZ4 that is not
// compressed, and its end mark.
func delta(size int) []byte {
	row := []byte("\x00\x00\x00\x04key0")
	row = binary.BigEndian.AppendUint32(row, uint32(size-58))
	row = append(append(row, make([]byte, size-58)...), "\xff\xff\xff\xff"...)
	var data []byte
	for _, block := range [][]byte{row, nil} {
		data = append(data, "LZ4Block\x15"...)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(block)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(block)))
		sum := uint32(0)
		if block != nil {
			sum = xxhash.Checksum32S(block, 0x9747B28C) & 0x0fffffff
		}
		data = append(binary.LittleEndian.AppendUint32(data, sum), block...)
	}
	return data
}

// snapshot is a snapshot of RocksDB that names no SST file, with a comment that makes it size bytes.
func snapshot(size int) []byte {
	for comment := ""; ; {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, m := range [][2]string{{"MANIFEST-000005", "manifest"}, {"CURRENT", "MANIFEST-000005\n"}, {"OPTIONS-000007", "[Version]\n"}, {"metadata", "v1\n{\"sstFiles\":[],\"numKeys\":0}"}} {
			w, err := z.Create(m[0])
			if err == nil {
				_, err = w.Write([]byte(m[1]))
			}
			if err != nil {
				panic(err)
			}
		}
		if err := errors.Join(z.SetComment(comment), z.Close()); err != nil {
			panic(err)
		}
		if b.Len() == size {
			return b.Bytes()
		}
		comment = strings.Repeat(" ", size-b.Len())
	}
}

// damaged is stateful with what can go wrong: a delta that is missing, one of no bytes, a partition
// without a folder, a store of a join without its newest zip, and an operator that nothing loads.
func damaged() fstest.MapFS {
	fsys := stateful()
	delete(fsys, "state/0/1/10.delta")
	fsys["state/0/2/11.delta"] = &fstest.MapFile{ModTime: now}
	delete(fsys, "state/1/0/left-keyWithIndexToValue/12.zip")
	for name := range fsys {
		if strings.HasPrefix(name, "state/1/2/") {
			delete(fsys, name)
		}
	}
	fsys["state/0/7/3.delta"] = &fstest.MapFile{Data: make([]byte, 9), ModTime: now}
	fsys["state/0/1/.10.delta.tmp"] = &fstest.MapFile{Data: make([]byte, 9), ModTime: now}
	return fsys
}

// told are the codes of the findings that looksAt lets through: those that listings alone give rise to.
// The files of these tests hold nothing that decodes.
var told = []string{"state-version-missing", "state-empty", "leftover-temp-file"}

// looksAt drives the explorer to the screen of state. The facts are those of the real checks.
func looksAt(t testing.TB, o kit.Options, w, h int, keys ...string) *driver {
	d := drive(t, o, nil, w, h)
	d.examine = func(ctx context.Context, cp *checkpoint.Checkpoint, opt examine.Options) iter.Seq[checks.Event] {
		return func(yield func(checks.Event) bool) {
			for e := range examine.Examine(ctx, cp, opt) {
				switch {
				case e.Finding != nil && !slices.Contains(told, e.Finding.Code), e.NotRun != nil, e.Done != nil:
					continue
				}
				if !yield(e) {
					return
				}
			}
			yield(checks.Event{Done: &checks.Done{Complete: true, Questions: []checks.Question{{Name: "intact", Answer: "unknown", Because: "not all of it was read"}}}})
		}
	}
	d.run(d.Init())
	d.press(append([]string{"S"}, keys...)...)
	return d
}

// TestStateScreens compares the screen of state with its golden files.
func TestStateScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	noOperator := fstest.MapFS{"metadata": tree()["metadata"], "offsets/0": stateful()["offsets/0"], "commits/0": stateful()["commits/0"], "state/.keep": {}}
	pictures := map[string]func(t *testing.T, w, h int) *driver{
		"state-full": func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(stateful()), w, h) },
		"state-operator": func(t *testing.T, w, h int) *driver {
			return looksAt(t, openTree(stateful()), w, h, "j", "j", "j")
		},
		"state-described": func(t *testing.T, w, h int) *driver {
			return looksAt(t, archive("state-4.3-rocks-join-v3"), w, h, "g", "tab")
		},
		"state-counted": func(t *testing.T, w, h int) *driver {
			return looksAt(t, archive("state-4.3-rocks-join-v3"), w, h, "g", "c")
		},
		"state-broken":       func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(damaged()), w, h) },
		"state-broken-files": func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(damaged()), w, h, "tab", "j") },
		"state-filtered":     func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(damaged()), w, h, "/", "n", "o", "t") },
		"state-empty":        func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(tree()), w, h) },
		"state-no-operator":  func(t *testing.T, w, h int) *driver { return looksAt(t, openTree(noOperator), w, h) },
		"state-loading": func(t *testing.T, w, h int) *driver {
			d := drive(t, openTree(stateful()), nil, w, h)
			d.hold = true
			d.run(d.Init())
			d.send(opened{to: d.reading.ID, cp: mustOpen(t, stateful())})
			d.press("S")
			return d
		},
	}
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for name, draw := range pictures {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := draw(t, size[0], size[1])
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// TestStateSaysWhatIsWrongWithEachStore holds the mark of every kind of damage.
func TestStateSaysWhatIsWrongWithEachStore(t *testing.T) {
	d := looksAt(t, openTree(damaged()), 200, 60)
	if at := d.at(); at != "state/0/1" {
		t.Errorf("the cursor starts on %s, not on the first store that a restart fails on", at)
	}
	d.shows("8.snapshot ─ 9 ─ [10] ─ 11 ─ 12", "Version 12 = 8.snapshot + deltas 9 to 12.", "Without 10.delta the chain ends at 9.", "newest here")
	rows := d.stores()
	for key, want := range map[string]string{
		"state/0/0": "·\tfiles exist", "state/0/1": "✗\t10 missing", "state/0/2": "✗\t11 empty", "state/0/7": "·\tnot loaded",
		"state/1/0/left-keyWithIndexToValue": "✗\t12 missing", "state/1/1/left-keyToNumValues": "·\tfiles exist", "state/1/2/right-keyToNumValues": "✗\tno file",
	} {
		sign, words, _ := strings.Cut(want, "\t")
		if got, ok := rows[key]; !ok || !strings.HasPrefix(got, sign+" ") || !strings.Contains(got, "\t"+words+"\t") {
			t.Errorf("%s: %q, want %s", key, got, want)
		}
	}
}

// TestStateOfZipsWithoutChangelogs: each version is a zip, so that none is said to need a changelog.
func TestStateOfZipsWithoutChangelogs(t *testing.T) {
	d := looksAt(t, openTree(damaged()), 140, 40)
	d.typed("state 1/0/left-keyWithIndexToValue")
	if s := d.words(); !strings.Contains(s, "Version 12 = 12.zip. Without 12.zip the chain ends at 11.") || strings.Contains(s, "changelog") {
		t.Errorf("%s\n%s", s, d.screen())
	}
}

// TestStateBeforeTheFirstCommit: what the first batch left before it failed is not loaded.
func TestStateBeforeTheFirstCommit(t *testing.T) {
	fsys := fstest.MapFS{"metadata": tree()["metadata"], "offsets/0": stateful()["offsets/0"], "state/0/0/1.delta": {Data: make([]byte, 50)}}
	d := looksAt(t, openTree(fsys), 140, 40, "j")
	d.shows("a restart begins with empty state", "not loaded")
	if !strings.Contains(d.words(), "A restart begins with version 0, which is empty") {
		t.Error(d.words())
	}
}

// TestStateOfADamagedStore: files that are there are not called loadable when a check has found that
// they do not load.
func TestStateOfADamagedStore(t *testing.T) {
	d := drive(t, archive("state-4.3-hdfs-damage-flipped-delta"), nil, 140, 40)
	d.run(d.Init())
	d.press("S")
	if s := d.screen(); strings.Contains(s, "missing") {
		t.Errorf("a file is called missing:\n%s", s)
	}
	d.shows("2 partitions", "✗ 1 broken", "✓ 1 loads", "damaged", "8.snapshot ─ 9 ─ 10 ─ 11 ─ [12 damaged]")
	if !strings.Contains(d.words(), "files, 929 bytes. ✗ A state file is empty or damaged. 12.delta: the checksum of the block") {
		t.Error(d.words())
	}
}

func TestStateOpensBytesOfAFileOfTheChain(t *testing.T) {
	d := looksAt(t, openTree(damaged()), 120, 40, "tab", "j", "enter") // the cursor begins on the missing one
	if got := d.crumbs(); got != "overview › state › 1/9.delta" {
		t.Errorf("%s", got)
	}
	d.press("esc", "k", "enter")
	if got := d.crumbs(); got != "overview › state" {
		t.Errorf("the missing file opens %s", got)
	}
	d.shows("10.delta is missing")
	d.press("esc", "esc")
	if got := d.crumbs(); got != "overview" {
		t.Errorf("%s", got)
	}
}

func TestStateSortsWithinAnOperatorAndKeepsTheSelection(t *testing.T) {
	d := looksAt(t, openTree(damaged()), 120, 40, "j")
	picked := d.at()
	order := func() string { // of the stores of operator 0, by the lines of the screen
		var parts []string
		for _, l := range strings.Split(d.screen(), "\n") {
			if f := strings.Fields(strings.TrimLeft(l, "│▸ ✗·!")); len(f) > 2 && f[1] == "default" {
				parts = append(parts, f[0])
			}
		}
		return strings.Join(parts, " ")
	}
	for _, want := range []string{"1 2 0 7", "0 1 2 7", "0 1 2 7", "7 1 2 0", "2 1 0 7"} { // worst, partition, name, loadable, size
		if got := order(); got != want {
			t.Errorf("%s, want %s:\n%s", got, want, d.screen())
		}
		if d.at() != picked {
			t.Errorf("the selection moves to %s", d.at())
		}
		d.press("s")
	}
	d.press("/", "n", "o", "t", "enter")
	if got := d.stores(); len(got) != 2 || got["state/0/7"] == "" {
		t.Errorf("the filter shows %q", got)
	}
}

// TestStateFindsWhatIsDrawn: the filter looks at every cell of a store, its chain among them.
func TestStateFindsWhatIsDrawn(t *testing.T) {
	for typed, want := range map[string]string{"3.5 kB": "state/0/2", "[10]": "state/0/1", "11 empty": "state/0/2", "state/0/7": "state/0/7"} {
		d := looksAt(t, openTree(damaged()), 140, 40, "/", typed, "enter")
		got := d.stores()
		if _, ok := got[want]; !ok || len(got) != 2 { // the head of its operator stays
			t.Errorf("/%s shows %q, want %s", typed, got, want)
		}
	}
}

// TestStateSortsByAClickedColumn: a click on a head sorts by it, another one turns the order round.
func TestStateSortsByAClickedColumn(t *testing.T) {
	d := looksAt(t, openTree(stateful()), 200, 60)
	first := func() string {
		for _, l := range strings.Split(d.screen(), "\n") {
			if f := strings.Fields(strings.TrimLeft(l, "│▸ ·")); len(f) > 2 && f[1] == "default" {
				return f[0]
			}
		}
		return ""
	}
	const sizes = 5
	for _, want := range []string{"2", "0", "2"} { // larger partitions have larger numbers
		d.run(d.tell(d.top(), kit.SortBy{Panel: kit.ListID, Column: sizes}))
		if got := first(); got != want {
			t.Errorf("partition %s is first, want %s:\n%s", got, want, d.screen())
		}
	}
}

// TestStateUnfoldsThePanelWithTheKeys: where there is too little room, tab shows what was folded.
func TestStateUnfoldsThePanelWithTheKeys(t *testing.T) {
	d := drive(t, archive("state-4.3-hdfs-damage-missing-delta"), nil, 80, 24)
	d.run(d.Init())
	d.press("S")
	d.shows("What to do: ")
	for range 3 {
		d.press("tab")
	}
	d.shows("╭─ What to do ─", "1 Stop every run")
}

// TestStateOfAFolderThatCannotBeListed: what was not listed is not called whole.
func TestStateOfAFolderThatCannotBeListed(t *testing.T) {
	o := openTree(nil)
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		return checkpoint.Open(ctx, denying{storage.FromFS(stateful(), "x"), "state/0/1"})
	}
	d := looksAt(t, o, 140, 40, "s")
	d.shows("not listed", "? 1 not listed")
	if got := d.stores()["state/0/1"]; !strings.HasPrefix(got, "? ") || !strings.Contains(got, "\tnot listed\t") {
		t.Errorf("it is marked %q", got)
	}
}

// TestStateAtAnySize walks at random over state on terminals of every size.
func TestStateAtAnySize(t *testing.T) {
	names := []string{"S", "j", "j", "k", "g", "G", "n", "N", "s", "tab", "enter", "esc", "/", "x", "\u202e", "<", ">", "r", "t", "pgdown", "up", "down"}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		fsys := damaged()
		maps.Copy(fsys, nastyTree(r))
		o := openTree(fsys)
		o.ASCII, o.NoColor = seed%4 == 0, seed%5 == 0
		d := looksAt(t, o, 100, 30)
		for range 60 {
			d.press(names[r.IntN(len(names))])
			w, h := 1+r.IntN(220), 1+r.IntN(60)
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			wellFormed(t, d.View().Content, w, h)
			if strings.Contains(d.View().Content, "failed") || t.Failed() {
				t.Fatalf("seed %d, %d×%d, %s:\n%s", seed, w, h, d.crumbs(), d.screen())
			}
		}
	}
}

// manyStores is a screen over n partitions.
func manyStores(t testing.TB, n int) *App {
	op := statestore.Operator{ID: 0, Dir: "state/0", Provider: "hdfs"}
	for p := range n {
		op.Partitions = append(op.Partitions, statestore.Partition{ID: p, Stores: []statestore.Store{{Name: "default", Dir: fmt.Sprintf("state/0/%d", p)}}})
	}
	a := New(t.Context(), openTree(nil))
	a.Checkpoint, a.StateWords = mustOpen(t, tree()), []string{"one"}
	a.Verdict.Operators = []statestore.Operator{op}
	a.Verdict.Add(checks.Event{Done: &checks.Done{Complete: true}})
	a.take(tea.WindowSizeMsg{Width: 120, Height: 50})
	a.command("state")
	return a
}

func TestKeyAndFrameCostDoesNotGrowWithStores(t *testing.T) {
	cost := func(n int) float64 {
		a := manyStores(t, n)
		return testing.AllocsPerRun(20, func() {
			a.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
			a.View()
		})
	}
	small, large := cost(1_000), cost(100_000)
	if large > small*1.1+100 {
		t.Errorf("a key and a frame make %.0f allocations at 1,000 stores and %.0f at 100,000", small, large)
	}
}

// denying is a store in which one folder cannot be listed.
type denying struct {
	storage.Store
	dir string
}

func (d denying) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	if dir == d.dir {
		return func(yield func(storage.Entry, error) bool) {
			yield(storage.Entry{}, fmt.Errorf("403 on ListObjectsV2 %s: %w", dir, fs.ErrPermission))
		}
	}
	return d.Store.List(ctx, dir)
}

// TestStateOpensWhatDescribesAnOperator: the files are in a panel of their own.
func TestStateOpensWhatDescribesAnOperator(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rocks-join-v3"), 80, 24, "g", "tab", "enter")
	if got := d.crumbs(); got != "overview › state › v2/0" {
		t.Error(got)
	}
}

// TestStateCountsRows: what is counted is what the screen of rows shows, and told apart from what a
// snapshot records.
func TestStateCountsRows(t *testing.T) {
	for name, stores := range map[string]int{"state-4.3-rocks-join-v3": 2, "state-4.3-rocks-join-inner": 8, "state-4.3-rocks-tws-ttl-avro": 2, "state-4.3-hdfs-window-agg": 2} {
		d := looksAt(t, archive(name), 140, 40, "g")
		if regexp.MustCompile(`\d counted`).MatchString(d.words()) {
			t.Errorf("%s: something was counted that nobody asked for", name)
		}
		d.press("c")
		counted := regexp.MustCompile(`(\d+) counted(?:: (.*?))? in (\d+) stores`).FindStringSubmatch(d.words())
		if counted == nil || counted[1] == "0" || counted[3] != fmt.Sprint(stores) {
			t.Fatalf("%s: %q\n%s", name, counted, d.screen())
		}
		d.press("enter")
		compared := 0
		for range 8 { // views, those that Spark keeps for itself among them
			rows := regexp.MustCompile(`version \d+ · (\d+|no) rows?(?: · (\S+))?`).FindStringSubmatch(d.screen())
			if rows == nil {
				t.Fatalf("%s: no number of rows:\n%s", name, d.screen())
			}
			is := ""
			if rows[2] == "" { // one view, and its name is not told
				is = counted[1]
			}
			for _, of := range strings.Split(counted[2], ", ") {
				if n, ok := strings.CutPrefix(of, rows[2]+" "); ok {
					is = n
				}
			}
			if rows[1] == "no" {
				rows[1] = "0"
			}
			if is != "" && is != rows[1] {
				t.Errorf("%s: %s rows of %s are counted, %s are there", name, is, rows[2], rows[1])
			} else if is != "" {
				compared++
			}
			d.press("v")
		}
		if compared == 0 {
			t.Errorf("%s: nothing was compared", name)
		}
	}
}

func TestStateCountsOneStore(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rocks-join-v3"), 200, 60, "g", "j")
	d.shows("(9)")
	if !strings.Contains(d.words(), "9 keys recorded in 10.zip · c counts") {
		t.Error(d.words())
	}
	d.press("c")
	counted := regexp.MustCompile(`(\d+) counted: left (\d+), right (\d+) · 9 keys`).FindStringSubmatch(d.words())
	if counted == nil || !sums(counted[1:]) {
		t.Errorf("%q:\n%s", counted, d.screen())
	}
}

// TestStateDoesNotCallACountWhole that is not.
func TestStateDoesNotCallACountWhole(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-damage-missing-delta"), 200, 60, "g", "c")
	d.shows("      ?", "5 counted in 2 stores; not all", "7.delta")
}

func TestStateCountingStops(t *testing.T) {
	d := looksAt(t, archive("state-4.3-hdfs-window-agg"), 200, 60, "g")
	d.hold = true
	d.press("c")
	d.shows("… counting rows")
	d.press("ctrl+c")
	d.hold = false
	for _, cmd := range d.late {
		d.run(cmd)
	}
	if !strings.Contains(d.words(), "counting was stopped · r reads again") {
		t.Error(d.words())
	}
	if d.busy() {
		t.Error("it goes on")
	}
}

// stores are the rows of the state screen, as they are copied, by the path of their store.
func (d *driver) stores() map[string]string {
	d.t.Helper()
	d.press("g")
	all, before := map[string]string{}, ""
	for before != d.screen() {
		before = d.screen()
		for _, c := range d.copyables() {
			if c.Label != "row" {
				continue
			}
			text, _, err := c.Text(d.t.Context())
			if err != nil {
				d.t.Fatal(err)
			}
			all[d.at()] = text
		}
		d.press("j")
	}
	return all
}

// sums reports whether the first number is the sum of the others.
func sums(texts []string) bool {
	sum := 0
	for i, text := range texts {
		n, err := strconv.Atoi(text)
		if err != nil {
			return false
		}
		if i > 0 {
			n = -n
		}
		sum += n
	}
	return sum == 0
}

// Words are what the panels on the right have, in one line.
func (d *driver) words() string {
	var all []string
	for _, l := range strings.Split(d.screen(), "\n") {
		if _, beside, ok := strings.Cut(l, "││"); ok {
			all = append(all, strings.Fields(strings.NewReplacer("│", " ", "┃", " ").Replace(beside))...)
		}
	}
	return strings.Join(all, " ")
}

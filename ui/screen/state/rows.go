package state

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// The rows of the screen of state stores: what they are, what is wrong with them, how large they are.

// storeRow is a state store, or the head of an operator.
type storeRow struct {
	kit.StoreKey
	op     *statestore.Operator
	store  *statestore.Store // nil where its folder is not there
	load   *checks.Load      // nil where a restart does not load it
	err    error             // why it could not be listed
	dir    string
	newest int64  // version with a file, of a heading in any of its stores; 0 for none
	bytes  int64  // of the state files, without table files
	tables string // the folder of table files of RocksDB; "" where there is none
	// snapshot is the path of the one of RocksDB that a restart loads, where nothing lies on top of it; "" elsewhere.
	snapshot string
	heading  bool
	text     string // of a heading
}

// scale is the stores whose sizes are compared: those of one operator and one name.
type scale struct {
	operator int
	name     string
}

// flaw is a finding as a row shows it.
type flaw struct {
	*checks.Finding
	file string // its path, without what lies within it
}

// tally counts the stores that a restart loads.
type tally struct{ loads, whole, flawed, unlisted int }

// sst is what lies in a folder of table files.
type sst struct {
	dir   string
	bytes int64
	files int
	err   error
}

// build makes the rows, once the facts are there.
func (x *model) build() {
	v := &x.s.Verdict
	x.built, x.rows, x.shown = true, nil, x.version()
	loaded := map[*statestore.Store]*checks.Load{}
	var absent []*checks.Load
	all := x.loads()
	for i := range all {
		if l := &all[i]; l.Store != nil {
			loaded[l.Store] = l
		} else {
			absent = append(absent, l)
		}
	}
	for i := range v.Operators {
		op := &v.Operators[i]
		x.rows = append(x.rows, storeRow{StoreKey: kit.StoreKey{Operator: op.ID, Partition: -1, Name: ""}, op: op, dir: op.Dir, err: op.Err, heading: true, text: page.OperatorHead(op)})
		head := len(x.rows) - 1
		for j := range op.Partitions {
			x.addPartition(op, &op.Partitions[j], loaded)
		}
		for j := range x.rows[head:] {
			x.rows[head].newest = max(x.rows[head].newest, x.rows[head+j].newest)
		}
	}
	for _, l := range absent {
		if op := x.s.OperatorOf(l.Operator); op != nil {
			x.rows = append(x.rows, storeRow{StoreKey: kit.StoreKey{Operator: l.Operator, Partition: l.Partition, Name: l.Name}, op: op,
				dir: l.Dir, load: l})
		}
	}
	slices.SortStableFunc(x.rows, func(a, b storeRow) int { return a.Compare(b.StoreKey) })
	x.count()
	x.measure()
	x.judge()
}

func (x *model) addPartition(op *statestore.Operator, part *statestore.Partition, loaded map[*statestore.Store]*checks.Load) {
	if part.Err != nil && len(part.Stores) == 0 {
		x.rows = append(x.rows, storeRow{StoreKey: kit.StoreKey{Operator: op.ID, Partition: part.ID, Name: ""}, op: op, dir: path.Join(op.Dir, fmt.Sprint(part.ID)), err: part.Err})
	}
	for i := range part.Stores {
		s := &part.Stores[i]
		r := storeRow{StoreKey: kit.StoreKey{Operator: op.ID, Partition: part.ID, Name: s.Name}, op: op, store: s, dir: s.Dir,
			load: loaded[s], err: cmp.Or(s.Err, part.Err)}
		for _, f := range s.Files {
			r.newest, r.bytes = max(r.newest, f.Version), r.bytes+f.Size
		}
		if r.load != nil {
			if c := r.load.Chain(); c.Whole() && len(c.Files) == 1 && c.Files[0].Role == state.Zip && c.Files[0].Size > 0 {
				r.snapshot = s.Path(c.Files[0])
			}
		}
		for _, e := range s.Others {
			if e.Dir && e.Name == "SSTs" {
				r.tables = path.Join(s.Dir, e.Name)
			}
		}
		x.rows = append(x.rows, r)
	}
}

// ---- what is wrong with a row

// judge gives every finding about state to the row it is about.
func (x *model) judge() {
	x.flaws, x.outside = map[string][]flaw{}, nil
	dirs := map[string]bool{}
	for i := range x.rows {
		dirs[x.rows[i].dir] = true
	}
	for i := range x.s.Verdict.Findings {
		f := &x.s.Verdict.Findings[i]
		file, _, _ := strings.Cut(f.Where.File, "!")
		dir := file
		for dir != "." && dir != "/" && dir != "" && !dirs[dir] {
			dir = path.Dir(dir)
		}
		switch {
		case dirs[dir]:
			x.flaws[dir] = append(x.flaws[dir], flaw{f, file})
		case f.OfState:
			x.outside = append(x.outside, f)
		}
	}
	x.sums = tally{loads: x.s.Verdict.MoreLoads}
	for i := range x.rows {
		r := &x.rows[i]
		if r.load == nil && (r.err == nil || r.heading) {
			continue
		}
		x.sums.loads++
		switch {
		case r.err != nil:
			x.sums.unlisted++
		case x.broken(r):
			x.sums.flawed++
		case r.whole():
			x.sums.whole++
		}
	}
}

// whole reports whether all files of the version that a restart loads are there and hold something.
func (r *storeRow) whole() bool {
	return r.load != nil && len(r.load.Missing) == 0 && len(r.load.Empty) == 0
}

// worst is the worst finding about the row; nil where none is worth a mark.
func (x *model) worst(r *storeRow) *flaw {
	var worst *flaw
	list := x.flaws[r.dir]
	for i := range list {
		if f := &list[i]; f.Severity > checks.Low && (worst == nil || f.Severity > worst.Severity) {
			worst = f
		}
	}
	return worst
}

// broken reports whether a restart fails on the row, as far as is known.
func (x *model) broken(r *storeRow) bool {
	f := x.worst(r)
	if x.past() {
		return false
	}
	return f != nil && f.Severity == checks.Critical && (r.load != nil || r.heading) || r.load != nil && !r.whole()
}

// rank orders rows by how bad they are, the worst first.
func (x *model) rank(r *storeRow) int {
	switch {
	case x.broken(r):
		return 0
	case r.err != nil:
		return 1
	case x.worst(r) != nil:
		return 2
	case r.load != nil:
		return 3
	}
	return 4
}

// ---- sizes

// loadable is the newest version that loads; -1 if the row is not loaded.
func (r *storeRow) loadable() int64 {
	if r.load == nil {
		return -1
	}
	return r.load.Loadable
}

// fileCount is how many files a store has, those that its zips share included.
func (x *model) fileCount(r *storeRow) int64 {
	if r.store == nil {
		return 0
	}
	return int64(len(r.store.Files) + x.sizes[r.tables].files)
}

// bytes is what is known of the size of a store.
func (x *model) bytes(r *storeRow) int64 {
	n, _ := x.size(r)
	return n
}

// size is what a store takes up with all versions that are kept; known is false while its table files
// have not been listed.
func (x *model) size(r *storeRow) (bytes int64, known bool) {
	if r.tables == "" {
		return r.bytes, true
	}
	t, ok := x.sizes[r.tables]
	return r.bytes + t.bytes, ok && t.err == nil
}

// spread is how the sizes of the stores on one scale differ, as far as they are known.
type spread struct {
	scale
	stores                     int
	least, median, most, total int64 // bytes
}

// count works out how the sizes differ.
func (x *model) count() {
	sizes := map[scale][]int64{}
	for i := range x.rows {
		r := &x.rows[i]
		if n, known := x.size(r); known && r.store != nil {
			k := scale{r.Operator, r.Name}
			sizes[k] = append(sizes[k], n)
		}
	}
	x.spreads, x.full = nil, map[scale]int64{}
	for k, all := range sizes {
		slices.Sort(all)
		s := spread{scale: k, stores: len(all), least: all[0], median: all[(len(all)-1)/2], most: all[len(all)-1]}
		for _, n := range all {
			s.total += n
		}
		x.spreads, x.full[k] = append(x.spreads, s), s.most
	}
	slices.SortFunc(x.spreads, func(a, b spread) int {
		return cmp.Or(cmp.Compare(a.operator, b.operator), strings.Compare(a.name, b.name))
	})
}

// measureTables begins to list the folders of table files: what a RocksDB store holds lies there.
func (x *model) measureTables() tea.Cmd {
	var dirs []string
	for i := range x.rows {
		if dir := x.rows[i].tables; dir != "" {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 || x.s.Checkpoint == nil {
		return x.readRecorded()
	}
	x.adding = true
	return kit.Stream(x.at.Life, x.at.ID, tables(x.at.Ctx, x.s.Checkpoint, dirs))
}

// tables lists folders of table files.
func tables(ctx context.Context, cp *checkpoint.Checkpoint, dirs []string) iter.Seq2[sst, error] {
	return func(yield func(sst, error) bool) {
		for l, err := range cp.Listings(ctx, slices.Values(dirs)) {
			t := sst{dir: l.Name, err: l.Err}
			for _, e := range l.Entries {
				if !e.Dir {
					t.bytes, t.files = t.bytes+e.Size, t.files+1
				}
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

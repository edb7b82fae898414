package stores

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var (
	comparedRebuilds = checks.Comparison{Short: "state snapshots", One: "state snapshot with the older files that rebuild its version", Many: "state snapshots with the older files that rebuild their versions"}
	comparedKeys     = checks.Comparison{Short: "key counts", One: "state snapshot with the number of keys it records", Many: "state snapshots with the number of keys they record"}
	comparedTables   = checks.Comparison{Short: "SST files", One: "SST file with the MANIFEST of its snapshot", Many: "SST files with the MANIFEST of their snapshot"}
)

// A snapshot that is whole by its own marks can still hold other rows than the version it stands for: Spark loads
// the newest one and trusts it. Where an older snapshot, or none, and every delta or changelog since are there, they
// make the same version, and the two are held against each other.
//
// With --deep that is done for every snapshot of which such files are there. Without, for those that the next start
// loads: all of them where that is little to read, else those whose size does not fit the files before them. The rows
// of a RocksDB snapshot are counted at the same time.
const (
	rebuildFiles  = 256       // files that are read for it where nothing looks odd
	rebuildBytes  = 32 << 20  // and their bytes
	rebuildOdd    = 4096      // files that are read for those that look odd
	rebuildOddMax = 512 << 20 // and their bytes
	rebuildRounds = 10        // snapshots that are gone down to see which of them is wrong
)

// rebuilds are the comparisons of one run.
type rebuilds struct {
	// snapshots that the next start loads and that were not held against the files before them: too much to read without --deep
	left   int
	odd    string                    // the first of them whose size does not fit those files
	bad    map[string]bool           // by path: those that do not agree with the files before them
	known  map[string]bool           // by path: those that were compared, or cannot be
	same   int                       // files that were read for sameSteps
	failed int                       // comparisons that broke off: a file that is only needed for them does not read
	told   map[string]checks.Finding // by path: what was told of those in bad, for a start that loads them where others are out of the way
}

// repeat tells of the snapshots that were found wrong before this start was judged, where this one loads them.
func (b *rebuilds) repeat(p *checks.Pass) {
	for n := range Needs(p) {
		for _, f := range n.Chain.Files {
			if told, bad := b.told[n.Path(f.Name())]; bad {
				if told.Severity < checks.High { // it was none that is loaded
					told.Severity = checks.Critical
				}
				p.Report(told)
			}
		}
	}
}

// twofold is a snapshot and the older files that make the same version.
type twofold struct {
	Need
	file  state.File
	from  state.Chain
	loads bool // the next start loads it
	ranOn bool // it is what a wrong snapshot and the files since make
}

// compareRebuilt holds snapshots against the older files that make the same version, and tells of those that do not agree.
func compareRebuilt(ctx context.Context, p *checks.Pass) error {
	b := ContentsOf(p).rebuilds
	if b == nil {
		b = &rebuilds{bad: map[string]bool{}, known: map[string]bool{}, told: map[string]checks.Finding{}}
		ContentsOf(p).rebuilds = b
	}
	b.repeat(p)
	for _, c := range ContentsOf(p).files {
		p.Crosschecked(comparedTables, c.Agreed)
	}
	todo := b.pick(p, b.all(p))
	agreed := 0
	for round := 0; len(todo) > 0; round++ {
		var again []twofold
		for r, err := range b.compare(ctx, p, todo) {
			if err != nil {
				return err
			}
			t, base := r.twofold, ""
			if r.Err == nil && t.loads {
				compareCounts(p, &t, r.Rows)
			}
			if t.from.Base > 0 {
				base = t.Path(t.from.Files[0].Name())
			}
			switch below, ok := b.below(p, &t, base); {
			case r.Err != nil:
				b.known[t.at()] = true
				b.failed++
			case b.bad[base]:
				t.ranOn = t.ranOn || r.Same
				again = append(again, t)
			case r.Same:
				b.known[t.at()] = true
				if len(t.from.Files) > 0 {
					agreed++
				}
			case ok && round < rebuildRounds: // which of the two snapshots is it?
				again = append(again, below, t)
			default:
				b.known[t.at()], b.bad[t.at()] = true, true
				same := ""
				if r.Rows > 0 {
					var err error
					if same, err = b.sameSteps(ctx, p, &t); err != nil {
						return err
					}
				}
				b.told[t.at()] = reportRebuilt(p, &t, &r.Rebuilt, same)
			}
		}
		todo = b.next(p, again)
	}
	p.Crosschecked(comparedRebuilds, agreed)
	return nil
}

// compareCounts holds the rows of a snapshot of RocksDB against the number of keys that Spark noted in it.
func compareCounts(p *checks.Pass, t *twofold, rows int64) {
	c := t.Contents(p, t.file)
	if c == nil || c.Keys < 0 || t.file.Role != state.Zip {
		return
	}
	if c.Keys == rows {
		p.Crosschecked(comparedKeys, 1)
		return
	}
	p.Report(miscounted(checks.Finding{Batch: t.file.Version - 1, Where: decode.Where{File: t.at()},
		Evidence: fmt.Sprintf("%s records %d keys, and its SST files have %d", t.file.Name(), c.Keys, rows)}))
}

func (t *twofold) at() string { return t.Path(t.file.Name()) }

// all are the snapshots that can be compared, older ones first.
func (b *rebuilds) all(p *checks.Pass) (all []twofold) {
	for n := range Needs(p) {
		if n.store == nil {
			continue
		}
		for _, f := range n.Files() {
			loads := slices.Contains(n.Chain.Files, f)
			if !f.Role.Whole() || !loads && !p.Deep || b.known[n.Path(f.Name())] {
				continue
			}
			t, ok := b.twofold(p, n, f)
			if !ok && loads && f.Role == state.Zip && !b.broken(p, &n, f) {
				t, ok = twofold{Need: n, file: f, loads: true}, true // its rows are counted
			}
			if ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// twofold is a snapshot with the older files that make the same version; false where some of them are gone, as those
// are that Spark has purged, or do not load.
func (b *rebuilds) twofold(p *checks.Pass, n Need, f state.File) (twofold, bool) {
	if f.Size == 0 || b.broken(p, &n, f) {
		return twofold{}, false
	}
	files := b.before(p, &n, f)
	several := severalAttempts(files)
	ids := n.rules.ID
	id := func(version int64) (string, bool) {
		if version == f.Version {
			return f.ID, true
		}
		if ids == nil {
			return "", false
		}
		return ids(version)
	}
	t := twofold{Need: n, file: f, loads: slices.Contains(n.Chain.Files, f), from: state.ChainOf(files, f.Version, state.Rules{ID: id})}
	if !t.from.Whole() || len(t.from.Empty()) > 0 {
		return t, false
	}
	for _, step := range t.from.Files {
		if b.broken(p, &n, step) {
			return t, false
		}
		if _, known := id(step.Version); !known && several[step.Version] {
			return t, false // nothing tells which of the attempts counts
		}
	}
	return t, true
}

// before are the files of a store from the newest other snapshot below f on, up to those of its version; without snapshots
// that are known to be wrong, or not to load.
func (b *rebuilds) before(p *checks.Pass, n *Need, f state.File) (files []state.File) {
	all := n.Files()
	end, _ := slices.BinarySearchFunc(all, f.Version+1, func(f state.File, v int64) int { return cmp.Compare(f.Version, v) })
	base := int64(0)
	for _, o := range slices.Backward(all[:end]) {
		switch {
		case o.Version < base:
			slices.Reverse(files)
			return files
		case !o.Role.Whole():
			files = append(files, o)
		case o.Version < f.Version && o.Size > 0 && !b.bad[n.Path(o.Name())] && !b.broken(p, n, o):
			files = append(files, o)
			base = o.Version
		}
	}
	slices.Reverse(files)
	return files
}

// severalAttempts are the versions of which there are two deltas, changelogs or snapshots; files are sorted.
func severalAttempts(files []state.File) map[int64]bool {
	found := map[int64]bool{}
	for i := 1; i < len(files); i++ {
		if a, b := files[i-1], files[i]; a.Version == b.Version && a.Role == b.Role {
			found[a.Version] = true
		}
	}
	return found
}

// broken reports whether a file was looked into and does not load, or could not be had.
func (b *rebuilds) broken(p *checks.Pass, n *Need, f state.File) bool {
	c := n.Contents(p, f)
	return c != nil && len(c.Flaws)+len(c.Unread) > 0
}

// pick leaves out what is too much to read without --deep.
func (b *rebuilds) pick(p *checks.Pass, all []twofold) []twofold {
	if p.Deep {
		return all
	}
	files, bytes := 0, int64(0)
	for i := range all {
		n, size := all[i].costs(p)
		files, bytes = files+n, bytes+size
	}
	if files <= rebuildFiles && bytes <= rebuildBytes {
		return all
	}
	all = slices.DeleteFunc(all, func(t twofold) bool { return len(t.from.Files) == 0 })
	b.left = len(all)
	picked := all[:0:0]
	files, bytes = 0, 0
	for i := range all {
		t := &all[i]
		n, size := t.costs(p)
		odd := t.odd(p)
		if odd && files+n <= rebuildOdd && bytes+size <= rebuildOddMax {
			files, bytes = files+n, bytes+size
			picked = append(picked, *t)
			b.left--
			continue
		}
		if odd && b.odd == "" {
			b.odd = t.at()
		}
	}
	return picked
}

// costs are the files that a comparison reads, and their bytes; of a RocksDB snapshot before it as many SST files are
// taken to be named as by this one.
func (t *twofold) costs(p *checks.Pass) (files int, bytes int64) {
	files, bytes = len(t.from.Files)+1, t.from.Bytes()+t.file.Size
	if c := t.Contents(p, t.file); c != nil && t.file.Role == state.Zip {
		times := 1
		if t.from.Base > 0 {
			times = 2
		}
		files += times * len(c.Tables)
		for _, size := range c.Tables {
			bytes += int64(times) * size
		}
	}
	return files, bytes
}

// emptyChangelog is how many bytes a changelog has at most that changes nothing, without a lineage.
const emptyChangelog = 64

// odd reports whether the size of a snapshot does not fit the files before it: less than half of the older
// snapshot or of one delta, no row although a batch changed something, or more than all of them could make.
func (t *twofold) odd(p *checks.Pass) bool {
	largest, sum := int64(0), int64(0)
	for _, f := range t.from.Files {
		largest, sum = max(largest, f.Size), sum+f.Size
	}
	empty := false
	c := t.Contents(p, t.file)
	if t.file.Role == state.Zip {
		return c != nil && (len(c.Tables) == 0 || c.Keys == 0) && largest > emptyChangelog
	}
	if c != nil {
		empty = c.Changes == 0 && len(c.Partly) == 0 && largest > t.file.Size
	}
	return empty || 2*t.file.Size < largest || t.file.Size > 2*sum+4096
}

// compared is one comparison that was made.
type compared struct {
	twofold
	statestore.Rebuilt
}

func (b *rebuilds) compare(ctx context.Context, p *checks.Pass, todo []twofold) func(func(compared, error) bool) {
	return func(yield func(compared, error) bool) {
		each := func(yield func(statestore.Rebuilding) bool) {
			for i := range todo {
				t := &todo[i]
				if !yield(statestore.Rebuilding{Operator: t.Op, Store: t.store, Whole: t.file, From: t.from}) {
					return
				}
			}
		}
		i := 0
		for r, err := range statestore.Rebuild(ctx, p.Checkpoint, pinned(p), each) {
			if err != nil {
				yield(compared{}, err)
				return
			}
			if !yield(compared{todo[i], r}, nil) {
				return
			}
			i++
		}
		if i < len(todo) {
			yield(compared{}, context.Cause(ctx))
		}
	}
}

// pinned are the settings that the newest plan pins.
func pinned(p *checks.Pass) map[string]string {
	if plan := basics.NewestPlan(p.Survey.Standing); plan != nil {
		return plan.Conf
	}
	return nil
}

// below is the older snapshot that a comparison took for right, where it can be compared itself and was not yet.
func (b *rebuilds) below(p *checks.Pass, t *twofold, base string) (twofold, bool) {
	if base == "" || b.known[base] {
		return twofold{}, false
	}
	return b.twofold(p, t.Need, t.from.Files[0])
}

// next are those that are compared again now that more is known of the snapshots below them.
func (b *rebuilds) next(p *checks.Pass, again []twofold) (todo []twofold) {
	listed := map[string]bool{}
	for _, t := range again {
		if b.known[t.at()] || listed[t.at()] {
			continue
		}
		listed[t.at()] = true
		now, ok := b.twofold(p, t.Need, t.file) // with the files that count now
		now.ranOn = t.ranOn
		if b.known[t.at()] = !ok; ok {
			todo = append(todo, now)
		}
	}
	return todo
}

// sameStepsRead is how many files are read in one run to see whether a batch's changes stand in two places.
const sameStepsRead = 256

// sameSteps says that one of the deltas or changelogs before a snapshot has the same bytes as another one, of this store or
// of the same version of another partition: then it may be that one which is not the right one. "" where there is none.
func (b *rebuilds) sameSteps(ctx context.Context, p *checks.Pass, t *twofold) (string, error) {
	var steps, read []statestore.File // those of this store; and of these and others, those of the same size as another
	for _, f := range t.from.Files {
		if !f.Role.Whole() {
			steps = append(steps, statestore.File{Dir: t.Dir, File: f})
		}
	}
	others := slices.Clone(steps)
	for _, part := range t.Op.Partitions {
		if s := part.Store(t.name); s != nil && part.ID != t.partition {
			for _, f := range s.Files {
				if !f.Role.Whole() && f.Version > t.from.Base && f.Version <= t.file.Version {
					others = append(others, statestore.File{Dir: s.Dir, File: f})
				}
			}
		}
	}
	alike := func(a, b statestore.File) bool {
		return a.Path() != b.Path() && a.Role == b.Role && a.Size == b.Size && (a.Dir == t.Dir || b.Dir == t.Dir) &&
			(a.Dir == b.Dir || a.Version == b.Version)
	}
	for _, f := range others {
		if b.same < sameStepsRead && slices.ContainsFunc(steps, func(s statestore.File) bool { return alike(f, s) }) {
			read = append(read, f)
			b.same++
		}
	}
	if err := look(ctx, p, slices.DeleteFunc(slices.Clone(read),
		func(f statestore.File) bool { return ContentsOf(p).files[f.Path()] != nil })); err != nil {
		return "", err
	}
	for i, f := range read {
		c := ContentsOf(p).files[f.Path()]
		for _, o := range read[:i] {
			if d := ContentsOf(p).files[o.Path()]; alike(f, o) && c != nil && d != nil && c.Changes > 0 && c.Digest == d.Digest &&
				c.Digest != [32]byte{} {
				return fmt.Sprintf("%s and %s are identical", o.Path(), f.Path()), nil
			}
		}
	}
	return "", nil
}

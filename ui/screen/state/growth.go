package state

import (
	"fmt"
	"path"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// How state has grown: over the newest versions what each batch changed and how large the whole was, and
// below them, column under column, how far the watermark was behind.

// growth is what the newest versions of a store, or of all stores of an operator, take up.
type growth struct {
	of      kit.StoreKey
	first   int64   // version of the first column
	kind    string  // what Spark calls the files of changes: "deltas", "changelogs"
	changes []int64 // bytes of the deltas or changelogs of a version; -1 where not every store has one
	whole   []int64 // bytes of its snapshots with the table files that they name; -1 where not every store has one, or that is not read
	unread  bool    // there are snapshots of RocksDB of which it is not known what they name
}

// grownVersions is how many of the newest versions are looked at.
const grownVersions = 60

// growthOf works out how a store or an operator has grown; of an operator those of its stores count that a restart loads,
// where that is known (loaded).
func growthOf(r *storeRow, rows []storeRow, loaded bool, held *snapshots) (g growth) {
	g.of, g.kind = r.StoreKey, "deltas"
	if r.op.Provider == "rocksdb" {
		g.kind = "changelogs"
	}
	var stores []*storeRow
	for i := range rows {
		s := &rows[i]
		if s.store != nil && (s == r || r.heading && s.Operator == r.Operator && (s.load != nil || !loaded)) {
			stores = append(stores, s)
		}
	}
	var oldest, newest int64
	for _, s := range stores {
		if files := s.store.Files; len(files) > 0 {
			newest = max(newest, files[len(files)-1].Version)
			if oldest == 0 || files[0].Version < oldest {
				oldest = files[0].Version
			}
		}
	}
	if newest == 0 {
		return g
	}
	g.first = max(oldest, newest-grownVersions+1)
	n := int(newest - g.first + 1)
	g.changes, g.whole = make([]int64, n), make([]int64, n)
	have := [2][]int{make([]int, n), make([]int, n)} // how many stores have changes, and the whole
	for _, s := range stores {
		g.add(s, have, held)
	}
	for i := range n {
		if have[0][i] < len(stores) {
			g.changes[i] = -1
		}
		if have[1][i] < len(stores) {
			g.whole[i] = -1
		}
	}
	return g
}

// add adds up the files of one store. Of a version that was written twice one file counts.
func (g *growth) add(s *storeRow, have [2][]int, held *snapshots) {
	before := state.File{}
	for _, f := range s.store.Files {
		if f.Version < g.first || f.Version == before.Version && f.Role == before.Role {
			continue
		}
		before = f
		i := f.Version - g.first
		switch rec, ok := held.by[path.Join(s.dir, f.Name())]; {
		case !f.Role.Whole():
			g.changes[i] += f.Size
			have[0][i]++
		case f.Role == state.Snapshot:
			g.whole[i] += f.Size
			have[1][i]++
		case ok && rec.Err == nil:
			g.whole[i] += f.Size + rec.Tables
			have[1][i]++
		default:
			g.unread = true
		}
	}
}

// readSnapshots begins to read what the newest snapshots of the selected row name, where it is a store of
// RocksDB or a few of them.
func (x *model) readSnapshots(r *storeRow) tea.Cmd {
	const most = 600 // snapshots
	var files []statestore.File
	for i := range x.rows {
		s := &x.rows[i]
		if s.store == nil || s != r && (!r.heading || s.Operator != r.Operator) {
			continue
		}
		for _, f := range s.store.Files {
			if _, have := x.held.by[path.Join(s.dir, f.Name())]; f.Role == state.Zip && f.Version > s.newest-grownVersions &&
				f.Size > 0 && !have {
				files = append(files, statestore.File{Dir: s.dir, File: f})
			}
		}
	}
	if len(files) > most {
		return nil
	}
	return x.held.read(x.at, x.s, files)
}

// lags are how far the watermark was behind.
type lags struct {
	by      map[int64]int64 // by version: ms from the watermark of its batch to when that was planned; nil until they are asked for
	reading bool
}

// read begins to read the batches of the newest versions, once all else has been looked at.
func (l *lags) read(at kit.Scope, s *kit.Session) tea.Cmd {
	if l.by != nil || !s.Verdict.Done || s.Checkpoint == nil {
		return nil
	}
	l.by = map[int64]int64{}
	ids := slices.Collect(s.Checkpoint.Offsets.IDs())
	ids = ids[max(0, len(ids)-grownVersions-1):]
	if len(ids) == 0 {
		return nil
	}
	l.reading = true
	return kit.Stream(at.Life, at.ID, s.Checkpoint.BatchesOf(at.Ctx, slices.Values(ids)))
}

func (l *lags) take(p kit.Chunk[*checkpoint.Batch]) {
	for _, b := range p.Items {
		if b.Plan != nil && b.Plan.Watermark > 0 && b.Plan.Timestamp > 0 {
			l.by[b.ID+1] = b.Plan.Timestamp - b.Plan.Watermark
		}
	}
	l.reading = p.Next != nil
}

// growthPanel draws how a row of the list has grown; nil if there is nothing to draw.
func (x *model) growthPanel(r *storeRow) *kit.Panel {
	if r.store == nil && !r.heading {
		return nil
	}
	p := &kit.Panel{ID: "growth", Title: "Growth", Rank: 4, Least: 4, Text: func(w int) []string { return x.growthLines(r, w) },
		Fold: func(int) string { return x.s.Theme.Dim.Styled("rows  ") + x.counts.words(x.s, r, &x.held) }}
	if g := &x.growth; g.of == r.StoreKey && len(g.changes) > 1 {
		p.Right = x.s.Theme.Dim.Styled(fmt.Sprintf("versions %d to %d", g.first, g.first+int64(len(g.changes))-1))
	}
	return p
}

func (x *model) growthLines(r *storeRow, w int) []string {
	d := growthLines{t: &x.s.Theme, w: w}
	if g := &x.growth; g.of == r.StoreKey && len(g.changes) > 1 {
		d.growth(g, &x.lags, r.heading)
	}
	d.say("rows", x.counts.words(x.s, r, &x.held))
	return d.lines
}

// growthLines are lines of w cells, each a name with columns or words behind it.
type growthLines struct {
	t     *kit.Theme
	w     int
	lines []string
}

// growthName is the cells of the names.
const growthName = 10

func (d *growthLines) say(name, text string) {
	for i, line := range phrase.Wrap(text, max(d.w-growthName-1, 8)) {
		d.lines = append(d.lines, d.t.Dim.Styled(phrase.Fit(map[bool]string{true: name}[i == 0], growthName))+" "+line)
	}
}

// plot draws values, and below them their range with words behind it; or the words alone if no value is known.
func (d *growthLines) plot(name string, values []int64, unit func(int64) string, behind, none string) {
	least, most, now := kit.Extent(values)
	if most < 0 {
		d.say(name, none)
		return
	}
	d.lines = append(d.lines, d.t.Dim.Styled(phrase.Fit(name, growthName))+" "+d.t.Plot.Styled(widget.Spark(values, d.w-growthName-1)))
	text := fmt.Sprintf("%s to %s%s, last %s", unit(least), unit(most), behind, unit(now))
	if unit(least) == unit(most) {
		text = unit(now) + behind
	}
	d.say("", text)
}

func (d *growthLines) growth(g *growth, behind *lags, heading bool) {
	from := max(0, len(g.changes)-max(d.w-growthName-1, 1))
	if _, most, _ := kit.Extent(g.changes); most >= 0 {
		d.plot(g.kind, g.changes[from:], phrase.Bytes, " per batch", "")
	}
	d.snapshots(g, from, heading)
	d.watermark(g, behind, from)
}

// snapshots draws how large the snapshots are.
func (d *growthLines) snapshots(g *growth, from int, heading bool) {
	known, at := 0, 0
	for i, n := range g.whole[from:] {
		if n >= 0 {
			known, at = known+1, from+i
		}
	}
	none := "none here"
	switch {
	case g.unread:
		none = "c reads their sizes"
	case heading:
		none = "no version has one in every store"
	}
	if known == 1 {
		d.say("snapshot", fmt.Sprintf("%s at version %d", phrase.Bytes(g.whole[at]), g.first+int64(at)))
		return
	}
	more := ""
	if g.unread {
		more = " · c reads the others"
	}
	d.plot("snapshots", g.whole[from:], phrase.Bytes, more, none)
}

// watermark draws how far the watermark was behind.
func (d *growthLines) watermark(g *growth, behind *lags, from int) {
	switch {
	case behind.reading:
		d.say("watermark", "… the batches are being read")
		return
	case behind.by == nil: // not begun, or not known
		return
	}
	lag := make([]int64, len(g.changes)-from)
	ahead := 0
	for i := range lag {
		ms, ok := behind.by[g.first+int64(from+i)]
		if lag[i] = ms; !ok || ms < 0 {
			lag[i] = -1
		}
		if ms < 0 {
			ahead++
		}
	}
	d.plot("watermark", lag, phrase.Span, " behind", "none")
	if ahead > 0 {
		d.say("", "ahead of the batch in "+phrase.Units(int64(ahead), "batches"))
	}
}

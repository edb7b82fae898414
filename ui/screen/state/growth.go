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
	changes []int64 // bytes of the deltas or changelogs of a version; -1 where not every store has one
	whole   []int64 // bytes of its snapshots with the table files that they name; -1 where not every store has one, or that is not read
	unread  bool    // there are snapshots of RocksDB of which it is not known what they name
}

// grownVersions is how many of the newest versions are looked at.
const grownVersions = 60

// growthOf works out how a store or an operator has grown; of an operator those of its stores count that a restart loads,
// where that is known (loaded).
func growthOf(r *storeRow, rows []storeRow, loaded bool, held *snapshots) (g growth) {
	g.of = r.StoreKey
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

// words draw how a row of the list has grown.
func (g *growth) words(t *kit.Theme, r *storeRow, behind *lags, w int) []string {
	if g.of != r.StoreKey || len(g.changes) < 2 {
		return nil
	}
	lag := make([]int64, len(g.changes))
	ahead := 0
	for i := range lag {
		ms, ok := behind.by[g.first+int64(i)]
		if lag[i] = ms; !ok || ms < 0 {
			lag[i] = -1
		}
		if ms < 0 {
			ahead++
		}
	}
	from := max(0, len(g.changes)-max(w-12, 1))
	last := g.first + int64(len(g.changes)) - 1
	lines := []string{"", t.Strong.Styled("GROWTH") + t.Dim.Styled(phrase.Cut(fmt.Sprintf("  versions %d to %d", g.first+int64(from), last), w-6))}
	draw := func(name string, values []int64, unit func(int64) string, words string) { // words stand behind the numbers, or in their place
		values = values[from:]
		if least, most, now := kit.Extent(values); most < 0 {
			lines = append(lines, kit.Wrapped(t, name, words, w)...)
		} else {
			lines = append(lines, t.Dim.Styled(phrase.Fit(name, 11))+" "+widget.Spark(values, w-12))
			text := fmt.Sprintf("%s to %s, last %s", unit(least), unit(most), unit(now))
			if unit(least) == unit(most) {
				text = unit(now)
			}
			lines = append(lines, kit.Wrapped(t, "", text+words, w)...)
		}
	}
	all := "in every store"
	if !r.heading {
		all = "here"
	}
	if _, most, _ := kit.Extent(g.changes); most >= 0 {
		draw("changed", g.changes, phrase.Bytes, "")
	}
	words := ""
	if _, most, _ := kit.Extent(g.whole); g.unread && most < 0 {
		words = "c reads how large the snapshots are"
	} else if g.unread {
		words = " · c reads the other snapshots"
	} else if most < 0 {
		words = "no version has a snapshot " + all
	}
	draw("whole state", g.whole, phrase.Bytes, words)
	switch {
	case behind.reading:
		lines = append(lines, kit.Wrapped(t, "lag", "… the batches are being read", w)...)
	case behind.by == nil: // not begun, or not known
	default:
		_, most, _ := kit.Extent(lag[from:])
		words = "no watermark that is behind its batch"
		if most >= 0 {
			words = ""
		}
		draw("lag", lag, phrase.Span, words)
		if most >= 0 {
			lines = append(lines, kit.StyledLines(t.Dim, kit.Wrapped(t, "", "how far the watermark is behind the start of its batch: rows leave state as it passes them", w))...)
		}
		if ahead > 0 {
			lines = append(lines, kit.Wrapped(t, "", "ahead of its batch in "+phrase.Count(int64(ahead)), w)...)
		}
	}
	return lines
}

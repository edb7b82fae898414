package ui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/report"
)

// gathered is the batches that a screen has read: only those that it shows, one load at a time. Whoever
// moves fast skips what he passes: the next load is for where he is by then.
type gathered struct {
	s       *session
	at      scope
	loaded  map[int64]*checkpoint.Batch
	read    map[int64]*batchFacts // what was worked out of them
	reading bool
	err     error // why no more is read
}

// How many batches are kept once read, beside those that are shown, and how long their plans may be together:
// what is made of a plan, and worked out from it, takes some twenty times its bytes.
const (
	keptBatches = 2000
	keptPlans   = 4 << 20 // bytes
)

// batchFacts is what a batch reads, and what that was worked out from.
type batchFacts struct {
	before, b, after *checkpoint.Batch
	ranges           [][]source.Range
	index            []map[string]int // of ranges by the name of their part
	sum              report.Sum
	count            int64  // sum, where all that can be counted has one unit
	unit             string // of count
	counted          bool
	upper            bool // what it reads may be less than count
}

// restart forgets what was read: the checkpoint is another one, or all is read again.
func (g *gathered) restart(at scope) {
	g.at, g.reading, g.err = at, false, nil
	g.loaded, g.read = map[int64]*checkpoint.Batch{}, map[int64]*batchFacts{}
}

// renew keeps what was read of a checkpoint that was listed again: files of its logs are written once. What
// had a file missing, or could not be read, is read again.
func (g *gathered) renew() {
	for id, b := range g.loaded {
		if b.Plan == nil || b.Commit == nil || len(b.Unread) > 0 || !g.there(id) {
			delete(g.loaded, id)
			delete(g.read, id)
		}
	}
}

// there reports whether a log has a file of a batch.
func (g *gathered) there(id int64) bool {
	return g.s.cp.Offsets.Find(id) != nil || g.s.cp.Commits.Find(id) != nil
}

// want begins to read those of ids that are there and were not read, in their order.
func (g *gathered) want(ids []int64) tea.Cmd {
	if g.reading || g.err != nil || g.s.cp == nil || g.at.life == nil {
		return nil
	}
	lacking := make([]int64, 0, len(ids))
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if _, have := g.loaded[id]; !have && !seen[id] && g.there(id) {
			lacking = append(lacking, id)
		}
		seen[id] = true
	}
	if len(lacking) == 0 {
		return nil
	}
	if g.full() {
		maps.DeleteFunc(g.loaded, func(id int64, _ *checkpoint.Batch) bool { return !seen[id] })
		maps.DeleteFunc(g.read, func(id int64, _ *batchFacts) bool { return !seen[id] })
	}
	g.reading = true
	return stream(g.at.life, g.at.id, g.s.cp.BatchesOf(g.at.ctx, slices.Values(lacking)))
}

// full reports whether as much is kept as may be.
func (g *gathered) full() bool {
	length := int64(0)
	for id := range g.loaded {
		if f := g.s.cp.Offsets.Find(id); f != nil {
			length += f.Size
		}
	}
	return len(g.loaded) > keptBatches || length > keptPlans
}

// take takes in a page of batches. next reads on; nil at the end of the load.
func (g *gathered) take(p page[*checkpoint.Batch]) (next tea.Cmd) {
	for _, b := range p.items {
		if b != nil {
			g.loaded[b.ID] = b
		}
	}
	if p.err != nil {
		g.err = p.err
	}
	g.reading = p.next != nil
	return p.next
}

// facts is what is known of a batch beyond the listing; nil until it is read.
func (g *gathered) facts(id int64) *batchFacts {
	before, b, after := g.loaded[id-1], g.loaded[id], g.loaded[id+1]
	if b == nil {
		return nil
	}
	if f := g.read[id]; f != nil && f.before == before && f.b == b && f.after == after {
		return f
	}
	f := &batchFacts{before: before, b: b, after: after, ranges: checkpoint.Reads(before, b, after)}
	for _, ranges := range f.ranges {
		index := make(map[string]int, len(ranges))
		for i, r := range ranges {
			f.sum.Add(r)
			f.upper = f.upper || r.CountIs == "at most" && r.Count != 0
			index[r.Part] = i
		}
		f.index = append(f.index, index)
	}
	f.count, f.unit, f.counted = single(f.ranges)
	g.read[id] = f
	return f
}

// ---- rows of batches

// batchRow is one batch, or a run of missing ones.
type batchRow struct {
	id      int64
	missing int64 // how many, from id on; 0 for a batch that is there
}

// batchRows are the batches of a checkpoint, newest first, with the holes between them.
func batchRows(c *checkpoint.Checkpoint) []batchRow {
	rows := make([]batchRow, 0, max(len(c.Offsets.Files), len(c.Commits.Files)))
	last := int64(-1)
	for id := range c.IDs() {
		if last >= 0 && id > last+1 {
			rows = append(rows, batchRow{last + 1, id - last - 1})
		}
		rows = append(rows, batchRow{id: id})
		last = id
	}
	slices.Reverse(rows)
	return rows
}

// rowOf is the row of newest-first rows in which a batch stands, or the nearest there is; -1 where there
// are no rows.
func rowOf(rows []batchRow, id int64) int {
	i, _ := slices.BinarySearchFunc(rows, id, func(r batchRow, id int64) int {
		switch {
		case id > r.id+max(r.missing-1, 0):
			return 1
		case id < r.id:
			return -1
		}
		return 0
	})
	return min(i, len(rows)-1)
}

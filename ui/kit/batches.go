package kit

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
)

// BatchLoader is the batches that a screen has read: only those that it shows, one load at a time. Whoever
// moves fast skips what he passes: the next load is for where he is by then.
type BatchLoader struct {
	Session *Session
	at      Scope
	loaded  map[int64]*checkpoint.Batch
	read    map[int64]*BatchFacts // what was worked out of them
	Reading bool
	Err     error // why no more is read
	found   found // by the findings of the session
	stores  stores
}

// How many batches are kept once read, with those that are shown, and how long their offset files may be together:
// what is made of a plan, and worked out from it, takes some twenty times its bytes.
const (
	keptBatches = 2000
	keptPlans   = 4 << 20 // bytes
)

// BatchFacts is what a batch reads, and what that was worked out from.
type BatchFacts struct {
	Before, B, After *checkpoint.Batch
	Ranges           [][]source.Range
	index            []map[string]int // of ranges by the name of their part
	Sum              phrase.Sum
	count            int64  // sum, where all that can be counted has one unit
	unit             string // of count
	counted          bool
	upper            bool // what it reads may be less than count
}

// Restart forgets what was read: the checkpoint is another one, or all is read again.
func (g *BatchLoader) Restart(at Scope) {
	g.at, g.Reading, g.Err = at, false, nil
	g.loaded, g.read, g.found = map[int64]*checkpoint.Batch{}, map[int64]*BatchFacts{}, found{}
	g.stores = stores{}
}

// Fits reports whether all batches may be kept once read.
func (g *BatchLoader) Fits() bool {
	c, length := g.Session.Checkpoint, int64(0)
	if len(c.Offsets.Files) > keptBatches || len(c.Commits.Files) > keptBatches {
		return false
	}
	for i := range c.Offsets.Files {
		length += c.Offsets.Files[i].Size
	}
	return length <= keptPlans
}

// Loaded are the batches that were read, newest first.
func (g *BatchLoader) Loaded() []int64 {
	ids := slices.Sorted(maps.Keys(g.loaded))
	slices.Reverse(ids)
	return ids
}

// Renew keeps what was read of a checkpoint that was listed again: files of its logs are written once. What
// had a file missing, or could not be read, is read again.
func (g *BatchLoader) Renew() {
	g.found, g.stores = found{}, stores{}
	for id, b := range g.loaded {
		if b.Plan == nil || b.Commit == nil || len(b.Unread) > 0 || !g.There(id) {
			delete(g.loaded, id)
			delete(g.read, id)
		}
	}
}

// There reports whether a log has a file of a batch.
func (g *BatchLoader) There(id int64) bool {
	return g.Session.Checkpoint.Offsets.Find(id) != nil || g.Session.Checkpoint.Commits.Find(id) != nil
}

// Want begins to read those of ids that have a file and were not read, in their order.
func (g *BatchLoader) Want(ids []int64) tea.Cmd {
	if g.Reading || g.Err != nil || g.Session.Checkpoint == nil || g.at.Life == nil {
		return nil
	}
	lacking := make([]int64, 0, len(ids))
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if _, have := g.loaded[id]; !have && !seen[id] && g.There(id) {
			lacking = append(lacking, id)
		}
		seen[id] = true
	}
	if len(lacking) == 0 {
		return nil
	}
	if g.Full() {
		maps.DeleteFunc(g.loaded, func(id int64, _ *checkpoint.Batch) bool { return !seen[id] })
		maps.DeleteFunc(g.read, func(id int64, _ *BatchFacts) bool { return !seen[id] })
	}
	g.Reading = true
	return Stream(g.at.Life, g.at.ID, g.Session.Checkpoint.BatchesOf(g.at.Ctx, slices.Values(lacking)))
}

// Full reports whether as much is kept as may be.
func (g *BatchLoader) Full() bool {
	length := int64(0)
	for id := range g.loaded {
		if f := g.Session.Checkpoint.Offsets.Find(id); f != nil {
			length += f.Size
		}
	}
	return len(g.loaded) > keptBatches || length > keptPlans
}

// Take takes in a page of batches. next reads on; nil at the end of the load.
func (g *BatchLoader) Take(p Chunk[*checkpoint.Batch]) (next tea.Cmd) {
	for _, b := range p.Items {
		if b != nil {
			g.loaded[b.ID] = b
		}
	}
	if p.Err != nil {
		g.Err = p.Err
	}
	g.Reading = p.Next != nil
	return p.Next
}

// Facts are what the files of a batch say; nil until it is read.
func (g *BatchLoader) Facts(id int64) *BatchFacts {
	before, b, after := g.loaded[id-1], g.loaded[id], g.loaded[id+1]
	if b == nil {
		return nil
	}
	if f := g.read[id]; f != nil && f.Before == before && f.B == b && f.After == after {
		return f
	}
	f := factsOf(before, b, after)
	g.read[id] = f
	return f
}

// factsOf works out what a batch reads.
func factsOf(before, b, after *checkpoint.Batch) *BatchFacts {
	f := &BatchFacts{Before: before, B: b, After: after, Ranges: checkpoint.Reads(before, b, after)}
	for _, ranges := range f.Ranges {
		index := make(map[string]int, len(ranges))
		for i, r := range ranges {
			f.Sum.Add(r)
			f.upper = f.upper || r.CountIs == "at most" && r.Count != 0
			index[r.Part] = i
		}
		f.index = append(f.index, index)
	}
	f.count, f.unit, f.counted = single(f.Ranges)
	return f
}

// Interval is the time since the batch before was planned, in ms; false where one of both is not recorded.
func (f *BatchFacts) Interval() (ms int64, ok bool) {
	a, b := f.Before.Timestamp(), f.B.Timestamp()
	return b - a, a != 0 && b != 0
}

// Read is how much the batch reads, where all that can be counted has one unit; upper says that it may be less.
func (f *BatchFacts) Read() (n int64, unit string, upper, ok bool) {
	return f.count, f.unit, f.upper, f.counted
}

// ---- rows of batches

// BatchRow is one batch, or a run of missing ones.
type BatchRow struct {
	ID      int64
	Missing int64 // how many, from id on; 0 for a batch that has a file
}

// BatchRows are the batches of a checkpoint, newest first, with the holes between them.
func BatchRows(c *checkpoint.Checkpoint) []BatchRow {
	rows := make([]BatchRow, 0, max(len(c.Offsets.Files), len(c.Commits.Files)))
	last := int64(-1)
	for id := range c.IDs() {
		if last >= 0 && id > last+1 {
			rows = append(rows, BatchRow{last + 1, id - last - 1})
		}
		rows = append(rows, BatchRow{ID: id})
		last = id
	}
	slices.Reverse(rows)
	return rows
}

// RowOfBatch is the row of newest-first rows of a batch, or the nearest one; -1 if there
// are no rows.
func RowOfBatch(rows []BatchRow, id int64) int {
	i, _ := slices.BinarySearchFunc(rows, id, func(r BatchRow, id int64) int {
		switch {
		case id > r.ID+max(r.Missing-1, 0):
			return 1
		case id < r.ID:
			return -1
		}
		return 0
	})
	return min(i, len(rows)-1)
}

// PartColumn is a part of a source.
type PartColumn struct {
	Source int
	Name   string
}

// Part is what the batch reads of one part of a source: "1200 → 1350", or only the end where nothing is new.
func (f *BatchFacts) Part(c PartColumn) string {
	if c.Source >= len(f.Ranges) {
		return "–"
	}
	i, ok := f.index[c.Source][c.Name]
	if !ok {
		return "–"
	}
	from, to := Ends(f.Ranges[c.Source][i])
	if from == to {
		return to
	}
	return from + " → " + to
}

// Ends are the start and the end of a range; "?" for one that is not recorded.
func Ends(r source.Range) (from, to string) {
	return phrase.PositionOr(r.From, "?"), phrase.PositionOr(r.To, "?")
}

package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// How many rows the stores have: what their snapshots record, and what is counted when a person asks.

// rowsOf is how many rows one view of a store has, as they were counted.
type rowsOf struct {
	kit.StoreKey
	view string
	rows int64
	err  error // why that is not the whole number; nil where it is
	last bool  // of the views of the store
	raw  bool  // the view shows how Spark keeps what others show as it is meant
}

// rowSum is how many rows a store or an operator has.
type rowSum struct {
	rows   int64
	views  []string         // that were counted, in their order
	of     map[string]int64 // rows by view
	stores int              // that were counted
	err    error            // why that is not the whole number; nil where it is
	done   bool
	raw    bool // they are of how Spark keeps something, and are no rows of the operator
}

func (c *rowSum) add(n *rowsOf) {
	if c.of == nil {
		c.of = map[string]int64{}
	}
	if _, have := c.of[n.view]; !have {
		c.views = append(c.views, n.view)
	}
	c.rows, c.of[n.view] = c.rows+n.rows, c.of[n.view]+n.rows
	c.err, c.raw = cmp.Or(c.err, n.err), n.raw
	if n.last {
		c.done, c.stores = true, c.stores+1
	}
}

// largestZip is how many bytes a snapshot may have that is read for what it records.
const largestZip = 4 << 20

// readRecorded begins to read what snapshots record: of the stores that load one, and nothing on top of it.
func (x *model) readRecorded() tea.Cmd {
	var files []statestore.File
	for i := range x.rows {
		if r := &x.rows[i]; r.snapshot != "" {
			files = append(files, statestore.File{Dir: r.dir, File: r.load.Chain().Files[0]})
		}
	}
	if len(files) == 0 || x.s.Checkpoint == nil {
		return nil
	}
	x.reading++
	return kit.Stream(x.at.Life, x.at.ID, statestore.ReadRecorded(x.at.Ctx, x.s.Checkpoint, slices.Values(files), largestZip))
}

// keysOf are the live keys of the version that a restart loads, as its snapshot records them; -1 where that
// is not known.
func (x *model) keysOf(r *storeRow) int64 {
	if rec, ok := x.held[r.snapshot]; ok && r.snapshot != "" {
		return rec.Keys
	}
	return -1
}

// countRows begins to count the rows of the selected store, or of all stores of the selected operator.
func (x *model) countRows() tea.Cmd {
	r := x.selected()
	if r == nil || x.s.Checkpoint == nil || r.store == nil && !r.heading {
		return nil
	}
	for i := range x.rows {
		if k := x.rows[i].StoreKey; k == r.StoreKey || r.heading && k.Operator == r.Operator {
			delete(x.counted, k)
		}
	}
	x.total()
	x.counting, x.stopped = x.counting+1, nil
	return tea.Batch(x.readSnapshots(r), kit.Stream(x.at.Life, x.at.ID, countsOf(x.at.Ctx, x.s.Checkpoint, r.StoreKey, x.s.BatchOfRows(r.StoreKey, r.newest))))
}

// countsOf are the rows of a store, or of all stores of an operator, as a batch left them, by view and partition.
func countsOf(ctx context.Context, cp *checkpoint.Checkpoint, of kit.StoreKey, batch int64) iter.Seq2[rowsOf, error] {
	return func(yield func(rowsOf, error) bool) {
		at, err := statestore.At(ctx, cp, of.Operator, batch)
		if err == nil && len(at.Views) == 0 {
			err = at.Problem
		}
		if err != nil {
			yield(rowsOf{}, err)
			return
		}
		views := toCount(at.Views, of.Name)
		for i, v := range views {
			last := i+1 == len(views) || views[i+1].Store != v.Store
			for n, err := range at.Count(ctx, v, of.Partition) {
				one := rowsOf{StoreKey: kit.StoreKey{Operator: of.Operator, Partition: n.Partition, Name: v.Store}, view: v.Name, rows: n.Rows, last: last, raw: v.Raw}
				for _, p := range n.Problems {
					if _, ok := errors.AsType[*statestore.PassedError](p); !ok {
						one.err = cmp.Or[error](one.err, p)
					}
				}
				if !yield(one, err) || err != nil {
					return
				}
			}
		}
	}
}

// toCount are the views whose rows are those of a store ("" for all), by store: the usual ones, and where
// a store has none those that show what Spark keeps.
func toCount(all []statestore.View, store string) (views []*statestore.View) {
	usual := map[string]bool{}
	for i := range all {
		if v := &all[i]; !v.Raw {
			usual[v.Store] = true
		}
	}
	for i := range all {
		if v := &all[i]; (store == "" || v.Store == store) && v.Raw != usual[v.Store] {
			views = append(views, v)
		}
	}
	slices.SortStableFunc(views, func(a, b *statestore.View) int { return strings.Compare(a.Store, b.Store) })
	return views
}

// takeCounts takes in what was counted.
func (x *model) takeCounts(p kit.Chunk[rowsOf]) {
	for i := range p.Items {
		n := &p.Items[i]
		if x.counted[n.StoreKey] == nil {
			x.counted[n.StoreKey] = &rowSum{}
		}
		x.counted[n.StoreKey].add(n)
	}
	if x.stopped = cmp.Or(x.stopped, p.Err); p.Next == nil {
		x.counting--
	}
	x.total()
}

// total adds up what was counted and recorded, by operator.
func (x *model) total() {
	x.totals, x.records = map[int]*rowSum{}, map[int]*rowSum{}
	sum := func(of map[int]*rowSum, operator int) *rowSum {
		if of[operator] == nil {
			of[operator] = &rowSum{of: map[string]int64{}}
		}
		return of[operator]
	}
	for i := range x.rows {
		r := &x.rows[i]
		if c := x.counted[r.StoreKey]; c != nil {
			t := sum(x.totals, r.Operator)
			if c.raw {
				t.err, t.stores = cmp.Or(t.err, c.err), t.stores+1
				continue
			}
			for _, v := range c.views {
				t.add(&rowsOf{view: v, rows: c.of[v], err: c.err, last: v == c.views[len(c.views)-1] && c.done})
			}
		}
		if n := x.keysOf(r); n >= 0 {
			t := sum(x.records, r.Operator)
			t.rows, t.stores = t.rows+n, t.stores+1
		}
	}
}

// rowsCell is the number of rows of a store in its column: counted, or in brackets as recorded.
func (x *model) rowsCell(r *storeRow) string {
	if c := x.counted[r.StoreKey]; c != nil && c.done {
		switch {
		case c.err != nil && c.rows == 0: // to say 0 would not be true
			return "?"
		case c.err != nil:
			return "? " + short(c.rows)
		}
		return short(c.rows)
	}
	if n := x.keysOf(r); n >= 0 {
		return "(" + short(n) + ")"
	}
	return "–"
}

// rowsWords say how many rows a row of the list has, and how that is known.
func (x *model) rowsWords(r *storeRow) string {
	counts, records := x.counted[r.StoreKey], (*rowSum)(nil)
	recordedIn := ""
	if r.heading {
		counts, records = x.totals[r.Operator], x.records[r.Operator]
	} else if n := x.keysOf(r); n >= 0 {
		recordedIn, records = kit.Safe(path.Base(r.snapshot)), &rowSum{rows: n, stores: 1}
	}
	var parts []string
	if counts != nil {
		parts = append(parts, countWords(counts, r.heading))
	}
	if records != nil {
		text := phrase.Count(records.rows) + " keys as recorded"
		if r.heading {
			text += " in the snapshots of " + kit.Plural(int64(records.stores), "store")
		} else {
			text += " in " + recordedIn
		}
		parts = append(parts, text)
	}
	switch {
	case x.stopped != nil && checkpoint.Stopped(x.stopped):
		parts = append(parts, x.s.WithKeys("counting was stopped, %s reads again", kit.Keys.Reread))
	case x.stopped != nil:
		parts = append(parts, "not counted: "+kit.Safe(x.stopped.Error()))
	case x.counting > 0:
		parts = append(parts, "… being counted")
	case counts == nil && records == nil:
		parts = append(parts, x.s.WithKeys("not known: %s counts them", kit.Keys.Tally))
	case counts == nil:
		parts = append(parts, x.s.WithKeys("%s counts rows", kit.Keys.Tally))
	}
	return strings.Join(parts, " · ")
}

// countWords say what was counted, by view where there are several.
func countWords(c *rowSum, all bool) string {
	text := phrase.Count(c.rows) + " counted"
	if len(c.views) > 1 {
		var parts []string
		for _, v := range c.views {
			parts = append(parts, fmt.Sprintf("%s %s", kit.Safe(v), phrase.Count(c.of[v])))
		}
		text += ": " + strings.Join(parts, ", ")
	}
	if all {
		text += " in " + kit.Plural(int64(c.stores), "store")
	}
	if c.err != nil {
		text += "; not the whole number: " + kit.Safe(c.err.Error())
	}
	return text
}

// short is a count in no more than five characters.
func short(n int64) string {
	if n < 10_000 {
		return phrase.Count(n)
	}
	v, unit := float64(n), ""
	for _, unit = range []string{"k", "M", "G", "T", "P", "E"} {
		if v /= 1000; v < 999.5 {
			break
		}
	}
	if v < 99.95 {
		return fmt.Sprintf("%.1f%s", v, unit)
	}
	return fmt.Sprintf("%.0f%s", v, unit)
}

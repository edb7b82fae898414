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

// counts are the rows of stores, where they were counted, with what snapshots record beside them.
type counts struct {
	by      map[kit.StoreKey]*rowSum
	totals  map[int]*rowSum // of by, by operator
	records map[int]*rowSum // of what snapshots record, by operator
	running int             // counts under way
	stopped error           // why one of them ended
}

// readRecorded begins to read what snapshots record: of the stores that load one, and nothing on top of it.
func (x *model) readRecorded() tea.Cmd {
	var files []statestore.File
	for i := range x.rows {
		if r := &x.rows[i]; r.snapshot != "" {
			files = append(files, statestore.File{Dir: r.dir, File: r.load.Chain().Files[0]})
		}
	}
	return x.held.read(x.at, x.s, files)
}

// countRows begins to count the rows of the selected store, or of all stores of the selected operator.
func (x *model) countRows() tea.Cmd {
	r := x.selected()
	if r == nil || x.s.Checkpoint == nil || r.store == nil && !r.heading {
		return nil
	}
	x.counts.forget(r)
	x.counts.total(x.rows, &x.held)
	return tea.Batch(x.readSnapshots(r), kit.Stream(x.at.Life, x.at.ID,
		countsOf(x.at.Ctx, x.s.Checkpoint, r.StoreKey, x.s.BatchOfRows(r.StoreKey, r.newest))))
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
				one := rowsOf{StoreKey: kit.StoreKey{Operator: of.Operator, Partition: n.Partition, Name: v.Store}, view: v.Name,
					rows: n.Rows, last: last, raw: v.Raw}
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

// forget drops what was counted of a row of the list, which is counted again.
func (c *counts) forget(r *storeRow) {
	for k := range c.by {
		if k == r.StoreKey || r.heading && k.Operator == r.Operator {
			delete(c.by, k)
		}
	}
	c.running, c.stopped = c.running+1, nil
}

// take takes in what was counted.
func (c *counts) take(p kit.Chunk[rowsOf]) {
	for i := range p.Items {
		n := &p.Items[i]
		if c.by[n.StoreKey] == nil {
			c.by[n.StoreKey] = &rowSum{}
		}
		c.by[n.StoreKey].add(n)
	}
	if c.stopped = cmp.Or(c.stopped, p.Err); p.Next == nil {
		c.running--
	}
}

// total adds up what was counted and recorded, by operator.
func (c *counts) total(rows []storeRow, held *snapshots) {
	c.totals, c.records = map[int]*rowSum{}, map[int]*rowSum{}
	sum := func(of map[int]*rowSum, operator int) *rowSum {
		if of[operator] == nil {
			of[operator] = &rowSum{of: map[string]int64{}}
		}
		return of[operator]
	}
	for i := range rows {
		r := &rows[i]
		if n := c.by[r.StoreKey]; n != nil {
			t := sum(c.totals, r.Operator)
			if n.raw {
				t.err, t.stores = cmp.Or(t.err, n.err), t.stores+1
				continue
			}
			for _, v := range n.views {
				t.add(&rowsOf{view: v, rows: n.of[v], err: n.err, last: v == n.views[len(n.views)-1] && n.done})
			}
		}
		if n := held.keys(r); n >= 0 {
			t := sum(c.records, r.Operator)
			t.rows, t.stores = t.rows+n, t.stores+1
		}
	}
}

// any reports whether the rows of a store are known.
func (c *counts) any(held *snapshots) bool { return len(c.by) > 0 || len(c.records) > 0 }

// number is how many rows a store has, counted or recorded; -1 if that is not known.
func (c *counts) number(r *storeRow, held *snapshots) int64 {
	if n := c.by[r.StoreKey]; n != nil && n.done {
		return n.rows
	}
	return held.keys(r)
}

// cell is the number of rows of a store in its column: counted, or in brackets as recorded.
func (c *counts) cell(r *storeRow, held *snapshots) string {
	if c := c.by[r.StoreKey]; c != nil && c.done {
		switch {
		case c.err != nil && c.rows == 0: // to say 0 would not be true
			return "?"
		case c.err != nil:
			return "? " + short(c.rows)
		}
		return short(c.rows)
	}
	if n := held.keys(r); n >= 0 {
		return "(" + short(n) + ")"
	}
	return "–"
}

// words say how many rows a row of the list has, and how that is known.
func (c *counts) words(s *kit.Session, r *storeRow, held *snapshots) string {
	counts, records := c.by[r.StoreKey], (*rowSum)(nil)
	recordedIn := ""
	if r.heading {
		counts, records = c.totals[r.Operator], c.records[r.Operator]
	} else if n := held.keys(r); n >= 0 {
		recordedIn, records = phrase.Middle(kit.Safe(path.Base(r.snapshot)), 24), &rowSum{rows: n, stores: 1}
	}
	var parts []string
	if counts != nil {
		parts = append(parts, countWords(counts, r.heading))
	}
	if records != nil {
		text := phrase.Count(records.rows) + " keys recorded in " + recordedIn
		if r.heading {
			text += "the snapshots of " + phrase.Units(int64(records.stores), "stores")
		}
		parts = append(parts, text)
	}
	switch {
	case c.stopped != nil && checkpoint.Stopped(c.stopped):
		parts = append(parts, s.WithKeys("counting was stopped · %s reads again", kit.Keys.Reread))
	case c.stopped != nil:
		parts = append(parts, "not counted: "+kit.Safe(c.stopped.Error()))
	case c.running > 0:
		parts = append(parts, "… counting")
	case counts == nil && records == nil:
		parts = append(parts, s.WithKeys("not counted · %s counts", kit.Keys.Tally))
	case counts == nil:
		parts = append(parts, s.WithKeys("%s counts", kit.Keys.Tally))
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
		text += " in " + phrase.Units(int64(c.stores), "stores")
	}
	if c.err != nil {
		text += "; not all: " + kit.Safe(c.err.Error())
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

package output

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/delta"
)

const (
	// deltaWalk is how many commits are read one by one, from the newest back, before a checkpoint is read
	// in their place. A table gets a checkpoint every 10 or 100 commits.
	deltaWalk = 128
	// forgetting is the setting after which a table drops what it remembers of writers.
	forgetting = "delta.setTransactionRetentionDuration"
)

// deltaKind is a Delta table.
var deltaKind = &Kind{
	Name:      "delta",
	Described: []string{"DeltaSink["},
	mark:      delta.Folder,
	open:      func(f tablelog.Files, _ string) Sink { return &deltaSink{f} },

	FitsColumns: true,
	EveryBatch:  true,
}

// deltaSink is a Delta table. Every batch of a streaming query is a commit with the query id and the batch id
// in it; so is a batch write with txnAppId and txnVersion. The table remembers the newest of each id.
type deltaSink struct{ files tablelog.Files }

func (s *deltaSink) Look(ctx context.Context, q Query) (Held, error) {
	h := Held{Kind: "delta", Location: s.files.String(), Highest: -1, By: QueryID}
	log, err := delta.Open(ctx, s.files)
	if err != nil {
		return h, err
	}
	h.AtLeast = log.Staged
	if log.Head() < 0 {
		h.Absent = true
		return h, nil
	}
	if f := log.Flaw(); f != nil {
		h.Flaw = &Flaw{f.Error, fmt.Sprintf("the table log lacks %s, so Delta cannot rebuild version %d, the newest", versions(f.First, f.Last), log.Head())}
	}
	d := &deltaLook{ctx: ctx, files: s.files, log: log, q: q, h: &h, newest: map[string]delta.Txn{}}
	if err := d.look(); err != nil {
		return h, err
	}
	return h, nil
}

// deltaLook is one look at a table.
type deltaLook struct {
	ctx   context.Context
	files tablelog.Files
	log   *delta.Log
	q     Query
	h     *Held

	newest   map[string]delta.Txn // by id
	commits  []deltaCommit        // that were read, newest first
	metadata *delta.Metadata
	next     int64 // the version that the walk reads next
	gap      int64 // a version that no file has; -1 for none
}

// deltaCommit is what was read of one commit.
type deltaCommit struct {
	version int64
	txns    []delta.Txn
	info    *delta.Info
	removed map[string]bool // of a RESTORE to a time: the files that it took out
	added   []string        // of a commit with our id
	deleted map[string]bool // the files whose rows it took out
	writes  bool            // it has files with new rows
}

// removedKept is how many names of files are kept of one commit.
const removedKept = 1 << 16

func (d *deltaLook) look() error {
	d.next, d.gap = d.log.Head(), -1
	low := int64(0) // what lies below is in the checkpoint
	if c := d.log.Checkpoint(); c != nil {
		low = c.Version + 1
	}
	sum := false
	for !d.enough() && d.gap < 0 && d.next >= d.log.From && len(d.commits) < deltaWalk {
		if err := d.step(); err != nil {
			return err
		}
		// Where the newest commit is another's, the checksum file beside it may know all writers.
		if !sum && !d.enough() {
			sum = true
			if err := d.checksum(); err != nil {
				return err
			}
		}
	}
	if !d.knows() {
		if err := d.rest(low); err != nil {
			return err
		}
	}
	if d.knows() && !d.enough() {
		if err := d.trace(); err != nil {
			return err
		}
	}
	d.conclude()
	return d.table()
}

// knows reports whether some file names our newest batch.
func (d *deltaLook) knows() bool {
	_, ok := d.newest[d.q.ID]
	return ok && d.q.ID != ""
}

// trace looks for the commit of our newest batch, of which only a checkpoint or a checksum file tells: the table
// may have been set back since.
func (d *deltaLook) trace() error {
	if d.log.From > 0 {
		whole, err := delta.List(d.ctx, d.files, 0)
		if err != nil {
			return err
		}
		d.log, d.gap = whole, -1
	}
	for !d.enough() && d.gap < 0 && d.next >= 0 && len(d.commits) < deltaWalk {
		if err := d.step(); err != nil {
			return err
		}
	}
	if !d.found() {
		d.h.Unsure = fmt.Sprintf("the commit of batch %d is older than version %d, the oldest version read: a later restore of the table cannot be seen", d.newest[d.q.ID].Version, d.next+1)
	}
	return nil
}

// found reports whether the commit of our newest batch was read.
func (d *deltaLook) found() bool {
	return slices.ContainsFunc(d.commits, func(c deltaCommit) bool {
		return slices.ContainsFunc(c.txns, func(t delta.Txn) bool { return t.AppID == d.q.ID })
	})
}

// enough reports whether our newest batch is found, every commit behind it was read, and a table that was set
// back was followed to where it was set back to.
func (d *deltaLook) enough() bool {
	found := int64(-1)
	batches := 0
	for i := range d.commits {
		for _, t := range d.commits[i].txns {
			if t.AppID == d.q.ID && d.q.ID != "" {
				found = max(found, d.commits[i].version)
				batches++
			}
		}
	}
	if found < 0 || batches < d.q.Newest {
		return false
	}
	for _, r := range d.restores() {
		if r.to < 0 && d.next >= 0 && r.took(d.oldest()) {
			return false
		}
		if r.to >= 0 && found > r.to && found < r.version && d.next > r.to {
			return false
		}
	}
	return true
}

// step reads one commit. A version without a file is a gap, which a clean-up of old commits leaves at the
// beginning of a log.
func (d *deltaLook) step() error {
	c := d.log.Commit(d.next)
	if c == nil {
		d.gap = d.next
		return nil
	}
	out := deltaCommit{version: c.Version}
	var added []string
	removed := map[string]bool{}
	out.deleted = map[string]bool{}
	for a, err := range d.log.Actions(d.ctx, c.Name) {
		if err != nil {
			if problem, ok := asDecode(err); ok {
				d.h.Notes = append(d.h.Notes, "a line of the log does not parse and was skipped: "+problem.Error())
				continue
			}
			return err
		}
		switch a.Name {
		case "txn":
			if t, err := a.Txn(); err == nil {
				out.txns = append(out.txns, t)
				d.txn(t)
			}
		case "commitInfo":
			out.info, _ = a.Info()
		case "metaData":
			if m, err := a.Metadata(); err == nil && d.metadata == nil {
				d.metadata = m
			}
		case "add", "remove":
			f, err := a.File()
			if err != nil {
				continue
			}
			if a.Name == "add" {
				out.writes = out.writes || f.DataChange
				if len(added) < removedKept {
					added = append(added, f.Path)
				}
				continue
			}
			if len(removed) < removedKept {
				removed[f.Path] = true
			}
			if f.DataChange && len(out.deleted) < removedKept {
				out.deleted[f.Path] = true
			}
		}
	}
	if out.info != nil && out.info.Operation == "RESTORE" {
		out.removed = removed
	}
	if slices.ContainsFunc(out.txns, func(t delta.Txn) bool { return t.AppID == d.q.ID }) {
		out.added = added
	}
	d.commits = append(d.commits, out)
	d.next--
	return nil
}

// txn takes in a transaction; the first of an id to be seen is its newest.
func (d *deltaLook) txn(t delta.Txn) {
	if _, ok := d.newest[t.AppID]; !ok {
		d.newest[t.AppID] = t
	}
}

func (d *deltaLook) checksum() error {
	sum, err := d.log.ReadChecksum(d.ctx, d.log.Head())
	if err != nil || sum == nil {
		return err
	}
	for _, t := range sum.Txns {
		d.txn(t)
	}
	if d.metadata == nil {
		d.metadata = sum.Metadata
	}
	return nil
}

// rest looks where the walk did not get to: compactions of the commits that are left, those themselves, and the
// checkpoint.
func (d *deltaLook) rest(low int64) error {
	for d.gap < 0 && d.next >= low {
		i := slices.IndexFunc(d.log.Compactions, func(c delta.Compaction) bool { return c.First <= d.next && d.next <= c.Last })
		if i < 0 {
			if err := d.step(); err != nil {
				return err
			}
			continue
		}
		c := d.log.Compactions[i]
		for a, err := range d.log.Actions(d.ctx, c.Name) {
			if _, ok := asDecode(err); ok {
				continue
			} else if err != nil {
				return err
			}
			if t, err := a.Txn(); a.Name == "txn" && err == nil {
				d.txn(t)
			}
		}
		d.next = c.First - 1
	}
	c := d.log.Checkpoint()
	switch {
	case d.gap >= 0 && d.gap >= low:
		d.h.Unknown = fmt.Sprintf("the table log lacks version %d, no complete checkpoint is newer, and the rest has no batch of this query", d.gap)
		d.h.Settle = "Look for the missing _delta_log file in a backup, or query the transactions with an engine that opens the table."
		return nil
	case c == nil:
		return nil
	}
	state, err := d.log.ReadCheckpoint(d.ctx, c)
	if problem, ok := asDecode(err); ok {
		d.h.Unknown = "the newest checkpoint of the table cannot be read: " + problem.Error()
		d.h.Settle = "Ask an engine that can open the table for its transactions."
		return nil
	}
	if err != nil {
		return err
	}
	for _, t := range state.Txns {
		d.txn(t)
	}
	if d.metadata == nil {
		d.metadata = state.Metadata
	}
	return nil
}

// conclude says what comes of what was read.
func (d *deltaLook) conclude() {
	h := d.h
	for id, t := range d.newest {
		if id != d.q.ID {
			h.Others = append(h.Others, Writer{ID: id, Highest: t.Version, Time: t.Updated, Where: t.Where})
		}
	}
	slices.SortFunc(h.Others, func(a, b Writer) int { return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.ID, b.ID)) })
	if !d.knows() {
		return
	}
	t := d.newest[d.q.ID]
	h.Unknown, h.Settle = "", ""
	h.Highest = t.Version
	h.Proof = Proof{Where: t.Where, Version: -1, Time: t.Updated}
	for i := range d.commits {
		c := &d.commits[i]
		for _, x := range c.txns {
			if x.AppID == d.q.ID {
				h.Batches = append(h.Batches, batchOf(c, x))
			}
		}
	}
	if len(h.Batches) > 0 && h.Batches[0].ID == h.Highest {
		h.Proof = h.Batches[0].Proof
	}
	d.undone()
	d.emptied()
	d.notes()
}

// emptied looks for a version after our newest batch that removed all of its rows. Rows that were moved to other files
// before that are not followed. A RESTORE is for undone.
func (d *deltaLook) emptied() {
	i := slices.IndexFunc(d.commits, func(c deltaCommit) bool { return c.version == d.h.Proof.Version })
	if i < 0 || d.h.Undone != nil {
		return
	}
	files := d.commits[i].added
	for j := i - 1; j >= 0; j-- { // commits are newest first
		c := &d.commits[j]
		gone := func(name string) bool { return c.deleted[name] }
		if c.info == nil || c.info.Operation == "RESTORE" || len(files) == 0 || slices.ContainsFunc(files, func(name string) bool { return !gone(name) }) {
			continue
		}
		d.h.Emptied = &Emptied{Version: c.version, Operation: c.info.Operation, Files: len(files), Others: c.writes, Where: c.info.Where}
		return
	}
}

func batchOf(c *deltaCommit, t delta.Txn) Batch {
	b := Batch{ID: t.Version, Rows: -1, Files: -1, Proof: Proof{Where: t.Where, Version: c.version, Time: t.Updated}}
	if c.info != nil {
		b.Rows, b.Files = c.info.Metric("numOutputRows"), c.info.Metric("numAddedFiles")
		b.Time = cmp.Or(b.Time, c.info.Timestamp)
	}
	return b
}

// replacing are operations after which rows of an older batch may be gone.
var replacing = []string{"DELETE", "TRUNCATE", "CREATE OR REPLACE TABLE", "CREATE OR REPLACE TABLE AS SELECT", "REPLACE TABLE", "REPLACE TABLE AS SELECT", "CLONE"}

// notes are what happened to the table after our newest batch.
func (d *deltaLook) notes() {
	for i := range d.commits {
		c := &d.commits[i]
		if c.info == nil || c.version <= d.h.Proof.Version {
			continue
		}
		if slices.Contains(replacing, c.info.Operation) || c.info.Operation == "WRITE" && strings.EqualFold(c.info.Parameters["mode"], "Overwrite") {
			d.h.Notes = append(d.h.Notes, fmt.Sprintf("version %d (%s) follows batch %d and may have removed rows of it", c.version, c.info.Operation, d.h.Highest))
		}
	}
}

// versions are versions of a table, both ends included, in words.
func versions(first, last int64) string {
	if first == last {
		return fmt.Sprintf("version %d", first)
	}
	return fmt.Sprintf("versions %d to %d", first, last)
}

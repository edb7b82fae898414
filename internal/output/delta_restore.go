package output

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// restore is a commit that set the table back.
type restore struct {
	*deltaCommit
	to int64 // the version; -1 where a time is recorded
}

// took reports whether a table that was set back to a time lost files of a commit.
func (r restore) took(c *deltaCommit) bool {
	return c != nil && c.version < r.version && slices.ContainsFunc(c.added, func(name string) bool { return r.removed[name] })
}

// oldest returns the oldest commit that was read with our id in it; nil for none.
func (d *deltaLook) oldest() *deltaCommit {
	for i := len(d.commits) - 1; i >= 0; i-- {
		if len(d.commits[i].added) > 0 {
			return &d.commits[i]
		}
	}
	return nil
}

func (d *deltaLook) restores() []restore {
	var all []restore
	for i := range d.commits {
		c := &d.commits[i]
		if c.info == nil || c.info.Operation != "RESTORE" {
			continue
		}
		to, err := strconv.ParseInt(strings.Trim(c.info.Parameters["version"], `"`), 10, 64)
		if err != nil {
			to = -1
		}
		all = append(all, restore{c, to})
	}
	return all
}

// undone finds batches that are recorded and whose rows are gone. What the table holds is followed from the
// newest version back: a version that set it back to another one goes on at that one, so that setting it back
// and back again undoes nothing.
func (d *deltaLook) undone() {
	all := d.restores()
	if len(all) == 0 {
		return
	}
	newest := d.h.Proof.Version
	at := d.log.Head()
	for _, r := range all { // newest first
		switch {
		case r.version > at:
			// within what a newer one jumped over
		case r.to >= 0:
			at = r.to
			if newest > r.to && newest < r.version {
				d.setBack(r, func(c *deltaCommit) bool { return c.version > r.to && c.version < r.version }, r.to <= d.next || d.next < 0)
				return
			}
			if newest < 0 && r.to < d.lowest() {
				d.h.Unknown = fmt.Sprintf("version %d restored the table to version %d; whether that removed batch %d is unknown, because its commit was not read", r.version, r.to, d.h.Highest)
				d.h.Settle = "Look for rows of the batch in the table."
				return
			}
		case newest < r.version:
			if i := slices.IndexFunc(d.commits, func(c deltaCommit) bool { return c.version == newest }); i >= 0 && r.took(&d.commits[i]) {
				d.setBack(r, r.took, !r.took(d.oldest()) || d.next < 0)
				return
			}
			d.h.Unknown = fmt.Sprintf("version %d restored the table to a time, %s; whether that removed batch %d is unknown", r.version, r.info.Parameters["timestamp"], d.h.Highest)
			d.h.Settle = "Look for rows of the batch in the table, or in its history for the version at that time."
			return
		}
	}
}

// lowest returns the oldest version that was read commit by commit.
func (d *deltaLook) lowest() int64 { return d.next + 1 }

func (d *deltaLook) setBack(r restore, gone func(*deltaCommit) bool, exact bool) {
	u := &Undone{First: d.h.Highest, Last: d.h.Highest, Exact: exact, Version: r.version, To: r.to, Time: r.info.Timestamp,
		Where: r.info.Where}
	for i := range d.commits {
		if !gone(&d.commits[i]) {
			continue
		}
		for _, t := range d.commits[i].txns {
			if t.AppID == d.q.ID {
				u.First = min(u.First, t.Version)
			}
		}
	}
	d.h.Undone = u
}

package output

import (
	"fmt"

	"tidemark/checkpoint/row"
	"tidemark/internal/tablelog/delta"
)

// table finds out what the table is, where that is asked for or where a record may have expired: it is free
// when a file that was read had it.
func (d *deltaLook) table() error {
	stands := d.h.Highest == d.q.Committed && d.q.Committed == d.q.Planned
	if d.metadata == nil && (d.q.Table || !stands) {
		if err := d.findMetadata(); err != nil {
			return err
		}
	}
	m := d.metadata
	if m == nil {
		return nil
	}
	d.h.TableID, d.h.Expires = m.ID, m.Configuration[forgetting]
	if d.h.Highest < 0 {
		d.h.Created = m.Created
	}
	if d.h.Expires != "" {
		d.h.Lost = fmt.Sprintf("The table deletes such records after %s (%s)", d.h.Expires, forgetting)
	}
	if t, err := row.ParseType(m.Schema); err == nil && t.Kind == row.Struct {
		d.h.Schema = t
	}
	if kept, ok := delta.Interval(d.h.Expires); ok && d.h.Highest >= 0 && d.h.Proof.Time > 0 && d.q.Now > 0 {
		d.h.Expired = d.h.Proof.Time+kept.Milliseconds() < d.q.Now
	}
	return nil
}

// findMetadata looks where the description of the table is likeliest to be had with one request.
func (d *deltaLook) findMetadata() error {
	if err := d.checksum(); err != nil || d.metadata != nil {
		return err
	}
	low := int64(0)
	c := d.log.Checkpoint()
	if c != nil {
		low = c.Version + 1
	}
	for d.metadata == nil && d.gap < 0 && d.next >= max(low, d.log.From) && len(d.commits) < deltaWalk {
		if err := d.step(); err != nil {
			return err
		}
	}
	if d.metadata != nil || c == nil {
		return nil
	}
	state, err := d.log.ReadCheckpoint(d.ctx, c)
	if _, ok := asDecode(err); ok {
		return nil
	}
	if err == nil {
		d.metadata = state.Metadata
	}
	return err
}

package sink

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/row"
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
	if d.h.Expires != "" {
		d.h.Lost = fmt.Sprintf("The table forgets such records after %s (%s)", d.h.Expires, forgetting)
	}
	if t, err := row.ParseType(m.Schema); err == nil && t.Kind == row.Struct {
		d.h.Schema = t
	}
	if kept, ok := interval(d.h.Expires); ok && d.h.Highest >= 0 && d.h.Proof.Time > 0 && d.q.Now > 0 {
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

// interval reads a duration as Delta writes its settings: "interval 30 days", "7 days".
func interval(text string) (time.Duration, bool) {
	words := strings.Fields(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "interval "))
	if len(words) == 0 || len(words)%2 != 0 {
		return 0, false
	}
	units := map[string]time.Duration{"week": 7 * 24 * time.Hour, "day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute, "second": time.Second}
	var total time.Duration
	for i := 0; i < len(words); i += 2 {
		n, err := strconv.ParseInt(words[i], 10, 32)
		unit, ok := units[strings.TrimSuffix(words[i+1], "s")]
		if err != nil || !ok {
			return 0, false
		}
		total += time.Duration(n) * unit
	}
	return total, true
}

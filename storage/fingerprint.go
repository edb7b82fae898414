package storage

import "time"

// A file that keeps its size and its time may have changed all the same: within the resolution of the clock,
// under a tool that sets times, by a disk that loses bits.
const (
	// settled is how long before it was listed a file must have been changed last, so that a later change shows
	// in its time. The coarsest clock of a file system counts two seconds.
	settled = 3 * time.Second
	// believed is how long a file is taken for the one that was read because of its size and times. Then it is
	// read again.
	believed = 10 * time.Minute
	// oneRound is how long after a refresh a folder on disk is shown as it was read. Who reads later than that
	// sees what is there by then.
	oneRound = time.Minute
)

// fingerprint is what a listing tells of the content of a file.
type fingerprint struct {
	size, time int64 // bytes; when it was modified, ns since the epoch, 0 where the store has no times
	tag        uint64
}

func fingerprintOf(e Entry) fingerprint {
	p := fingerprint{size: e.Size, tag: e.Tag}
	if !e.Modified.IsZero() {
		p.time = e.Modified.UnixNano()
	}
	return p
}

// same reports whether what was read before the last refresh is what the file holds now: it is listed as it
// was, and no change of it can have gone unseen. The caller holds mu.
func (c *cache) same(v *cached) bool {
	e, _, ok := c.listed(v.key.name)
	switch {
	case !ok || v.listed.IsZero() || fingerprintOf(e) != v.was:
		return false
	case c.exact && e.Tag != 0:
		return true
	}
	changed := e.Modified
	if c.disk {
		changed = time.Unix(0, max(v.was.time, int64(e.Tag)))
	}
	return v.was.time != 0 && v.listed.Sub(changed) >= settled && c.now().Sub(v.asked) < believed
}

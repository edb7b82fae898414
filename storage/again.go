package storage

import (
	"context"
	"sync"
	"time"
)

// Again opens one location again and again, and keeps what it reads of it: opened again it is listed anew,
// and a file that the new listing shows as it was is not read again. Its zero value is ready to use. Only a
// folder on this machine is kept, within Options.CacheBytes: the stores of buckets keep what they read by
// themselves (see Refresh), and an archive is one file.
type Again struct {
	Now func() time.Time // the clock; nil: time.Now

	mu   sync.Mutex
	kept *cache // nil before a folder was opened
}

// Open is the function Open. A store that it gave before reads from then on what is at the location now.
func (a *Again) Open(ctx context.Context, location string, o Options) (Store, error) {
	o.again = a
	return Open(ctx, location, o)
}

// over is s with what was read of it before; s alone where it is opened once.
func (a *Again) over(s Store, room int64) Store {
	if a == nil {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil {
		a.kept = cachedStore(nil, room)
		a.kept.disk = true
		if a.Now != nil {
			a.kept.now = a.Now
		}
	}
	a.kept.refresh(s)
	return a.kept
}

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

// print is what a listing tells of the content of a file.
type print struct {
	size, time int64 // bytes; when it was modified, ns since the epoch, 0 where the store has no times
	tag        uint64
}

func printOf(e Entry) print {
	p := print{size: e.Size, tag: e.Tag}
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
	case !ok || v.listed.IsZero() || printOf(e) != v.was:
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

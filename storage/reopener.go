package storage

import (
	"context"
	"sync"
	"time"
)

// Reopener opens one location many times, and keeps what it reads of it: each time it lists the folders once more, and a
// file that the new listing shows as it was is not read again. Its zero value is ready to use. Only a
// folder on this machine is kept, within Options.CacheBytes: the stores of buckets keep what they read by
// themselves (see Refresh), and an archive is one file.
type Reopener struct {
	Now func() time.Time // the clock; nil: time.Now

	mu   sync.Mutex
	kept *cache // nil before a folder was opened
}

// Open opens a location, as the function Open does. A store that it returned before reads from then on what is at the
// location now.
func (r *Reopener) Open(ctx context.Context, location string, o Options) (Store, error) {
	o.reopener = r
	return Open(ctx, location, o)
}

// over puts what was read before around s; it returns s alone where r is nil, for a location that is opened once.
func (r *Reopener) over(s Store, room int64) Store {
	if r == nil {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = cachedStore(nil, room)
		r.kept.disk = true
		if r.Now != nil {
			r.kept.now = r.Now
		}
	}
	r.kept.refresh(s)
	return r.kept
}

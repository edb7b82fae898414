package storage

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache is a Store that remembers what was read, within a bound of memory; what was not used for the
// longest time goes first. Small files are kept whole, ranges of large ones as they were asked for, and
// so are listings. Two readers of one thing make one request (see once).
//
// Files of a checkpoint are written once, so what was read stays good until Refresh, and after it where the
// new listing shows the file as it was (see same).
type cache struct {
	mu      sync.Mutex
	store   Store
	disk    bool                              // of a folder on disk; see Reopener
	exact   bool                              // the Tag of an entry stands for the content of the file
	room    int64                             // bytes
	kept    *simplelru.LRU[cacheKey, *cached] // bounded by room, not by its own count
	flights map[cacheKey]*flight              // requests under way
	now     func() time.Time
	age     int       // how often Refresh was called
	renewed time.Time // when it was called last
}

const (
	wholeFile  = 4 << 20   // bytes of a file that is kept when it is read to its end
	smallFile  = 256 << 10 // bytes of a listed file that is read whole when a part of it is asked for
	wholeRange = 1 << 20   // bytes of a range that is kept
	perEntry   = 96        // bytes of memory for an entry of a listing, besides its name
	perValue   = 256       // bytes of memory for a file, a range or a listing, besides its name and content
)

// cacheKey is a listing (offset -1), a whole file (offset 0, length -1) or a range.
type cacheKey struct {
	name           string
	offset, length int64
}

func listingOf(dir string) cacheKey   { return cacheKey{dir, -1, 0} }
func wholeKey(name string) cacheKey   { return cacheKey{name, 0, -1} }
func (k cacheKey) isListing() bool    { return k.offset == -1 }
func byName(e Entry, name string) int { return strings.Compare(e.Name, name) }

type cached struct {
	key   cacheKey
	data  []byte
	found []Entry
	large bool // the file is longer than is kept; data is none of it

	age    int         // of the cache when it was read, or last found to be as it was
	asked  time.Time   // when the request began
	was    fingerprint // of the file, in the listing that was there then
	listed time.Time   // when the request of that listing began; zero where there was none
}

// bytes returns about how much memory v takes.
func (v *cached) bytes() int64 {
	n := int64(len(v.key.name)+len(v.data)) + perValue
	for _, e := range v.found {
		n += int64(len(e.Name)) + perEntry
	}
	return n
}

// cachedStore puts a cache of so many bytes around s.
func cachedStore(s Store, room int64) *cache {
	c := &cache{store: s, room: room, now: time.Now, flights: map[cacheKey]*flight{}}
	c.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ cacheKey, v *cached) { c.room += v.bytes() }) // fails only for a size below 1
	return c
}

// Refresh makes s ask again: for listings, and a file that was read before is read
// again unless the new listing of its folder shows it as it was. A store that keeps nothing is always fresh.
func Refresh(s Store) {
	switch s := s.(type) {
	case *sub:
		Refresh(s.Store)
	case *cache:
		s.refresh(nil)
	}
}

// inner returns the store around which the cache is.
func (c *cache) inner() Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.store
}

func (c *cache) String() string { return c.inner().String() }

func (c *cache) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		v, err := c.once(ctx, listingOf(dir), func(ctx context.Context, v *cached) error {
			for e, err := range c.inner().List(ctx, dir) {
				if err != nil {
					return err
				}
				v.found = append(v.found, e)
			}
			return nil
		})
		if v != nil {
			for _, e := range v.found {
				if !yield(e, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

func (c *cache) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if offset < 0 {
		return c.inner().Open(ctx, name, offset, length) // which says why not
	}
	key, direct := c.plan(name, offset, length)
	if direct {
		return c.ask(ctx, name, offset, length)
	}
	v, err := c.once(ctx, key, func(ctx context.Context, v *cached) error { return c.fetch(ctx, v) })
	switch {
	case err != nil:
		return nil, err
	case v.large:
		return c.ask(ctx, name, offset, length)
	}
	from, n := within(int64(len(v.data)), offset-v.key.offset, length)
	return io.NopCloser(bytes.NewReader(v.data[from : from+n])), nil
}

// plan decides what to fetch for a range of a file: all of it, the range, or, where direct is true, nothing
// that would be kept.
func (c *cache) plan(name string, offset, length int64) (key cacheKey, direct bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole := wholeKey(name)
	if v := c.get(whole); v != nil && !v.large {
		return whole, false
	}
	e, _, listed := c.listed(name)
	long := length < 0 || length > wholeRange
	switch {
	case listed && e.Size <= smallFile:
		return whole, false
	case c.disk:
		return whole, true
	case listed && e.Size > wholeFile && long, offset > 0 && long:
		return whole, true
	case long:
		return whole, false
	}
	return cacheKey{name, offset, length}, false
}

// fetch reads what v is the key of.
func (c *cache) fetch(ctx context.Context, v *cached) error {
	n := v.key.length
	if n < 0 {
		n = wholeFile + 1
	}
	rc, err := c.ask(ctx, v.key.name, v.key.offset, n)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(rc, n))
	if err = errors.Join(err, rc.Close()); err != nil {
		return err
	}
	switch {
	case v.key.length < 0 && len(data) > wholeFile:
		v.large = true
	case v.key.offset == 0 && int64(len(data)) < n:
		v.key, v.data = wholeKey(v.key.name), data // its end came first
	default:
		v.data = data
	}
	return nil
}

// get returns what is kept under key, and nil for nothing. The caller holds mu.
func (c *cache) get(key cacheKey) *cached {
	v, ok := c.kept.Peek(key)
	if !ok {
		return nil
	}
	if c.disk && (key.isListing() || c.now().Sub(c.renewed) > oneRound) || v.age != c.age && !c.same(v) {
		c.kept.Remove(key)
		return nil
	}
	v.age = c.age
	c.kept.Get(key) // it was used
	return v
}

// listed returns the entry of a file in the kept listing of its folder, and that listing. The caller holds mu.
func (c *cache) listed(name string) (Entry, *cached, bool) {
	folder := listingOf(path.Dir(name))
	l, ok := c.kept.Peek(folder)
	if !ok {
		return Entry{}, nil, false
	}
	i, ok := slices.BinarySearchFunc(l.found, path.Base(name), byName)
	if !ok || l.found[i].Dir {
		return Entry{}, nil, false
	}
	c.kept.Get(folder) // it was used
	return l.found[i], l, true
}

// keep remembers v and forgets what there is no room for. A log that is longer than the room would push out
// its own beginning, and every round all of it would be read again: so once there was a refresh, a small file
// gives way to what was used since. The caller holds mu.
func (c *cache) keep(v *cached) {
	c.kept.Remove(v.key)
	n := v.bytes()
	for c.room < n {
		_, oldest, ok := c.kept.GetOldest()
		if !ok || c.age > 0 && oldest.age == c.age && !v.key.isListing() && len(v.data) <= smallFile {
			return
		}
		c.kept.RemoveOldest()
	}
	c.kept.Add(v.key, v)
	c.room -= n
}

// refresh begins a new age, over another store where one is given.
func (c *cache) refresh(over Store) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if over != nil {
		c.store = over
	}
	c.age++
	c.renewed = c.now()
	for _, v := range c.kept.Values() {
		if v.listed.IsZero() { // a listing, or a file that none speaks of: see same
			c.kept.Remove(v.key)
		}
	}
	clear(c.flights) // they end for those who wait, and are kept for nobody
}

package storage

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// cache is a Store that remembers what was read, within a bound of memory; what was not used for the
// longest time goes first. Small files are kept whole, ranges of large ones as they were asked for, and
// so are listings. Two readers of one thing make one request.
//
// Files of a checkpoint are written once, so what was read stays good until Refresh.
type cache struct {
	Store
	mu      sync.Mutex
	room    int64 // bytes
	used    list.List
	kept    map[cacheKey]*list.Element // of *cached
	flights map[cacheKey]*flight
	age     int // how often Refresh was called
}

const (
	wholeFile  = 4 << 20   // bytes of a file that is kept when it is read to its end
	smallFile  = 256 << 10 // bytes of a listed file that is read whole when a part of it is asked for
	wholeRange = 1 << 20   // bytes of a range that is kept
	perEntry   = 96        // bytes of memory for an entry of a listing, besides its name
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

	unsure bool // Refresh was called; the next listing shows whether it is the file that was read
	size   int64
	time   time.Time
}

func (v *cached) bytes() int64 {
	n := int64(len(v.key.name)+len(v.data)) + perEntry
	for _, e := range v.found {
		n += int64(len(e.Name)) + perEntry
	}
	return n
}

func cachedStore(s Store, room int64) *cache {
	return &cache{Store: s, room: room, kept: map[cacheKey]*list.Element{}, flights: map[cacheKey]*flight{}}
}

// Refresh makes s look anew: listings are asked for again, and a file that was read before is read
// again unless the new listing of its folder shows it with the same size and time. A store that keeps
// nothing is always fresh.
func Refresh(s Store) {
	switch s := s.(type) {
	case *sub:
		Refresh(s.Store)
	case *cache:
		s.refresh()
	}
}

func (c *cache) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		v, err := c.once(ctx, listingOf(dir), func(ctx context.Context, v *cached) error {
			for e, err := range c.Store.List(ctx, dir) {
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
		return c.Store.Open(ctx, name, offset, length) // which says why not
	}
	key, direct := c.plan(name, offset, length)
	if direct {
		return c.Store.Open(ctx, name, offset, length)
	}
	v, err := c.once(ctx, key, func(ctx context.Context, v *cached) error { return c.fetch(ctx, v) })
	switch {
	case err != nil:
		return nil, err
	case v.large:
		return c.Store.Open(ctx, name, offset, length)
	}
	from, n := within(int64(len(v.data)), offset-v.key.offset, length)
	return io.NopCloser(bytes.NewReader(v.data[from : from+n])), nil
}

// plan is what to fetch for a range of a file: all of it, the range, or, where direct is true, nothing
// that would be kept.
func (c *cache) plan(name string, offset, length int64) (key cacheKey, direct bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole := wholeKey(name)
	if v := c.get(whole); v != nil && !v.large {
		return whole, false
	}
	e, listed := c.listed(name)
	long := length < 0 || length > wholeRange
	switch {
	case listed && e.Size <= smallFile:
		return whole, false
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
	rc, err := c.Store.Open(ctx, v.key.name, v.key.offset, n)
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

// get is what is kept under key, nil for nothing. The caller holds mu.
func (c *cache) get(key cacheKey) *cached {
	el := c.kept[key]
	if el == nil {
		return nil
	}
	v := el.Value.(*cached)
	if v.unsure {
		e, listed := c.listed(key.name)
		if !listed || e.Size != v.size || !e.Modified.Equal(v.time) {
			c.drop(el)
			return nil
		}
		v.unsure = false
	}
	c.used.MoveToFront(el)
	return v
}

// listed is the entry of a file in the kept listing of its folder. The caller holds mu.
func (c *cache) listed(name string) (Entry, bool) {
	el := c.kept[listingOf(path.Dir(name))]
	if el == nil {
		return Entry{}, false
	}
	found := el.Value.(*cached).found
	i, ok := slices.BinarySearchFunc(found, path.Base(name), byName)
	if !ok || found[i].Dir {
		return Entry{}, false
	}
	return found[i], true
}

// keep remembers v and forgets what there is no room for. The caller holds mu.
func (c *cache) keep(v *cached) {
	if old := c.kept[v.key]; old != nil {
		c.drop(old)
	}
	c.kept[v.key] = c.used.PushFront(v)
	for c.room -= v.bytes(); c.room < 0; {
		c.drop(c.used.Back())
	}
}

func (c *cache) drop(el *list.Element) {
	v := c.used.Remove(el).(*cached)
	delete(c.kept, v.key)
	c.room += v.bytes()
}

func (c *cache) refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.age++
	var gone []*list.Element
	for key, el := range c.kept {
		v := el.Value.(*cached)
		if key.isListing() || v.unsure {
			continue
		}
		if e, ok := c.listed(key.name); ok {
			v.unsure, v.size, v.time = true, e.Size, e.Modified
		} else {
			gone = append(gone, el)
		}
	}
	for key, el := range c.kept {
		if key.isListing() {
			gone = append(gone, el)
		}
	}
	for _, el := range gone {
		c.drop(el)
	}
	clear(c.flights) // they end for those who wait, and are kept for nobody
}

// flight is a request under way, for all who want its answer.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int // readers; when the last one leaves, the request is cancelled
	value   *cached
	err     error
}

// once is what is kept under key, or else what one call of fetch gives, however many ask at once.
// Beside an error of a listing there is what came before it.
func (c *cache) once(ctx context.Context, key cacheKey, fetch func(context.Context, *cached) error) (*cached, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // a select below could still find the answer there
	}
	c.mu.Lock()
	if v := c.get(key); v != nil {
		c.mu.Unlock()
		return v, nil
	}
	f := c.flights[key]
	if f == nil {
		f = c.start(ctx, key, fetch)
	}
	f.waiting++
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		if c.flights[key] == f {
			delete(c.flights, key)
		}
	}
	return nil, ctx.Err()
}

func (c *cache) start(ctx context.Context, key cacheKey, fetch func(context.Context, *cached) error) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel, value: &cached{key: key}}
	c.flights[key] = f
	age := c.age
	go func() {
		defer cancel()
		f.err = Guarded(func() error { return fetch(ctx, f.value) })
		c.mu.Lock()
		if f.err == nil && age == c.age {
			c.keep(f.value)
		}
		if c.flights[key] == f {
			delete(c.flights, key)
		}
		c.mu.Unlock()
		close(f.done)
	}()
	return f
}

package storage

import "context"

// flight is a request under way, for all who want its answer.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int // readers; when the last one leaves, the request is canceled
	value   *cached
	err     error
}

// once returns what is kept under key, or else what one call of fetch reads, however many ask at the same time.
// With an error of a listing it returns what came before the error. A request goes on while one of its readers waits
// for it, and is canceled when the last one has left.
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

// start begins a request for key. The caller holds mu.
func (c *cache) start(ctx context.Context, key cacheKey, fetch func(context.Context, *cached) error) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel, value: &cached{key: key, age: c.age, asked: c.now()}}
	if e, l, ok := c.listed(key.name); ok && !key.isListing() {
		f.value.was, f.value.listed = fingerprintOf(e), l.asked
	}
	c.flights[key] = f
	age := c.age
	go func() {
		defer cancel()
		f.err = Recover(func() error { return fetch(ctx, f.value) })
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

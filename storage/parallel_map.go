package storage

import (
	"context"
	"iter"

	"golang.org/x/sync/semaphore"
)

// ParallelMap calls f for every item of items, up to n of them at the same time, and yields the results in the order
// of items. Up to n results wait behind a late one; MaxWaiting and MaxWeight set other bounds. A caller that stops
// ranging stops the calls; every goroutine has ended when the sequence has. A panic in f becomes the error of that
// item, and one in items the error that ends the sequence.
func ParallelMap[K, V any](ctx context.Context, n int, items iter.Seq[K], f func(context.Context, K) (V, error),
	options ...MapOption[K]) iter.Seq2[V, error] {
	bounds := mapBounds[K]{waiting: n, weight: func(K) int64 { return 0 }}
	for _, set := range options {
		set(&bounds)
	}
	return func(yield func(V, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		m := &parallelMap[K, V]{
			mapBounds: bounds,
			f:         f,
			results:   make(chan pending[V], bounds.waiting),
			jobs:      make(chan job[K, V]),
			room:      semaphore.NewWeighted(bounds.most),
		}
		go m.feed(ctx, n, items)
		defer func() {
			cancel()
			for p := range m.results {
				<-p.slot
			}
		}()
		for p := range m.results {
			r := <-p.slot
			if !yield(r.v, r.err) {
				return
			}
			m.room.Release(p.weight)
		}
	}
}

// MapOption sets a bound of a ParallelMap over items of type K.
type MapOption[K any] func(*mapBounds[K])

// MaxWaiting lets up to n results wait behind a late one. More of them than calls serve where results are small.
func MaxWaiting[K any](n int) MapOption[K] {
	return func(b *mapBounds[K]) { b.waiting = n }
}

// MaxWeight bounds the sum of the weights of all items in work, of those whose results wait, and of the one whose result
// the caller looks at. An item that is heavier than most alone is worked on alone. So a few large files take no more
// memory than many small ones.
func MaxWeight[K any](most int64, weight func(K) int64) MapOption[K] {
	return func(b *mapBounds[K]) { b.most, b.weight = most, weight }
}

type mapBounds[K any] struct {
	waiting int
	most    int64
	weight  func(K) int64
}

type parallelMap[K, V any] struct {
	mapBounds[K]
	f       func(context.Context, K) (V, error)
	results chan pending[V] // in the order of the items
	jobs    chan job[K, V]
	room    *semaphore.Weighted // for the weights of all that is in work, waits or is looked at
}

// pending is a result that is there, or will be.
type pending[V any] struct {
	slot   chan result[V]
	weight int64
}

type result[V any] struct {
	v   V
	err error
}

type job[K, V any] struct {
	item K
	slot chan result[V]
}

// feed gives the items to workers. It starts these as they are needed, up to n.
func (m *parallelMap[K, V]) feed(ctx context.Context, n int, items iter.Seq[K]) {
	defer close(m.results)
	defer close(m.jobs)
	if err := Recover(func() error { m.feedAll(ctx, n, items); return nil }); err != nil {
		last := make(chan result[V], 1)
		last <- result[V]{err: err}
		select {
		case m.results <- pending[V]{slot: last}:
		case <-ctx.Done():
		}
	}
}

func (m *parallelMap[K, V]) feedAll(ctx context.Context, n int, items iter.Seq[K]) {
	workers := 0
	for item := range items {
		j := job[K, V]{item, make(chan result[V], 1)}
		weight := max(min(m.weight(item), m.most), 0) // one that is too heavy takes all the room
		if m.room.Acquire(ctx, weight) != nil {
			return
		}
		select {
		case m.results <- pending[V]{j.slot, weight}:
		case <-ctx.Done():
			return
		}
		select {
		case m.jobs <- j:
			continue
		default:
		}
		if workers < n {
			workers++
			go m.work(ctx, j)
			continue
		}
		m.jobs <- j
	}
}

// work does the job that it is started with, and then those that come.
func (m *parallelMap[K, V]) work(ctx context.Context, j job[K, V]) {
	m.do(ctx, j)
	for j := range m.jobs {
		m.do(ctx, j)
	}
}

func (m *parallelMap[K, V]) do(ctx context.Context, j job[K, V]) {
	var r result[V]
	r.err = Recover(func() (err error) {
		r.v, err = m.f(ctx, j.item)
		return err
	})
	j.slot <- r
}

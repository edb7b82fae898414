package storage

import (
	"context"
	"iter"
	"sync/atomic"
)

// Ahead calls read for every item of items, with up to n calls under way at once, and yields the
// results in the order of items. A caller that stops ranging stops the reading; every goroutine has
// ended when the sequence has. A panic in read becomes the error of that item, and one in items the error
// that ends the sequence.
func Ahead[K, V any](ctx context.Context, n int, items iter.Seq[K], read func(context.Context, K) (V, error)) iter.Seq2[V, error] {
	return FarAhead(ctx, n, n, items, read)
}

// FarAhead is Ahead with up to far results waiting behind one that is late, where Ahead has n of them: for
// results that are small.
func FarAhead[K, V any](ctx context.Context, n, far int, items iter.Seq[K], read func(context.Context, K) (V, error)) iter.Seq2[V, error] {
	return AheadWithin(ctx, n, far, 0, func(K) int64 { return 0 }, items, read)
}

// AheadWithin is FarAhead where items have a weight: those that are read, whose results wait, and the one whose
// result is looked at weigh no more than most together, or it is one alone. So a few that are large take no more
// memory than many that are small.
func AheadWithin[K, V any](ctx context.Context, n, far int, most int64, weight func(K) int64, items iter.Seq[K], read func(context.Context, K) (V, error)) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		a := &ahead[K, V]{read: read, results: make(chan waiting[V], far), jobs: make(chan job[K, V]), most: most, weight: weight, lighter: make(chan struct{}, 1)}
		go a.hand(ctx, n, items)
		defer func() {
			cancel()
			for w := range a.results {
				<-w.slot
			}
		}()
		for w := range a.results {
			r := <-w.slot
			if !yield(r.v, r.err) {
				return
			}
			a.release(w.weight)
		}
	}
}

type ahead[K, V any] struct {
	read    func(context.Context, K) (V, error)
	results chan waiting[V] // in the order of the items
	jobs    chan job[K, V]

	most    int64
	weight  func(K) int64
	held    atomic.Int64
	lighter chan struct{} // held has become less
}

// waiting is a result that is read, or will be.
type waiting[V any] struct {
	slot   chan result[V]
	weight int64
}

type result[V any] struct {
	v   V
	err error
}

// acquire waits until there is room for an item. Only one goroutine asks.
func (a *ahead[K, V]) acquire(ctx context.Context, weight int64) bool {
	for {
		if held := a.held.Load(); held == 0 || held+weight <= a.most {
			a.held.Add(weight)
			return true
		}
		select {
		case <-a.lighter:
		case <-ctx.Done():
			return false
		}
	}
}

func (a *ahead[K, V]) release(weight int64) {
	a.held.Add(-weight)
	select {
	case a.lighter <- struct{}{}:
	default: // it is known already
	}
}

type job[K, V any] struct {
	item K
	slot chan result[V]
}

// hand gives the items to workers, which it starts as they are needed, up to n.
func (a *ahead[K, V]) hand(ctx context.Context, n int, items iter.Seq[K]) {
	defer close(a.results)
	defer close(a.jobs)
	if err := Guarded(func() error { a.handAll(ctx, n, items); return nil }); err != nil {
		last := make(chan result[V], 1)
		last <- result[V]{err: err}
		select {
		case a.results <- waiting[V]{slot: last}:
		case <-ctx.Done():
		}
	}
}

func (a *ahead[K, V]) handAll(ctx context.Context, n int, items iter.Seq[K]) {
	workers := 0
	for item := range items {
		j := job[K, V]{item, make(chan result[V], 1)}
		weight := a.weight(item)
		if !a.acquire(ctx, weight) {
			return
		}
		select {
		case a.results <- waiting[V]{j.slot, weight}:
		case <-ctx.Done():
			return
		}
		select {
		case a.jobs <- j:
			continue
		default:
		}
		if workers < n {
			workers++
			go a.work(ctx, j)
			continue
		}
		a.jobs <- j
	}
}

// work reads the first item it is given, and then those that come.
func (a *ahead[K, V]) work(ctx context.Context, j job[K, V]) {
	a.do(ctx, j)
	for j := range a.jobs {
		a.do(ctx, j)
	}
}

func (a *ahead[K, V]) do(ctx context.Context, j job[K, V]) {
	var r result[V]
	r.err = Guarded(func() (err error) {
		r.v, err = a.read(ctx, j.item)
		return err
	})
	j.slot <- r
}

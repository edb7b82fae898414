package storage

import (
	"context"
	"fmt"
	"iter"
)

// Ahead calls read for every item of items, with up to n calls under way at once, and yields the
// results in the order of items. A caller that stops ranging stops the reading; every goroutine has
// ended when the sequence has. A panic in read becomes the error of that item.
func Ahead[K, V any](ctx context.Context, n int, items iter.Seq[K], read func(context.Context, K) (V, error)) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		type result struct {
			v   V
			err error
		}
		queue := make(chan chan result, n)
		go func() {
			defer close(queue)
			for item := range items {
				slot := make(chan result, 1)
				select {
				case queue <- slot:
				case <-ctx.Done():
					return
				}
				go func() {
					var r result
					defer func() {
						if p := recover(); p != nil {
							r.err = fmt.Errorf("reading broke down: %v", p)
						}
						slot <- r
					}()
					r.v, r.err = read(ctx, item)
				}()
			}
		}()
		defer func() {
			cancel()
			for slot := range queue {
				<-slot
			}
		}()
		for slot := range queue {
			r := <-slot
			if !yield(r.v, r.err) {
				return
			}
		}
	}
}

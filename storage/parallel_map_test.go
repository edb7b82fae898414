package storage

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func numbers(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func TestParallelMapKeepsOrderAndBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		began := time.Now()
		var got []int
		for v, err := range ParallelMap(t.Context(), 4, numbers(16), func(_ context.Context, i int) (int, error) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			time.Sleep(time.Duration(17-i) * time.Millisecond) // later items are ready sooner
			return i, nil
		}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if !slices.IsSorted(got) || len(got) != 16 {
			t.Errorf("order: %v", got)
		}
		if most.Load() > 4 {
			t.Errorf("%d reads at once, want at most 4", most.Load())
		}
		if one := 17 * 16 / 2 * time.Millisecond; time.Since(began) > one/2 {
			t.Errorf("took %v: not side by side", time.Since(began))
		}
	})
}

// TestParallelMapEnds holds that no goroutine is left: the bubble of synctest waits for all of them.
func TestParallelMapEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := func(ctx context.Context, i int) (int, error) {
			if i > 2 {
				<-ctx.Done()
				return i, ctx.Err()
			}
			return i, nil
		}
		for v, err := range ParallelMap(t.Context(), 8, numbers(1000), wait) {
			if v == 2 || err != nil {
				break
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var last error
		for _, err := range ParallelMap(ctx, 8, numbers(1000), wait) {
			last = err
		}
		if !errors.Is(last, context.DeadlineExceeded) {
			t.Errorf("last error %v", last)
		}
	})
}

func TestParallelMapSurvivesAPanicOfItsItems(t *testing.T) {
	items := func(yield func(int) bool) {
		yield(1)
		yield(2)
		panic("a bad name")
	}
	var got []int
	var last error
	for v, err := range ParallelMap(t.Context(), 2, items, func(_ context.Context, i int) (int, error) { return i, nil }) {
		if last = err; err == nil {
			got = append(got, v)
		}
	}
	if _, ok := errors.AsType[*BrokenError](last); !ok || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v, then %v", got, last)
	}
}

func TestParallelMapSurvivesPanic(t *testing.T) {
	var errs int
	for _, err := range ParallelMap(t.Context(), 2, numbers(5), func(_ context.Context, i int) (int, error) {
		if i == 3 {
			panic("a bad file")
		}
		return i, nil
	}) {
		if err != nil {
			errs++
		}
	}
	if errs != 1 {
		t.Errorf("%d errors, want 1", errs)
	}
}

// TestMaxWeight: items that are read, wait or are looked at weigh no more than is allowed, but for one alone.
func TestMaxWeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		weigh := func(i int) int64 { return []int64{1, 1, 5, 0, 30, 2, 2, 7, 1, 12}[i%10] }
		var held, at atomic.Int64
		var got []int
		for i, err := range ParallelMap(t.Context(), 8, numbers(200), func(_ context.Context, i int) (int, error) {
			now := held.Add(weigh(i))
			if n := at.Add(1); now > 10 && weigh(i) > 0 && now != weigh(i) {
				t.Errorf("item %d: %d are held by %d items", i, now, n)
			}
			time.Sleep(time.Duration(17-i%17) * time.Millisecond)
			return i, nil
		}, MaxWaiting[int](16), MaxWeight(10, weigh)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, i)
			held.Add(-weigh(i))
			at.Add(-1)
		}
		if !slices.IsSorted(got) || len(got) != 200 {
			t.Errorf("order: %v", got)
		}
		for range ParallelMap(t.Context(), 8, numbers(200), func(_ context.Context, i int) (int, error) { return i, nil }, MaxWeight(10, weigh)) {
			break // while others wait for room
		}
	})
}

package kit

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestStreamReadsOnePageAheadAndEndsWithItsScreen(t *testing.T) {
	life, leave := context.WithCancel(t.Context())
	var made atomic.Int64
	ended := make(chan struct{})
	first := Stream(life, 7, func(yield func(int64, error) bool) {
		defer close(ended)
		for yield(made.Add(1), nil) {
		}
	})
	p := first().(Chunk[int64])
	if p.To != 7 || p.Next == nil || len(p.Items) == 0 || len(p.Items) > chunkSize {
		t.Fatalf("page to %d of %d items", p.To, len(p.Items))
	}
	time.Sleep(10 * time.Millisecond)
	if n := made.Load(); n > int64(len(p.Items))+chunkSize+2 {
		t.Errorf("%d items were read for a page of %d", n, len(p.Items))
	}
	leave()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the reading goes on after its screen was left")
	}
}

func TestStreamKeepsOrderAndTheErrorOfItsEnd(t *testing.T) {
	var got []int
	var last error
	end := errors.New("connection reset")
	cmd := Stream(t.Context(), 1, func(yield func(int, error) bool) {
		for i := range 1000 {
			yield(i, nil)
		}
		yield(0, end)
	})
	for cmd != nil {
		p := cmd().(Chunk[int])
		got, cmd = append(got, p.Items...), p.Next
		if p.Err != nil {
			last = p.Err
		}
	}
	for i, v := range got {
		if i != v {
			t.Fatalf("item %d is %d", i, v)
		}
	}
	if len(got) != 1000 || !errors.Is(last, end) {
		t.Errorf("%d items, error %v", len(got), last)
	}
}

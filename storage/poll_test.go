package storage

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		stop := Poll(time.Second, func() { calls++ })
		time.Sleep(3500 * time.Millisecond)
		stop()
		stop()
		time.Sleep(time.Minute)
		if calls != 3 {
			t.Errorf("%d calls in 3.5 s, and none later: want 3", calls)
		}
	})
}

func TestPollSurvivesAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		stop := Poll(time.Second, func() { calls++; panic("a bad line") })
		time.Sleep(10 * time.Second)
		stop()
		if calls != 1 {
			t.Errorf("%d calls, want 1", calls)
		}
	})
}

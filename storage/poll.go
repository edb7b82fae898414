package storage

import (
	"sync"
	"time"
)

// Poll calls f in a goroutine, with a pause of d before each call, until stop is called. When stop returns, f has
// returned and is not called any more. An f that panics is not called again.
func Poll(d time.Duration, f func()) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(d)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if Recover(func() error { f(); return nil }) != nil {
					return
				}
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		<-ended
	})
}

package storage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFileThatGrowsWhileRead: what is appended while a file is read is bounded by what is asked for, and reading ends.
func TestFileThatGrowsWhileRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "offsets", "0")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.Repeat([]byte("x"), 100_000), 0o644); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for more := bytes.Repeat([]byte("y"), 1<<16); ; {
			select {
			case <-stop:
				return
			default:
				if _, err := f.Write(more); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}
	}()
	s := open(t, dir, Options{})
	const limit = 4 << 20
	for range 50 {
		began := time.Now()
		data, err := ReadFile(t.Context(), s, "offsets/0", limit)
		if _, longer := err.(*TooLargeError); err != nil && !longer || len(data) > limit || len(data) < 100_000 {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		if p := make([]byte, 10); true {
			if n, err := ReaderAt(t.Context(), s, "offsets/0").ReadAt(p, 50_000); n != 10 || err != nil || p[0] != 'x' {
				t.Errorf("at random: %q, %v", p[:n], err)
			}
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("reading took %v", took)
		}
	}
	close(stop)
	<-stopped
}

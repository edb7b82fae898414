package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"

	"tidemark/checkpoint/statestore"
)

// stderr is what is written there, by whoever writes it.
type stderr struct {
	mu   sync.Mutex
	text string
}

func (w *stderr) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text += string(p)
	return len(p), nil
}

func (w *stderr) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text
}

// The line comes while the first row is waited for, tells how far it has come, is away while an error is
// written, and in the end.
func TestProgressOfRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &stderr{}
		p := &rowProgress{progress: &progress{w: w, now: time.Now, began: time.Now()}, partitions: 5, traffic: func() string { return "9 requests" }}
		slowly := func(yield func(statestore.Row, error) bool) {
			for i := range 10 { // two rows in each partition
				time.Sleep(1050 * time.Millisecond)
				if i == 7 && !yield(statestore.Row{}, errors.New("cut off")) || !yield(statestore.Row{Partition: i / 2}, nil) {
					return
				}
			}
			time.Sleep(1050 * time.Millisecond)
		}
		seen := 0
		for _, err := range watched(p, slowly, func(r *statestore.Row) (int, int64) { return r.Partition, 1 }) {
			if err != nil {
				before := w.String()
				time.Sleep(10 * time.Second) // whoever writes now has the line for himself
				if w.String() != before || !strings.HasSuffix(before, "\r\x1b[K") {
					t.Errorf("an error is written beside %q", before)
				}
				fmt.Fprintln(w, "tidemark: cut off")
				continue
			}
			if seen++; seen == 1 && !strings.HasSuffix(w.String(), "\r\x1b[Kno rows yet, 0 of 5 partitions; ctrl+c stops; 9 requests") {
				t.Errorf("before the first row: %q", w.String())
			}
		}
		text := w.String()
		if seen != 10 || !strings.HasSuffix(text, "9 requests\r\x1b[K") || !strings.Contains(text, "\r\x1b[Ktidemark: cut off\n") {
			t.Errorf("%d rows, %q", seen, text)
		}
		for _, part := range []string{"\r\x1b[K1 row, 0 of 5 partitions; ctrl+c stops; 9 requests", "\r\x1b[K6 rows, 2 of 5 partitions, some seconds left; ctrl+c stops; 9 requests"} {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in %q", part, text)
			}
		}
	})
}

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		rows, partition, before int64
		after                   time.Duration
		want                    string
	}{
		{100, 0, 0, time.Minute, "100 rows, 0 of 200 partitions"},
		{1_000_000, 50, 1_000_000, time.Minute, "1,000,000 rows, 50 of 200 partitions, about 3 min left"},
		{1_010_000, 50, 1_000_000, time.Minute, "1,010,000 rows, 50 of 200 partitions, about 3 min left"},
		{3_990_000, 199, 3_980_000, time.Hour, "3,990,000 rows, 199 of 200 partitions, some seconds left"},
		{100, 100, 100, 20 * time.Second, "100 rows, 100 of 200 partitions, about 20 s left"},
		{100, 10, 100, 10 * time.Minute, "100 rows, 10 of 200 partitions, about 3 h left"},
		{0, 5, 0, time.Minute, "no rows yet, 5 of 200 partitions"},
	} {
		p := &rowProgress{partitions: 200}
		p.rows.Store(c.rows)
		p.partition.Store(c.partition)
		p.before.Store(c.before)
		if got := p.text(c.after); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A line that would wrap could not be taken away.
func TestProgressIsOneLine(t *testing.T) {
	_, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"12 rows":               "12 rows",
		strings.Repeat("x", 39): strings.Repeat("x", 39),
		strings.Repeat("x", 40): strings.Repeat("x", 36) + "...",
		strings.Repeat("李", 30): strings.Repeat("李", 18) + "...",
	} {
		if got := oneLine(text, tty); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Progress is for a person at a terminal that can be written over, and never among the rows.
func TestWhereProgressIsTold(t *testing.T) {
	_, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	s := &statestore.State{}
	var pipe bytes.Buffer
	for _, c := range []struct {
		name       string
		out, errs  bool // whether they are terminals
		term       string
		quiet, got bool
	}{
		{"rows into a pipe", false, true, "xterm", false, true},
		{"rows to the terminal", true, true, "xterm", false, false},
		{"rows to a file", true, true, "xterm", true, true},
		{"no terminal", false, false, "xterm", true, false},
		{"a dumb terminal", false, true, "dumb", true, false},
	} {
		config := program(nil, "")
		config.Out, config.Err, config.Getenv = &pipe, &pipe, func(string) string { return c.term }
		if c.out {
			config.Out = tty
		}
		if c.errs {
			config.Err = tty
		}
		a := &app{Config: config}
		if got := a.rowProgress(s, -1, c.quiet) != nil; got != c.got {
			t.Errorf("%s: progress is told: %v", c.name, got)
		}
	}
}

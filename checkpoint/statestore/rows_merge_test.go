package statestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"testing"

	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// TestOverlay puts changes on top of a whole file: what lies in it, what changes, and what is there then.
func TestOverlay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		story, below, changes, want string
		comma, sorted               bool
		prefix                      string
	}{
		{"no changes", "a=1 b=2", "", "a=1 b=2", false, false, ""},
		{"a new value in its old place", "a=1 b=2", "put a 3", "a=3 b=2", false, false, ""},
		{"later changes win", "", "put a 1, put a 2, delete b, put b 3", "a=2 b=3", false, false, ""},
		{"removed, and put again", "a=1", "delete a, put a 2", "a=2", false, false, ""},
		{"removed for good", "a=1 b=2", "put a 3, delete a", "b=2", false, false, ""},
		{"new keys come last without an order", "b=1", "put a 2, put c 3", "b=1 a=2 c=3", false, false, ""},
		{"new keys come in order with one", "b=1 d=1", "put c 3, put a 2, put e 4", "a=2 b=1 c=3 d=1 e=4", false, true, ""},
		{"elements follow those below", "a=1", "merge a 2, merge a 3", "a=123", false, true, ""},
		{"elements with a comma between them", "a=1", "merge a 2, merge a 3", "a=1,2,3", true, true, ""},
		{"elements of a new list", "", "merge a 2, merge a 3", "a=2,3", true, true, ""},
		{"elements follow a put, not what lies below it", "a=1", "put a 2, merge a 3", "a=23", false, true, ""},
		{"elements after a removal", "a=1", "delete a, merge a 3", "a=3", false, true, ""},
		{"a removed range hides what lies below", "a=1 b=1 c=1", "range a c", "c=1", false, true, ""},
		{"a removed range takes changes before it, and none after it", "a=1", "put b 2, range a c, put a 3", "a=3", false, true, ""},
		{"elements after a removed range begin anew", "a=1", "range a b, merge a 2", "a=2", false, true, ""},
		{"only keys of one family", "xa=1 ya=1", "put xb 2, put yb 2", "xa=1 xb=2", false, true, "x"},
	}
	for _, test := range tests {
		o := &overlay{comma: test.comma, prefix: []byte(test.prefix)}
		ops := map[string]state.Op{"put": state.Put, "delete": state.Delete, "merge": state.Merge, "range": state.DeleteRange}
		for _, c := range strings.Split(test.changes, ", ") {
			f := append(strings.Fields(c), "", "", "")
			if f[0] != "" {
				o.add(located{Change: state.Change{Op: ops[f[0]], Key: []byte(f[1]), Value: []byte(f[2])}})
			}
		}
		var got []string
		for p, err := range o.over(pairsOf(test.below), test.sorted) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s=%s", p.key, p.value))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.story, got, test.want)
		}
	}
}

func pairsOf(text string) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		for _, f := range strings.Fields(text) {
			key, value, _ := strings.Cut(f, "=")
			if !yield(pair{key: []byte(key), value: []byte(value)}, nil) {
				return
			}
		}
	}
}

// An error below is passed on in its place, and what follows it still comes.
func TestOverlayPassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("a broken block")
	below := func(yield func(pair, error) bool) {
		_ = yield(pair{key: []byte("a")}, nil) && yield(pair{}, broken) && yield(pair{key: []byte("b")}, nil)
	}
	var got []string
	for p, err := range new(overlay).over(below, true) {
		got = append(got, fmt.Sprintf("%s%v", p.key, err))
	}
	if strings.Join(got, " ") != "a<nil> a broken block b<nil>" {
		t.Errorf("%q", got)
	}
}

// opened notes which files are opened.
type opened struct {
	storage.Store
	mu    sync.Mutex
	names []string
}

func (o *opened) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	o.mu.Lock()
	o.names = append(o.names, name)
	o.mu.Unlock()
	return o.Store.Open(ctx, name, offset, length)
}

// A key is looked for in the partition that its hash puts it in, and no state file of another is opened.
// Every key of every partition is found that way.
func TestFindReadsOnePartition(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"state-4.3-hdfs-hash-multi", "state-4.3-hdfs-rich-keys", "state-4.3-rocks-dedup", "state-3.5-rocks-window-agg",
		"state-4.3-rockscl-session", "state-4.3-rockscl-ckptv2-window-agg",
	} {
		c := golden(t, name)
		spy := &opened{Store: c.Store()}
		c = c.With(spy)
		s, err := At(t.Context(), c, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.View("")
		if err != nil {
			t.Fatal(err)
		}
		keys := 0
		type stored struct {
			partition int
			key       string
		}
		var all []stored
		for r, err := range s.Rows(t.Context(), v, -1) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, stored{r.Partition, string(r.Key.AppendJSON(nil))})
		}
		for _, want := range all {
			spy.names = nil
			key := want.key
			l, err := s.Find(v, key)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			found := 0
			for r, err := range l.Rows(t.Context(), l.Partition) {
				if err != nil || string(r.Key.AppendJSON(nil)) != key {
					t.Errorf("%s: %s: %v", name, key, err)
				}
				found++
			}
			if found != 1 || l.Partition != want.partition {
				t.Errorf("%s: %s: %d rows in partition %d, want one in %d", name, key, found, l.Partition, want.partition)
			}
			for _, file := range spy.names {
				if strings.HasPrefix(file, "state/") && !strings.HasPrefix(file, fmt.Sprintf("state/0/%d/", want.partition)) {
					t.Errorf("%s: %s: %s was opened", name, key, file)
				}
			}
			keys++
		}
		if keys < 5 {
			t.Errorf("%s: only %d keys", name, keys)
		}
	}
}

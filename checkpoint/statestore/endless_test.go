package statestore

import (
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/storage"
)

// endless is a Store in which each file has a gigabyte: what it begins with, and one character again and again.
type endless struct {
	begins map[string]string
	again  byte
	read   atomic.Int64 // bytes
}

func (s *endless) String() string { return "endless" }

func (s *endless) List(_ context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		names := map[string]bool{}
		for name := range s.begins {
			rest, ok := strings.CutPrefix(name, dir+"/")
			if dir == "." {
				rest, ok = name, true
			}
			if ok {
				base, _, folder := strings.Cut(rest, "/")
				names[base] = folder
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			e := storage.Entry{Name: name, Dir: names[name]}
			if !e.Dir {
				e.Size = 1 << 30
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *endless) Open(_ context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	begins, ok := s.begins[name]
	if !ok {
		return inMemory(nil).Open(context.Background(), name, offset, length)
	}
	if length < 0 || offset+length > 1<<30 {
		length = 1<<30 - offset
	}
	return io.NopCloser(&endlessReader{s, begins, offset, offset + length}), nil
}

type endlessReader struct {
	s        *endless
	begins   string
	at, ends int64
}

func (r *endlessReader) Read(p []byte) (int, error) {
	if p = p[:min(int64(len(p)), r.ends-r.at)]; len(p) == 0 {
		return 0, io.EOF
	}
	n := 0
	if r.at < int64(len(r.begins)) {
		n = copy(p, r.begins[r.at:])
	}
	for i := range p[n:] {
		p[n+i] = r.s.again
	}
	r.at += int64(len(p))
	r.s.read.Add(int64(len(p)))
	return len(p), nil
}

// TestEndlessFiles: logs whose lines have a gigabyte each, of blanks or of brackets. As much is read of
// one as is read of any, few at a time, and it is said how much that is.
func TestEndlessFiles(t *testing.T) {
	t.Parallel()
	for _, again := range []byte{' ', '['} {
		s := &endless{again: again, begins: map[string]string{
			"metadata":                   `{"id":"`,
			"offsets/0":                  "v1\n",
			"offsets/1":                  "v1\n{\"batchWatermarkMs\":0,\"conf\":{}}\n{\"orders\":",
			"commits/0":                  "v1\n",
			"state/0/0/_metadata/schema": "\x00\x02v2\x7f\xff\xff\xff",
			"sources/0/0":                "v1\n",
		}}
		c, err := checkpoint.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		survey, err := ReadSurvey(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]string{}
		for _, u := range survey.AllUnread() {
			told[u.Name] = u.Err.Error()
		}
		for _, b := range []*checkpoint.Batch{survey.Standing.Last, survey.Standing.Before} {
			for _, u := range b.Unread {
				told[u.Name] = u.Err.Error()
			}
		}
		for _, name := range []string{"metadata", "offsets/0", "offsets/1", "commits/0", "state/0/0/_metadata/schema"} {
			if !strings.Contains(told[name], "bytes tidemark reads") {
				t.Errorf("%q again and again, %s: %q", again, name, told[name])
			}
		}
		if read := s.read.Load(); read > 4*log.Limit {
			t.Errorf("%q again and again: %d bytes are read", again, read)
		}
	}
}

package storage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

// keeping is a store over files in memory that were changed last an hour ago, in a cache of so many bytes.
func keeping(m fstest.MapFS, room int64) (*cache, *script) {
	for _, f := range m {
		f.ModTime = time.Now().Add(-time.Hour)
	}
	b := &script{backend: &fsBackend{m, "memory"}, before: always}
	return cachedStore(asStore(b), room), b
}

// look lists a folder once more and reads all of it.
func look(t *testing.T, s Store, dir string) string {
	t.Helper()
	Refresh(s)
	var all []string
	for name := range strings.FieldsSeq(listing(t, s, dir)) {
		got, err := read(t.Context(), s, dir+"/"+name, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got)
	}
	return strings.Join(all, " ")
}

// TestBelieved: what a listing shows as it was is not read again, but where its times prove nothing.
func TestBelieved(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*fstest.MapFile) // it is read the first time
		wait   time.Duration         // then
		want   string                // after its bytes have changed, and nothing else
	}{
		{"an old file", func(*fstest.MapFile) {}, time.Second, "old"},
		{"not for ever", func(*fstest.MapFile) {}, believed, "new"},
		{"changed within the resolution of the clock", func(f *fstest.MapFile) { f.ModTime = time.Now().Add(-settled / 2) }, time.Second, "new"},
		{"of the future", func(f *fstest.MapFile) { f.ModTime = time.Now().Add(time.Hour) }, time.Second, "new"},
		{"a store without times", func(f *fstest.MapFile) { f.ModTime = time.Time{} }, time.Second, "new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fstest.MapFile{Data: []byte("old")}
				s, _ := keeping(fstest.MapFS{"offsets/0": f}, 1<<20)
				c.before(f)
				if got := look(t, s, "offsets"); got != "old" {
					t.Fatal(got)
				}
				f.Data = []byte("new")
				time.Sleep(c.wait)
				if got := look(t, s, "offsets"); got != c.want {
					t.Errorf("it reads %q, want %q", got, c.want)
				}
			})
		})
	}
}

// TestReadBeforeListed: a listing says nothing of a file that was read before it.
func TestReadBeforeListed(t *testing.T) {
	f := &fstest.MapFile{Data: []byte("old")}
	s, _ := keeping(fstest.MapFS{"offsets/0": f}, 1<<20)
	if got, err := read(t.Context(), s, "offsets/0", 0, -1); got != "old" || err != nil {
		t.Fatal(got, err)
	}
	f.Data = []byte("new")
	listing(t, s, "offsets")
	if got := look(t, s, "offsets"); got != "new" {
		t.Errorf("it reads %q", got)
	}
}

// TestLogLongerThanTheRoom: of a log that does not fit, as much as fits is not read again, round for round.
func TestLogLongerThanTheRoom(t *testing.T) {
	m := fstest.MapFS{}
	for i := range 100 {
		m[fmt.Sprintf("offsets/%02d", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", 1000-perValue-len("offsets/00")))}
	}
	s, b := keeping(m, 65_000)
	for range 3 {
		look(t, s, "offsets")
	}
	before := b.calls.Load()
	look(t, s, "offsets")
	if n := b.calls.Load() - before; n > 55 {
		t.Errorf("%d requests for 100 files, of which more than half are kept", n)
	}
}

// TestReopener: a folder is opened again and again, and only what has changed in it is read again.
func TestReopener(t *testing.T) {
	dir := onDisk(t, map[string]string{"offsets/0": "zero", "offsets/1": "one", "offsets/2": "two", "offsets/3": "three"})
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	file := func(name string) string { return filepath.Join(dir, "offsets", name) }
	put := func(name, data string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file(name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"0", "1", "2", "3"} {
		data, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		put(name, string(data), old)
	}
	reopener := Reopener{Now: anHourLater}
	o := Options{Meter: new(Meter)}
	round := func(wantFiles string, wantReads int64) {
		t.Helper()
		before := o.Meter.Snapshot()
		s, err := reopener.Open(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := look(t, s, "offsets"); got != wantFiles {
			t.Errorf("it reads %q, want %q", got, wantFiles)
		}
		if s.String() != dir {
			t.Errorf("it is called %q", s)
		}
		if got := o.Meter.Snapshot().Reads - before.Reads; got != wantReads {
			t.Errorf("%d files were read, want %d", got, wantReads)
		}
	}
	round("zero one two three", 4)
	round("zero one two three", 0)
	put("1", "ONE", old.Add(time.Minute)) // another time
	put("2", "twice", old)                // another size
	round("zero ONE twice three", 2)
	if err := os.Remove(file("0")); err != nil {
		t.Fatal(err)
	}
	round("ONE twice three", 0)
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if _, err := reopener.Open(t.Context(), dir, o); err == nil {
		t.Error("a folder that is gone is opened")
	}
	if err := os.MkdirAll(filepath.Join(dir, "offsets"), 0o700); err != nil {
		t.Fatal(err)
	}
	put("3", "a new folder", old)
	round("a new folder", 1)
}

// anHourLater is a clock by which what was written just now is old.
func anHourLater() time.Time { return time.Now().Add(time.Hour) }

// TestReopenerSeesTheDisk: what is read long after a round is what is on the disk by then.
func TestReopenerSeesTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fstest.MapFile{Data: []byte("old")}
		s, _ := keeping(fstest.MapFS{"offsets/0": f}, 1<<20)
		s.disk = true
		look(t, s, "offsets")
		f.Data = []byte("new")
		if got, err := read(t.Context(), s, "offsets/0", 0, -1); got != "old" || err != nil {
			t.Errorf("within the round it reads %q, %v", got, err)
		}
		time.Sleep(oneRound + time.Second)
		if got, err := read(t.Context(), s, "offsets/0", 0, -1); got != "new" || err != nil {
			t.Errorf("after it %q, %v", got, err)
		}
	})
}

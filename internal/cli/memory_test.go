package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/ui/kit"
)

func TestMemory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "tidemark")
	m := &memory{dir}
	if r, err := m.Recents(); len(r) != 0 || err != nil {
		t.Fatalf("where nothing was remembered: %v %v", r, err)
	}
	for i, r := range []kit.Recent{
		{Location: "s3://b/orders", Verdict: ""}, {Location: "/mnt/cp", Verdict: "critical"}, {Location: "s3://b/orders", Verdict: "ok"}, {Location: demoPrefix + "gap", Verdict: "ok"},
	} {
		r.When = now.Add(time.Duration(i) * time.Minute)
		if err := m.Visit(r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.Recents()
	if want := "[{s3://b/orders 2026-11-29 14:04:00 +0000 UTC ok} {/mnt/cp 2026-11-29 14:03:00 +0000 UTC critical}]"; fmt.Sprint(got) != want || err != nil {
		t.Errorf("%v %v, want %s", got, err, want)
	}

	marks := []kit.Bookmark{{Location: "s3://b/orders", View: "batch 7", When: now}, {Location: "s3://b/orders", When: now.Add(time.Second)}}
	for _, b := range append(marks, marks[0]) {
		if err := m.Mark(b); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := m.Bookmarks(); len(got) != 2 || got[0].View != "" || got[1] != marks[0] || err != nil {
		t.Errorf("%v %v", got, err)
	}
	for range 2 {
		if err := m.Unmark(marks[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := m.Bookmarks(); len(got) != 1 {
		t.Errorf("%v", got)
	}

	err = filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", name, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemoryLasts: a relative path is remembered as it leads there from everywhere, and no password at all.
func TestMemoryLasts(t *testing.T) {
	m := &memory{t.TempDir()}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{"testdata": filepath.Join(here, "testdata"), "https://u:hunter2@h/x?sig=abc": "https://…@h/x?…", "file:/mnt/cp": "file:/mnt/cp"} {
		if err := m.Visit(kit.Recent{Location: location, When: now}); err != nil {
			t.Fatal(err)
		}
		if r, _ := m.Recents(); !strings.Contains(fmt.Sprint(r), "{"+want+" ") || strings.Contains(fmt.Sprint(r), "hunter2") {
			t.Errorf("%s: %v, want %s", location, r, want)
		}
	}
}

// TestMemoryDamaged: a file that is not understood is told and kept, and the others are read.
func TestMemoryDamaged(t *testing.T) {
	m := &memory{t.TempDir()}
	for _, l := range []string{"/a", "/b"} {
		if err := m.Visit(kit.Recent{Location: l, When: now}); err != nil {
			t.Fatal(err)
		}
	}
	torn := m.file(recentDir, "/a")
	if err := os.WriteFile(torn, []byte(`{"location": "/a", "whe`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := m.Recents()
	if len(got) != 1 || err == nil || !strings.Contains(err.Error(), "it is kept as "+filepath.Base(torn)+".damaged") {
		t.Errorf("%v %v", got, err)
	}
	if data, err := os.ReadFile(torn + damagedSuffix); string(data) != `{"location": "/a", "whe` {
		t.Errorf("%q %v", data, err)
	}
	if got, err := m.Recents(); len(got) != 1 || err != nil {
		t.Errorf("it is told again: %v %v", got, err)
	}
	if err := m.Visit(kit.Recent{Location: "/a", When: now}); err != nil {
		t.Error(err)
	}
}

// TestMemoryTogether: runs at once lose nothing and break nothing.
func TestMemoryTogether(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for run := range 8 {
		wg.Go(func() {
			m := &memory{dir}
			for i := range 8 {
				if err := m.Visit(kit.Recent{Location: fmt.Sprintf("/cp/%d-%d", run, i), When: now}); err != nil {
					t.Error(err)
				}
				if err := m.Visit(kit.Recent{Location: "/cp/all", When: now, Verdict: fmt.Sprint(run)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := (&memory{dir}).Recents()
	if len(got) != 65 || err != nil {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

func TestMemoryForgetsTheOldest(t *testing.T) {
	m := &memory{t.TempDir()}
	for i := range keptRecents + 5 {
		if err := m.Visit(kit.Recent{Location: fmt.Sprintf("/cp/%d", i), When: now.Add(time.Duration(i) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.Recents()
	if len(got) != keptRecents || got[len(got)-1].Location != "/cp/5" || err != nil {
		t.Errorf("%d, the oldest %v, %v", len(got), got[len(got)-1], err)
	}
}

// TestMemoryNowhere: a home that cannot be written is an error to tell, one in a checkpoint is not written, and
// without a home or with --no-memory there is no memory.
func TestMemoryNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&memory{file}).Visit(kit.Recent{Location: "/cp", When: now}); err == nil {
		t.Error("a home that is a file is written")
	}
	cp := t.TempDir()
	for _, d := range []string{"offsets", "commits"} {
		if err := os.Mkdir(filepath.Join(cp, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&memory{filepath.Join(cp, "tidemark")}).Visit(kit.Recent{Location: "/elsewhere", When: now}); err == nil || !strings.Contains(err.Error(), "tidemark never writes there") {
		t.Error(err)
	}
	if all, _ := os.ReadDir(cp); len(all) != 2 {
		t.Errorf("the checkpoint has now %v", all)
	}
	a := &app{Config: program(nil, "")}
	a.Getenv = func(string) string { return "" }
	if a.memory() != nil {
		t.Error("there is a memory without a home")
	}
	a.Getenv = func(name string) string { return map[string]string{"HOME": cp}[name] }
	if a.memory() == nil {
		t.Error("there is no memory with a home")
	}
	a.flags.noMemory = true
	if a.memory() != nil {
		t.Error("there is a memory with --no-memory")
	}
}

// TestMemoryMarksWithinTheProgram: an example has no folder, so its bookmarks are found again from everywhere.
func TestMemoryMarksWithinTheProgram(t *testing.T) {
	m := &memory{t.TempDir()}
	if err := m.Mark(kit.Bookmark{Location: demoPrefix + "gap", View: "batch 3", When: now}); err != nil {
		t.Fatal(err)
	}
	got, err := m.Bookmarks()
	if err != nil || len(got) != 1 || got[0].Location != demoPrefix+"gap" || m.Lasting(demoPrefix+"gap") != got[0].Location {
		t.Errorf("%v %v", got, err)
	}
}

package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/ui/kit"
)

// someCheckpoint is a folder that looks like a checkpoint, and a sum over all names and contents in it.
func someCheckpoint(t *testing.T, dir string) (cp string, sum func() string) {
	t.Helper()
	cp = filepath.Join(dir, "cp")
	for name, data := range map[string]string{"metadata": `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`, "offsets/0": "v1\n{}\n{}", "commits/0": "v1\n{}", "state/0/0/1.delta": "x", "state/0/0/old.json": "{"} {
		name = filepath.Join(cp, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return cp, func() string {
		h := sha256.New()
		err := filepath.WalkDir(cp, func(name string, d fs.DirEntry, err error) error {
			data := []byte{}
			if err == nil && d.Type().IsRegular() {
				data, err = os.ReadFile(name)
			}
			fmt.Fprintf(h, "%s %q\n", name, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
}

// TestNothingIsWrittenThroughLinks: a hard link, a symbolic link of a file or of a folder on the way, whatever its
// name: no file of a checkpoint is opened for writing, made, renamed or removed.
func TestNothingIsWrittenThroughLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cp, sum := someCheckpoint(t, dir)
	before := sum()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	hard, soft, folder, deep := filepath.Join(dir, "hard"), filepath.Join(dir, "soft"), filepath.Join(dir, "folder"), filepath.Join(dir, "deep")
	must(os.Link(filepath.Join(cp, "metadata"), hard))
	must(os.Symlink(filepath.Join(cp, "metadata"), soft))
	must(os.Symlink(filepath.Join(cp, "state", "0", "0"), deep))
	must(os.Symlink(cp, folder))
	for _, name := range []string{hard, soft, filepath.Join(deep, "x"), filepath.Join(folder, "x"), filepath.Join(folder, "offsets", "1")} {
		status, _, errs := run(t.Context(), t, "check", cp, "--debug-log", name)
		if status != 2 || !strings.Contains(errs, "--debug-log: ") {
			t.Errorf("--debug-log %s: exit status %d, %s", name, status, errs)
		}
		a := &app{Config: program(nil, "../../testdata/demo")}
		if err := a.save(cp, name, []byte("{}")); err == nil {
			t.Errorf("%s was saved", name)
		}
		if _, err := newTarget("parquet", name, cp); err == nil {
			t.Errorf("--parquet %s was taken", name)
		}
	}
	for what, home := range map[string]func(at string){
		"the home of state leads to the checkpoint": func(at string) { must(os.Symlink(cp, at)) },
		"it leads deep into it":                     func(at string) { must(os.Symlink(filepath.Join(cp, "state", "0", "0"), at)) },
		"what is above it leads there":              func(at string) { must(os.Symlink(filepath.Join(cp, "state"), filepath.Dir(at))) },
		"the folder of a kind leads there": func(at string) {
			must(os.MkdirAll(at, 0o700))
			must(os.Symlink(filepath.Join(cp, "state", "0", "0"), filepath.Join(at, recentDir)))
		},
		"a link in it leads to a place not yet there": func(at string) { must(os.Symlink(filepath.Join(cp, "new"), at)) },
	} {
		at := filepath.Join(t.TempDir(), "up", "tidemark")
		if what != "what is above it leads there" {
			must(os.MkdirAll(filepath.Dir(at), 0o700))
		}
		home(at)
		m := &memory{at}
		if err := m.Visit(kit.Recent{Location: cp, When: time.Unix(0, 0)}); err == nil {
			t.Errorf("%s: a visit was remembered", what)
		}
		if err := m.Unmark(kit.Bookmark{Location: cp, View: "x"}); err == nil && what != "the folder of a kind leads there" {
			t.Errorf("%s: a mark was forgotten", what)
		}
		_, _ = m.Recents()
		_, _ = m.Bookmarks()
	}
	if sum() != before {
		t.Error("the checkpoint has changed")
	}
}

// TestStateHomeMayBeALink: a home elsewhere is fine where no checkpoint is.
func TestStateHomeMayBeALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "home")); err != nil {
		t.Fatal(err)
	}
	m := &memory{filepath.Join(dir, "home", "state", "tidemark")}
	if err := m.Visit(kit.Recent{Location: "s3://b/cp", When: time.Unix(0, 0)}); err != nil {
		t.Fatal(err)
	}
	if all, err := m.Recents(); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ---- locations

func TestOpenLocations(t *testing.T) {
	root := onDisk(t, map[string]string{"my cp/metadata": "plain", "2026-11-29T03:00/metadata": "colon", "a%20b/metadata": "escaped as typed", "cp.zip/metadata": "a folder"})
	t.Chdir(root)
	for _, c := range []struct{ location, name, want string }{
		{root + "/my cp", root + "/my cp", "plain"},
		{root + "/my cp///", root + "/my cp", "plain"},
		{"my cp", "my cp", "plain"},
		{"./my cp/", "./my cp", "plain"},
		{"file:" + root + "/my%20cp", "file:" + root + "/my%20cp", "plain"},
		{"file://" + root + "/my cp/", "file://" + root + "/my cp", "plain"},
		{"FILE://localhost" + root + "/my%20cp", "FILE://localhost" + root + "/my%20cp", "plain"},
		{"file:my cp", "file:my cp", "plain"},
		{"file:" + root + "/a%20b", "file:" + root + "/a%20b", "escaped as typed"}, // nothing is named "a b"
		{"2026-11-29T03:00", "2026-11-29T03:00", "colon"},
		{"cp.zip", "cp.zip", "a folder"},
	} {
		s, err := Open(t.Context(), c.location, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.location, err)
			continue
		}
		if got, err := read(t.Context(), s, "metadata", 0, -1); err != nil || got != c.want || s.String() != c.name {
			t.Errorf("%s: called %s, read %q with %v; want %s and %q", c.location, s, got, err, c.name, c.want)
		}
	}
}

func TestOpenWhatIsNotThere(t *testing.T) {
	root := onDisk(t, map[string]string{"notes.txt": "text"})
	for _, c := range []struct {
		location string
		missing  bool
		words    string
	}{
		{root + "/none", true, root + "/none"},
		{root + "/none/deeper", true, root + "/none/deeper"},
		{"file://" + root + "/no%20ne", true, root + "/no ne"},
		{"dbfs:/none/such", true, "/dbfs/none/such"},
		{root + "/notes.txt", false, "neither a folder nor an archive"},
		{root + "/notes.txt/x", false, "neither a folder nor an archive"},
		{"file://otherhost/x", false, "otherhost"},
		{"hdfs://nameservice/cp", false, "file:, s3:, s3a:, s3n:, dbfs:"},
		{"gs://bucket/cp", false, `"gs:"`},
		{"", false, "no path"},
		{"file:", false, "no path"},
	} {
		_, err := Open(t.Context(), c.location, Options{})
		if err == nil || errors.Is(err, fs.ErrNotExist) != c.missing || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%q: %v; want an error that says %q, fs.ErrNotExist: %v", c.location, err, c.words, c.missing)
		}
	}
}

func TestDBFSIsItsMount(t *testing.T) {
	for location, want := range map[string]string{
		"dbfs:/cp/orders": "/dbfs/cp/orders", "dbfs:///cp": "/dbfs/cp", "dbfs:/Volumes/a/b/c": "/dbfs/Volumes/a/b/c",
	} {
		if got := dbfsPath(location); got != want {
			t.Errorf("%s is %s, want %s", location, got, want)
		}
	}
}

// ---- what lies in a folder

func TestFolderKeepsLinksWithin(t *testing.T) {
	outside := onDisk(t, map[string]string{"secret": "outside", "state/1": "outside"})
	root := onDisk(t, map[string]string{"offsets/0": "inside", "deep/x/f": "deep"})
	for name, target := range map[string]string{
		"offsets/1": "0", "offsets/2": "../deep/x/f", "again": "offsets", "offsets/gone": "nothing", "loop": "loop",
		"secret": outside + "/secret", "offsets/out": "../../" + filepath.Base(outside) + "/secret", "state": outside + "/state", "absolute": root + "/offsets",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, root, Options{})
	for name, want := range map[string]string{"offsets/1": "inside", "offsets/2": "deep", "again/0": "inside"} {
		if got, err := read(t.Context(), s, name, 0, -1); err != nil || got != want {
			t.Errorf("%s: read %q with %v, want %q", name, got, err, want)
		}
	}
	if got, want := listing(t, s, "."), "absolute again/ deep/ loop offsets/ secret state"; got != want {
		t.Errorf("listed %q, want %q", got, want)
	}
	if got, want := listing(t, s, "offsets"), "0 1 2 out"; got != want {
		t.Errorf("listed %q, want %q: without the link to nothing", got, want)
	}
	for _, name := range []string{"secret", "offsets/out", "state/1", "absolute/0"} {
		got, err := read(t.Context(), s, name, 0, -1)
		if err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "leads out") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: read %q with %v, want an error that a link leads out", name, got, err)
		}
	}
	if err := listError(t.Context(), s, "state"); err == nil || !strings.Contains(err.Error(), "leads out") {
		t.Errorf("state: listed with %v, want an error that a link leads out", err)
	}
}

// A pipe in a checkpoint must not make the tool wait for a writer.
func TestFolderWithAPipe(t *testing.T) {
	root := onDisk(t, map[string]string{"f": "x"})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, root, Options{})
	if got := listing(t, s, "."); got != "f pipe" {
		t.Errorf("listed %q", got)
	}
	began := time.Now()
	if got, err := read(t.Context(), s, "pipe", 0, -1); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("read %q with %v, want that it is not a regular file", got, err)
	}
	if err := listError(t.Context(), s, "pipe"); err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("listed with %v after %v", err, time.Since(began))
	}
	if _, err := Open(t.Context(), filepath.Join(root, "pipe"), Options{}); err == nil {
		t.Error("a pipe was opened as a location")
	}
}

// Folders are kept open for a moment; one that was replaced meanwhile must not be read for long.
func TestFolderThatWasReplaced(t *testing.T) {
	root := onDisk(t, map[string]string{"state/0/1": "old", "new/0/1": "new", "new/0/2": "only new"})
	s := open(t, root, Options{})
	if got, err := read(t.Context(), s, "state/0/1", 0, -1); err != nil || got != "old" {
		t.Fatalf("read %q with %v", got, err)
	}
	for from, to := range map[string]string{"state": "replaced"} {
		if err := os.Rename(filepath.Join(root, from), filepath.Join(root, to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(root, "new"), filepath.Join(root, "state")); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), s, "state/0/2", 0, -1); err != nil || got != "only new" {
		t.Errorf("a file that only the new folder has: %q with %v", got, err)
	}
	time.Sleep(keptFor + 10*time.Millisecond)
	if got, err := read(t.Context(), s, "state/0/1", 0, -1); err != nil || got != "new" {
		t.Errorf("read %q with %v, want the new one", got, err)
	}
}

func TestFoldersAreNotKeptWithoutEnd(t *testing.T) {
	files := map[string]string{}
	for i := range 3 * keptFolders {
		files[fmt.Sprintf("state/0/%d/1.delta", i)] = "x"
	}
	l, err := openLocal(onDisk(t, files), "folder")
	if err != nil {
		t.Fatal(err)
	}
	s := asStore(l)
	for name := range files {
		if got, err := read(t.Context(), s, name, 0, -1); err != nil || got != "x" {
			t.Fatalf("%s: %q with %v", name, got, err)
		}
	}
	if n := l.folders.kept.Len(); n != keptFolders {
		t.Errorf("%d folders are open, want %d", n, keptFolders)
	}
}

func BenchmarkFolder(b *testing.B) {
	root := b.TempDir()
	dir := filepath.Join(root, "state/0/1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	const files = 10_000
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("a small file"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s, err := Open(b.Context(), root, Options{Meter: new(Meter)})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("list 10,000", func(b *testing.B) {
		for b.Loop() {
			if err := listError(b.Context(), s, "state/0/1"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := ReadFile(b.Context(), s, fmt.Sprint("state/0/1/", i%files), 1<<20); err != nil {
				b.Fatal(err)
			}
		}
	})
}

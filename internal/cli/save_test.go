package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSave writes what a person names in the explorer: a new file, in no checkpoint, whole or not at all.
func TestSave(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	cp := filepath.Join(dir, "cp")
	for _, name := range []string{"offsets", "commits"} {
		if err := os.MkdirAll(filepath.Join(cp, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	there := filepath.Join(dir, "there.json")
	if err := os.WriteFile(there, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(dir, "link")
	if err := os.Symlink(cp, linked); err != nil {
		t.Log("no links here:", err)
	}
	a := &app{Config: program(nil, "../../testdata/demo")}
	a.Getenv = func(name string) string { return map[string]string{"HOME": home}[name] }
	for _, c := range []struct{ why, name, wrong string }{
		{"a new file", filepath.Join(dir, "new.json"), ""},
		{"in the home folder", "~/new.json", ""},
		{"there already", there, "exists, and tidemark overwrites nothing"},
		{"in the checkpoint", filepath.Join(cp, "x.json"), "is in the checkpoint"},
		{"below it", filepath.Join(cp, "offsets", "12"), "is in the checkpoint"},
		{"in it through a link", filepath.Join(linked, "x.json"), "is in the checkpoint"},
		{"a folder", dir, "is a folder"},
		{"no folder", filepath.Join(dir, "none", "x"), "no such folder"},
		{"a bucket", "s3://bucket/x.json", "only on this machine"},
	} {
		err := a.save(cp, c.name, []byte("{}\n"))
		switch {
		case c.wrong == "" && err != nil:
			t.Errorf("%s: %v", c.why, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "--")):
			t.Errorf("%s: %v, want %q", c.why, err, c.wrong)
		}
	}
	for _, name := range []string{filepath.Join(dir, "new.json"), filepath.Join(home, "new.json")} {
		if data, err := os.ReadFile(name); err != nil || string(data) != "{}\n" {
			t.Errorf("%s holds %q, %v", name, data, err)
		}
	}
	if data, _ := os.ReadFile(there); string(data) != "mine" {
		t.Errorf("what was there is %q now", data)
	}
	entries, err := os.ReadDir(cp)
	if err != nil || len(entries) != 2 {
		t.Errorf("the checkpoint holds %v now (%v)", entries, err)
	}
}

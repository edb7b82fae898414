package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tidemark/internal/cli"
)

// spellings are ways to write the path of one folder; link is a symbolic link to it.
var spellings = []struct {
	name  string
	spell func(dir, relative, link string) string
}{
	{"relative", func(_, relative, _ string) string { return relative }},
	{"file:", func(dir, _, _ string) string { return "file:" + dir }},
	{"file:///", func(dir, _, _ string) string { return "file://" + dir }},
	{"file://localhost", func(dir, _, _ string) string { return "FILE://localhost" + dir + "/" }},
	{"slash behind it", func(dir, _, _ string) string { return dir + "/" }},
	{"dots", func(dir, _, _ string) string { return dir + "/./offsets/../../" + filepath.Base(dir) + "//." }},
	{"through a link", func(_, _, link string) string { return link }},
	{"file: through a link", func(_, _, link string) string { return "file:" + link + "/" }},
}

// TestAVerdictIsTheSameHoweverThePathIsSpelled compares check --json over every archived checkpoint, asked by its whole
// path and by one other spelling each: all of them over every few archives.
func TestAVerdictIsTheSameHoweverThePathIsSpelled(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for i, archive := range archives(t) {
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(archive)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			top := t.TempDir()
			unpack(t, f, top)
			dir, link := filepath.Join(top, "checkpoint"), filepath.Join(top, "link")
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				return // a case about something else than a folder
			}
			if _, err := os.Stat(filepath.Join(dir, "offsets")); err != nil {
				return // the way through it is one of the spellings
			}
			if err := os.Symlink(dir, link); err != nil {
				t.Fatal(err)
			}
			relative, err := filepath.Rel(here, dir)
			if err != nil {
				t.Fatal(err)
			}
			want, status := judged(t, dir)
			s := spellings[i%len(spellings)]
			location := s.spell(dir, relative, link)
			got, also := judged(t, location)
			if also != status {
				t.Errorf("%s (%s): exit %d, and %d by its whole path", location, s.name, also, status)
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s (%s): -by its whole path +so:\n%s", location, s.name, diff)
			}
		})
	}
}

// TestAVerdictIsTheSameFromWithin opens a checkpoint, and a part of one, from the folder itself.
func TestAVerdictIsTheSameFromWithin(t *testing.T) {
	f, err := os.Open("testdata/golden/kafka-uncommitted.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir := t.TempDir()
	unpack(t, f, dir)
	for _, part := range []string{"checkpoint", "checkpoint/offsets"} {
		full := filepath.Join(dir, part)
		want, status := judged(t, full)
		t.Chdir(full)
		for _, location := range []string{".", "./", "../" + filepath.Base(full), "file:" + full} {
			if got, also := judged(t, location); also != status || !gocmp.Equal(want, got) {
				t.Errorf("%s in %s: exit %d, and %d by its whole path\n%s", location, part, also, status, gocmp.Diff(want, got))
			}
		}
	}
}

// judged is what check --json prints, without the location, and its exit status.
func judged(t *testing.T, location string) (report map[string]any, status int) {
	t.Helper()
	status, out, errs := program(t, "check", location, "--json")
	dec := json.NewDecoder(strings.NewReader(out))
	dec.UseNumber()
	if err := dec.Decode(&report); err != nil {
		t.Fatalf("%s: exit %d, no JSON: %v\n%s", location, status, err, errs)
	}
	delete(report, "location")
	return report, status
}

// program runs one command line at a fixed time, with no setting of its user.
func program(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = cli.ExitStatus(cli.Run(t.Context(), cli.Config{
		Args: args, Out: &out, Err: &errs, Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }, Version: "test",
	}))
	return status, out.String(), errs.String()
}

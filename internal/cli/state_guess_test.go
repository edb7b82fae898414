package cli

import (
	"archive/tar"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// A release before 3.1 records no schema: the rows come all the same, and every form of them says that the
// columns are a guess. The checkpoint is one of 3.5 without its schema files.
func TestRowsOfAGuess(t *testing.T) {
	dir := withoutSchemas(t, "state-3.5-hdfs-dedup-nowm")
	const note = "note: the columns are a guess: no schema is recorded. "
	for _, test := range []struct {
		args             string
		status           int
		out, errs, never string
	}{
		{"", 0, "Operator 0, dedupe (inferred), default, after batch 2 (version 3). The columns are a guess:\nno schema is recorded. The bytes show", "", "note:"},
		{"", 0, "partition  key.column1  key.column2  value.column1\n", "", "BIGINT"},
		{"--ndjson", 0, `{"partition_id":0,"key":{"column1":"bob","column2":1},"value":{"column1":null}}` + "\n", note, ""},
		{"--csv", 0, "partition,key.column1,key.column2,value.column1\n", note, ""},
		{"--count", 0, "18\n", "", "note:"},
		{"--changes 1..2", 0, "from batch 1 (version 2) to batch 2 (version 3). The columns are a guess:\nno schema is recorded.", "", ""},
		{"--changes 1..2 --ndjson", 0, `{"change":"added","partition_id":0,"key":{"column1":`, note, `"change":"changed"`},
		{"--key bob --count", 0, "4\n", "", "note:"},
		{"--key ann --changes 1..2 --count", 0, "", "", "--key"},
		{"--key nobody", 0, "no rows", "note: no row has this key in all 2 partitions", ""},
	} {
		status, out, errs := run(t.Context(), t, append([]string{"state", dir, "--operator", "0"}, strings.Fields(test.args)...)...)
		if status != test.status || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || test.never != "" && strings.Contains(out+errs, test.never) {
			t.Errorf("%s: status %d\n%s\n%s", test.args, status, out, errs)
		}
	}
}

// withoutSchemas is a checkpoint that Spark wrote, in a folder of its own, without schemas and the like.
func withoutSchemas(t *testing.T, golden string) string {
	t.Helper()
	dir := t.TempDir()
	for h, data := range testfiles.In(t, filepath.Join("..", "..", "testdata", "golden", golden+".tar.gz")) {
		name, ok := strings.CutPrefix(h.Name, "checkpoint/")
		if !ok || h.Typeflag == tar.TypeDir || strings.Contains(name, "_metadata/") {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

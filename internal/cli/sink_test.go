package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesOfTheOutput: check --sink holds the files that the file sink's log names against those that lie there, by name and size.
func TestFilesOfTheOutput(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cp/metadata", `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)
	write("cp/offsets/0", "v1\n"+`{"batchWatermarkMs":0,"batchTimestampMs":1796000000000,"conf":{}}`+"\n"+`{"orders":{"0":10}}`)
	write("cp/commits/0", "v1\n"+`{"nextBatchWatermarkMs":0}`)
	write("out/_spark_metadata/0", "v1\n"+strings.Join([]string{
		`{"path":"file:///lake/out/day=1/part-0.parquet","size":4,"isDir":false,"modificationTime":1,"blockReplication":1,"blockSize":1,"action":"add"}`,
		`{"path":"file:///lake/out/day=1/part-1.parquet","size":4,"isDir":false,"modificationTime":1,"blockReplication":1,"blockSize":1,"action":"add"}`,
	}, "\n"))
	write("out/day=1/part-0.parquet", "PAR1")
	write("out/day=1/part-1.parquet", "PAR1")
	check := func() string {
		_, out, errs := run(t.Context(), t, "check", filepath.Join(root, "cp"), "--sink", filepath.Join(root, "out"), "--json")
		return out + errs
	}
	if out := check(); strings.Contains(out, "sink-file-missing") || !strings.Contains(out, "2 sink files with their sizes in the sink's log") {
		t.Errorf("all are there: %s", out)
	}
	write("out/day=1/part-1.parquet", "PA")
	if out := check(); !strings.Contains(out, "part-1.parquet with 4 bytes, and it has 2") || strings.Contains(out, "part-0.parquet") {
		t.Errorf("one is shorter: %s", out)
	}
}

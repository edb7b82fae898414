package state

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// zips yields the RocksDB snapshots of a golden checkpoint by their names in it.
func zips(t testing.TB, archive string) iter.Seq2[string, []byte] {
	t.Helper()
	return func(yield func(string, []byte) bool) {
		f, err := os.Open(filepath.Join(golden, archive+".tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		gz, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for files := tar.NewReader(gz); ; {
			head, err := files.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", archive, err)
			}
			if !strings.HasSuffix(head.Name, ".zip") {
				continue
			}
			data, err := io.ReadAll(files)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(strings.TrimPrefix(head.Name, "checkpoint/"), data) {
				return
			}
		}
	}
}

// TestZips reads every RocksDB snapshot that Spark wrote.
func TestZips(t *testing.T) {
	read, joins, families, damaged := 0, map[int]int{}, 0, map[string]string{}
	for _, archive := range archives(t) {
		for name, data := range zips(t, archive) {
			z, err := OpenZip(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Errorf("%s: %v", archive, err)
				continue
			}
			read++
			joins[z.MergeOperator]++
			if len(z.Families) > 0 {
				families++
			}
			for _, p := range z.Problems {
				damaged[archive+" "+name] += p.Error()
			}
			if len(z.SSTs) == 0 && z.NumKeys > 0 || z.NumKeys < 0 {
				t.Errorf("%s %s: %d tables for %d keys", archive, name, len(z.SSTs), z.NumKeys)
			}
		}
	}
	t.Logf("%d snapshots, %v, %d with column families: %q", read, joins, families, damaged)
	if read < 600 || joins[1] == 0 || joins[2] == 0 || families == 0 {
		t.Errorf("%d snapshots, lists joined as %v, %d with column families", read, joins, families)
	}
	for archive := range damaged {
		if !strings.Contains(archive, "damage-flipped-zip") {
			t.Errorf("%s: %s", archive, damaged[archive])
		}
	}
	if len(damaged) != 2 {
		t.Errorf("%d damaged snapshots, want those of Spark 4.1 and 4.3", len(damaged))
	}
}

// aZip is the newest snapshot of a join of Spark 4.3, with five column families.
func aZip(t testing.TB) (data []byte) {
	t.Helper()
	for name, b := range zips(t, "state-4.3-rocks-join-v3") {
		if strings.HasSuffix(name, "/9.zip") {
			data = b
		}
	}
	if data == nil {
		t.Fatal("no 9.zip")
	}
	return data
}

func openZip(data []byte) (*ZipFile, error) {
	return OpenZip("9.zip", bytes.NewReader(data), int64(len(data)))
}

var _ = errors.Is
var _ = decode.Cut

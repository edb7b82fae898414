package testfiles

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"os"
	"testing"
)

// In yields what is in a .tar.gz, in its order: the header of each member, and the bytes of a file. What cannot be
// read ends the test.
func In(t testing.TB, archive string) iter.Seq2[*tar.Header, []byte] {
	return func(yield func(*tar.Header, []byte) bool) {
		t.Helper()
		f, err := os.Open(archive)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(h, data) {
				return
			}
		}
	}
}

//go:build linux || darwin

package storage

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReopenerSeesARestoredFile: a file that was put back with its old time and size is another one.
func TestReopenerSeesARestoredFile(t *testing.T) {
	dir := onDisk(t, map[string]string{"offsets/0": "damaged"})
	old := time.Now().Add(-time.Hour)
	var reopener Reopener
	for _, data := range []string{"damaged", "genuine"} {
		backup, file := filepath.Join(dir, "backup"), filepath.Join(dir, "offsets", "0")
		if err := os.WriteFile(backup, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(backup, old, old); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(backup, file); err != nil {
			t.Fatal(err)
		}
		s, err := reopener.Open(t.Context(), dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := look(t, s, "offsets"); got != data {
			t.Errorf("it reads %q, want %q", got, data)
		}
	}
}

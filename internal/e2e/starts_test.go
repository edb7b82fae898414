package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestStartPositionsAreTheSameWhoeverIsAsked holds the plan of check --json against offsets --as starting-offsets, over
// every archived checkpoint, with what is told of its sources where the case has that.
func TestStartPositionsAreTheSameWhoeverIsAsked(t *testing.T) {
	t.Parallel()
	clamped := 0
	for _, archive := range archives(t) {
		dir := t.TempDir()
		f, err := os.Open(archive)
		if err != nil {
			t.Fatal(err)
		}
		unpack(t, f, dir)
		_ = f.Close()
		location := filepath.Join(dir, "checkpoint")
		var flags []string
		for _, given := range []struct{ flag, file string }{{"--positions", "positions.json"}, {"--spec", "spec.yaml"}} {
			if _, err := os.Stat(filepath.Join(dir, given.file)); err == nil {
				flags = append(flags, given.flag, filepath.Join(dir, given.file))
			}
		}
		_, told, notes := program(t, append([]string{"offsets", location, "--as", "starting-offsets"}, flags...)...)
		if told == "" {
			continue // nothing is committed, it cannot be read, or one source has no option
		}
		status, report, _ := program(t, append([]string{"check", location, "--json"}, flags...)...)
		var doc struct {
			Migration *struct {
				Starts []struct {
					Source                 int
					Option, Value, Repeats string
					Notes                  []string
				}
			}
		}
		if err := json.Unmarshal([]byte(report), &doc); err != nil || doc.Migration == nil {
			t.Errorf("%s: check tells no start position (exit %d, %v)", archive, status, err)
			continue
		}
		var want []string
		if strings.HasPrefix(told, "[") {
			var all []struct {
				Value json.RawMessage
			}
			if err := json.Unmarshal([]byte(told), &all); err != nil {
				t.Fatalf("%s: %v", archive, err)
			}
			for _, e := range all {
				text := string(e.Value)
				_ = json.Unmarshal(e.Value, &text) // an object stays as it is
				want = append(want, text)
			}
		} else {
			want = []string{strings.TrimSpace(told)}
		}
		var got []string
		for _, s := range doc.Migration.Starts {
			if s.Option == "" {
				continue
			}
			got = append(got, compact(s.Value))
			for _, note := range s.Notes {
				if !strings.Contains(notes, note) {
					t.Errorf("%s: source %d: offsets does not tell %q:\n%s", archive, s.Source, note, notes)
				}
				if strings.Contains(note, "skip") {
					clamped++
				}
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s %v (exit %d): -offsets +check:\n%s", archive, flags, status, diff)
		}
	}
	if clamped == 0 {
		t.Error("no start position of any case is held to what its source still has: this tests nothing")
	}
}

// compact is JSON without blanks; other text as it is.
func compact(value string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(value)) != nil {
		return value
	}
	return b.String()
}

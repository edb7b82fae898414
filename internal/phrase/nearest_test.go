package phrase

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"check", "batches", "show", "offsets", "diff", "find", "demo"}
	for word, want := range map[string]string{"chek": "check", "cehck": "check", "batch": "batches", "ofsets": "offsets", "dif": "diff", "zzzz": "", "x": "", "orders": ""} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

func TestMisspelled(t *testing.T) {
	t.Parallel()
	names := []string{"kafka", "file", "delta", "rate"}
	for word, want := range map[string]string{"kafak": "kafka", "kafa": "kafka", "kafka2": "kafka", "filed": "file", "rabbit": "", "date": "rate", "x": ""} {
		if got := Misspelled(word, names); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

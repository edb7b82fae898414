package phrase

import "testing"

func TestList(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "b", "c", "d"}
	for _, c := range []struct {
		shown         int
		list, clauses string
	}{
		{5, "a, b, c, d", "a; b; c; d"},
		{4, "a, b, c, d", "a; b; c; d"},
		{3, "a, b, c and 1 more", "a; b; c; and 1 more"},
		{1, "a and 3 more", "a; and 3 more"},
	} {
		if got := List(texts, c.shown); got != c.list {
			t.Errorf("List of %d: %q, want %q", c.shown, got, c.list)
		}
		if got := Clauses(texts, c.shown); got != c.clauses {
			t.Errorf("Clauses of %d: %q, want %q", c.shown, got, c.clauses)
		}
	}
	if got := List(nil, 3) + Clauses(nil, 3); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

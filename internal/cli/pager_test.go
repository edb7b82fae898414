package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestPagesAskBeforeTheyGoOn holds what the pager does between two pages.
func TestPagesAskBeforeTheyGoOn(t *testing.T) {
	for _, c := range []struct {
		name, answers string
		lines         int // that are shown of seven
		next          string
		ends          bool
	}{
		{name: "enter goes on", answers: "\n\n", lines: 7},
		{name: "b goes back", answers: "\nb\n", lines: 6, ends: true},
		{name: "another choice goes back, and is taken", answers: "batch 3\n", lines: 3, next: "batch 3", ends: true},
		{name: "the end of the answers", answers: "", lines: 3, ends: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			p := newPager(t.Context(), &out, strings.NewReader(c.answers))
			p.lines = 3
			var err error
			for i := range 7 {
				if _, err = fmt.Fprintf(p, "line %d\n", i); err != nil {
					break
				}
			}
			if got := strings.Count(out.String(), "line "); got != c.lines {
				t.Errorf("%d lines are shown, want %d:\n%s", got, c.lines, &out)
			}
			if errors.Is(err, errEnough) != c.ends {
				t.Errorf("it ends with %v", err)
			}
			if next, _ := p.ask("choice: "); next != c.next {
				t.Errorf("the next choice is %q, want %q", next, c.next)
			}
		})
	}
}

package cli

import (
	"strings"
	"testing"

	"tidemark/internal/report"
	"tidemark/ui"
)

// TestTourFits holds that every text of the tour fits the two lines that it has on a small terminal, and
// that its views and its keys are such.
func TestTourFits(t *testing.T) {
	a := &app{Config: program(nil, "../../testdata/demo")}
	all, err := a.examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range chapters() {
		if _, err := chooseExample(all, c.Label); err != nil {
			t.Errorf("%s: %v", c.Label, err)
		}
		for i, s := range c.Steps {
			if n := strings.Count(report.Wrap(s.Text, 78), "\n"); n > 2 {
				t.Errorf("%s, step %d: %d lines of text, want at most 2", c.Label, i+1, n)
			}
			if err := ui.CheckView(s.View); err != nil {
				t.Errorf("%s, step %d: %v", c.Label, i+1, err)
			}
			if last := i == len(c.Steps)-1; last != (s.Key == "") {
				t.Errorf("%s, step %d: the key is %q", c.Label, i+1, s.Key)
			}
		}
	}
}

package checks

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tidemark/checkpoint/source"
)

// TestRestart predicts the next start of small checkpoints: testdata/restart/<story>.txtar, in the form
// of the cases of checks (see TestCases). Its want is the prediction:
//
//	rerun 2
//	because offsets/2 is there, commits/2 is not
//	source 0 orders/0: 20 … 30, 10 records
//	watermark 1764403200000
//	state version 2
func TestRestart(t *testing.T) {
	files, err := filepath.Glob("testdata/restart/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			if strings.TrimSpace(c.story) == "" {
				t.Error("the case tells no story")
			}
			v := c.examine(t)
			got := foretold(v.Restart)
			if *update {
				c.write(t, file, got)
				return
			}
			if diff := gocmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", file, diff)
			}
		})
	}
}

// foretold is a prediction as the want section has it.
func foretold(r Restart) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d\n", r.Outcome, r.Batch)
	if r.Error != "" {
		fmt.Fprintf(&b, "error %s\n", r.Error)
	}
	if r.Sound {
		b.WriteString("nothing is damaged\n")
	}
	fmt.Fprintf(&b, "because %s\n", r.Because)
	text := func(p *source.Position) string {
		if p == nil {
			return "?"
		}
		return p.Text
	}
	for _, x := range r.Ranges {
		fmt.Fprintf(&b, "source %d %s: %s … %s", x.Source, x.Part, text(x.From), text(x.To))
		if x.Counted {
			fmt.Fprintf(&b, ", %d %s", x.Count, x.Unit)
		}
		b.WriteString("\n")
	}
	if r.Watermark != 0 {
		fmt.Fprintf(&b, "watermark %d\n", r.Watermark)
	}
	if r.StateVersion != -1 {
		fmt.Fprintf(&b, "state version %d\n", r.StateVersion)
	}
	return b.String()
}

package examine

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
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
	t.Parallel()
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
func foretold(r checks.Restart) string {
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

// TestRestartOfCutFiles cuts each file that a start reads at every byte: there is always an answer, and
// it never goes on from a file whose last brace is lost.
func TestRestartOfCutFiles(t *testing.T) {
	t.Parallel()
	whole := map[string]string{
		"metadata":  `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`,
		"offsets/0": aPlan, "offsets/1": aPlan, "commits/0": aCommit, "commits/1": aCommit,
	}
	for _, name := range []string{"metadata", "offsets/0", "offsets/1", "commits/1"} {
		for n := range len(whole[name]) {
			files := maps.Clone(whole)
			files[name] = whole[name][:n]
			for _, release := range spark.Known {
				var v checks.Verdict
				for e := range Examine(t.Context(), small(t, files), Options{Spark: release}) {
					v.Add(e)
				}
				starts := name == "commits/1" && (files[name] == "v1" || files[name] == "v1\n" || !release.AtLeast(spark.Version{Major: 2, Minor: 2}))
				if got := v.Restart; got.Because == "" || (got.Outcome == checks.Refuses) == starts {
					t.Errorf("%s cut at %d, Spark %s: %s %d (%s)", name, n, release, got.Outcome, got.Batch, got.Because)
				}
			}
		}
	}
}

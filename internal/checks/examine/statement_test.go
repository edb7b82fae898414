package examine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// TestStatements tells, for every case in which the output or the sources were looked at, which ranges are safe, read
// again, doubled or lost.
func TestStatements(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, file := range caseFiles(t) {
		c := readCase(t, file)
		if c.opt.Sink == nil && c.opt.Kept == nil {
			continue
		}
		v := c.examine(t)
		name, _ := filepath.Rel("testdata/checks", strings.TrimSuffix(file, ".txtar"))
		fmt.Fprintf(&b, "%s\n", filepath.ToSlash(name))
		for _, f := range checks.Statement(&v) {
			fmt.Fprintf(&b, "  %s\n", tellFate(&f))
		}
	}
	const file = "testdata/statements.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}

// tellFate is one fate: "lost 4..4 telemetry/0 7882700 to 7883100, 400 records: what shows it".
func tellFate(f *checks.Fate) string {
	text := fmt.Sprintf("%s %d..%d", f.Word, f.First, f.Last)
	if r := f.Part; r != nil {
		text += fmt.Sprintf(" %d %s %s to %s", r.Source, r.Part, phrase.PositionOr(r.From, "not known"), phrase.PositionOr(r.To, "not known"))
		if r.Counted {
			text += fmt.Sprintf(", %d %s", r.Count, r.Unit)
		}
	}
	return text + ": " + f.Evidence
}

package checkpoint

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is shown into testdata/describe.txt")

const describeFile = "testdata/describe.txt"

// described is one section of testdata/describe.txt: the name of a file, its bytes as a quoted
// string, and what is shown of it.
type described struct{ name, data, want string }

func sections(t testing.TB) []described {
	t.Helper()
	a, err := txtar.ParseFile(describeFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	for _, f := range a.Files {
		quoted, want, _ := strings.Cut(string(f.Data), "\n")
		data, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v: %s", f.Name, err, quoted)
		}
		name, _, _ := strings.Cut(f.Name, " (")
		all = append(all, described{name, data, want})
	}
	return all
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	all := sections(t)
	shown := make([]string, len(all))
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			var got strings.Builder
			for _, l := range Describe(s.name, []byte(s.data)) {
				mark := ' '
				if l.Problem {
					mark = '!'
				}
				fmt.Fprintf(&got, "%c %d@%d %s = %q\n", mark, l.Where.Line, l.Where.Offset, l.Label, l.Value)
			}
			if shown[i] = got.String(); *update {
				return
			}
			if diff := cmp.Diff(s.want, got.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if !*update {
		return
	}
	a, err := txtar.ParseFile(describeFile)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Files {
		quoted, _, _ := strings.Cut(string(a.Files[i].Data), "\n")
		a.Files[i].Data = []byte(quoted + "\n" + shown[i])
	}
	if err := os.WriteFile(describeFile, txtar.Format(a), 0o666); err != nil {
		t.Fatal(err)
	}
}

// holdLines checks what is true of every file, whatever stands in it.
func holdLines(t *testing.T, name string, data []byte) {
	t.Helper()
	lines := Describe(name, data)
	if len(lines) == 0 {
		t.Errorf("%s %q: nothing is shown", name, data)
	}
	for _, l := range lines {
		if l.Where.File != name || l.Where.Offset < 0 || l.Where.Offset > int64(len(data)) || l.Label == "" {
			t.Errorf("%s %q: %+v", name, data, l)
		}
	}
}

func TestDescribeCutFiles(t *testing.T) {
	t.Parallel()
	for _, s := range sections(t) {
		for n := range len(s.data) {
			holdLines(t, s.name, []byte(s.data[:n]))
		}
	}
}

func FuzzDescribe(f *testing.F) {
	for _, s := range sections(f) {
		f.Add(s.name, []byte(s.data))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) { holdLines(t, name, data) })
}

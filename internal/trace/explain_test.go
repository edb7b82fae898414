package trace

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/storage"
)

var update = flag.Bool("update", false, "write what is recognized into testdata")

// now is the clock of the tests.
var now = time.Date(2026, 11, 29, 14, 2, 0, 0, time.UTC)

// sections compares, for each section of an archive, what a function makes of it with the section "… want".
func sections(t *testing.T, file string, tell func(t *testing.T, name, text string) string) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i := 0; i+1 < len(a.Files); i += 2 {
		in, want := a.Files[i], &a.Files[i+1]
		if want.Name != in.Name+" want" {
			t.Fatalf("%s: behind %q stands %q", file, in.Name, want.Name)
		}
		seen++
		t.Run(in.Name, func(t *testing.T) {
			got := tell(t, in.Name, string(in.Data))
			if *update {
				want.Data = []byte(got)
			} else if diff := gocmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if seen == 0 {
		t.Fatalf("%s holds no trace", file)
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// tellTrace is what is recognized in a text, a line each.
func tellTrace(text string) string {
	x, err := Parse(text)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if x.Condition != nil {
		say("about %s", x.Condition.About)
		say("means %s", x.Condition.Says)
	} else {
		say("about something that is not known")
	}
	if x.Name != "" {
		say("name %s %s", x.Name, x.SQLState)
	}
	say("reason %s", clipped(x.Reason().String(), 120))
	if x.Batch >= 0 {
		say("batch %d", x.Batch)
	}
	for _, f := range x.Files {
		say("file %s below %s", f.Name, cmp.Or(f.Prefix, "-"))
	}
	for _, s := range x.Stores {
		say("store %s version %d", s, s.Version)
	}
	for _, p := range x.Parts {
		say("part %s from %d to %d", p.Name(), p.From, p.To)
	}
	for _, k := range x.Tasks {
		say("task %s in stage %s TID %s", k.Task, k.Stage, cmp.Or(k.Attempt, "-"))
	}
	if x.Query+x.Run != "" {
		say("query %s run %s", cmp.Or(x.Query, "-"), cmp.Or(x.Run, "-"))
	}
	if x.Others > 0 {
		say("others %d", x.Others)
	}
	return b.String()
}

// TestErrorsOfSpark reads what real releases printed.
func TestErrorsOfSpark(t *testing.T) {
	t.Parallel()
	sections(t, "testdata/spark.txtar", func(t *testing.T, name, text string) string { return tellTrace(text) })
}

// TestShapes reads the shapes in which people have traces: logs, PySpark, JSON, a message alone.
func TestShapes(t *testing.T) {
	t.Parallel()
	sections(t, "testdata/shapes.txtar", func(t *testing.T, name, text string) string { return tellTrace(text) })
}

// tellExplanation is what is said of a trace beside a checkpoint.
func tellExplanation(e *Explanation) string {
	var b strings.Builder
	if e.Foreign {
		fmt.Fprintf(&b, "OTHER QUERY %s, here %s\n", e.Query, e.Ours)
	}
	if e.Condition != nil {
		fmt.Fprintf(&b, "about %s\n", e.Condition.About)
	}
	for _, p := range e.Places {
		fmt.Fprintf(&b, "%s: %s\n", p.Name, p.Says)
	}
	fmt.Fprintf(&b, "%s: %s\n", e.Agreement, e.Because)
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "finding %s %s %s\n", f.Severity, f.Code, f.Where)
	}
	if e.Unread {
		fmt.Fprintln(&b, "something could not be read")
	}
	fmt.Fprintf(&b, "next %s\n", strings.Join(strings.Fields(clipped(e.Next, 200)), " "))
	return b.String()
}

// beside explains a trace over a store.
func beside(t *testing.T, text string, store storage.Store, version string) *Explanation {
	t.Helper()
	x, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	cp, v := examined(t, store, func(opt *examine.Options) {
		if version != "" {
			if opt.Spark, err = spark.Parse(version); err != nil {
				t.Fatal(err)
			}
		}
	})
	return Explain(t.Context(), x, v, cp)
}

// examined is a checkpoint and the verdict on it; tell, which may be nil, says what the examination is told besides.
func examined(t *testing.T, store storage.Store, tell func(*examine.Options)) (*checkpoint.Checkpoint, *checks.Verdict) {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	opt := examine.Options{Now: now}
	if tell != nil {
		tell(&opt)
	}
	v := &checks.Verdict{}
	for e := range examine.Examine(t.Context(), cp, opt) {
		v.Add(e)
	}
	return cp, v
}

// TestGoldens holds errors that Spark printed beside the very checkpoints over which it did.
func TestGoldens(t *testing.T) {
	t.Parallel()
	sections(t, "testdata/goldens.txtar", func(t *testing.T, name, text string) string {
		golden, version, _ := strings.Cut(name, " ")
		store, err := storage.Open(t.Context(), "../../testdata/golden/"+golden+".tar.gz/checkpoint", storage.Options{Inside: []string{"offsets", "commits", "state", "metadata"}})
		if err != nil {
			t.Fatal(err)
		}
		return tellExplanation(beside(t, text, store, version))
	})
}

// TestStories explains traces over small trees: testdata/stories/<story>.txtar has a sentence for the reader, the
// trace, the files of the checkpoint, and what is said.
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/stories/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tree, trace, want := fstest.MapFS{}, "", (*txtar.File)(nil)
			for i := range a.Files {
				switch f := &a.Files[i]; f.Name {
				case "trace":
					trace = string(f.Data)
				case "want":
					want = f
				default:
					tree[f.Name] = &fstest.MapFile{Data: []byte(strings.TrimSuffix(string(f.Data), "\n")), ModTime: now.Add(-time.Hour)}
				}
			}
			if want == nil || trace == "" {
				t.Fatal("a story has a trace and a want")
			}
			got := tellExplanation(beside(t, trace, storage.FromFS(tree, "s3://lake/checkpoints/orders"), ""))
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := gocmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// denied is a store in which one folder cannot be listed.
type denied struct {
	storage.Store
	dir string
}

func (d denied) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	if dir == d.dir {
		return func(yield func(storage.Entry, error) bool) {
			yield(storage.Entry{}, &fs.PathError{Op: "list", Path: dir, Err: fs.ErrPermission})
		}
	}
	return d.Store.List(ctx, dir)
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	store, err := storage.Open(t.Context(), "../../testdata/golden/state-4.3-hdfs-damage-missing-delta.tar.gz/checkpoint", storage.Options{Inside: []string{"offsets", "commits", "state", "metadata"}})
	if err != nil {
		t.Fatal(err)
	}
	e := beside(t, "java.io.FileNotFoundException: File file:/x/state/0/0/7.delta does not exist", denied{store, "state/0/0"}, "")
	if !e.Unread || e.Agreement != CannotTell {
		t.Errorf("unread %t, %s: %s", e.Unread, e.Agreement, e.Because)
	}
}

// TestEveryConditionIsWhole finds a condition that can never be told, because one before it has the same words or its
// name, and conditions and topics without words.
func TestEveryConditionIsWhole(t *testing.T) {
	t.Parallel()
	for _, c := range Conditions {
		words := strings.ReplaceAll(c.Words, "…", " x ")
		for _, text := range []string{c.Name, words} {
			if text == "" {
				continue
			}
			if got, _ := recognize([]Cause{{Message: text}}); got != c {
				t.Errorf("%q can never be told: %+v comes first", text, got)
			}
		}
		text := cmp.Or(c.Name, words)
		if text == "" {
			t.Errorf("a condition has no name and no words: %s", c.Says)
		}
		for what, s := range map[string]string{"Says": c.Says, "Checks": c.Checks, "Proves": c.Proves, "Next": c.Next} {
			if !strings.HasSuffix(s, ".") {
				t.Errorf("%q: %s is not a full sentence: %q", text, what, s)
			}
		}
		for what, s := range map[string]string{"Decides": c.Decides, "Avoid": c.Avoid} {
			if s != "" && !strings.HasSuffix(s, ".") {
				t.Errorf("%q: %s is not a full sentence: %q", text, what, s)
			}
		}
		for _, code := range c.Codes {
			if !slices.ContainsFunc(examine.All, func(have *checks.Check) bool { return have.Code == code }) {
				t.Errorf("%q names a finding that is none: %q", text, code)
			}
		}
	}
}

func TestNothingIsRecognised(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n\n", "hello", "all is well\nreally", "SELECT [a_b] FROM t", "/usr/lib/state/x"} {
		if x, err := Parse(text); !errors.Is(err, ErrNoTrace) {
			t.Errorf("%q: %+v, %v", text, x, err)
		}
	}
}

func TestReadKeepsTheEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("26/11/29 14:02:07 INFO Nothing: to see\n", 3*Limit/40) + "java.lang.IllegalStateException: batch 5 doesn't exist\n"
	x, err := Read(strings.NewReader(long))
	if err != nil {
		t.Fatal(err)
	}
	if !x.Cut || x.Batch != 5 {
		t.Errorf("cut %t, batch %d", x.Cut, x.Batch)
	}
	short, err := Read(strings.NewReader("batch 5 doesn't exist"))
	if err != nil || short.Cut || short.Batch != 5 {
		t.Errorf("%+v, %v", short, err)
	}
	if _, err := Read(iotestError{}); err == nil || errors.Is(err, ErrNoTrace) {
		t.Errorf("a broken pipe is %v", err)
	}
}

type iotestError struct{}

func (iotestError) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestHostileTracesAreBounded reads texts that are made to cost much.
func TestHostileTracesAreBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"causes":   strings.Repeat("Caused by: a.B: c\n", Limit/20),
		"heads":    strings.Repeat("a.BException: c\n", Limit/20),
		"paths":    strings.Repeat("/state/0/0/1.delta /offsets/1 ", Limit/30),
		"slashes":  "a.BException: " + strings.Repeat("/", Limit/2),
		"message":  "a.BException: " + strings.Repeat("x\n", Limit/4),
		"sets":     "a.BException: Set(" + strings.Repeat("orders-1, ", Limit/20) + ")",
		"frames":   "a.BException: x\n" + strings.Repeat("\tat a.b.c(D.scala:1)\n", Limit/22),
		"brackets": "a.BException: " + strings.Repeat("[A_B]", Limit/5),
	} {
		x, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(x.Chain) > causeLimit || len(x.Files) > placeLimit || len(x.Parts) > placeLimit || len(x.Reason().Message) > messageLimit || len(x.Reason().frames) > frameLimit*301 {
			t.Errorf("%s: %d causes, %d files, %d parts, %d bytes of message, %d of frames", name, len(x.Chain), len(x.Files), len(x.Parts), len(x.Reason().Message), len(x.Reason().frames))
		}
	}
}

// FuzzParse holds that no text breaks the reader, and that files stay within the checkpoint.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/spark.txtar", "testdata/shapes.txtar"} {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(a.Files); i += 2 {
			f.Add(string(a.Files[i].Data))
		}
	}
	f.Add("driver-1 | 2026-11-29T14:02:07.1Z java.io.IOException: x\ndriver-1 | 2026-11-29T14:02:07.1Z \tat a.B.c(")
	f.Add("{\"msg\":\"m\",\"context\":{\"query_id\":\"1\"},\"exception\":{\"class\":\"java.io.IOException\",\"msg\":\"x\",\"stacktrace\":[{\"class\":\"a.B\",\"line\":1}]}}\n")
	f.Add("java.lang.IllegalStateException: file:/data/checkpoint/sources/0/5.com\xadpact doesn't exist (latestId: 6)")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrNoTrace) || x != nil {
				t.Fatalf("%v, %v", x, err)
			}
			return
		}
		for _, file := range x.Files {
			if !fs.ValidPath(file.Name) {
				t.Errorf("%q is no name within a checkpoint", file.Name)
			}
		}
		_ = x.Reason().String()
	})
}

// TestLineEndsOfAPaste reads the same trace with the line ends of Unix, of Windows, and of a terminal's paste.
func TestLineEndsOfAPaste(t *testing.T) {
	t.Parallel()
	text := "org.apache.spark.SparkException: [CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred\n\tat a.B.c(B.scala:1)\nCaused by: java.io.EOFException: Stream ended prematurely\n"
	want := tellTrace(text)
	for _, end := range []string{"\r\n", "\r"} {
		if got := tellTrace(strings.ReplaceAll(text, "\n", end)); got != want {
			t.Errorf("with %q:\n%s\nwant\n%s", end, got, want)
		}
	}
}

package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"tidemark/internal/config"
)

// now is the clock of the transcripts.
var now = time.Date(2026, 11, 29, 14, 2, 0, 0, time.UTC)

// demoDir names the folder of the built-in examples to the program inside a transcript.
const demoDir = "TIDEMARK_TEST_DEMOS"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tidemark": func() {
			os.Exit(ExitStatus(Run(context.Background(), program(os.Args[1:], os.Getenv(demoDir)))))
		},
	})
}

func program(args []string, demos string) Config {
	return Config{
		Args: args, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv,
		Now: func() time.Time { return now }, Demos: os.DirFS(demos), Version: "v0.0.0-test",
	}
}

// TestScripts runs whole-program transcripts. $CASES and $GOLDEN hold archives of checkpoints;
// "status N" runs the program and asks for an exit status.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/scripts",
		Setup: func(e *testscript.Env) error {
			e.Setenv("CASES", filepath.Join(root, "cases"))
			e.Setenv("GOLDEN", filepath.Join(root, "golden"))
			e.Setenv(demoDir, filepath.Join(root, "demo"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs the program and compares its exit status: status 3 check missing.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: status N [args]")
	}
	out, errs := &bytes.Buffer{}, &bytes.Buffer{}
	var full []string
	for _, a := range args[1:] {
		if strings.HasPrefix(a, "./") {
			a = ts.MkAbs(a)
		}
		full = append(full, a)
	}
	c := program(full, ts.Getenv(demoDir))
	c.Out, c.Err, c.Getenv = out, errs, ts.Getenv
	got := ExitStatus(Run(context.Background(), c))
	_, _ = ts.Stdout().Write(out.Bytes())
	_, _ = ts.Stderr().Write(errs.Bytes())
	if want := args[0]; want != strings.TrimSpace(itoa(got)) {
		ts.Fatalf("exit status %d, want %s\n%s%s", got, want, out, errs)
	}
}

func itoa(n int) string { return map[int]string{0: "0", 1: "1", 2: "2", 3: "3", 4: "4", 130: "130"}[n] }

// run runs one command line in this process.
func run(ctx context.Context, t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c := program(args, "../../testdata/demo")
	c.Out, c.Err, c.Getenv = &o, &e, func(string) string { return "" }
	return ExitStatus(Run(ctx, c)), o.String(), e.String()
}

// all are the root and its commands.
func all() []*cobra.Command {
	a := &app{Config: program(nil, "../../testdata/demo")}
	root := a.root()
	return append([]*cobra.Command{root}, root.Commands()...)
}

func TestHelpFits(t *testing.T) {
	for _, cmd := range all() {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		status, out, errs := run(t.Context(), t, args...)
		if status != 0 || errs != "" {
			t.Errorf("%v: status %d, %q", args, status, errs)
		}
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%v: %d columns: %s", args, n, line)
			}
		}
		for _, part := range []string{"Usage", "Examples", "Exit status"} {
			if !strings.Contains(out, "\n"+part+"\n") {
				t.Errorf("%v has no part %s", args, part)
			}
		}
		if !strings.Contains(out, "\n  130  interrupted\n") && readsCheckpoint(cmd) || !strings.Contains(out, "\n    2  the command line is wrong") {
			t.Errorf("%v does not say its exit statuses", args)
		}
		if groups := strings.Count(out, "\nFlags: "); groups != len(config.Groups) && (readsCheckpoint(cmd) || !cmd.HasParent()) {
			t.Errorf("%v has %d groups of flags, want %d", args, groups, len(config.Groups))
		}
	}
}

// TestHelpShowsWhatWorks runs the flags of every example through the parser: an example that names a
// flag or a command that is not there would be a lie.
func TestHelpShowsWhatWorks(t *testing.T) {
	for _, cmd := range all() {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			words := strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == '>' || r == '<' })[0]
			fields := strings.Fields(words)
			if len(fields) == 0 || fields[0] != "tidemark" {
				t.Errorf("%s: example %q", cmd.CommandPath(), line)
				continue
			}
			a := &app{Config: program(nil, "../../testdata/demo")}
			found, rest, err := a.root().Find(fields[1:])
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			if err := found.ValidateArgs(found.Flags().Args()); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
}

// TestInterrupted stops the program before it begins: what was found so far is written, and the status
// says that a person stopped it.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, out, _ := run(ctx, t, "check", "../../testdata/golden/kafka-clean-4.3.tar.gz", "--json")
	if status != 130 || !strings.Contains(out, `"complete": false`) {
		t.Errorf("status %d, %s", status, out)
	}
}

// TestPageSpec runs the example of the page on specs: the spec in it, and what the program says of it.
func TestPageSpec(t *testing.T) {
	text, err := os.ReadFile("../../docs/spec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	form, rest, _ := strings.Cut(example, "```\n")
	_, rest, _ = strings.Cut(rest, "```\n")
	want, _, _ := strings.Cut(rest, "```\n")
	file := filepath.Join(t.TempDir(), "orders.spec.yaml")
	if err := os.WriteFile(file, []byte(form), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, errs := run(t.Context(), t, "check", "../../testdata/cases/C55-dedup-key-added.tar.gz/checkpoint", "--spec", file)
	for part := range strings.SplitSeq(want, "…\n") {
		if part == "" || !strings.Contains(out, part) {
			t.Errorf("docs/spec.md says\n%s\nand the program\n%s%s", part, out, errs)
		}
	}
}

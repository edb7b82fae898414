package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/creack/pty"
)

// evil is text that would clear the screen, set the title, or turn the line around.
const evil = "x\x1b[2J\x1b]0;owned\x07\u202egnp\u009b31m"

// evilJSON is the same as a JSON string may hold it: controls as escapes, the rest as it is.
const evilJSON = `x\u001b[2J\u001b]0;owned\u0007` + "\u202egnp\u009b31m"

// hostile is a checkpoint in which every name and text tries to drive the terminal: topics, settings,
// the query id, file names, and log files with raw control bytes.
func hostile(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cp")
	files := map[string]string{
		"metadata":         `{"id":"` + evilJSON + `"}`,
		"offsets/0":        plan0(evilJSON, 5),
		"offsets/1":        plan0(evilJSON, 9),
		"offsets/2":        "v1\n{" + evil + "\n{" + evil,
		"offsets/3":        plan0(evilJSON, 12),
		"offsets/" + evil:  "v1\n",
		"commits/0":        "v1\n{\"nextBatchWatermarkMs\":0}",
		"commits/1":        "v1\n{\"nextBatchWatermarkMs\":\"" + evilJSON + "\"}",
		"sources/0/0":      "\x00v1\n{\"" + evilJSON + "\":{\"0\":1}}",
		"state/0/0/1.zip":  evil,
		"state/0/" + evil:  evil,
		"state/" + evil:    evil,
		evil:               evil,
		"offsets/.3.x.tmp": evil,
	}
	for name, text := range files {
		name = filepath.Join(dir, strings.ReplaceAll(name, "/\x1b", "\x1b"))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func plan0(topic string, offset int) string {
	return fmt.Sprintf("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1795959667000,\"conf\":{\"%s\":\"%s\"}}\n{\"%s\":{\"0\":%d}}", topic, topic, topic, offset)
}

// commands that read the hostile checkpoint; %s is where it lies.
var hostileRuns = []string{
	"%s", "check %s", "check %s --json", "batches %s", "batches %s --json", "find %s", "find %s --json", "find %s/..",
	"offsets %s --batch 1", "offsets %s --batch 1 --redo", "offsets %s --batch 1 --as json", "offsets %s --batch 1 --as csv",
	"offsets %s --batch 1 --as starting-offsets", "offsets %s --batch 2", "offsets %s --batch 0 --redo",
	"show %s metadata", "show %s offsets/1", "show %s offsets/2", "show %s offsets/2 --hex", "show %s sources/0/0", "show %s commits/1",
	"show %s offsets", "show %s nothing", "show %s offsets/.3.x.tmp",
	"diff %s --batch 0..1", "diff %s --batch 0..2", "diff %s %s",
	"state %s", "state %s --csv", "state %s --ndjson", "state %s --operator 0", "state %s --operator 0 --store x",
}

func TestNothingDrivesTheTerminal(t *testing.T) {
	dir := hostile(t)
	runs := append([]string{}, hostileRuns...)
	for _, run := range []string{"check", "find", "show %s"} {
		runs = append(runs, run+" "+evil, run+" --"+evil)
	}
	runs = append(runs, evil, "--"+evil, "demo "+evil, "check %s --fail-on "+evil, "check %s --spark "+evil, "offsets %s --as "+evil)
	for _, line := range runs {
		var args []string
		for _, word := range strings.Split(line, " ") {
			args = append(args, strings.ReplaceAll(word, "%s", dir))
		}
		_, out, errs := run(t.Context(), t, args...)
		if out+errs == "" {
			t.Errorf("%q says nothing", line)
		}
		if r := drives(out + errs); r != 0 {
			t.Errorf("%q writes %U", line, r)
		}
	}
}

// drives is the first character that a terminal would act on, or that hides how text runs; 0 for none.
func drives(text string) rune {
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
			return r
		}
	}
	return 0
}

// TestRawOnATerminal asks for the raw bytes of a file on a terminal: they come as escapes. Elsewhere
// they come as they are.
func TestRawOnATerminal(t *testing.T) {
	dir := hostile(t)
	_, out, _ := run(t.Context(), t, "show", dir, "offsets/2", "--raw")
	if want := "v1\n{" + evil + "\n{" + evil; out != want {
		t.Errorf("into a file: got %q, want %q", out, want)
	}
	screen, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := program([]string{"show", dir, "offsets/2", "--raw"}, "../../testdata/demo")
	c.Out, c.Err = tty, tty
	if err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
	if err := tty.Close(); err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(screen) // ends with an error once the other end is closed
	text := strings.ReplaceAll(string(got), "\r\n", "\n")
	if r := drives(text); r != 0 || !strings.Contains(text, `x\x1b[2J`) {
		t.Errorf("on a terminal %U: %q", r, text)
	}
}

// TestColors asks for color: on a terminal there is some, unless any of the ways to turn it off is used.
func TestColors(t *testing.T) {
	help := []string{"check", "--help"}
	for name, c := range map[string]struct {
		args []string
		env  map[string]string
		want bool
	}{
		"a terminal":           {nil, nil, true},
		"--no-color":           {[]string{"--no-color"}, nil, false},
		"NO_COLOR, any value":  {nil, map[string]string{"NO_COLOR": "yes"}, false},
		"a terminal with none": {nil, map[string]string{"TERM": "dumb"}, false},
		"help on a terminal":   {help, nil, true},
		"help, --no-color":     {append(help, "--no-color"), nil, false},
		"help, NO_COLOR":       {help, map[string]string{"NO_COLOR": "yes"}, false},
		"help, with none":      {help, map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			screen, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan string)
			go func() {
				got, _ := io.ReadAll(screen) // ends with an error once the other end is closed
				done <- string(got)
			}()
			cfg := program(append([]string{"check", "../../testdata/golden/kafka-clean-4.3.tar.gz"}, c.args...), "../../testdata/demo")
			cfg.Out, cfg.Err = tty, tty
			cfg.Getenv = func(name string) string { return c.env[name] }
			if err := Run(t.Context(), cfg); err != nil {
				t.Error(err)
			}
			if err := tty.Close(); err != nil {
				t.Fatal(err)
			}
			select {
			case text := <-done:
				if got := strings.Contains(text, "\x1b["); got != c.want {
					t.Errorf("color %v, want %v: %q", got, c.want, text)
				}
				if strings.Contains(text, "\x1b]") {
					t.Errorf("the terminal is asked for something: %q", text)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("the terminal did not end")
			}
		})
	}
}

package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStdoutClosed: a stdout that a shell closed is an error; one that leads nowhere because someone wants silence is
// none, however the null device was opened.
func TestStdoutClosed(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/fd/1"); err != nil {
		t.Log("without /proc it cannot be told")
		return
	}
	program := t.TempDir() + "/tidemark"
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	both, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	for _, c := range []struct {
		name   string
		script string // "": started without a shell
		out    *os.File
		status int
	}{
		{"closed", `"$0" version >&-`, nil, 3},
		{"closed, and more to do", `"$0" version >&-; exit $?`, nil, 3},
		{"silence", `"$0" version >/dev/null; exit $?`, nil, 0},
		{"silence around a shell", `"$0" version; exit $?`, both, 0},
		{"silence without a shell", "", both, 0},
	} {
		cmd := exec.Command(program, "version")
		if c.script != "" {
			cmd = exec.Command("sh", "-c", c.script, program)
		}
		var errs strings.Builder
		if cmd.Stderr = &errs; c.out != nil {
			cmd.Stdout = c.out
		} else {
			cmd.Stdout = &strings.Builder{}
		}
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.status || (got != 0) != strings.Contains(errs.String(), "stdout is closed") {
			t.Errorf("%s: exit status %d, want %d: %s", c.name, got, c.status, &errs)
		}
	}
}

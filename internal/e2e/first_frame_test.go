//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tidemark/internal/terminal"
)

// BenchmarkExecToFirstFrame is what a person waits for between the shell and the first frame: the program as it is
// released, on a terminal, with an example and with a long checkpoint on disk. It tells the median and the best time
// to the frame, and the median to the verdict.
func BenchmarkExecToFirstFrame(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "tidemark")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	long := b.TempDir()
	for _, dir := range []string{"offsets", "commits", "sources/0"} {
		if err := os.MkdirAll(filepath.Join(long, dir), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	synthetic(func(name, content string) {
		if err := os.WriteFile(filepath.Join(long, name), []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}, 5000, 3)
	for _, c := range []struct {
		name    string
		verdict string
		args    []string
	}{
		{"demo", "RESTART ONLY IF", []string{"demo", "uncommitted"}},
		{"5000 batches", "SAFE TO RESTART", []string{long}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var frame, verdict []time.Duration
			for b.Loop() {
				term, err := terminal.Open(120, 40)
				if err != nil {
					b.Fatal(err)
				}
				cmd := exec.CommandContext(b.Context(), bin, c.args...)
				cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "XDG_CONFIG_HOME="+b.TempDir(), "XDG_STATE_HOME="+b.TempDir())
				term.Attach(cmd)
				began := time.Now()
				if err := cmd.Start(); err != nil {
					b.Fatal(err)
				}
				if err := term.WaitFor(b.Context(), "tidemark", "read-only"); err != nil {
					b.Fatal(err)
				}
				frame = append(frame, time.Since(began))
				if err := term.WaitFor(b.Context(), c.verdict); err != nil {
					b.Fatal(err)
				}
				verdict = append(verdict, time.Since(began))
				if err := term.Press("q"); err != nil {
					b.Fatal(err)
				}
				if err := cmd.Wait(); err != nil {
					b.Fatal(err)
				}
				term.Close()
			}
			slices.Sort(frame)
			slices.Sort(verdict)
			b.ReportMetric(ms(frame[len(frame)/2]), "ms-to-frame")
			b.ReportMetric(ms(frame[0]), "ms-to-frame-best")
			b.ReportMetric(ms(verdict[len(verdict)/2]), "ms-to-verdict")
		})
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

//go:build unix

// Shots draws the pictures of the README. It runs the program on a terminal of its own, with a clock
// that fits the example, presses keys, and writes what is on the screen: as SVG, and the tour as a
// recording for asciinema. Run it where the README is: go run ./docs/shots.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tidemark/internal/cli"
	"tidemark/internal/terminal"
)

// The size of the terminal, in cells.
const (
	width  = 100
	height = 30
)

// patience ends a run that waits for what never comes; nothing is timed.
const patience = time.Minute

// clock is the variable that makes a process of this program the explorer, and says what time it is there.
const clock = "TIDEMARK_SHOTS_CLOCK"

func main() {
	if now := os.Getenv(clock); now != "" {
		os.Exit(explore(now))
	}
	if err := draw(); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

// explore is the program itself, by a clock that stands still.
func explore(now string) int {
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return cli.ExitStatus(cli.Run(context.Background(), cli.Config{
		Args:    os.Args[1:],
		Out:     os.Stdout,
		Err:     os.Stderr,
		Getenv:  os.Getenv,
		Now:     func() time.Time { return at },
		Demos:   os.DirFS(filepath.Join("testdata", "demo")),
		Version: "development build",
	}))
}

// step is a key, "" for none, and texts that the screen shows once the key has done its work.
type step struct {
	key  string
	want []string
}

// shot is one picture: how the program is started, when, and what is pressed until it is right.
type shot struct {
	file  string
	title string
	now   string
	args  []string
	steps []step
}

// shots are the pictures of the README.
var shots = []shot{
	{"overview.svg", "The overview of a query that lost a state file", "2026-03-02T10:32:00Z",
		[]string{"demo", "lost-state"},
		[]step{{"", []string{"DO NOT RESTART YET", "Three questions"}}}},
	{"batches.svg", "The batches of a checkpoint in which a file of the offset log is missing", "2026-05-20T00:05:00Z",
		[]string{"demo", "offset-gap"},
		[]step{{"", []string{"will fail", "Three questions"}}, {"B", []string{"newest first", "113258"}}}},
	{"state.svg", "The state stores of a checkpoint in which one of them lacks a delta file", "2026-03-02T10:32:00Z",
		[]string{"demo", "lost-state"},
		[]step{{"", []string{"will fail", "Three questions"}}, {"S", []string{"Restart loads version 26", "22.snapshot"}}}},
}

// tour is the tour, screen by screen. It sets the clock of each example itself.
var tour = []step{
	{"", []string{"example 1 of 4, step 1 of 4", "Three questions", "re-run batch 3"}},
	{"B", []string{"example 1 of 4, step 2 of 4", "newest first", "committed"}},
	{"enter", []string{"example 1 of 4, step 3 of 4", "Reads", "orders-u"}},
	{"F", []string{"example 1 of 4, step 4 of 4", "what was found", "uncommitted"}},
	{"n", []string{"example 2 of 4, step 1 of 4", "Three questions", "will fail"}},
	{"B", []string{"example 2 of 4, step 2 of 4", "newest first", "113258"}},
	{"F", []string{"example 2 of 4, step 3 of 4", "what was found", "offset-gap"}},
	{"1", []string{"example 2 of 4, step 4 of 4", "Question 1", "Intact?"}},
	{"n", []string{"example 3 of 4, step 1 of 4", "Three questions", "will fail"}},
	{"1", []string{"example 3 of 4, step 2 of 4", "Question 1", "Intact?"}},
	{"S", []string{"example 3 of 4, step 3 of 4", "Restart loads version 26", "22.snapshot"}},
	{"T", []string{"example 3 of 4, step 4 of 4", "Tree", "offsets"}},
	{"n", []string{"example 4 of 4, step 1 of 2", "Three questions"}},
	{"F", []string{"example 4 of 4, step 2 of 2", "what was found", "writer"}},
}

// draw makes all pictures and the recording.
func draw() error {
	home, err := os.MkdirTemp("", "shots")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	for _, s := range shots {
		screens, err := screensOf(home, s.now, s.args, s.steps)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		if err := write(s.file, picture(s.title, screens[len(screens)-1])); err != nil {
			return err
		}
	}
	screens, err := screensOf(home, "2026-11-29T14:51:00Z", []string{"demo", "--tour"}, tour)
	if err != nil {
		return fmt.Errorf("the tour: %w", err)
	}
	text, err := recording("tidemark demo --tour", screens)
	if err != nil {
		return err
	}
	return write("tour.cast", text)
}

func write(name, text string) error {
	return os.WriteFile(filepath.Join("docs", name), []byte(text), 0o644)
}

// screensOf runs the explorer through some steps, and is the styled screen after each. Nothing of the
// environment of whoever draws gets in: home is an empty folder.
func screensOf(home, now string, args []string, steps []step) (screens []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	t, err := terminal.Open(width, height)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = []string{clock + "=" + now, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC",
		"USER=oncall", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}
	t.Attach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for _, s := range steps {
		if s.key != "" {
			if err := t.Press(s.key); err != nil {
				return nil, errors.Join(err, stop(cmd))
			}
		}
		if err := t.WaitFor(ctx, append(s.want, "help")...); err != nil {
			return nil, errors.Join(err, stop(cmd))
		}
		screens = append(screens, strings.ReplaceAll(t.Styled(), "\r\n", "\n"))
	}
	return screens, stop(cmd)
}

// stop ends the explorer, wherever it is: it has nothing to put away.
func stop(cmd *exec.Cmd) error {
	err := cmd.Process.Kill()
	_ = cmd.Wait() // it was killed, and says so
	return err
}

package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/internal/report"
)

// What the exit statuses of a command mean, in its help and in the manual page: a line each. ExitStatus makes them.
const (
	exitsOfVerdict = `0 no finding at or above --fail-on
1 a finding at or above --fail-on, or the restart will fail
2 the command line is wrong
3 something could not be read
4 not a checkpoint
130 interrupted`
	exitsOfReading = `0 done
2 the command line is wrong
3 something could not be read
4 not a checkpoint
130 interrupted`
	exitsWithoutCheckpoint = `0 done
2 the command line is wrong`
)

// exitsKey is the annotation of a command with the meanings of its exit statuses.
const exitsKey = "exits"

// exits returns the annotations of a command whose exit statuses have these meanings.
func exits(meanings string) map[string]string { return map[string]string{exitsKey: meanings} }

// exitMeaning is what an exit status means.
type exitMeaning struct {
	status int
	means  string
}

// exitsOf returns the exit statuses of a command; one below another has those of that.
func exitsOf(cmd *cobra.Command) (all []exitMeaning) {
	for cmd.Annotations[exitsKey] == "" && cmd.HasParent() {
		cmd = cmd.Parent()
	}
	for line := range strings.Lines(cmd.Annotations[exitsKey]) {
		status, means, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.Atoi(status)
		all = append(all, exitMeaning{n, means})
	}
	return all
}

// readsCheckpoint reports whether a command reads a checkpoint: then the flags for that are of use to it.
func readsCheckpoint(cmd *cobra.Command) bool {
	for _, e := range exitsOf(cmd) {
		if e.status == report.NotCheckpoint {
			return true
		}
	}
	return false
}

package report

import (
	"io"
	"time"

	"tidemark/internal/checks"
)

// Formats has one line per form of a verdict, the default first.
var Formats = []Format{
	{"text", "for people and tickets", Text},
	{"json", "for programs: tidemark/check/1", JSON},
	{"statement", "as a table to paste: what is safe, read again, duplicated or lost", Statement},
}

// Format is one form in which a verdict can be written.
type Format struct {
	Name  string // also the flag that asks for it
	For   string // whom it is for, in a few words
	Write func(io.Writer, *checks.Verdict, Options) error
}

// Options say how a form that is meant for a person is laid out. JSON looks at none of them.
type Options struct {
	Width int       // columns; 0: 100
	Color bool      // the 16 colors of the terminal
	ASCII bool      // plain ASCII for symbols
	Now   time.Time // for ages; zero: no ages are told
}

// The exit statuses of a program that gives a verdict.
const (
	Clean         = 0 // nothing at or above the asked severity
	Found         = 1 // something is
	Usage         = 2 // the command line is wrong
	Unread        = 3 // something could not be read
	NotCheckpoint = 4
	Interrupted   = 130
)

// Status is the exit status of a verdict, where findings from failOn on count, and a start that fails always does.
// Found outranks Unread: what was found stays true whatever else could not be looked at.
func Status(v *checks.Verdict, failOn checks.Severity) int {
	switch {
	case v.NoCheckpoint():
		return NotCheckpoint
	case v.Found(failOn):
		return Found
	case v.Incomplete():
		return Unread
	}
	return Clean
}

package basics

import (
	"fmt"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

func LowerFirst(s string) string { return string(s[0]|0x20) + s[1:] }

func DeclaredNames(all []spec.Operator) string {
	var names []string
	for i := range all {
		name := all[i].Name
		if name == "" {
			name = "an operator"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "no stateful operator"
	}
	return strings.Join(names, ", ")
}

func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Stamp is a time in a log, ms since the epoch, for people.
func Stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000Z") }

// Duration is a length of time in ms, for people.
func Duration(ms int64) string { return phrase.Span(ms) }

func HasFlaw(all []*decode.Error, flaw decode.Flaw) bool {
	for _, e := range all {
		if e.Flaw == flaw {
			return true
		}
	}
	return false
}

// FlawText is a problem as a sentence: the place, then the problem.
func FlawText(e *decode.Error) string {
	if e.Line == 0 {
		return fmt.Sprintf("%s cannot be read: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d cannot be read: %v", e.File, e.Line, e.Err)
}

func Lines(n int) string {
	if n == 1 {
		return "1 source line"
	}
	return fmt.Sprintf("%d source lines", n)
}

// Counted is "1 record", "400 records".
func Counted(n int64, unit string) string {
	if n == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// FirstProblem is the first problem that Spark's reader minds; nil for none.
func FirstProblem(all []*decode.Error) *decode.Error {
	for _, e := range all {
		if e.Flaw != decode.LineEnds && e.Flaw != decode.Trailing {
			return e
		}
	}
	return nil
}

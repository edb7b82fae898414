package trace

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/output"
)

// What was told besides the checkpoint: what the query declares (--spec), what its output holds (--sink). Nobody is
// sent to give what was given.

// specSays is what came of the spec that was given, in full sentences; "" where none was.
func (l *look) specSays() string {
	if !l.v.Declared {
		return ""
	}
	if fields := l.drifted(); len(fields) > 0 {
		return "The spec differs from the checkpoint in " + listed(fields) + "."
	}
	return "No difference between the spec and the checkpoint stops a start. What the spec does not declare was not compared."
}

// drifted are the fields of the spec that a start does not get past, or past which it runs wrongly.
func (l *look) drifted() (fields []string) {
	for i := range l.v.Drift {
		if d := &l.v.Drift[i]; d.Effect == checks.RefusesDrift || d.Effect == checks.Misreads {
			fields = append(fields, d.Field)
		}
	}
	return fields
}

// nextTold is a next step, or where it asks for a spec that was given, what that spec leaves to do.
func (l *look) nextTold(next string) string {
	switch says := l.specSays(); {
	case says == "" || !strings.Contains(next, "--spec"):
		return next
	case len(l.drifted()) > 0:
		return says + " Start the code that wrote this checkpoint. Or start a new checkpoint from these offsets (tidemark offsets LOCATION --as starting-offsets)."
	default:
		return says + " Compare the code itself with that spec: sources in their order, operators with their keys, settings."
	}
}

// batchTold is what the output that was given says of a batch; "" where none was given.
func (l *look) batchTold(batch int64) string {
	if l.v.Sink == nil {
		return ""
	}
	switch l.v.Sink.Holds(batch) {
	case output.Yes:
		return fmt.Sprintf(" The sink has batch %d.", batch)
	case output.No:
		return fmt.Sprintf(" The sink does not have batch %d.", batch)
	case output.Gone:
		return fmt.Sprintf(" The sink had batch %d, but it was removed.", batch)
	}
	return " " + l.outputSays()
}

// specTable is what the spec that was given says of the id of a table that is read, where it is not the recorded one; ""
// for nothing.
func (l *look) specTable() string {
	i := slices.IndexFunc(l.v.Drift, func(d checks.Drift) bool { return strings.HasSuffix(d.Field, ".table_id") })
	if i < 0 {
		return ""
	}
	d := &l.v.Drift[i]
	return fmt.Sprintf(" The spec confirms it: %s is %s, and %s is recorded.", d.Field, shortly(d.Declared), shortly(d.Recorded))
}

package trace

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Exceptions as Java, Scala and Python print them, line by line.

const class = `(?:[A-Za-z_]\w*\.)+[A-Z]\w*(?:\$\w+)*`

var (
	// headLine begins an exception: alone on its line or followed by its message.
	headLine = patternOf(`^(\s*)(Caused by: |Suppressed: |: |Exception in thread "[^"]*" )?(` + class + `(?:\(` + class + `\))?)(?:: ?(.*))?$`)
	// taskFailed is how the driver quotes what failed in a task.
	taskFailed = patternOf(`\(TID \d+\) ?\([^)]*\): (` + class + `)(?:: (.*))?$`)
	frameLine  = patternOf(`^at [\w.$/@<>-]+\(`)
	// logLine begins a new entry of a log: "26/11/29 14:02:07 WARN …", "2026-11-29T14:02:07…".
	logLine = patternOf(`^(?:\[?\d{2,4}[/-]\d{2}[/-]\d{2}[ T]\d{2}:\d{2}|Driver stacktrace:|Traceback \()`)
	// planLine begins what Spark prints of the query behind its message.
	planLine = patternOf(`^=== Streaming Query ===`)
)

// chainsOf are the errors of a text, each with its causes, outermost first.
func chainsOf(text string) [][]Cause {
	r := &reading{}
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\n"))
	}
	return r.chains
}

// reading is a text of which lines are being read.
type reading struct {
	chains [][]Cause
	open   bool // the last chain takes further lines
	over   bool // the message of its last exception has ended
	frames int  // lines "at …" of that exception
	aside  int  // how far in the exception stands that was only suppressed, and is passed over; 0 for none
}

func (r *reading) line(line string) {
	var m []string
	if strings.Contains(line, ".") {
		m = headLine.FindStringSubmatch(line)
	}
	begun := strings.TrimLeft(line, " \t")
	switch {
	case m != nil && m[2] == "Suppressed: ":
		r.aside = len(m[1]) + 1
	case m != nil && m[2] == "Caused by: " && r.aside > 0 && len(m[1])+1 >= r.aside:
		// of what was suppressed
	case m != nil && (m[2] != "" || isThrowable(m[3])):
		r.begin(m[3], m[4], m[2] != "Caused by: " && m[2] != ": ")
	case r.aside > 0:
	case strings.HasPrefix(begun, "at ") && frameLine.MatchString(begun), strings.HasPrefix(begun, "... ") && strings.HasSuffix(begun, " more"):
		r.frame(begun)
	case !startsLog(line):
		r.text(line)
	case (taskFailed.MatchString(line) || bracketed.MatchString(line)):
		r.begin("", line, true)
	default:
		r.over = true
	}
}

// startsLog reports whether a line begins something else than a message goes on with.
func startsLog(line string) bool {
	return line != "" && strings.IndexByte("[0123456789DT", line[0]) >= 0 && logLine.MatchString(line)
}

// text takes in a line that is nothing but text.
func (r *reading) text(line string) {
	switch {
	case r.open && !r.over:
		r.more(line)
	case !r.open && strings.TrimSpace(line) != "":
		r.begin("", line, true)
	}
}

// begin takes in the first line of an exception: of a new chain, or of the last one. One that quotes what failed
// in a task is two.
func (r *reading) begin(class, message string, anew bool) {
	if anew || !r.open {
		r.chains = append(r.chains, nil)
		if len(r.chains) > chainLimit {
			r.chains = slices.Delete(r.chains, 0, 1)
		}
	}
	r.open, r.aside = true, 0
	inner := taskFailed.FindStringSubmatchIndex(message)
	if inner == nil {
		r.add(class, message)
		return
	}
	r.add(class, message[:inner[2]])
	rest := ""
	if inner[4] >= 0 {
		rest = message[inner[4]:inner[5]]
	}
	r.add(message[inner[2]:inner[3]], rest)
}

func (r *reading) add(class, message string) {
	chain := &r.chains[len(r.chains)-1]
	if len(*chain) == causeLimit { // the innermost ones count
		*chain = slices.Delete(*chain, 1, 2)
	}
	*chain = append(*chain, Cause{Class: class, Message: clipped(message, messageLimit)})
	r.frames, r.over = 0, false
}

func (r *reading) last() *Cause {
	chain := r.chains[len(r.chains)-1]
	return &chain[len(chain)-1]
}

// more takes in a further line of the message.
func (r *reading) more(line string) {
	if planLine.MatchString(line) {
		r.over = true
		return
	}
	if c := r.last(); len(c.Message) < messageLimit {
		c.Message = clipped(c.Message+"\n"+line, messageLimit)
	}
}

func (r *reading) frame(line string) {
	if !r.open {
		return
	}
	r.over = true
	if r.frames++; r.frames <= frameLimit {
		r.last().frames += clipped(strings.TrimSpace(line), 300) + "\n"
	}
}

// clipped is the beginning of a text, no character cut in two.
func clipped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// isThrowable reports whether a class that a line begins with is an exception: its name says so, or it is
// one of the few of Spark's whose name does not.
func isThrowable(class string) bool {
	class, _, _ = strings.Cut(class, "(") // what another machine threw stands behind it
	for _, end := range []string{"Exception", "Error", "Throwable", "Failure", "Failed", "NotCompatible", "NotEmpty", "Exceeded",
		"Mismatch", "Change", "Evolution"} {
		if strings.HasSuffix(class, end) {
			return true
		}
	}
	return strings.HasPrefix(class, "org.apache.spark.sql.execution.streaming.")
}

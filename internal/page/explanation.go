package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tidemark/internal/phrase"
	"tidemark/internal/trace"
)

// quoteLimit is how much of Spark's own words is shown, in bytes.
const quoteLimit = 400

// Explanation is what is said of a stack trace: which error it is, what the checkpoint shows at its places, whether the
// two agree, and what to do.
func Explanation(e *trace.Explanation) Page {
	p := Page{Title: phrase.Printable(e.Location)}
	p.fill(foreign(e), traceError(e), placesNow(e), agreement(e), traceNext(e), behind(e), notes(e))
	return p
}

// line is one thing that is said of a trace, with the sign of its tone.
func line(name, text string, tone phrase.Role) Fact {
	sign, said := phrase.Tones[tone], phrase.Plain
	if tone == phrase.Strong {
		said = phrase.Strong
	}
	return Fact{Mark: Span{sign.Role, sign.Symbol}, Name: phrase.Printable(name), Text: Text{{said, phrase.Prose(text)}}}
}

// lines is a section of such lines, or none.
func lines(key, title string, rows ...Fact) Section {
	s := Section{Key: key, Title: title}
	if len(rows) > 0 {
		s.add(Facts{Rows: rows})
	}
	return s
}

func foreign(e *trace.Explanation) Section {
	s := Section{Key: "another-query", Title: "This trace is from another query"}
	if !e.Foreign {
		return s
	}
	s.add(Facts{Rows: []Fact{line("trace", "query "+e.Query, phrase.Bad), line("checkpoint", "query "+e.Ours, phrase.Bad)}})
	s.say(0, "The rest shows what the trace says and what this checkpoint contains. This checkpoint says nothing about that error. A checkpoint that lost its metadata file has a new ID: then the two may still match.")
	return s
}

// traceError is which error it is, in our words.
func traceError(e *trace.Explanation) Section {
	var rows []Fact
	name := phrase.Or(e.Name, e.Reason().Class)
	if e.SQLState != "" {
		name = strings.TrimSpace(name + "  SQLSTATE " + e.SQLState)
	}
	if name != "" {
		rows = append(rows, line("error", name, phrase.Strong))
	}
	if t := e.Topic(); t != nil {
		rows = append(rows, line("about", t.About, phrase.Strong), line("means", e.Condition.Says, phrase.Plain))
	} else {
		rows = append(rows, line("means", "tidemark does not know this error. The recognized parts are below.", phrase.Open))
	}
	return lines("error", "What it means here", rows...)
}

// behind is what is worth knowing of the error itself: what Spark checks, what it proves, its own words.
func behind(e *trace.Explanation) Section {
	var rows []Fact
	say := func(name, text string) {
		if text != "" {
			rows = append(rows, line(name, text, phrase.Plain))
		}
	}
	if t := e.Topic(); t != nil {
		say("checks", t.Checks)
		say("proves", t.Proves)
		if e.Condition.Compares != "" {
			say("compared", e.Condition.Compares)
		}
		if e.Condition.Releases != "" {
			say("known in", releases(e.Condition))
		}
	}
	say("Spark's error", quoted(e))
	say("of", idsOf(e.Trace))
	return lines("behind", "How Spark gets there", rows...)
}

// releases are those that have the name of a condition: of Spark, where they name no other project.
func releases(c *trace.Condition) string {
	text := strings.Replace(c.Releases, "-", " to ", 1)
	if text[0] >= '0' && text[0] <= '9' {
		text = "Spark " + text
	}
	return text
}

// idsOf is what ran when it failed: query, run, tasks.
func idsOf(t *trace.Trace) string {
	var parts []string
	if t.Query != "" {
		parts = append(parts, "query "+t.Query)
	}
	if t.Run != "" {
		parts = append(parts, "run "+t.Run)
	}
	for _, x := range t.Tasks {
		text := "task " + x.Task + " in stage " + x.Stage
		if x.Attempt != "" {
			text += " (TID " + x.Attempt + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// quoted are Spark's own words: of the exception that tells, and where that is another one of the innermost.
func quoted(e *trace.Explanation) string {
	tells, reason := bare(e.Chain[e.At].String()), e.Reason().String()
	words := clip(tells)
	if e.Condition == nil || e.At == len(e.Chain)-1 {
		return clip(bare(reason))
	}
	if !strings.Contains(tells, reason) {
		words += "; innermost: " + clip(reason)
	}
	return words
}

// bare is an exception without what Spark puts before each that ended a query: its ids are told beside it.
func bare(s string) string {
	if _, words, ok := strings.Cut(s, "terminated with exception: "); ok {
		return words
	}
	return s
}

func clip(s string) string {
	if len(s) <= quoteLimit {
		return s
	}
	n := quoteLimit
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + " …"
}

// placesNow is what the checkpoint shows at the places of the trace.
func placesNow(e *trace.Explanation) Section {
	s := Section{Key: "places", Title: "What is there now"}
	var f Facts
	for i := range e.Places {
		x := &e.Places[i]
		tone := phrase.Plain
		switch {
		case x.State == trace.Unread:
			tone = phrase.Open
		case x.State == trace.Missing || x.Flawed:
			tone = phrase.Bad
		case x.Whole:
			tone = phrase.Good
		}
		sign := phrase.Tones[tone]
		f.Rows = append(f.Rows, Fact{Mark: Span{sign.Role, sign.Symbol}, Name: phrase.Printable(x.Name), Text: Plain(phrase.Prose(x.Says))})
	}
	if len(f.Rows) == 0 {
		s.add(Paragraph{Text: Text{{phrase.Open, "? The trace names no file, batch, state store or partition of this checkpoint."}}})
		return s
	}
	s.add(f)
	return s
}

// agreementWords are what the checkpoint does to the trace.
var agreementWords = map[trace.Agreement]string{trace.Agrees: "agrees", trace.Disagrees: "disagrees", trace.CannotTell: "cannot tell"}

// agreement is whether the two fit.
func agreement(e *trace.Explanation) Section {
	tone := phrase.Strong
	if e.Agreement == trace.CannotTell {
		tone = phrase.Open
	}
	rows := []Fact{line("it "+agreementWords[e.Agreement], e.Because, tone)}
	for _, f := range e.Findings {
		text := fmt.Sprintf("%s %s, %s", f.Severity, f.Code, f.Where)
		if !strings.Contains(e.Because, f.Evidence) {
			text += ": " + f.Evidence
		}
		rows = append(rows, line("finding", text, phrase.Plain))
	}
	return lines("agreement", "Does the checkpoint agree?", rows...)
}

func traceNext(e *trace.Explanation) Section {
	rows := []Fact{line("next", e.Next, phrase.Strong)}
	if e.Avoid != "" {
		never := avoid(e.Avoid)
		rows = append(rows, line(strings.ToLower(never[0]), never[1], phrase.Plain))
	}
	return lines("steps", "What to do", rows...)
}

// notes are what limits the answer.
func notes(e *trace.Explanation) Section {
	s := Section{Key: "notes", Title: "Notes"}
	note := func(format string, args ...any) { s.say(0, phrase.Prose(fmt.Sprintf(format, args...))) }
	for _, dir := range e.Elsewhere {
		note("In the trace the checkpoint is %s, but it was opened as %s. Make sure these are the same folder, or a copy of it.", dir, e.Location)
	}
	if e.Query != "" && e.Ours == "" {
		note("The trace is from query %s. This checkpoint records no query ID, so it may be another query.", e.Query)
	}
	if e.Others > 0 {
		note("The text contains %s more. The last known one is explained.", phrase.Units(int64(e.Others), "errors"))
	}
	if e.Cut {
		note("The text is longer than 1 MiB. Only its end was read.")
	}
	if e.SoFar {
		note("Not everything in the checkpoint is checked yet.")
	}
	return s
}

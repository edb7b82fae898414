package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tidemark/internal/trace"
)

// ExplainPart is a part of what is said of a stack trace. Its texts are as the trace and the checkpoint have
// them: whoever shows them makes them harmless.
type ExplainPart struct {
	Title string
	Lines []ExplainLine
}

// ExplainLine is one thing that is said.
type ExplainLine struct {
	Label string // "" where the title says all
	Text  string // full sentences, or a value
	Tone  Tone
}

// Tone is what a line means for the reader.
type Tone int

// The tones.
const (
	Plain  Tone = iota
	Good        // it is as it should be
	Bad         // it is not
	Open        // it is not known
	Strong      // it is what the reader came for
)

// quoteLimit is how much of Spark's own words is shown, in bytes.
const quoteLimit = 400

// Explanation is what is said of a trace, part by part.
func Explanation(e *trace.Explanation) []ExplainPart {
	var all []ExplainPart
	for _, part := range []ExplainPart{foreignPart(e), errorPart(e), nowPart(e), agreesPart(e), nextPart(e), behindPart(e), notesPart(e)} {
		if len(part.Lines) > 0 {
			all = append(all, part)
		}
	}
	return all
}

func foreignPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "THIS IS THE TRACE OF ANOTHER QUERY"}
	if !e.Foreign {
		return p
	}
	p.Lines = append(p.Lines, ExplainLine{"trace", "query " + e.Query, Bad}, ExplainLine{"checkpoint", "query " + e.Ours, Bad},
		ExplainLine{"", "What follows is what the trace says; what stands in this checkpoint is shown beside it, and says nothing about that error. A checkpoint whose file metadata was lost has a new id: then the two may still belong together.", Plain})
	return p
}

// errorPart is which error it is, in our words.
func errorPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "WHAT THE TRACE SAYS"}
	name := or(e.Name, e.Reason().Class)
	if e.SQLState != "" {
		name = strings.TrimSpace(name + "  SQLSTATE " + e.SQLState)
	}
	if name != "" {
		p.Lines = append(p.Lines, ExplainLine{"error", name, Strong})
	}
	if t := e.Topic(); t != nil {
		p.Lines = append(p.Lines, ExplainLine{"about", t.About, Strong}, ExplainLine{"means", e.Condition.Says, Plain})
	} else {
		p.Lines = append(p.Lines, ExplainLine{"means", "This error is not one that is known here. What was recognised in it is shown below.", Open})
	}
	return p
}

// behindPart is what is worth knowing of the error itself: what Spark checks, what it proves, its own words.
func behindPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "BEHIND IT"}
	if t := e.Topic(); t != nil {
		p.Lines = append(p.Lines, ExplainLine{"checked", t.Checks, Plain}, ExplainLine{"proves", t.Proves, Plain})
		if e.Condition.Compares != "" {
			p.Lines = append(p.Lines, ExplainLine{"compared", "Here: " + e.Condition.Compares + ".", Plain})
		}
		if e.Condition.Releases != "" {
			p.Lines = append(p.Lines, ExplainLine{"known from", releases(e.Condition), Plain})
		}
	}
	if words := quoted(e); words != "" {
		p.Lines = append(p.Lines, ExplainLine{"in words", words, Plain})
	}
	if ids := idsOf(e.Trace); ids != "" {
		p.Lines = append(p.Lines, ExplainLine{"of", ids, Plain})
	}
	return p
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

// nowPart is what the checkpoint shows at the places of the trace.
func nowPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "WHAT STANDS THERE NOW"}
	for i := range e.Places {
		x := &e.Places[i]
		tone := Plain
		switch {
		case x.State == trace.Unread:
			tone = Open
		case x.State == trace.Missing || x.Flawed:
			tone = Bad
		case x.Whole:
			tone = Good
		}
		p.Lines = append(p.Lines, ExplainLine{x.Name, x.Says, tone})
	}
	if len(p.Lines) == 0 {
		p.Lines = append(p.Lines, ExplainLine{"", "The trace names no file, batch, store or partition of this checkpoint.", Open})
	}
	return p
}

// agreesPart is whether the two fit.
func agreesPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "DOES THE CHECKPOINT AGREE?"}
	tone := Strong
	if e.Agreement == trace.CannotTell {
		tone = Open
	}
	p.Lines = append(p.Lines, ExplainLine{"it " + agreementWords[e.Agreement], e.Because, tone})
	for _, f := range e.Findings {
		text := fmt.Sprintf("%s %s, %s", f.Severity, f.Code, f.Where)
		if !strings.Contains(e.Because, f.Evidence) {
			text += ": " + f.Evidence
		}
		p.Lines = append(p.Lines, ExplainLine{"finding", text, Plain})
	}
	return p
}

var agreementWords = map[trace.Agreement]string{trace.Agrees: "agrees", trace.Disagrees: "disagrees", trace.CannotTell: "cannot tell"}

func nextPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "WHAT TO DO"}
	p.Lines = append(p.Lines, ExplainLine{"next", e.Next, Strong})
	if e.Avoid != "" {
		p.Lines = append(p.Lines, ExplainLine{"avoid", e.Avoid, Plain})
	}
	return p
}

// notesPart is what limits the answer.
func notesPart(e *trace.Explanation) ExplainPart {
	p := ExplainPart{Title: "NOTES"}
	note := func(format string, args ...any) {
		p.Lines = append(p.Lines, ExplainLine{"", fmt.Sprintf(format, args...), Plain})
	}
	for _, dir := range e.Elsewhere {
		note("The trace knows the checkpoint as %s, and it was opened as %s. Make sure that these are the same folder, or a copy of it.", dir, e.Location)
	}
	if e.Query != "" && e.Ours == "" {
		note("The trace is of query %s. This checkpoint records no query id, so whether it is the same query is not known.", e.Query)
	}
	if e.Others > 0 {
		note("The text holds %s more; the last one that is known is explained.", Units(int64(e.Others), "errors"))
	}
	if e.Cut {
		note("The text is longer than 1 MiB; only its end was read.")
	}
	if e.SoFar {
		note("Not everything in the checkpoint has been looked at yet.")
	}
	return p
}

// WriteExplanation writes an explanation for a person.
func WriteExplanation(w io.Writer, e *trace.Explanation, opt Options) error {
	p := newPage(w, opt)
	p.line(p.bold(Printable(e.Location)))
	for _, part := range Explanation(e) {
		p.title(part.Title)
		for _, l := range part.Lines {
			p.explainLine(l)
		}
	}
	return p.flush()
}

const labelWidth = 12 // cells of the labels in an explanation; a longer one has a line of its own

func (p *page) explainLine(l ExplainLine) {
	text, label := Printable(l.Text), Printable(l.Label)
	mark := p.mark(map[Tone]string{Good: "✓ ", Bad: "✗ ", Open: "? "}[l.Tone], map[Tone]string{Good: "+ ", Bad: "x ", Open: "? "}[l.Tone])
	if mark == "" {
		mark = "  "
	}
	switch {
	case label == "":
		p.wrap("  "+mark, text)
	case cells(label) > labelWidth:
		p.line("  " + mark + p.bold(label))
		p.wrap(strings.Repeat(" ", labelWidth+5), text)
	default:
		p.hang("  "+mark+label+strings.Repeat(" ", labelWidth+1-cells(label)), text)
	}
}

// ---- for a program

type explainJSON struct {
	Schema    string         `json:"schema"`
	Location  string         `json:"location"`
	Query     explainQuery   `json:"query"`
	Condition *conditionJSON `json:"condition"` // null where the error is not known
	Error     errorJSON      `json:"error"`
	Batch     int64          `json:"batch"`
	Files     []fileJSON     `json:"files"`
	Stores    []storeJSON    `json:"stores"`
	Tasks     []taskJSON     `json:"tasks"`
	Parts     []partJSON     `json:"parts"`
	Places    []lookedJSON   `json:"places"`
	Agreement string         `json:"agreement"`
	Because   string         `json:"because"`
	Findings  []finding      `json:"findings"`
	NextStep  string         `json:"next_step"`
	Avoid     string         `json:"avoid"`
	Complete  bool           `json:"complete"` // all that the trace is about was read
}

type explainQuery struct {
	Trace      string `json:"trace"`
	Run        string `json:"run"`
	Checkpoint string `json:"checkpoint"`
	Other      bool   `json:"other"` // the trace is of another query
}

type conditionJSON struct {
	About  string `json:"about"`
	Means  string `json:"means"`
	Checks string `json:"checks"`
	Proves string `json:"proves"`
	// Name is Spark's own name of the condition that was recognised, and Releases those from 3.4 to 4.3 that have
	// it: "4.1-4.3"; "" for a message without a name. Compares is what of the checkpoint is held against the message,
	// and Decides is what else decides it; either may be "".
	Name     string `json:"name"`
	Releases string `json:"releases"`
	Compares string `json:"compares"`
	Decides  string `json:"decides"`
}

type errorJSON struct {
	Name     string      `json:"name"` // Spark's condition
	SQLState string      `json:"sqlstate"`
	Chain    []causeJSON `json:"chain"` // outermost first
}

type causeJSON struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

type fileJSON struct {
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

type storeJSON struct {
	Operator  int    `json:"operator"`
	Partition int    `json:"partition"`
	Name      string `json:"name"`
	Version   int64  `json:"version"`
}

type taskJSON struct {
	Task    string `json:"task"`
	Stage   string `json:"stage"`
	Attempt string `json:"attempt"`
}

type partJSON struct {
	Part string `json:"part"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

type lookedJSON struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Size   int64  `json:"size"`
	Whole  bool   `json:"whole"`
	Flawed bool   `json:"flawed"`
	Says   string `json:"says"`
}

// ExplanationJSON writes an explanation for a program: tidemark/explain/1. Numbers that the trace does not name
// are -1.
func ExplanationJSON(w io.Writer, e *trace.Explanation) error {
	out := explainJSON{
		Schema: "tidemark/explain/1", Location: e.Location,
		Query: explainQuery{e.Query, e.Run, e.Ours, e.Foreign},
		Error: errorJSON{Name: e.Name, SQLState: e.SQLState}, Batch: e.Batch,
		Files: []fileJSON{}, Stores: []storeJSON{}, Tasks: []taskJSON{}, Parts: []partJSON{}, Places: []lookedJSON{}, Findings: []finding{},
		Agreement: string(e.Agreement), Because: e.Because, NextStep: e.Next, Avoid: e.Avoid, Complete: !e.Unread && !e.SoFar,
	}
	if t := e.Topic(); t != nil {
		c := e.Condition
		out.Condition = &conditionJSON{t.About, c.Says, t.Checks, t.Proves, c.Name, c.Releases, c.Compares, c.Decides}
	}
	for _, c := range e.Chain {
		out.Error.Chain = append(out.Error.Chain, causeJSON{c.Class, c.Message})
	}
	for _, f := range e.Files {
		out.Files = append(out.Files, fileJSON(f))
	}
	for _, s := range e.Stores {
		out.Stores = append(out.Stores, storeJSON(s))
	}
	for _, t := range e.Tasks {
		out.Tasks = append(out.Tasks, taskJSON(t))
	}
	for _, x := range e.Parts {
		out.Parts = append(out.Parts, partJSON{x.Name(), x.From, x.To})
	}
	for i := range e.Places {
		x := &e.Places[i]
		out.Places = append(out.Places, lookedJSON{x.Name, string(x.State), x.Size, x.Whole, x.Flawed, x.Says})
	}
	for i := range e.Findings {
		out.Findings = append(out.Findings, newFinding(&e.Findings[i]))
	}
	return WriteJSON(w, out, "  ")
}

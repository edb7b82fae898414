package report

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
)

// PlanLine is a line of a migration plan. A value is to be copied: it is not broken into lines.
type PlanLine struct {
	Text  string
	Value bool
}

// Plan is the way to a new checkpoint, to be read and pasted into a change request.
func Plan(v *checks.Verdict) []PlanLine {
	m := v.Migration
	if m == nil {
		return []PlanLine{{Text: "No batch is committed whose plan could be read, so nothing here says where a new query would have to start."}}
	}
	var all []PlanLine
	say := func(format string, args ...any) { all = append(all, PlanLine{Text: fmt.Sprintf(format, args...)}) }
	say("Old checkpoint: %s (query %s).", v.Location, or(v.QueryID, "of unknown id"))
	say("Stop point: batch %d, the newest that is committed; %s records where it ends.", m.Batch, m.File)
	for _, q := range v.Questions {
		if q.Name == "intact" {
			say("State of the checkpoint: intact: %s; %s.", q.Answer, q.Because)
		}
	}
	for _, s := range m.Starts {
		if s.Option == "" {
			continue
		}
		say("Start position of source %d%s, option %s:", s.Source, kinds(s), s.Option)
		all = append(all, PlanLine{s.Value, true})
	}
	for i, step := range m.Steps {
		say("%d. %s", i+1, strings.Join(strings.Fields(step), " "))
	}
	say("Keep as evidence until the new query has proved itself: %s.", strings.Join(m.Keep, "; "))
	return all
}

func kinds(s checks.StartPosition) string {
	name := strings.TrimSpace(s.Name + " " + strings.Join(s.Kinds, " or "))
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Advice is what the verdict comes to, in one line; "" before the run is over.
func Advice(a *checks.Advice) string { return strings.Join(strings.Fields(a.String()), " ") }

// advicePart says what the verdict comes to, behind the three questions.
func advicePart(p *page, v *checks.Verdict) {
	if v.Advice.Way == "" {
		return
	}
	p.blank()
	p.hang("  "+p.mark("→", "->")+" ", p.bold(Printable(string(v.Advice.Way)))+Printable(strings.TrimPrefix(Advice(&v.Advice), string(v.Advice.Way))))
}

// planPart is the plan, where the verdict comes to it.
func planPart(p *page, v *checks.Verdict) {
	if v.Advice.Way != checks.Migrate {
		return
	}
	p.title("THE WAY TO A NEW CHECKPOINT")
	for _, l := range Plan(v) {
		if l.Value {
			p.line("    " + Printable(l.Text))
			continue
		}
		p.wrap("  ", Printable(l.Text))
	}
}

type adviceJSON struct {
	Way     checks.Way `json:"way"`
	What    string     `json:"what"`
	Reasons []string   `json:"reasons"`
}

type migrationJSON struct {
	Batch  int64       `json:"batch"`
	File   string      `json:"file"`
	Open   []int64     `json:"uncommitted"`
	Starts []startJSON `json:"starts"`
	Steps  []string    `json:"steps"`
	Keep   []string    `json:"keep"`
}

type startJSON struct {
	Source  int      `json:"source"`
	Name    string   `json:"name"`
	Kinds   []string `json:"kinds"`
	Option  string   `json:"option"`
	Value   string   `json:"value"`
	Repeats string   `json:"repeats"`
	Notes   []string `json:"notes"` // what is skipped, and what else to know
	Without string   `json:"without"`
}

func newAdvice(a *checks.Advice) *adviceJSON {
	if a.Way == "" {
		return nil
	}
	return &adviceJSON{a.Way, a.What, list(a.Reasons)}
}

func newMigration(m *checks.Migration) *migrationJSON {
	if m == nil {
		return nil
	}
	out := &migrationJSON{m.Batch, m.File, list(m.Open), []startJSON{}, list(m.Steps), list(m.Keep)}
	for _, s := range m.Starts {
		out.Starts = append(out.Starts, startJSON{s.Source, s.Name, list(s.Kinds), s.Option, s.Value, s.Repeats, list(s.Notes), s.Without})
	}
	return out
}

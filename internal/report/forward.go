package report

import (
	"fmt"
	"io"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/trace"
)

// What packages phrase and page say, under the names and in the forms that other packages still know them by.

// Printable is phrase.Printable.
func Printable(s string) string { return phrase.Printable(s) }

// Count is phrase.Count.
func Count(n int64) string { return phrase.Count(n) }

// Units is phrase.Units.
func Units(n int64, many string) string { return phrase.Units(n, many) }

// Sentence is phrase.Sentence.
func Sentence(s string) string { return phrase.Sentence(s) }

// Time is phrase.Time.
func Time(ms int64) string { return phrase.Time(ms) }

// TimeOr is phrase.TimeOr.
func TimeOr(ms int64, none string) string { return phrase.TimeOr(ms, none) }

// Sum is phrase.Sum.
type Sum struct{ phrase.Sum }

// Short is phrase.Sum.Short, in plain ASCII where that is asked for.
func (s *Sum) Short(ascii bool) string {
	if ascii {
		return phrase.ASCII(s.Sum.Short())
	}
	return s.Sum.Short()
}

// Total is phrase.Total.
func Total(ranges []checks.Range) string {
	all := make([]source.Range, len(ranges))
	for i := range ranges {
		all[i] = ranges[i].Range
	}
	return phrase.Total(all)
}

// Schema is page.Schema.
func Schema(o *statestore.Operator) (key, value string) { return page.Schema(o) }

// DDL is page.DDL.
func DDL(fields []state.Field) string { return page.DDL(fields) }

// Outcome is page.Outcome.
func Outcome(v *checks.Verdict) string { return page.Outcome(v) }

// HealthWord is the word of page.Health.
func HealthWord(v *checks.Verdict) string { return page.Health(v).Word }

// Health is page.Health on a line.
func Health(v *checks.Verdict, ascii bool) string {
	if ascii {
		return phrase.ASCII(page.Health(v).Head())
	}
	return page.Health(v).Head()
}

// InOutput is page.InOutput.
func InOutput(o *checks.Output, batch int64) string { return page.InOutput(o, batch) }

// Salvaged is page.Salvaged.
func Salvaged(f *checks.Finding) string { return page.Salvaged(f) }

// KeptRank is page.RemainsRank.
func KeptRank(s checks.KeptState) int { return page.RemainsRank(s) }

// KeptWords is page.Remains.
func KeptWords(p *checks.KeptPart) string { return page.Remains(p) }

// Cost is page.Cost.
func Cost(w *checks.Recovery) string { return page.Cost(w) }

// WayNames is page.WayNames.
var WayNames = page.WayNames

// BeforeAnyWay is page.BeforeAnyWay.
const BeforeAnyWay = page.BeforeAnyWay

// Advice is page.AdviceLine as text.
func Advice(a *checks.Advice) string { return page.AdviceLine(a).String() }

// PlanLine is a line of page.Plan. A value is to be copied: it is not broken into lines.
type PlanLine struct {
	Text  string
	Value bool
}

// Plan is page.Plan, line by line.
func Plan(v *checks.Verdict) []PlanLine {
	var all []PlanLine
	for _, b := range page.Plan(v).Blocks {
		switch b := b.(type) {
		case page.Paragraph:
			all = append(all, PlanLine{Text: b.Text.String()})
		case page.Code:
			all = append(all, PlanLine{b.Text, true})
		case page.Steps:
			for i, step := range b.Items {
				all = append(all, PlanLine{Text: fmt.Sprintf("%d. %s", i+1, step.Do)})
			}
		}
	}
	return all
}

// ExplainPart is a section of page.Explanation.
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
type Tone = phrase.Role

// The tones.
const (
	Good   = phrase.Good
	Bad    = phrase.Bad
	Open   = phrase.Open
	Strong = phrase.Strong
)

// Explanation is page.Explanation, part by part.
func Explanation(e *trace.Explanation) []ExplainPart {
	var all []ExplainPart
	for _, s := range page.Explanation(e).Sections {
		part := ExplainPart{Title: s.Title}
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case page.Paragraph:
				part.Lines = append(part.Lines, ExplainLine{"", strings.TrimPrefix(b.Text.String(), "? "), b.Text[0].Role})
			case page.Facts:
				for _, f := range b.Rows {
					tone := f.Mark.Role
					if f.Text[0].Role == phrase.Strong {
						tone = phrase.Strong
					}
					part.Lines = append(part.Lines, ExplainLine{f.Name, f.Text.String(), tone})
				}
			}
		}
		all = append(all, part)
	}
	return all
}

// WriteExplanation writes an explanation for a person.
func WriteExplanation(w io.Writer, e *trace.Explanation, opt Options) error {
	return Page(w, page.Explanation(e), opt)
}

// Committed is page.Committed.
func Committed(cp *checkpoint.Checkpoint, b *checkpoint.Batch) string { return page.Committed(cp, b) }

// Finding writes one finding as Text does.
func Finding(w io.Writer, f *checks.Finding, opt Options) error {
	return Sections(w, opt, page.Finding(f))
}

// Missed writes what was not looked at, as Text does; nothing where all was.
func Missed(w io.Writer, v *checks.Verdict, opt Options) error {
	return Sections(w, opt, page.NotChecked(v))
}

// Drift writes how the query differs from its checkpoint, as Text does, or why that is not known.
func Drift(w io.Writer, v *checks.Verdict, opt Options) error {
	if s := page.Drift(v); len(s.Blocks) > 0 {
		return Sections(w, opt, s)
	}
	return Blocks(w, opt, page.Paragraph{Text: page.Plain(page.NoSpec)})
}

// Columns lines up the cells of rows: see page.Rows.
func Columns(rows [][]string) []string {
	l := Options{Width: 1 << 20}.layout()
	l.Indent = 0
	return l.Blocks(page.Rows(rows))
}

// RangeRow is what one part reads in columns, after its name: from, to, how much.
func RangeRow(name string, r source.Range, opt Options) []string {
	from, to := phrase.Ends(r)
	row := []string{Printable(name), ">" + from, "→", ">" + to, phrase.Amount(r)}
	if opt.ASCII {
		for i := range row {
			row[i] = phrase.ASCII(row[i])
		}
	}
	return row
}

// Tally is page.Tally on a line.
func Tally(v *checks.Verdict, opt Options) string {
	l := opt.layout()
	l.Indent = 0
	return l.Blocks(page.Paragraph{Text: page.Tally(v), Whole: true})[0]
}

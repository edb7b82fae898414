package report

import (
	"io"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
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

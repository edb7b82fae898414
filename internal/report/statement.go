package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tidemark/internal/checks"
)

// Statement writes which ranges are safe, read again, doubled or lost at the next start, each with what shows it:
// a table of Markdown, to be pasted into a postmortem.
func Statement(w io.Writer, v *checks.Verdict, opt Options) error {
	b := bufio.NewWriter(w)
	for _, line := range StatementLines(v, opt) {
		b.WriteString(line + "\n")
	}
	return b.Flush()
}

// StatementLines are the lines of the statement.
func StatementLines(v *checks.Verdict, opt Options) []string {
	fates := checks.Statement(v)
	head := "Checkpoint " + code(v.Location)
	if v.QueryID != "" {
		head += ", query " + code(v.QueryID)
	}
	if !opt.Now.IsZero() {
		head += ", as of " + Time(opt.Now.UnixMilli())
	}
	lines := []string{head + ".", ""}
	if len(fates) == 0 {
		return append(lines, "Nothing is planned or committed, so that there is no range to speak of.")
	}
	lines = append(lines, "| batch | part | from | to | how much | what becomes of it | what shows it |", "| ---: | --- | ---: | ---: | ---: | --- | --- |")
	for i := range fates {
		lines = append(lines, "| "+strings.Join(FateRow(v, &fates[i]), " | ")+" |")
	}
	if !v.Complete {
		lines = append(lines, "", "Not everything was looked at.")
	}
	return lines
}

// FateRow are the cells of one line of the statement, none of which has a bar or a line break.
func FateRow(v *checks.Verdict, f *checks.Fate) []string {
	batch := "-"
	switch {
	case f.First >= 0 && f.Last > f.First:
		batch = fmt.Sprintf("%d … %d", f.First, f.Last)
	case f.First >= 0:
		batch = fmt.Sprint(f.First)
	}
	row := []string{batch, "all", "-", "-", "-", string(f.Word), f.Evidence}
	if r := f.Part; r != nil {
		row[1] = r.Part
		if row[1] == "" || len(v.Sources) > 1 {
			row[1] = strings.TrimSpace(fmt.Sprintf("source %d %s", r.Source, r.Part))
		}
		if r.From != nil {
			row[2] = r.From.Text
		}
		if r.To != nil {
			row[3] = r.To.Text
		}
		if r.Counted {
			row[4] = Amount(r.Range)
		}
	}
	for i, cell := range row {
		row[i] = strings.ReplaceAll(Printable(cell), "|", `\|`)
	}
	return row
}

// code is text as Markdown shows it letter by letter.
func code(s string) string {
	return "`" + strings.ReplaceAll(Printable(s), "`", "'") + "`"
}

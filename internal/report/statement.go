package report

import (
	"io"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// Statement writes which ranges are safe, read again, doubled or lost at the next start, each with what shows it:
// a table of Markdown, to be pasted into a postmortem.
func Statement(w io.Writer, v *checks.Verdict, opt Options) error {
	head := "Checkpoint " + code(v.Location)
	if v.QueryID != "" {
		head += ", query " + code(v.QueryID)
	}
	if !opt.Now.IsZero() {
		head += ", as of " + phrase.Time(opt.Now.UnixMilli())
	}
	lines := []string{head + "."}
	for _, b := range page.Statement(v).Blocks {
		lines = append(lines, "")
		switch b := b.(type) {
		case page.Paragraph:
			lines = append(lines, b.Text.String())
		case page.Table:
			lines = append(lines, markdown(b)...)
		}
	}
	if opt.ASCII {
		for i := range lines {
			lines[i] = phrase.ASCII(lines[i])
		}
	}
	return Lines(w, lines)
}

// markdown draws a table in Markdown.
func markdown(t page.Table) []string {
	var heads, rules []string
	for _, c := range t.Columns {
		heads = append(heads, c.Title)
		if c.Right {
			rules = append(rules, "---:")
		} else {
			rules = append(rules, "---")
		}
	}
	lines := []string{markdownRow(heads), markdownRow(rules)}
	for _, r := range t.Rows {
		texts := make([]string, len(r))
		for i := range r {
			texts[i] = strings.ReplaceAll(r[i].Text, "|", `\|`)
		}
		lines = append(lines, markdownRow(texts))
	}
	return lines
}

func markdownRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// code is text as Markdown shows it letter by letter.
func code(s string) string {
	return "`" + strings.ReplaceAll(phrase.Printable(s), "`", "'") + "`"
}

package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// ---- layout

// bars is the column of bars.
const bars = 6

// fit gives the columns their widths. Those of a store's name and its chain are there where they are of use.
func (x *stateScreen) fit() {
	c := x.table.Columns
	part, names, version := x.widths.part, x.widths.name, x.widths.version
	c[2].Title = "restart"
	if len(x.s.verdict.Loads) > 0 {
		c[2].Title = fmt.Sprintf("version %d", x.version())
	}
	c[0].Width, c[2].Width, c[3].Width, c[4].Width = part, max(14, 11+version), max(6, version), max(8, version)
	fixed := part + 2
	for i, col := range c[2:9] {
		if i+2 != bars {
			fixed += col.Width + 2
		}
	}
	room := x.tableWidth() - fixed - 2
	c[bars].Width, c[bars].Title = max(min(room-2, 8), 0), "compared"
	if names > 0 && room < 28 { // numbers come before bars
		c[bars].Width = 0
	}
	if c[bars].Width > 0 {
		room -= c[bars].Width + 2
	}
	if c[bars].Width < 8 {
		c[bars].Title = ""
	}
	c[1].Width = 0
	if names > 0 {
		c[1].Width = min(names, max(room-4, 14))
		room -= c[1].Width + 2
	}
	c[9].Width = 0
	if room >= 16 {
		c[9].Width = 14
	}
	x.links.Columns[2].Width = 0
	if w, _ := x.words(0); w >= 62 {
		x.links.Columns[2].Width = 20
		if x.s.clock.local {
			x.links.Columns[2].Width = 25
		}
	}
}

// ---- view

func (x *stateScreen) view(w, h int) []string {
	switch {
	case x.s.cp == nil:
		return []string{"", "   … the checkpoint is being opened"}
	case !x.built && x.s.verdict.Done:
		return []string{"", "   " + x.s.theme.unknown.Styled(x.s.withKeys("? The folders of state were not listed: the reading ended before. %s reads again.", keys.reread))}
	case !x.built:
		return []string{"", "   … the folders of state are being listed"}
	case len(x.rows) == 0:
		return x.empty(w)
	}
	return x.list.view(&x.s.theme, append([]string{" " + x.summary()}, x.notes(w)...), x, x.detail)
}

// summary says how many of the stores that a restart loads have their files; or what is looked for.
func (x *stateScreen) summary() string {
	t, v := &x.s.theme, &x.s.verdict
	if x.sought() {
		return filterLine(t, &x.filter, "in paths and words: missing, empty, not loaded …")
	}
	n := x.sums
	if x.past() {
		return x.pastSummary()
	}
	if len(v.Loads) == 0 && v.MoreLoads == 0 {
		switch {
		case x.fromNothing():
			return t.dim.Styled("no batch is committed: a start begins with empty state, version 0, and loads none of this")
		case v.Known && v.Restart.Outcome == checks.Unknown:
			return t.unknown.Styled("? which version a restart loads is not known: " + prose(v.Restart.Because))
		}
		return t.unknown.Styled("? which version a restart loads is not known from the logs")
	}
	text := fmt.Sprintf("a restart loads %s at version %d", plural(int64(n.loads), "store"), x.version())
	var parts []string
	if n.flawed > 0 {
		parts = append(parts, t.critical.Styled(fmt.Sprintf("✗ %s broken", report.Count(int64(n.flawed)))))
	}
	if n.unlisted > 0 {
		parts = append(parts, t.unknown.Styled(fmt.Sprintf("? %s not listed", report.Count(int64(n.unlisted)))))
	}
	if missing := v.MoreLoads; missing > 0 {
		parts = append(parts, t.critical.Styled(fmt.Sprintf("✗ %s more without a folder", report.Count(int64(missing)))))
	}
	if n.whole > 0 {
		m, with := x.fine(), "with "
		if m.symbol == "✓" {
			with = ""
		}
		parts = append(parts, m.style.Styled(m.symbol)+fmt.Sprintf(" %s %s%s", report.Count(int64(n.whole)), with, m.words))
	}
	switch {
	case x.counting > 0:
		parts = append(parts, t.dim.Styled(fmt.Sprintf("… rows of %s counted", plural(int64(len(x.counted)), "store"))))
	case x.adding:
		parts = append(parts, t.dim.Styled(fmt.Sprintf("… sizes: %d folders listed", len(x.sizes))))
	}
	return text + ":  " + strings.Join(parts, "   ")
}

// fromNothing reports whether a start begins with version 0, the empty one, which has no file.
func (x *stateScreen) fromNothing() bool {
	b := &x.s.verdict.Batches
	return b.LastPlanned < 0 || b.LastPlanned == 0 && b.LastCommitted < 0
}

func (x *stateScreen) version() int64 {
	if x.past() {
		return x.s.asOf + 1
	}
	return x.restartVersion()
}

// restartVersion is the version that a restart loads.
func (x *stateScreen) restartVersion() int64 {
	if l := x.s.verdict.Loads; len(l) > 0 {
		return l[0].Version
	}
	return x.s.verdict.Restart.StateVersion
}

// notes are the findings about state that no row is about, two at most.
func (x *stateScreen) notes(w int) []string {
	var lines []string
	for _, f := range x.outside[:min(len(x.outside), 2)] {
		symbol, style := x.s.theme.severity(f.Severity)
		lines = append(lines, " "+style.Styled(symbol+" "+f.Code)+widget.Cut("  "+evidence(f), w-len(f.Code)-3))
	}
	if more := len(x.outside) - len(lines); more > 0 {
		lines[len(lines)-1] += x.s.theme.dim.Styled(fmt.Sprintf("  … %d more (%s)", more, x.s.firstKey(keys.findings)))
	}
	return lines
}

func evidence(f *checks.Finding) string {
	if f.Evidence == "" {
		return prose(f.Title)
	}
	return safe(f.Evidence)
}

// empty says that there is no state, and what that may mean.
func (x *stateScreen) empty(w int) []string {
	t, c := &x.s.theme, x.s.cp
	head, text := "NO STATE FOLDER", "There is no folder state: this query is stateless, or its state was deleted, or a copy left it out. A query without an aggregation, a join, a deduplication or another stateful operator has none."
	if e := c.Root.Find("state"); e != nil && e.Dir {
		head, text = "NO OPERATOR IN STATE", "The folder state is there and holds no operator. Either the query keeps no state and the folder is a leftover, or what stood in it was deleted, or a copy left it out."
	}
	if err := c.State.Err; err != nil {
		head, text = "STATE COULD NOT BE LISTED", fmt.Sprintf("%s. Whether there is state is not known.", safe(err.Error()))
	}
	lines := append([]string{"", " " + t.section.Styled(head)}, indent(widget.Wrap(text, w-6))...)
	for _, f := range x.outside {
		symbol, style := t.severity(f.Severity)
		lines = append(lines, "", "   "+style.Styled(symbol+" "+f.Severity.String())+"  "+t.strong.Styled(f.Code))
		for _, part := range []string{evidence(f), prose(f.Meaning), prose(f.NextStep)} {
			lines = append(lines, indent(widget.Wrap(part, w-6))...)
		}
	}
	if len(x.outside) == 0 && c.State.Err == nil {
		say := "Nothing that was looked at says that the query ever kept state. Whether it does, only its code tells."
		if !x.s.verdict.Done {
			say = "… whether the logs tell of state is being looked at."
		}
		lines = append(append(lines, ""), indent(widget.Wrap(say, w-6))...)
	}
	return lines
}

// ---- the list

// Len and Row make it the rows of its table.
func (x *stateScreen) Len() int { return len(x.rows) }

func (x *stateScreen) Row(i int, r *widget.Row) {
	row, t := &x.rows[i], &x.s.theme
	selected := x.table.At < x.len() && x.table.Order.Row(x.table.At) == i
	m := x.mark(row)
	if row.heading {
		r.Note, r.Style = row.text, t.strong
		if m.symbol == "✗" || m.symbol == "?" {
			r.Note, r.Style = m.symbol+" "+row.text, m.style
		}
		return
	}
	r.Cells[0] = widget.Cell{Text: fmt.Sprint(row.partition), Style: m.style}
	r.Cells[1].Text = safe(row.name)
	r.Cells[2] = widget.Cell{Text: m.symbol + " " + m.words, Style: m.style}
	for c := 3; c <= 8; c++ {
		r.Cells[c].Text = "–"
	}
	if row.load != nil && row.err == nil {
		r.Cells[4].Text = fmt.Sprint(row.load.Loadable)
		switch {
		case row.load.Loadable == 0:
			r.Cells[4].Text = "none"
		case row.whole() && x.broken(row): // that is what the names of the files tell
			r.Cells[4] = widget.Cell{Text: "?", Style: t.unknown}
		}
	}
	if row.store == nil {
		return
	}
	if row.newest > 0 {
		r.Cells[3].Text = fmt.Sprint(row.newest)
	}
	r.Cells[7].Text = x.rowsCell(row)
	r.Cells[8].Text = report.Count(int64(len(row.store.Files) + x.sizes[row.tables].files))
	bytes, known := x.size(row)
	switch {
	case known:
		r.Cells[5].Text = size(bytes)
		r.Cells[6].Text = widget.Bar(bytes, x.full[scale{row.operator, row.name}], x.table.Columns[6].Width)
	case x.sizes[row.tables].err != nil || !x.adding:
		r.Cells[5] = widget.Cell{Text: "?", Style: t.unknown}
	default:
		r.Cells[5] = widget.Cell{Text: "…", Style: t.dim}
	}
	if row.load != nil && r.From <= 9 && r.To > 9 {
		style := t.critical
		if selected && !x.inside {
			style = nil
		}
		r.Cells[9].Text = drawChain(x.linksOf(row), x.chainWidth(), style)
	}
}

// chainWidth is how wide the column of chains is drawn.
func (x *stateScreen) chainWidth() int {
	used := 2 + x.table.Columns[0].Width
	for _, c := range x.table.Columns[1:9] {
		if c.Width > 0 {
			used += c.Width + 2
		}
	}
	return max(x.tableWidth()-used-2, 0)
}

// storeMark is what a row says of itself, in a sign and a word or two.
type storeMark struct {
	symbol, words string
	style         ansi.Style
}

func (x *stateScreen) mark(r *storeRow) storeMark {
	t := &x.s.theme
	f := x.worst(r)
	switch {
	case r.err != nil:
		return storeMark{"?", "not listed", t.unknown}
	case x.past():
		return x.pastMark(r)
	case r.load != nil && (r.store == nil || len(r.store.Files) == 0):
		return storeMark{"✗", "no file", t.critical}
	case r.load != nil && len(r.load.Missing) > 0:
		m := r.load.Missing[0]
		words := fmt.Sprintf("%d missing", m.From)
		if m.From != m.To || len(r.load.Missing) > 1 {
			words = fmt.Sprintf("%d… missing", m.From)
		}
		return storeMark{"✗", words, t.critical}
	case r.load != nil && len(r.load.Empty) > 0:
		return storeMark{"✗", fmt.Sprintf("%d empty", r.load.Empty[0].Version), t.critical}
	case f != nil:
		symbol, style := t.severity(f.Severity)
		return storeMark{symbol, flawWord(f.Code), style}
	case r.load == nil:
		return storeMark{"·", "not loaded", t.dim}
	}
	return x.fine()
}

// fine is the mark of a store whose files are there. Only where all was looked into, and found whole,
// is it a check mark.
func (x *stateScreen) fine() storeMark {
	answer, _ := answerTo(x.s, "intact")
	switch {
	case !x.s.verdict.Done:
		return storeMark{"…", "files there", nil}
	case answer != "yes":
		return storeMark{"·", "files there", nil}
	}
	return storeMark{"✓", "all there", x.s.theme.good}
}

// headline is an operator in a line.
func headline(op *statestore.Operator) string {
	parts := []string{fmt.Sprintf("operator %d", op.ID)}
	if op.Name != "" {
		parts[0] += "  " + safe(op.Name)
	}
	if op.Guessed {
		parts[0] += " (guessed)"
	}
	parts = append(parts, provider(op), plural(int64(len(op.Partitions)), "partition"))
	if key, value := report.Schema(op); key != "" || value != "" {
		parts = append(parts, "key "+safe(key), "value "+safe(value))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "   ")
}

// provider is who wrote the files of an operator: "rocksdb, changelog".
func provider(op *statestore.Operator) string {
	if op.Provider == "rocksdb" {
		for _, p := range op.Partitions {
			for _, s := range p.Stores {
				if slices.ContainsFunc(s.Files, func(f state.File) bool { return f.Role == state.Changelog }) {
					return "rocksdb, changelog"
				}
			}
		}
	}
	return op.Provider
}

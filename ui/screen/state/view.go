package state

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- layout

// bars is the column of bars.
const bars = 6

// fit gives the columns their widths. Those of a store's name and its chain are there where they are of use.
func (x *model) fit() {
	c := x.Table.Columns
	part, names, version := x.widths.part, x.widths.name, x.widths.version
	c[2].Title = "restart"
	if len(x.s.Verdict.Loads) > 0 {
		c[2].Title = fmt.Sprintf("version %d", x.version())
	}
	c[0].Width, c[2].Width, c[3].Width, c[4].Width = part, max(14, 11+version), max(6, version), max(8, version)
	fixed := part + 2
	for i, col := range c[2:9] {
		if i+2 != bars {
			fixed += col.Width + 2
		}
	}
	room := x.TableWidth() - fixed - 2
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
	if w, _ := x.Words(0); w >= 62 {
		x.links.Columns[2].Width = 20
		if x.s.Clock.Local {
			x.links.Columns[2].Width = 25
		}
	}
}

// ---- view

func (x *model) View(w, h int) []string {
	switch {
	case x.s.Checkpoint == nil:
		return []string{"", "   … the checkpoint is being opened"}
	case !x.built && x.s.Verdict.Done:
		return []string{"", "   " + x.s.Theme.Unknown.Styled(x.s.WithKeys("? The folders of state were not listed: the reading ended before. %s reads again.", kit.Keys.Reread))}
	case !x.built:
		return []string{"", "   … the folders of state are being listed"}
	case len(x.rows) == 0:
		return x.empty(w)
	}
	return x.List.View(&x.s.Theme, append([]string{" " + x.Summary()}, x.notes(w)...), x, x.detail)
}

// Summary says how many of the stores that a restart loads have their files; or what is looked for.
func (x *model) Summary() string {
	t, v := &x.s.Theme, &x.s.Verdict
	if x.Filtering() {
		return kit.FilterLine(t, &x.Filter, "in paths and words: missing, empty, not loaded …")
	}
	n := x.sums
	if x.past() {
		return x.pastSummary()
	}
	if len(v.Loads) == 0 && v.MoreLoads == 0 {
		switch {
		case x.fromNothing():
			return t.Dim.Styled("no batch is committed: a start begins with empty state, version 0, and loads none of this")
		case v.Known && v.Restart.Outcome == checks.Unknown:
			return t.Unknown.Styled("? which version a restart loads is not known: " + kit.Prose(v.Restart.Because))
		}
		return t.Unknown.Styled("? which version a restart loads is not known from the logs")
	}
	text := fmt.Sprintf("a restart loads %s at version %d", phrase.Units(int64(n.loads), "stores"), x.version())
	var parts []string
	if n.flawed > 0 {
		parts = append(parts, t.Bad.Styled(fmt.Sprintf("✗ %s broken", phrase.Count(int64(n.flawed)))))
	}
	if n.unlisted > 0 {
		parts = append(parts, t.Unknown.Styled(fmt.Sprintf("? %s not listed", phrase.Count(int64(n.unlisted)))))
	}
	if missing := v.MoreLoads; missing > 0 {
		parts = append(parts, t.Bad.Styled(fmt.Sprintf("✗ %s more without a folder", phrase.Count(int64(missing)))))
	}
	if n.whole > 0 {
		m, with := x.fine(), "with "
		if m.Symbol == "✓" {
			with = ""
		}
		parts = append(parts, m.Style.Styled(m.Symbol)+fmt.Sprintf(" %s %s%s", phrase.Count(int64(n.whole)), with, m.Words))
	}
	switch {
	case x.counts.running > 0:
		parts = append(parts, t.Dim.Styled(fmt.Sprintf("… rows of %s counted", phrase.Units(int64(len(x.counts.by)), "stores"))))
	case x.adding:
		parts = append(parts, t.Dim.Styled(fmt.Sprintf("… sizes: %d folders listed", len(x.sizes))))
	}
	return text + ":  " + strings.Join(parts, "   ")
}

// fromNothing reports whether a start begins with version 0, the empty one, which has no file.
func (x *model) fromNothing() bool {
	b := &x.s.Verdict.Batches
	return b.LastPlanned < 0 || b.LastPlanned == 0 && b.LastCommitted < 0
}

func (x *model) version() int64 {
	if x.past() {
		return x.s.AsOf + 1
	}
	return x.restartVersion()
}

// restartVersion is the version that a restart loads.
func (x *model) restartVersion() int64 {
	if l := x.s.Verdict.Loads; len(l) > 0 {
		return l[0].Version
	}
	return x.s.Verdict.Restart.StateVersion
}

// notes are the findings about state that no row is about, two at most.
func (x *model) notes(w int) []string {
	var lines []string
	for _, f := range x.outside[:min(len(x.outside), 2)] {
		symbol, style := x.s.Theme.Severity(f.Severity)
		lines = append(lines, " "+style.Styled(symbol+" "+f.Code)+phrase.Cut("  "+evidence(f), w-len(f.Code)-3))
	}
	if more := len(x.outside) - len(lines); more > 0 {
		lines[len(lines)-1] += x.s.Theme.Dim.Styled(fmt.Sprintf("  … %d more (%s)", more, x.s.FirstKey(kit.Keys.Findings)))
	}
	return lines
}

func evidence(f *checks.Finding) string {
	if f.Evidence == "" {
		return kit.Prose(f.Title)
	}
	return kit.Safe(f.Evidence)
}

// empty says that there is no state, and what that may mean.
func (x *model) empty(w int) []string {
	t, c := &x.s.Theme, x.s.Checkpoint
	lines := append([]string{""}, t.Say(w, page.NoState(c))...)
	for _, f := range x.outside {
		symbol, style := t.Severity(f.Severity)
		lines = append(lines, "", "   "+style.Styled(symbol+" "+f.Severity.String())+"  "+t.Strong.Styled(f.Code))
		for _, part := range []string{evidence(f), kit.Prose(f.Meaning), kit.Prose(f.NextStep)} {
			lines = append(lines, kit.Indent(phrase.Wrap(part, w-6))...)
		}
	}
	if len(x.outside) == 0 && c.State.Err == nil {
		say := "Nothing that was looked at says that the query ever kept state. Whether it does, only its code tells."
		if !x.s.Verdict.Done {
			say = "… whether the logs tell of state is being looked at."
		}
		lines = append(append(lines, ""), kit.Indent(phrase.Wrap(say, w-6))...)
	}
	return lines
}

// ---- the list

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	row, t := &x.rows[i], &x.s.Theme
	selected := x.Table.At < x.len() && x.Table.Order.Row(x.Table.At) == i
	m := x.mark(row)
	if row.heading {
		r.Note, r.Style = row.text, t.Strong
		if m.Symbol == "✗" || m.Symbol == "?" {
			r.Note, r.Style = m.Symbol+" "+row.text, m.Style
		}
		return
	}
	r.Cells[0] = widget.Cell{Text: fmt.Sprint(row.Partition), Style: m.Style}
	r.Cells[1].Text = kit.Safe(row.Name)
	r.Cells[2] = widget.Cell{Text: m.Symbol + " " + m.Words, Style: m.Style}
	for c := 3; c <= 8; c++ {
		r.Cells[c].Text = "–"
	}
	if row.load != nil && row.err == nil {
		r.Cells[4].Text = fmt.Sprint(row.load.Loadable)
		switch {
		case row.load.Loadable == 0:
			r.Cells[4].Text = "none"
		case row.whole() && x.broken(row): // that is what the names of the files tell
			r.Cells[4] = widget.Cell{Text: "?", Style: t.Unknown}
		}
	}
	if row.store == nil {
		return
	}
	if row.newest > 0 {
		r.Cells[3].Text = fmt.Sprint(row.newest)
	}
	r.Cells[7].Text = x.counts.cell(row, &x.held)
	r.Cells[8].Text = phrase.Count(int64(len(row.store.Files) + x.sizes[row.tables].files))
	bytes, known := x.size(row)
	switch {
	case known:
		r.Cells[5].Text = phrase.Bytes(bytes)
		r.Cells[6].Text = widget.Bar(bytes, x.full[scale{row.Operator, row.Name}], x.Table.Columns[6].Width)
	case x.sizes[row.tables].err != nil || !x.adding:
		r.Cells[5] = widget.Cell{Text: "?", Style: t.Unknown}
	default:
		r.Cells[5] = widget.Cell{Text: "…", Style: t.Dim}
	}
	if row.load != nil && r.From <= 9 && r.To > 9 {
		style := t.Bad
		if selected && !x.Inside {
			style = widget.Style{}
		}
		r.Cells[9].Text = kit.DrawChain(x.linksOf(row), x.chainWidth(), style)
	}
}

// chainWidth is how wide the column of chains is drawn.
func (x *model) chainWidth() int {
	used := 2 + x.Table.Columns[0].Width
	for _, c := range x.Table.Columns[1:9] {
		if c.Width > 0 {
			used += c.Width + 2
		}
	}
	return max(x.TableWidth()-used-2, 0)
}

func (x *model) mark(r *storeRow) kit.StoreMark {
	t := &x.s.Theme
	f := x.worst(r)
	switch {
	case r.err != nil:
		return kit.StoreMark{Symbol: "?", Words: "not listed", Style: t.Unknown}
	case x.past():
		return x.pastMark(r)
	case r.load != nil && (r.store == nil || len(r.store.Files) == 0):
		return kit.StoreMark{Symbol: "✗", Words: "no file", Style: t.Bad}
	case r.load != nil && len(r.load.Missing) > 0:
		m := r.load.Missing[0]
		words := fmt.Sprintf("%d missing", m.From)
		if m.From != m.To || len(r.load.Missing) > 1 {
			words = fmt.Sprintf("%d… missing", m.From)
		}
		return kit.StoreMark{Symbol: "✗", Words: words, Style: t.Bad}
	case r.load != nil && len(r.load.Empty) > 0:
		return kit.StoreMark{Symbol: "✗", Words: fmt.Sprintf("%d empty", r.load.Empty[0].Version), Style: t.Bad}
	case f != nil:
		symbol, style := t.Severity(f.Severity)
		return kit.StoreMark{Symbol: symbol, Words: kit.FlawWord(f.Code), Style: style}
	case r.load == nil:
		return kit.StoreMark{Symbol: "·", Words: "not loaded", Style: t.Dim}
	}
	return x.fine()
}

// fine is the mark of a store whose files are there. Only where all was looked into, and found whole,
// is it a check mark.
func (x *model) fine() kit.StoreMark {
	answer, _ := kit.AnswerTo(x.s, "intact")
	switch {
	case !x.s.Verdict.Done:
		return kit.StoreMark{Symbol: "…", Words: "files there"}
	case answer != "yes":
		return kit.StoreMark{Symbol: "·", Words: "files there"}
	}
	return kit.StoreMark{Symbol: "✓", Words: "all there", Style: x.s.Theme.Good}
}

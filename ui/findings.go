package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// findings is all that was found, worst first, then what did not run; beside or below it the words on
// the selected one: what it means, what to do next, what to avoid.

// ---- model

type findings struct {
	list
	s     *session
	order int             // of orders
	kept  *checks.Finding // the selected one, which keeps its selection while others arrive
	moved bool            // a person has chosen it
}

func newFindings(s *session) *findings {
	f := &findings{s: s, list: list{across: 10, down: 7}}
	f.table.Columns = []widget.Column{
		{Title: "severity", Width: 10}, {Title: "finding", Width: 24}, {Title: "batch", Width: 6, Right: true}, {Title: "what is there", Width: 12, Grow: true},
	}
	f.table.Look = s.theme.look()
	return f
}

func (f *findings) title() string { return "findings" }

// orders are the ways to sort: as the verdict has them, or by a column. What did not run stays last.
var orders = []struct {
	name    string
	compare func(a, b *checks.Finding) int
}{
	{"worst first", nil},
	{"newest batch first", func(a, b *checks.Finding) int { return cmp.Compare(b.Batch, a.Batch) }},
	{"by code", func(a, b *checks.Finding) int { return strings.Compare(a.Code, b.Code) }},
	{"by place", func(a, b *checks.Finding) int {
		return cmp.Or(slices.CompareFunc(strings.Split(a.Where.File, "/"), strings.Split(b.Where.File, "/"), natural), cmp.Compare(a.Where.Offset, b.Where.Offset))
	}},
}

// choose selects finding i of the verdict.
func (f *findings) choose(i int) {
	f.filter.Clear()
	f.order = 0
	f.arrange()
	f.moved = true
	f.table.Go(i, f.len())
	f.note()
}

// Len and Row make it the rows of its table: findings, then what did not run, then what the last round of a
// following did not find any more.
func (f *findings) Len() int {
	return len(f.s.verdict.Findings) + len(f.s.verdict.NotRun) + len(f.s.gone)
}

// goneFinding is the finding of row i that is not there any more, or nil.
func (f *findings) goneFinding(i int) *checks.Finding {
	if i -= len(f.s.verdict.Findings) + len(f.s.verdict.NotRun); i >= 0 {
		return &f.s.gone[i]
	}
	return nil
}

func (f *findings) Row(i int, r *widget.Row) {
	t := &f.s.theme
	if x := f.goneFinding(i); x != nil {
		r.Cells[0] = widget.Cell{Text: "· gone", Style: t.dim}
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Style = x.Code, "–", "gone since the last look: "+safe(x.Evidence), t.dim
		return
	}
	if n := len(f.s.verdict.Findings); i >= n {
		x := &f.s.verdict.NotRun[i-n]
		r.Cells[0] = widget.Cell{Text: "? not run", Style: t.unknown}
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text = x.Code, "–", needs(x)
		return
	}
	x := &f.s.verdict.Findings[i]
	symbol, style := t.severity(x.Severity)
	r.Cells[0] = widget.Cell{Text: symbol + " " + x.Severity.String(), Style: style}
	r.Cells[1].Text = x.Code
	r.Cells[2].Text = "–"
	if x.Batch >= 0 {
		r.Cells[2].Text = fmt.Sprint(x.Batch)
	}
	r.Cells[3].Text = f.s.news(x) + safe(x.Evidence)
	if x.Evidence == "" {
		r.Cells[3].Text = f.s.news(x) + prose(x.Title)
	}
}

func needs(x *checks.NotRun) string {
	if strings.HasPrefix(x.Needs, "--") {
		return "needs " + safe(x.Needs)
	}
	return safe(x.Needs)
}

func (f *findings) len() int { return f.table.Order.Len(f.Len()) }

// selected is the finding or the line of what did not run under the cursor.
func (f *findings) selected() (*checks.Finding, *checks.NotRun) {
	if f.table.At >= f.len() {
		return nil, nil
	}
	i, n := f.table.Order.Row(f.table.At), len(f.s.verdict.Findings)
	if i < n {
		return &f.s.verdict.Findings[i], nil
	}
	if x := f.goneFinding(i); x != nil {
		return x, nil
	}
	return nil, &f.s.verdict.NotRun[i-n]
}

// ---- keys

func (f *findings) keys() []key.Binding {
	order := keys.sort
	order.SetHelp("s", orders[(f.order+1)%len(orders)].name)
	if x, _ := f.selected(); x == nil {
		return listKeys(order, keys.worst) // what was not looked at has no place
	}
	enter := keys.enter
	enter.SetHelp("enter", "open the place")
	return listKeys(enter, order, keys.worst)
}

// ---- update

func (f *findings) load(scope) tea.Cmd { return nil }

func (f *findings) resize(w, h int) {
	code := 8
	for i := range f.s.verdict.Findings {
		code = max(code, len(f.s.verdict.Findings[i].Code))
	}
	for i := range f.s.verdict.NotRun {
		code = max(code, len(f.s.verdict.NotRun[i].Code))
	}
	f.table.Columns[1].Width = min(code, 26)
	f.lay(w, h, len(f.head()), f.len())
}

// head is the line of the filter, where there is one.
func (f *findings) head() []string {
	if !f.sought() {
		return nil
	}
	return []string{" " + filterLine(&f.s.theme, &f.filter, fmt.Sprintf("%d of %d", f.len(), f.Len()))}
}

// follow keeps the selection on the same finding when others arrive above it.
func (f *findings) follow() {
	f.arrange()
	if f.kept == nil || !f.moved {
		f.resize(f.w, f.h)
		return
	}
	// Its words may count further from one look to the next; but two may be told apart by nothing else.
	same := func(x *checks.Finding) bool { return x.Where == f.kept.Where && x.Evidence == f.kept.Evidence }
	for _, alike := range []func(x *checks.Finding) bool{same, func(x *checks.Finding) bool { return true }} {
		for i := range f.len() {
			f.table.At = i
			if x, _ := f.selected(); x != nil && keyOfFinding(x) == keyOfFinding(f.kept) && alike(x) {
				f.resize(f.w, f.h)
				return
			}
		}
	}
	f.table.Go(0, f.len())
	f.resize(f.w, f.h)
}

// note remembers which finding is selected.
func (f *findings) note() {
	if x, _ := f.selected(); x != nil {
		kept := *x
		f.kept = &kept
	}
}

func (f *findings) arrange() {
	if f.filter.Pattern == "" && f.order == 0 {
		f.table.Order.All()
		return
	}
	n := len(f.s.verdict.Findings)
	compare := func(a, b int) int {
		if a >= n || b >= n || f.order == 0 {
			return cmp.Compare(a, b)
		}
		return orders[f.order].compare(&f.s.verdict.Findings[a], &f.s.verdict.Findings[b])
	}
	f.table.Order.Set(f.Len(), func(i int) bool {
		if x := f.goneFinding(i); x != nil {
			return f.filter.Wants("gone " + x.Code)
		}
		if n := len(f.s.verdict.Findings); i >= n {
			x := &f.s.verdict.NotRun[i-n]
			return f.filter.Wants("not run " + x.Code + " " + x.Needs)
		}
		x := &f.s.verdict.Findings[i]
		return f.filter.Wants(fmt.Sprintf("%s %s %s %s %s %s", x.Severity, x.Code, batchWord(x.Batch), x.Where, x.Title, x.Evidence))
	}, compare)
}

func (f *findings) update(msg tea.Msg) (action, tea.Cmd) {
	if _, ok := msg.(grown); ok {
		f.follow()
		return nil, nil
	}
	switch f.hear(msg, f.len()) {
	case picked:
		f.moved = true
		f.note()
	case sifted:
		f.follow()
		f.note()
	case left:
		return back{}, nil
	case unheard:
		if k, ok := msg.(tea.KeyPressMsg); ok {
			return f.key(k), nil
		}
	}
	return nil, nil
}

func (f *findings) key(k tea.KeyPressMsg) action {
	switch {
	case pressed(k, keys.sort):
		f.order = (f.order + 1) % len(orders)
		f.follow()
	case pressed(k, keys.enter):
		return f.enter()
	}
	return nil
}

// enter goes to the place that the finding is about: the bytes, or the folder, or the batch.
func (f *findings) enter() action {
	x, _ := f.selected()
	switch {
	case x == nil || f.s.cp == nil:
		return nil
	case x.Where.File != "":
		return goFile(x.Where, -1)
	case x.Batch >= 0:
		return goBatch(x.Batch)
	}
	return nil
}

func (f *findings) place() string {
	if x, _ := f.selected(); x != nil {
		return safe(x.Where.String())
	}
	return ""
}

// ---- view

func (f *findings) view(w, h int) []string {
	if f.Len() == 0 {
		return f.empty()
	}
	return f.list.view(&f.s.theme, f.head(), f, f.detail)
}

func (f *findings) empty() []string {
	t := &f.s.theme
	switch v := &f.s.verdict; {
	case !v.Done:
		return []string{"", "   … nothing found so far."}
	case v.Open():
		return []string{"", "   " + t.unknown.Styled("? Nothing found in what could be looked at; not everything could.")}
	}
	return []string{"", "   " + t.good.Styled("✓ Nothing found.") + " All checks ran over everything."}
}

// detail is the words on the selected line, scrolled, in no more than h lines of w cells.
func (f *findings) detail(w, h int) []string {
	x, skipped := f.selected()
	var lines []string
	switch {
	case x != nil:
		if lines = f.text(x, w, false); len(lines) > h {
			lines = f.text(x, w, true)
		}
		if f.goneFinding(f.table.Order.Row(f.table.At)) != nil {
			lines = append(widget.Wrap("The last look did not find this any more. What it said before:", w), append([]string{""}, lines...)...)
		}
	case skipped != nil:
		lines = append(lines, f.s.theme.unknown.Styled("? not run")+" "+skipped.Code, "")
		why := report.Sentence(needs(skipped))
		if strings.HasPrefix(skipped.Needs, "--") {
			why = "It runs when " + safe(skipped.Needs) + " is given on the command line."
		}
		lines = append(lines, widget.Wrap(why, w)...)
		lines = append(lines, "")
		lines = append(lines, widget.Wrap("What was not looked at is not called healthy.", w)...)
	default:
		return []string{"", f.s.withKeys("Nothing matches. %s shows all again.", keys.back)}
	}
	return scrolled(lines, f.scroll, h, f.s, f.inside)
}

// text is all there is to say. Where they do not fit, tight leaves out what only pleases the eye,
// and says what to do before what it means: the end has to be scrolled to.
func (f *findings) text(x *checks.Finding, w int, tight bool) []string {
	t := &f.s.theme
	symbol, style := t.severity(x.Severity)
	lines := []string{style.Styled(symbol+" "+x.Severity.String()) + "  " + t.strong.Styled(widget.Cut(x.Code, max(w-14, 1)))}
	lines = append(lines, widget.Wrap(report.Sentence(prose(x.Title)), w)...)
	if x.Where.File != "" {
		lines = append(lines, t.dim.Styled("at ")+widget.Middle(safe(x.Where.String()), w-3))
	}
	parts := []struct{ head, text string }{{"what is there", safe(x.Evidence)}, {"what still reads", safe(report.Salvaged(x))},
		{"what it means", prose(x.Meaning)}, {"next step", prose(x.NextStep)}, {"avoid", prose(x.Avoid)}}
	if tight {
		parts[2], parts[3], parts[4] = parts[3], parts[4], parts[2]
	}
	for _, part := range parts {
		if part.text == "" {
			continue
		}
		if tight {
			all := widget.Wrap(part.head+": "+part.text, w)
			if strings.HasPrefix(all[0], part.head) {
				all[0] = t.section.Styled(part.head) + all[0][len(part.head):]
			}
			lines = append(lines, all...)
			continue
		}
		lines = append(lines, "", t.section.Styled(part.head))
		lines = append(lines, widget.Wrap(part.text, w)...)
	}
	return lines
}

// ---- the lines that open it

var findingsSpec = Spec{
	command: "findings", title: "findings", args: "[sort ORDER]", does: "all that was found", key: keys.findings, hint: 3,
	make: makeFindings, complete: sortWords(findingOrders(), noWords),
	also: []Spec{{
		command: "finding", title: "findings", args: "CODE [N]", need: true, does: "the first finding of a code, or the Nth",
		make: makeFindings, complete: sortWords(findingOrders(), findingWords),
	}},
}

func makeFindings(s *session) screen { return newFindings(s) }

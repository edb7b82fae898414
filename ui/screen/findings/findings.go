package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// findings is all that was found, worst first, then what did not run; beside or below it the words on
// the selected one: what it means, what to do next, what to avoid.

// ---- model

type model struct {
	kit.List
	s     *kit.Session
	order int             // of orders
	kept  *checks.Finding // the selected one, which keeps its selection while others arrive
	moved bool            // a person has chosen it
}

func newModel(s *kit.Session) *model {
	f := &model{s: s, List: kit.List{Across: 10, Down: 7}}
	f.Table.Columns = []widget.Column{
		{Title: "severity", Width: 10}, {Title: "finding", Width: 24}, {Title: "batch", Width: 6, Right: true}, {Title: "what is there", Width: 12, Grow: true},
	}
	f.Table.Palette = s.Theme.Palette()
	return f
}

func (f *model) Title() string { return "findings" }

// orders are the ways to sort: as the verdict has them, or by a column. What did not run stays last.
var orders = []struct {
	name    string
	compare func(a, b *checks.Finding) int
}{
	{"worst first", nil},
	{"newest batch first", func(a, b *checks.Finding) int { return cmp.Compare(b.Batch, a.Batch) }},
	{"by code", func(a, b *checks.Finding) int { return strings.Compare(a.Code, b.Code) }},
	{"by place", func(a, b *checks.Finding) int {
		return cmp.Or(slices.CompareFunc(strings.Split(a.Where.File, "/"), strings.Split(b.Where.File, "/"), kit.Natural), cmp.Compare(a.Where.Offset, b.Where.Offset))
	}},
}

// choose selects finding i of the verdict.
func (f *model) choose(i int) {
	f.Filter.Clear()
	f.order = 0
	f.arrange()
	f.moved = true
	f.Table.Go(i, f.len())
	f.note()
}

// Len and Row make it the rows of its table: findings, then what did not run, then what the last round of a
// following did not find any more.
func (f *model) Len() int {
	return len(f.s.Verdict.Findings) + len(f.s.Verdict.NotRun) + len(f.s.Gone)
}

// goneFinding is the finding of row i that is not there any more, or nil.
func (f *model) goneFinding(i int) *checks.Finding {
	if i -= len(f.s.Verdict.Findings) + len(f.s.Verdict.NotRun); i >= 0 {
		return &f.s.Gone[i]
	}
	return nil
}

func (f *model) Row(i int, r *widget.Row) {
	t := &f.s.Theme
	if x := f.goneFinding(i); x != nil {
		r.Cells[0] = widget.Cell{Text: "· gone", Style: t.Dim}
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Style = x.Code, "–", "gone since the last look: "+kit.Safe(x.Evidence), t.Dim
		return
	}
	if n := len(f.s.Verdict.Findings); i >= n {
		x := &f.s.Verdict.NotRun[i-n]
		r.Cells[0] = t.Cell(signCell(phrase.NotRun))
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text = x.Code, "–", kit.Safe(page.Needs(x))
		return
	}
	x := &f.s.Verdict.Findings[i]
	r.Cells[0] = t.Cell(signCell(phrase.Severities.Of(x.Severity.String())))
	r.Cells[1].Text = x.Code
	r.Cells[2].Text = "–"
	if x.Batch >= 0 {
		r.Cells[2].Text = fmt.Sprint(x.Batch)
	}
	r.Cells[3].Text = f.s.News(x) + kit.Safe(x.Evidence)
	if x.Evidence == "" {
		r.Cells[3].Text = f.s.News(x) + kit.Prose(x.Title)
	}
}

func signCell(s phrase.Sign) page.Cell { return page.Cell{Mark: s.Symbol, Text: s.Word, Role: s.Role} }

func (f *model) len() int { return f.Table.Order.Len(f.Len()) }

// selected is the finding or the line of what did not run under the cursor.
func (f *model) selected() (*checks.Finding, *checks.NotRun) {
	if f.Table.At >= f.len() {
		return nil, nil
	}
	i, n := f.Table.Order.Row(f.Table.At), len(f.s.Verdict.Findings)
	if i < n {
		return &f.s.Verdict.Findings[i], nil
	}
	if x := f.goneFinding(i); x != nil {
		return x, nil
	}
	return nil, &f.s.Verdict.NotRun[i-n]
}

// ---- keys

func (f *model) Keys() []key.Binding {
	order := kit.Keys.Sort
	order.SetHelp("s", orders[(f.order+1)%len(orders)].name)
	if x, _ := f.selected(); x == nil {
		return kit.ListKeys(order, kit.Keys.Worst) // what was not looked at has no place
	}
	enter := kit.Keys.Enter
	enter.SetHelp("enter", "open the place")
	return kit.ListKeys(enter, order, kit.Keys.Worst)
}

// ---- update

func (f *model) Load(kit.Scope) tea.Cmd { return nil }

func (f *model) Resize(w, h int) {
	code := 8
	for i := range f.s.Verdict.Findings {
		code = max(code, len(f.s.Verdict.Findings[i].Code))
	}
	for i := range f.s.Verdict.NotRun {
		code = max(code, len(f.s.Verdict.NotRun[i].Code))
	}
	f.Table.Columns[1].Width = min(code, 26)
	f.Layout(w, h, len(f.head()), f.len())
}

// head is the line of the filter, where there is one.
func (f *model) head() []string {
	if !f.Filtering() {
		return nil
	}
	return []string{" " + kit.FilterLine(&f.s.Theme, &f.Filter, fmt.Sprintf("%d of %d", f.len(), f.Len()))}
}

// follow keeps the selection on the same finding when others arrive above it.
func (f *model) follow() {
	f.arrange()
	if f.kept == nil || !f.moved {
		f.Resize(f.W, f.H)
		return
	}
	// Its words may count further from one look to the next; but two may be told apart by nothing else.
	same := func(x *checks.Finding) bool { return x.Where == f.kept.Where && x.Evidence == f.kept.Evidence }
	for _, alike := range []func(x *checks.Finding) bool{same, func(x *checks.Finding) bool { return true }} {
		for i := range f.len() {
			f.Table.At = i
			if x, _ := f.selected(); x != nil && kit.KeyOfFinding(x) == kit.KeyOfFinding(f.kept) && alike(x) {
				f.Resize(f.W, f.H)
				return
			}
		}
	}
	f.Table.Go(0, f.len())
	f.Resize(f.W, f.H)
}

// note remembers which finding is selected.
func (f *model) note() {
	if x, _ := f.selected(); x != nil {
		kept := *x
		f.kept = &kept
	}
}

func (f *model) arrange() {
	if f.Filter.Pattern == "" && f.order == 0 {
		f.Table.Order.All()
		return
	}
	n := len(f.s.Verdict.Findings)
	compare := func(a, b int) int {
		if a >= n || b >= n || f.order == 0 {
			return cmp.Compare(a, b)
		}
		return orders[f.order].compare(&f.s.Verdict.Findings[a], &f.s.Verdict.Findings[b])
	}
	f.Table.Order.Set(f.Len(), func(i int) bool {
		if x := f.goneFinding(i); x != nil {
			return f.Filter.Wants("gone " + x.Code)
		}
		if n := len(f.s.Verdict.Findings); i >= n {
			x := &f.s.Verdict.NotRun[i-n]
			return f.Filter.Wants("not run " + x.Code + " " + x.Needs)
		}
		x := &f.s.Verdict.Findings[i]
		return f.Filter.Wants(fmt.Sprintf("%s %s %s %s %s %s", x.Severity, x.Code, phrase.Batch(x.Batch), x.Where, x.Title, x.Evidence))
	}, compare)
}

func (f *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if _, ok := msg.(kit.Grown); ok {
		f.follow()
		return nil, nil
	}
	switch f.Handle(msg, f.len()) {
	case kit.RowSelected:
		f.moved = true
		f.note()
	case kit.FilterChanged:
		f.follow()
		f.note()
	case kit.ListLeft:
		return kit.Back{}, nil
	case kit.NotForList:
		if k, ok := msg.(kit.Input); ok {
			return f.key(k), nil
		}
	}
	return nil, nil
}

func (f *model) key(k kit.Input) kit.Action {
	switch {
	case kit.Pressed(k, kit.Keys.Sort):
		f.order = (f.order + 1) % len(orders)
		f.follow()
	case kit.Pressed(k, kit.Keys.Enter):
		return f.enter()
	}
	return nil
}

// enter goes to the place that the finding is about: the bytes, or the folder, or the batch.
func (f *model) enter() kit.Action {
	x, _ := f.selected()
	switch {
	case x == nil || f.s.Checkpoint == nil:
		return nil
	case x.Where.File != "":
		return kit.GoFile(x.Where, -1)
	case x.Batch >= 0:
		return kit.GoBatch(x.Batch)
	}
	return nil
}

func (f *model) Place() string {
	if x, _ := f.selected(); x != nil {
		return kit.Safe(x.Where.String())
	}
	return ""
}

// ---- view

func (f *model) View(w, h int) []string {
	if f.Len() == 0 {
		return f.empty(w)
	}
	return f.List.View(&f.s.Theme, f.head(), f, f.detail)
}

// empty says that nothing was found, and how far that goes.
func (f *model) empty(w int) []string {
	v := &f.s.Verdict
	head := page.Tally(v)
	switch {
	case !v.Done:
		head = append(page.Plain("so far: "), head...)
	case !v.Open():
		head = append(head, page.Span{Text: ". All checks ran over everything."})
	}
	return append([]string{""}, kit.Indent(f.s.Theme.Draw(w-6, page.Paragraph{Text: head}))...)
}

// detail is the words on the selected line, scrolled, in no more than h lines of w cells.
func (f *model) detail(w, h int) []string {
	x, skipped := f.selected()
	t := &f.s.Theme
	var lines []string
	switch {
	case x != nil:
		if lines = t.Draw(w, page.Finding(x).Blocks...); len(lines) > h { // the end has to be scrolled to
			lines = t.Draw(w, page.FindingToAct(x).Blocks...)
		}
		if f.goneFinding(f.Table.Order.Row(f.Table.At)) != nil {
			gone := page.Paragraph{Text: page.Plain("The last look did not find this any more. What it said before:")}
			lines = append(t.Draw(w, gone, page.Blank{}), lines...)
		}
	case skipped != nil:
		lines = t.Draw(w, page.NotRunCheck(skipped).Blocks...)
	default:
		return []string{"", f.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
	}
	return kit.Scrolled(lines, f.Scroll, h, f.s, f.Inside)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "findings", Title: "findings", Args: "[sort ORDER]", Does: "all that was found", Key: kit.Keys.Findings, Tab: "Findings", Badge: badge,
	New: open, Complete: kit.CompleteSort(orderNames(), kit.CompleteNothing),
	Also: []kit.Spec{{
		Command: "finding", Title: "findings", Args: "CODE [N]", Need: true, Does: "the first finding of a code, or the Nth",
		New: open, Complete: kit.CompleteSort(orderNames(), complete),
	}},
}

func open(s *kit.Session) kit.Screen { return newModel(s) }

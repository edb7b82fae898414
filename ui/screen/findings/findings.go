package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- model

// model is the screen of all that was found, worst first, then of the checks that did not run by what they need. Below the list
// are the words on the selected row, and what to do about it.
type model struct {
	kit.List
	s       *kit.Session
	skipped []skipped
	order   int             // of orders
	back    bool            // the order is reversed
	kept    *checks.Finding // the selected one, which keeps its selection while others arrive
	check   string          // the check that did not run, where its row is selected
	moved   bool            // a person has chosen it
}

// skipped are the checks that did not run for one reason; codes has none for a file or folder.
type skipped struct {
	codes []string
	of    *checks.NotRun // the first of them
}

func newModel(s *kit.Session) *model {
	f := &model{s: s, List: kit.List{Name: "Findings"}}
	f.Table.Columns = []widget.Column{
		{Title: "severity", Width: 10}, {Title: "finding", Width: 24}, {Title: "batch", Width: 6, Right: true},
		{Title: "what was found", Width: 12, Grow: true},
	}
	f.Table.Palette = s.Theme.Palette()
	f.gather()
	return f
}

func (f *model) Title() string { return "findings" }

// orders are the ways to sort, one a column: as the verdict has them, or by that column. What did not run stays last.
var orders = []struct {
	name    string
	compare func(a, b *checks.Finding) int
}{
	{"worst first", nil},
	{"by code", func(a, b *checks.Finding) int { return strings.Compare(a.Code, b.Code) }},
	{"newest batch first", func(a, b *checks.Finding) int { return cmp.Compare(b.Batch, a.Batch) }},
	{"by place", func(a, b *checks.Finding) int {
		byFile := slices.CompareFunc(strings.Split(a.Where.File, "/"), strings.Split(b.Where.File, "/"), kit.Natural)
		return cmp.Or(byFile, cmp.Compare(a.Where.Offset, b.Where.Offset))
	}},
}

// choose selects row i.
func (f *model) choose(i int) {
	f.Filter.Clear()
	f.order, f.back = 0, false
	f.arrange()
	f.moved = true
	f.Table.Go(i, f.len())
	f.note()
}

// gather puts the checks that did not run together by what they need.
func (f *model) gather() {
	f.skipped = nil
	all := f.s.Verdict.NotRun
	for i := range all {
		x := &all[i]
		at := slices.IndexFunc(f.skipped, func(g skipped) bool { return x.Code != "" && len(g.codes) > 0 && g.of.Needs == x.Needs })
		if at < 0 {
			at = len(f.skipped)
			f.skipped = append(f.skipped, skipped{of: x})
		}
		if x.Code != "" {
			f.skipped[at].codes = append(f.skipped[at].codes, x.Code)
		}
	}
}

// Len and Row make it the rows of its table: findings, then what did not run, then what the last round of a
// following did not find any more.
func (f *model) Len() int {
	return len(f.s.Verdict.Findings) + len(f.skipped) + len(f.s.Gone)
}

// row is what row i is: exactly one of a finding, of what did not run, and of a finding that is gone.
func (f *model) row(i int) (found *checks.Finding, not *skipped, gone *checks.Finding) {
	n := len(f.s.Verdict.Findings)
	switch {
	case i < n:
		return &f.s.Verdict.Findings[i], nil, nil
	case i < n+len(f.skipped):
		return nil, &f.skipped[i-n], nil
	}
	return nil, nil, &f.s.Gone[i-n-len(f.skipped)]
}

func (f *model) Row(i int, r *widget.Row) {
	t := &f.s.Theme
	found, not, gone := f.row(i)
	switch {
	case gone != nil:
		r.Cells[0] = widget.Cell{Text: "· gone", Style: t.Dim}
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Style = gone.Code, "–", goneWords+words(gone), t.Dim
	case not != nil:
		r.Cells[0] = t.Cell(signCell(phrase.NotRun))
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Style = not.name(), "–", f.lacks(not), t.Dim
	default:
		r.Cells[0] = t.Cell(signCell(phrase.Severities.Of(found.Severity.String())))
		r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text = found.Code, phrase.Batch(found.Batch), f.s.News(found)+words(found)
		if found.Batch >= 0 {
			r.Cells[2].Text = strconv.FormatInt(found.Batch, 10)
		}
	}
}

const goneWords = "not found any more: "

// words are the evidence of a finding; its title where it has none.
func words(x *checks.Finding) string {
	if x.Evidence == "" {
		return kit.Prose(x.Title)
	}
	return kit.Safe(x.Evidence)
}

// mostName is how many cells the names of checks that did not run get, whatever they are.
const mostName = 20

// name is the first of the checks, and how many more there are.
func (x *skipped) name() string {
	switch n := len(x.codes); n {
	case 0:
		return "–"
	case 1:
		return x.codes[0]
	default:
		return fmt.Sprintf("%s, %d more", x.codes[0], n-1)
	}
}

func signCell(s phrase.Sign) page.Cell { return page.Cell{Mark: s.Symbol, Text: s.Word, Role: s.Role} }

func (f *model) len() int { return f.Table.Order.Len(f.Len()) }

// selected is the row under the cursor, as row has it; all are nil where there is none.
func (f *model) selected() (found *checks.Finding, not *skipped, gone *checks.Finding) {
	if f.Table.At >= f.len() {
		return nil, nil, nil
	}
	return f.row(f.Table.Order.Row(f.Table.At))
}

// ---- keys

func (f *model) Keys() []key.Binding {
	enter, order := kit.Keys.Enter, kit.Keys.Sort
	order.SetHelp("s", "sort")
	found, not, _ := f.selected()
	switch {
	case found != nil && found.Where.File != "":
		enter.SetHelp("enter", "open the bytes")
	case found != nil && found.Batch >= 0:
		enter.SetHelp("enter", "open the batch")
	case f.canTell(not):
		enter.SetHelp("enter", f.wanted(not).Brief)
	default:
		return kit.FilterKeys(order, kit.Keys.Worst)
	}
	return kit.FilterKeys(enter, order, kit.Keys.Worst)
}

// ---- update

func (f *model) Load(kit.Scope) tea.Cmd {
	f.gather()
	f.arrange()
	return nil
}

func (f *model) Resize(w, h int) { f.fit() }

// fit gives the columns their widths.
func (f *model) fit() {
	code, batches := 8, false
	for i := range f.s.Verdict.Findings {
		x := &f.s.Verdict.Findings[i]
		code, batches = max(code, len(x.Code)), batches || x.Batch >= 0
	}
	for i := range f.skipped {
		code = max(code, min(len(f.skipped[i].name()), mostName))
	}
	f.Table.Columns[1].Width = min(code, 28)
	f.Table.Columns[2].Width = map[bool]int{true: 6}[batches]
}

// follow keeps the selection on the same finding when others arrive above it.
func (f *model) follow() {
	f.gather()
	f.arrange()
	f.fit()
	if f.kept == nil && f.check == "" || !f.moved {
		f.Table.Go(f.Table.At, f.len())
		return
	}
	if f.kept == nil {
		for i := range f.len() {
			if _, not, _ := f.row(f.Table.Order.Row(i)); not != nil && slices.Contains(not.codes, f.check) {
				f.Table.Go(i, f.len())
				return
			}
		}
		f.Table.Go(0, f.len())
		return
	}
	// Its words may count further from one look to the next; but two may be told apart by nothing else.
	same := func(x *checks.Finding) bool { return x.Where == f.kept.Where && x.Evidence == f.kept.Evidence }
	for _, alike := range []func(x *checks.Finding) bool{same, func(x *checks.Finding) bool { return true }} {
		for i := range f.len() {
			found, _, gone := f.row(f.Table.Order.Row(i))
			if x := cmp.Or(found, gone); x != nil && kit.KeyOfFinding(x) == kit.KeyOfFinding(f.kept) && alike(x) {
				f.Table.Go(i, f.len())
				return
			}
		}
	}
	f.Table.Go(0, f.len())
}

// note remembers which row is selected.
func (f *model) note() {
	f.kept, f.check = nil, ""
	found, not, gone := f.selected()
	switch {
	case cmp.Or(found, gone) != nil:
		kept := *cmp.Or(found, gone)
		f.kept = &kept
	case not != nil && len(not.codes) > 0:
		f.check = not.codes[0]
	}
}

func (f *model) arrange() {
	if f.Filter.Pattern == "" && f.order == 0 && !f.back {
		f.Table.Order.All()
		return
	}
	f.Table.Order.Set(f.Len(), f.wants, f.compare)
}

// wants reports whether the filter wants a row: by what its cells show, and by its place and title.
func (f *model) wants(i int) bool {
	r := widget.Row{Cells: make([]widget.Cell, len(f.Table.Columns))}
	f.Row(i, &r)
	texts := make([]string, len(r.Cells), len(r.Cells)+3)
	for j := range r.Cells {
		texts[j] = r.Cells[j].Text
	}
	found, not, _ := f.row(i)
	switch {
	case found != nil:
		texts = append(texts, phrase.Batch(found.Batch), found.Where.String(), found.Title)
	case not != nil:
		texts = append(texts, strings.Join(not.codes, " "), not.of.Needs)
	}
	return f.Filter.Wants(strings.Join(texts, " "))
}

func (f *model) compare(a, b int) int {
	n := len(f.s.Verdict.Findings)
	if a >= n || b >= n {
		return cmp.Compare(a, b)
	}
	c := cmp.Compare(a, b)
	if compare := orders[f.order].compare; compare != nil {
		c = cmp.Or(compare(&f.s.Verdict.Findings[a], &f.s.Verdict.Findings[b]), c)
	}
	if f.back {
		return -c
	}
	return c
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
	case kit.SortChosen:
		f.order, f.back = f.Column, f.order == f.Column && !f.back
		f.follow()
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
		f.order, f.back = (f.order+1)%len(orders), false
		f.follow()
	case kit.Pressed(k, kit.Keys.Enter):
		return f.enter()
	}
	return nil
}

// canTell reports whether what these checks need can be told now.
func (f *model) canTell(x *skipped) bool { return x != nil && f.s.CanTell() && f.wanted(x) != nil }

// enter goes to the place that the finding is about: the bytes, or the folder, or the batch. For checks that lack something it
// asks for that.
func (f *model) enter() kit.Action {
	found, not, gone := f.selected()
	if f.canTell(not) {
		return kit.Go{Line: f.wanted(not).Command}
	}
	switch x := cmp.Or(found, gone); {
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
	if found, _, gone := f.selected(); cmp.Or(found, gone) != nil {
		return kit.Safe(cmp.Or(found, gone).Where.String())
	}
	return ""
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "findings", Title: "findings", Args: "[sort ORDER]", Does: "all that was found",
	Key: kit.Keys.Findings, Tab: "Findings", Badge: badge,
	New: open, Complete: kit.CompleteSort(orderNames(), kit.CompleteNothing),
	Also: []kit.Spec{{
		Command: "finding", Title: "findings", Args: "CODE [N]", Need: true, Does: "the first finding of a code, or the Nth",
		New: open, Complete: kit.CompleteSort(orderNames(), complete),
	}},
}

func open(s *kit.Session) kit.Screen { return newModel(s) }

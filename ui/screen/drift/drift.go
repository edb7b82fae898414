package drift

import (
	"cmp"
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

// model is what the query declares compared with what the checkpoint records, worst first, with what each difference does at a
// restart. Fields that are equal share one row until they are asked for.
type model struct {
	kit.List
	s     *kit.Session
	rows  []*checks.Drift // that are shown: of the verdict, worst first
	equal []*checks.Drift // fields that are equal
	open  bool            // the equal fields are rows
	diffs map[*checks.Drift]page.Diff
	wide  [3]int // the widest cells of the first columns
	order int    // of orders
	back  bool   // the order is reversed
}

func newModel(s *kit.Session) *model {
	d := &model{s: s, List: kit.List{Name: "Differences"}}
	d.Table.Columns = []widget.Column{
		{Title: "  what", Width: 20}, {Title: "recorded", Width: 14}, {Title: "declared", Width: 14},
		{Title: "a restart", Width: 14, Grow: true},
	}
	d.Table.Palette = s.Theme.Palette()
	return d
}

func (d *model) Title() string { return "drift" }

// orders are the ways to sort, one a column.
var orders = []struct {
	name    string
	compare func(a, b *checks.Drift) int
}{
	{"worst first", nil},
	{"by recorded value", func(a, b *checks.Drift) int { return strings.Compare(a.Recorded, b.Recorded) }},
	{"by declared value", func(a, b *checks.Drift) int { return strings.Compare(a.Declared, b.Declared) }},
	{"by effect", func(a, b *checks.Drift) int { return strings.Compare(effectWords(a), effectWords(b)) }},
}

// Len and Row make it the rows of its table; see Row. The last row is that of the equal fields where they share one.
func (d *model) Len() int {
	if d.folded() {
		return len(d.rows) + 1
	}
	return len(d.rows)
}

// folded reports whether the equal fields share a row.
func (d *model) folded() bool { return len(d.equal) > 0 && !d.open }

func (d *model) len() int { return d.Table.Order.Len(d.Len()) }

// selected is the difference under the cursor; nil for none, and for the row that equal fields share.
func (d *model) selected() *checks.Drift {
	if i := d.row(); i >= 0 && i < len(d.rows) {
		return d.rows[i]
	}
	return nil
}

// row is the row under the cursor; -1 for none.
func (d *model) row() int {
	if d.Table.At >= d.len() {
		return -1
	}
	return d.Table.Order.Row(d.Table.At)
}

func (d *model) onFold() bool { return d.folded() && d.row() == len(d.rows) }

// ---- keys

func (d *model) Keys() []key.Binding {
	enter, equal := kit.Keys.Enter, kit.Keys.Compare
	equal.SetHelp("=", map[bool]string{false: "show equal", true: "hide equal"}[d.open])
	var own []key.Binding
	switch x := d.selected(); {
	case d.lacksSpec() && d.s.CanTell():
		enter.SetHelp("enter", "name the spec")
		return kit.PanelKeys(enter, kit.Keys.Plan)
	case len(d.rows)+len(d.equal) == 0:
		return kit.PanelKeys(kit.Keys.Plan)
	case d.onFold():
		enter.SetHelp("enter", "show equal")
		own = append(own, enter)
	case x != nil && x.Where.File != "":
		enter.SetHelp("enter", "open the evidence")
		own = append(own, enter)
	}
	own = append(own, kit.Keys.Plan)
	if len(d.equal) > 0 {
		own = append(own, equal)
	}
	sort := kit.Keys.Sort
	sort.SetHelp("s", "sort")
	return kit.FilterKeys(append(own, sort)...)
}

// lacksSpec reports whether nothing says what the code declares.
func (d *model) lacksSpec() bool { return d.s.Examine.Spec == nil && !d.s.Verdict.Declared }

// ---- update

func (d *model) Load(kit.Scope) tea.Cmd {
	d.gather()
	return nil
}

// gather takes in the differences that have become known.
func (d *model) gather() {
	d.rows, d.equal, d.diffs = nil, nil, map[*checks.Drift]page.Diff{}
	for _, x := range page.Compared(&d.s.Verdict) {
		if x.Effect == page.Same {
			d.equal = append(d.equal, x)
		} else {
			d.rows = append(d.rows, x)
		}
	}
	if d.open {
		d.rows = append(d.rows, d.equal...)
	}
	d.wide = [3]int{}
	r := widget.Row{Cells: make([]widget.Cell, len(d.Table.Columns))}
	for i := range d.rows[:min(len(d.rows), 1000)] {
		d.Row(i, &r)
		for j := range d.wide {
			d.wide[j] = max(d.wide[j], phrase.Width(r.Cells[j].Text))
		}
	}
	d.arrange()
}

// diff is both sides of a difference, compared once.
func (d *model) diff(x *checks.Drift) *page.Diff {
	diff, ok := d.diffs[x]
	if !ok {
		diff = page.DiffOf(x)
		d.diffs[x] = diff
	}
	return &diff
}

func (d *model) arrange() {
	d.Table.Order.All()
	if d.Filter.Pattern != "" || d.order > 0 || d.back {
		d.Table.Order.Set(d.Len(), d.wants, d.compare)
	}
	d.Table.Go(d.Table.At, d.len())
}

// wants reports whether the filter wants a row: by what its cells show, and by the whole of what they show a part of.
func (d *model) wants(i int) bool {
	r := widget.Row{Cells: make([]widget.Cell, len(d.Table.Columns))}
	d.Row(i, &r)
	var texts []string
	for _, c := range r.Cells {
		texts = append(texts, kit.Unstyled(c.Text))
	}
	if i < len(d.rows) {
		x := d.rows[i]
		texts = append(texts, x.Field, x.Declared, x.Recorded, x.Error, x.Where.String())
	}
	return d.Filter.Wants(strings.Join(texts, " "))
}

func (d *model) compare(a, b int) int {
	c := cmp.Compare(a, b)
	if compare := orders[d.order].compare; compare != nil && a < len(d.rows) && b < len(d.rows) {
		c = cmp.Or(compare(d.rows[a], d.rows[b]), c)
	}
	if d.back && a < len(d.rows) && b < len(d.rows) {
		return -c
	}
	return c
}

func (d *model) Resize(w, h int) {}

func (d *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if _, ok := msg.(kit.Grown); ok {
		d.gather()
		return nil, nil
	}
	did, act := d.Answer(msg, d.len(), d.arrange, d.key)
	if did == kit.SortChosen {
		d.order, d.back = d.Column, d.order == d.Column && !d.back
		d.arrange()
	}
	return act, nil
}

func (d *model) key(k kit.Input) kit.Action {
	x := d.selected()
	enter := kit.Pressed(k, kit.Keys.Enter)
	switch {
	case kit.Pressed(k, kit.Keys.Plan):
		return kit.Go{Line: "plan"}
	case enter && d.lacksSpec() && d.s.CanTell():
		return kit.Go{Line: "spec"}
	case kit.Pressed(k, kit.Keys.Compare) && len(d.equal) > 0, enter && d.onFold():
		d.open = !d.open
		d.gather()
	case kit.Pressed(k, kit.Keys.Sort):
		d.order, d.back = (d.order+1)%len(orders), false
		d.arrange()
	case enter && x != nil && x.Where.File != "" && d.s.Checkpoint != nil:
		return kit.GoFile(x.Where, -1)
	}
	return nil
}

func (d *model) Place() string {
	if x := d.selected(); x != nil {
		return kit.Safe(x.Where.String())
	}
	return ""
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "drift", Title: "drift", Args: "[FIELD]", Does: "what the code declares, compared with the checkpoint",
	Key: kit.Keys.Drift, Tab: "Drift", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: complete,
}

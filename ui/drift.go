package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/ui/widget"
)

// drift is what the query declares beside what the checkpoint records, worst first, with what each
// difference does at a restart; below it the words on the selected one.

// ---- model

type drift struct {
	list
	s    *session
	rows []*checks.Drift // of the verdict, worst first
}

func newDrift(s *session) *drift {
	d := &drift{s: s, list: list{across: 20, down: 9}}
	d.table.Columns = []widget.Column{
		{Title: "effect", Width: 17}, {Title: "what", Width: 17, Grow: true, Middle: true}, {Title: "declared", Width: 18, Grow: true}, {Title: "recorded", Width: 18, Grow: true},
		{Title: "what Spark does", Width: 18, Grow: true},
	}
	d.table.Look = s.theme.look()
	return d
}

func (d *drift) title() string { return "drift" }

// effects are the effects, worst first, with what each means in a few words.
var effects = []struct {
	is    checks.Effect
	words string
}{
	{checks.Misreads, "runs, and is wrong"},
	{checks.RefusesDrift, "does not start"},
	{checks.KeepsRecorded, "keeps what is recorded"},
	{checks.Allowed, "goes on"},
	{notCompared, ""},
	{same, ""},
}

// What is no difference, and stands below the differences: what was not compared, and what says the same.
const (
	notCompared checks.Effect = "not compared"
	same        checks.Effect = "same"
)

func rankOf(e checks.Effect) int {
	for i := range effects {
		if effects[i].is == e {
			return i
		}
	}
	return len(effects)
}

// effect is the symbol and the colour of an effect; its word stands beside them.
func (t *theme) effect(e checks.Effect) (symbol string, style ansi.Style) {
	switch e {
	case checks.Misreads:
		return "✗", t.critical
	case checks.RefusesDrift:
		return "!", t.warn
	case checks.KeepsRecorded:
		return "i", t.info
	case notCompared:
		return "?", t.unknown
	}
	return "✓", t.good
}

// Len and Row make it the rows of its table.
func (d *drift) Len() int { return len(d.rows) }

func (d *drift) Row(i int, r *widget.Row) {
	x := d.rows[i]
	symbol, style := d.s.theme.effect(x.Effect)
	r.Cells[0] = widget.Cell{Text: symbol + " " + string(x.Effect), Style: style}
	r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text = safe(x.Field), said(x.Declared), said(x.Recorded)
	r.Cells[4].Text = sparkDoes(x)
	if x.Effect == same || x.Effect == notCompared {
		r.Cells[2].Text, r.Cells[3].Text = "", ""
	}
}

// said is what one side says; a dash for nothing.
func said(text string) string { return cmp.Or(safe(text), "–") }

// sparkDoes is what comes of a difference, in a few words: Spark's own where it refuses.
func sparkDoes(x *checks.Drift) string {
	switch {
	case x.Error != "":
		return safe(x.Error)
	case x.Effect == notCompared:
		return prose(x.Meaning)
	}
	return effects[min(rankOf(x.Effect), len(effects)-1)].words
}

func (d *drift) len() int { return d.table.Order.Len(len(d.rows)) }

// selected is the difference under the cursor, or nil.
func (d *drift) selected() *checks.Drift {
	if d.table.At >= d.len() {
		return nil
	}
	return d.rows[d.table.Order.Row(d.table.At)]
}

// ---- keys

func (d *drift) keys() []key.Binding {
	if len(d.rows) == 0 {
		return []key.Binding{keys.plan}
	}
	enter := keys.enter
	enter.SetHelp("enter", "open what records it")
	return listKeys(enter, keys.plan)
}

// ---- update

func (d *drift) load(scope) tea.Cmd {
	d.gather()
	return nil
}

// gather takes in the differences that have become known.
func (d *drift) gather() {
	d.rows = nil
	v := &d.s.verdict
	for i := range v.Drift {
		d.rows = append(d.rows, &v.Drift[i])
	}
	for _, field := range v.Agrees {
		d.rows = append(d.rows, &checks.Drift{Field: field, Effect: same})
	}
	for _, text := range v.NotCompared {
		field, why, _ := strings.Cut(text, ": ")
		d.rows = append(d.rows, &checks.Drift{Field: field, Effect: notCompared, Meaning: why})
	}
	slices.SortStableFunc(d.rows, func(a, b *checks.Drift) int { return cmp.Compare(rankOf(a.Effect), rankOf(b.Effect)) })
	d.arrange()
}

func (d *drift) arrange() {
	d.table.Order.All()
	if d.filter.Pattern != "" {
		d.table.Order.Set(len(d.rows), func(i int) bool {
			x := d.rows[i]
			return d.filter.Wants(fmt.Sprintf("%s %s %s %s %s", x.Effect, x.Field, x.Declared, x.Recorded, x.Error))
		}, nil)
	}
	d.resize(d.w, d.h)
}

func (d *drift) resize(w, h int) { d.lay(w, h, len(d.head()), d.len()) }

func (d *drift) update(msg tea.Msg) (action, tea.Cmd) {
	if _, ok := msg.(grown); ok {
		d.gather()
		return nil, nil
	}
	_, act := d.answer(msg, d.len(), d.arrange, d.key)
	return act, nil
}

func (d *drift) key(k tea.KeyPressMsg) action {
	x := d.selected()
	switch {
	case pressed(k, keys.plan):
		return goLine{line: "plan"}
	case pressed(k, keys.enter) && x != nil && x.Where.File != "" && d.s.cp != nil:
		return goFile(x.Where, -1)
	}
	return nil
}

func (d *drift) place() string {
	if x := d.selected(); x != nil {
		return safe(x.Where.String())
	}
	return ""
}

// ---- the lines that open it

var driftSpec = Spec{
	command: "drift", title: "drift", args: "[FIELD]", does: "what the query declares now beside what is recorded", key: keys.drift, hint: 5,
	make: func(s *session) screen { return newDrift(s) }, complete: driftWords,
}

package outputs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/checks/sink"
	"tidemark/internal/output"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- model

// model is what the query wrote: its newest batches in the sink compared with those of the checkpoint, and what the sink is.
type model struct {
	kit.List
	s       *kit.Session
	rows    []int64 // the newest batches of the checkpoint and those that the sink records, newest first
	out     *checks.Output
	asked   time.Time // when out was read
	order   int       // of orders
	back    bool      // the order is reversed
	reading bool
	err     error
	moved   bool // a person has moved the cursor
}

// outputRead is what the sink has, batch by batch.
type outputRead struct {
	to  kit.ScreenID
	out checks.Output
	err error
}

func (o outputRead) Address() kit.ScreenID { return o.to }

// mostOutputs is how many of the newest batches of the checkpoint are in the table.
const mostOutputs = 200

// The columns of the table.
const (
	colBatch = iota
	colOffsets
	colCommitted
	colSink
	colRows
	colFiles
	colVersion
	colWritten
	colWhere
	columns
)

func newModel(s *kit.Session) *model {
	x := &model{s: s, List: kit.List{Name: "Batches in the sink"}}
	x.Table.Columns = []widget.Column{
		colBatch: {Title: "batch", Width: 8, Right: true}, colOffsets: {Title: "offsets", Width: 7},
		colCommitted: {Title: "committed", Width: 9},
		colSink:      {Title: "in the sink", Width: 11}, colRows: {Title: "rows", Width: 12, Right: true},
		colFiles:   {Title: "files", Width: 7, Right: true},
		colVersion: {Title: "version", Width: 8, Right: true}, colWritten: {Title: "written", Width: 24},
		colWhere: {Title: "recorded in", Width: 20, Grow: true, Middle: true},
	}
	x.Table.Palette = s.Theme.Palette()
	return x
}

// orders are the ways to sort, one a column.
var orders = [columns]struct {
	name string
	by   func(x *model, id int64) int64 // rows with more of it are first; nil: as they are, newest first
}{
	{"newest first", nil},
	{"by offset file", func(x *model, id int64) int64 { return first(!x.s.Planned(id)) }},
	{"by commit file", func(x *model, id int64) int64 { return first(!x.s.Committed(id)) }},
	{"by sink", func(x *model, id int64) int64 { return first(page.InOutput(x.out, id) != "yes") }},
	{"most rows first", func(x *model, id int64) int64 { return x.known(id).Rows }},
	{"files first", func(x *model, id int64) int64 { return x.known(id).Files }},
	{"version first", func(x *model, id int64) int64 { return x.known(id).Version }},
	{"written last first", func(x *model, id int64) int64 { return x.known(id).Time }},
	{"recorded first", func(x *model, id int64) int64 { return first(x.batch(id) != nil) }},
}

func first(is bool) int64 { return map[bool]int64{true: 1}[is] }

// known is what the sink records of a batch, with -1 for what it does not.
func (x *model) known(id int64) output.Batch {
	if b := x.batch(id); b != nil {
		return *b
	}
	return output.Batch{Rows: -1, Files: -1, Proof: output.Proof{Version: -1}}
}

func (x *model) Title() string { return "output" }

func (x *model) Command() string {
	id := ""
	if x.moved && x.Table.At < x.len() {
		id = strconv.FormatInt(x.rows[x.Table.Order.Row(x.Table.At)], 10)
	}
	return kit.LineOf(x.Filter.Typed(), "output", id)
}

// Set goes to a batch.
func (x *model) Set(w *kit.Words) (tea.Cmd, error) {
	id, err := kit.BatchNumber(w.Next())
	if err != nil {
		return nil, err
	}
	for i := range x.len() {
		if x.rows[x.Table.Order.Row(i)] == id {
			x.Table.Go(i, x.len())
			x.moved = true
			return nil, nil
		}
	}
	if x.reading {
		return nil, kit.ErrNotYet
	}
	return nil, fmt.Errorf("batch %d is not one of the newest %d", id, mostOutputs)
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.arrange()
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) len() int { return x.Table.Order.Len(len(x.rows)) }

// ---- keys

func (x *model) Keys() []key.Binding {
	enter, sort := kit.Keys.Enter, kit.Keys.Sort
	sort.SetHelp("s", "sort")
	if x.notGiven() {
		if !x.s.CanTell() {
			return kit.PanelKeys(kit.Keys.Replay)
		}
		enter.SetHelp("enter", "name the sink")
		return kit.PanelKeys(enter, kit.Keys.Replay)
	}
	enter.SetHelp("enter", "open the batch")
	return kit.ListKeys(enter, kit.Keys.Replay, sort)
}

// notGiven reports whether there is no sink to read.
func (x *model) notGiven() bool { return x.s.Examine.Sink == nil && x.out == nil }

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.reading, x.err = false, nil
	cp, opt := x.s.Checkpoint, x.s.Examine
	x.gather()
	if cp == nil || opt.Sink == nil {
		return nil
	}
	if opt.Now.IsZero() {
		opt.Now = x.s.Now()
	}
	x.reading, x.asked = true, x.s.Now()
	return kit.Guard(at.ID, func() tea.Msg {
		out, err := sink.OutputOf(at.Ctx, cp, opt.Sink, opt.Spec, opt.Now)
		return outputRead{at.ID, out, err}
	})
}

func (x *model) Loading() bool { return x.reading }

// Outdated reports whether the last round of a following found the sink changed.
func (x *model) Outdated() bool {
	return x.s.Examine.Sink != nil && !x.reading && !x.inRound()
}

// inRound reports whether the last round found in the sink what is shown of it.
func (x *model) inRound() bool {
	now := x.s.Verdict.Sink
	return x.out != nil && now != nil && now.Highest == x.out.Highest && now.Proof == x.out.Proof
}

// renew takes in what the last round found, and keeps the batches that it did not ask for.
func (x *model) renew() {
	if x.inRound() {
		out := *x.s.Verdict.Sink
		out.Batches = x.out.Batches
		x.out, x.asked = &out, x.s.Answered
	}
	x.gather()
}

// gather puts together the batches of the checkpoint and those of the sink.
func (x *model) gather() {
	if x.out == nil {
		x.out, x.asked = x.s.Verdict.Sink, x.s.Answered
	}
	x.rows = nil
	if x.s.Checkpoint != nil {
		ids := slices.Collect(x.s.Checkpoint.IDs())
		x.rows = slices.Clone(ids[max(0, len(ids)-mostOutputs):])
	}
	if x.out != nil {
		for _, b := range x.out.Batches {
			x.rows = append(x.rows, b.ID)
		}
		if x.out.Highest >= 0 && x.out.Unknown == "" {
			x.rows = append(x.rows, x.out.Highest)
		}
	}
	slices.SortFunc(x.rows, func(a, b int64) int { return cmp.Compare(b, a) })
	x.rows = slices.Compact(x.rows)
	x.arrange()
}

func (x *model) arrange() {
	x.Table.Order.All()
	if by := orders[x.order].by; x.Filter.Pattern != "" || by != nil || x.back {
		x.Table.Order.Set(len(x.rows), x.wants, func(a, b int) int {
			c := cmp.Compare(a, b)
			if by != nil {
				c = cmp.Or(cmp.Compare(by(x, x.rows[b]), by(x, x.rows[a])), c)
			}
			if x.back {
				return -c
			}
			return c
		})
	}
	x.fit()
	x.Table.Go(x.Table.At, x.len())
}

// wants reports whether the filter wants a row: by what its cells show.
func (x *model) wants(i int) bool {
	r := widget.Row{Cells: make([]widget.Cell, columns)}
	x.Row(i, &r)
	texts := make([]string, columns)
	for c := range r.Cells {
		texts[c] = kit.Unstyled(r.Cells[c].Text)
	}
	return x.Filter.Wants(strings.Join(texts, " "))
}

// fit makes columns as wide as their widest cell, and hides those that no row has anything in.
func (x *model) fit() {
	var widest [columns]int
	r := widget.Row{Cells: make([]widget.Cell, columns)}
	for i := range x.rows {
		clear(r.Cells)
		x.Row(i, &r)
		for c := range r.Cells {
			if text := r.Cells[c].Text; text != "–" {
				widest[c] = max(widest[c], phrase.Width(text))
			}
		}
	}
	for c := range x.Table.Columns {
		col := &x.Table.Columns[c]
		if col.Width = 0; widest[c] > 0 {
			col.Width = max(min(widest[c], 36), phrase.Width(col.Title))
		}
	}
	if widest[colWhere] > 0 {
		x.Table.Columns[colWhere].Width = leastPath
	}
}

// leastPath is how many cells a path needs at least; it gets what is left.
const leastPath = 16

func (x *model) Resize(w, h int) {}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Grown:
		if x.out == nil && x.s.Verdict.Sink != nil {
			x.gather()
		}
		return nil, nil
	case kit.Renewed:
		x.renew()
		return nil, nil
	case outputRead:
		x.reading, x.err = false, msg.err
		if msg.err == nil {
			x.out = &msg.out
		}
		x.gather()
		return nil, nil
	case kit.Broke:
		x.reading, x.err = false, msg.Err
		return nil, nil
	}
	did, act := x.Answer(msg, x.len(), x.arrange, x.key)
	x.moved = x.moved || did == kit.RowSelected
	if did == kit.SortChosen {
		x.order, x.back = x.Column, x.order == x.Column && !x.back
		x.arrange()
	}
	return act, nil
}

func (x *model) key(k kit.Input) kit.Action {
	switch {
	case kit.Pressed(k, kit.Keys.Enter) && x.notGiven() && x.s.CanTell():
		return kit.Go{Line: "sink"}
	case kit.Pressed(k, kit.Keys.Sort):
		x.order, x.back = x.nextOrder(), false
		x.arrange()
		return nil
	}
	if kit.Pressed(k, kit.Keys.Enter) && x.Table.At < x.len() {
		if id := x.rows[x.Table.Order.Row(x.Table.At)]; x.s.Planned(id) || x.s.Committed(id) {
			return kit.GoBatch(id)
		}
	}
	return nil
}

// nextOrder is the order of the next column that is shown.
func (x *model) nextOrder() int {
	for i := 1; ; i++ {
		if at := (x.order + i) % columns; at == 0 || x.Table.Columns[at].Width > 0 {
			return at
		}
	}
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "output", Title: "output", Args: "[N]", Does: "what the sink has, batch by batch",
	Key: kit.Keys.Output, Tab: "Writes", Badge: badge, Second: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: kit.CompleteBatches,
}

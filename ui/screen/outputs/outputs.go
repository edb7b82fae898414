package outputs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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

// outputView is what the query writes: its newest batches beside those of the checkpoint, and what the output is.

// ---- model

type model struct {
	kit.List
	s       *kit.Session
	rows    []int64 // the newest batches of the checkpoint and those that the output tells, newest first
	out     *checks.Output
	asked   time.Time // when out was told
	reading bool
	err     error
	moved   bool // a person has moved the cursor
}

// outputRead is what the output holds, batch by batch.
type outputRead struct {
	to  kit.ScreenID
	out checks.Output
	err error
}

func (o outputRead) Address() kit.ScreenID { return o.to }

// mostOutputs is how many of the newest batches of the checkpoint stand in the table.
const mostOutputs = 200

func newModel(s *kit.Session) *model {
	x := &model{s: s, List: kit.List{Across: 20, Down: 11}}
	x.Table.Columns = []widget.Column{
		{Title: "batch", Width: 8, Right: true}, {Title: "planned", Width: 8}, {Title: "committed", Width: 9}, {Title: "in the output", Width: 13},
		{Title: "rows", Width: 12, Right: true}, {Title: "files", Width: 7, Right: true}, {Title: "version", Width: 8, Right: true}, {Title: "written", Width: 20}, {Title: "recorded in", Width: 20, Grow: true, Middle: true},
	}
	x.Table.Palette = s.Theme.Palette()
	return x
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
	return nil, fmt.Errorf("batch %d is not among the newest %d", id, mostOutputs)
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
	if len(x.rows) == 0 {
		return []key.Binding{kit.Keys.Replay}
	}
	enter := kit.Keys.Enter
	enter.SetHelp("enter", "open the batch")
	return kit.ListKeys(enter, kit.Keys.Replay)
}

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

// Outdated reports whether the last round of a following found the output other than it is shown.
func (x *model) Outdated() bool {
	return x.s.Examine.Sink != nil && !x.reading && !x.inRound()
}

// inRound reports whether the last round found in the output what is shown of it.
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

// gather puts together the batches of the checkpoint and those of the output.
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
	if x.Filter.Pattern != "" {
		x.Table.Order.Set(len(x.rows), func(i int) bool {
			id := x.rows[i]
			return x.Filter.Wants(fmt.Sprintf("%d %s", id, page.InOutput(x.out, id)))
		}, nil)
	}
	x.Resize(x.W, x.H)
}

func (x *model) Resize(w, h int) { x.Layout(w, h, len(x.head()), x.len()) }

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
	return act, nil
}

func (x *model) key(k kit.Input) kit.Action {
	if kit.Pressed(k, kit.Keys.Enter) && x.Table.At < x.len() {
		if id := x.rows[x.Table.Order.Row(x.Table.At)]; x.s.Planned(id) || x.s.Committed(id) {
			return kit.GoBatch(id)
		}
	}
	return nil
}

// ---- view

func (x *model) Row(i int, r *widget.Row) {
	id, t := x.rows[i], &x.s.Theme
	r.Cells[0].Text = strconv.FormatInt(id, 10)
	r.Cells[1], r.Cells[2] = t.YesNo(x.s.Planned(id)), t.YesNo(x.s.Committed(id))
	r.Cells[3] = t.InOutput(x.out, id)
	for c := 4; c < 9; c++ {
		r.Cells[c].Text = "–"
	}
	b := x.batch(id)
	if b == nil {
		return
	}
	if b.Rows >= 0 {
		r.Cells[4].Text = phrase.Count(b.Rows)
	}
	if b.Files >= 0 {
		r.Cells[5].Text = phrase.Count(b.Files)
	}
	if b.Version >= 0 {
		r.Cells[6].Text = strconv.FormatInt(b.Version, 10)
	}
	r.Cells[7].Text, r.Cells[8].Text = x.s.Clock.Full(b.Time), kit.Safe(b.Where.String())
}

// batch is what the output tells of one batch; nil for nothing.
func (x *model) batch(id int64) *output.Batch {
	if x.out == nil {
		return nil
	}
	if i := slices.IndexFunc(x.out.Batches, func(b output.Batch) bool { return b.ID == id }); i >= 0 {
		return &x.out.Batches[i]
	}
	if id == x.out.Highest {
		return &output.Batch{ID: id, Rows: -1, Files: -1, Proof: x.out.Proof}
	}
	return nil
}

// head is how the output stands to the checkpoint.
func (x *model) head() []string {
	t := &x.s.Theme
	switch {
	case x.Filtering():
		batches := phrase.Units(int64(len(x.rows)), "batches")
		return []string{" " + kit.FilterLine(t, &x.Filter, fmt.Sprintf("%d of %s; looks at numbers and the words yes, no, taken out", x.len(), batches))}
	case x.err != nil:
		return []string{" " + t.Unknown.Styled("? the output was not read to its end: "+kit.Safe(x.err.Error())) + x.s.WithKeys("   %s reads again", kit.Keys.Reread)}
	case x.reading:
		return []string{t.Dim.Styled(" … the newest batches of the output are being read")}
	case x.out == nil:
		return []string{" " + t.Unknown.Styled("? no output was looked at")}
	}
	sign := phrase.Situations.Of(string(x.out.Situation))
	return []string{" " + t.Paint(sign.Role, sign.Head()) + t.Dim.Styled("   the newest batches of the checkpoint and of the output"+x.s.AskedAgo(x.asked))}
}

func (x *model) View(w, h int) []string {
	if x.s.Examine.Sink == nil && x.out == nil {
		return x.s.Theme.Nothing(w, page.Text{{Role: phrase.Open, Text: "? NO OUTPUT IS LOOKED AT: none was given"}},
			"Start again with --sink LOCATION, the table or folder that the query writes to; or name it in the spec, as sink.location.",
			"Delta, Iceberg, Hudi and the file sink record which batches of a query they hold: then it can be told whether a batch that runs again is written twice, once, or not at all.")
	}
	return x.List.View(&x.s.Theme, x.head(), x, x.detail)
}

// detail are what the output is, and what it comes to.
func (x *model) detail(w, h int) []string {
	t := &x.s.Theme
	if x.out == nil {
		return []string{t.Dim.Styled("… the output is being looked at")}
	}
	v := x.s.Verdict
	v.Sink = x.out
	return kit.Scrolled(t.Draw(w, page.Output(&v).Blocks...), x.Scroll, h, x.s, x.Inside)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "output", Title: "output", Args: "[N]", Does: "what the query wrote, batch by batch", Key: kit.Keys.Output, Tab: "Writes", Badge: badge, Second: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: kit.CompleteBatches,
}

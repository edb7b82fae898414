package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/checks/sink"
	"tidemark/internal/output"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// outputView is what the query writes: its newest batches beside those of the checkpoint, and what the output is.

// ---- model

type outputView struct {
	list
	s       *session
	rows    []int64 // the newest batches of the checkpoint and those that the output tells, newest first
	out     *checks.Output
	asked   time.Time // when out was told
	reading bool
	err     error
	moved   bool // a person has moved the cursor
}

// outputRead is what the output holds, batch by batch.
type outputRead struct {
	to  screenID
	out checks.Output
	err error
}

func (o outputRead) address() screenID { return o.to }

// mostOutputs is how many of the newest batches of the checkpoint stand in the table.
const mostOutputs = 200

func newOutput(s *session) *outputView {
	x := &outputView{s: s, list: list{across: 20, down: 11}}
	x.table.Columns = []widget.Column{
		{Title: "batch", Width: 8, Right: true}, {Title: "planned", Width: 8}, {Title: "committed", Width: 9}, {Title: "in the output", Width: 13},
		{Title: "rows", Width: 12, Right: true}, {Title: "files", Width: 7, Right: true}, {Title: "version", Width: 8, Right: true}, {Title: "written", Width: 20}, {Title: "recorded in", Width: 20, Grow: true, Middle: true},
	}
	x.table.Look = s.theme.look()
	return x
}

func (x *outputView) title() string { return "output" }

func (x *outputView) command() string {
	id := ""
	if x.moved && x.table.At < x.len() {
		id = strconv.FormatInt(x.rows[x.table.Order.Row(x.table.At)], 10)
	}
	return lineOf(x.filter.Typed(), "output", id)
}

// set goes to a batch.
func (x *outputView) set(w *words) (tea.Cmd, error) {
	id, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	for i := range x.len() {
		if x.rows[x.table.Order.Row(i)] == id {
			x.table.Go(i, x.len())
			x.moved = true
			return nil, nil
		}
	}
	if x.reading {
		return nil, errNotYet
	}
	return nil, fmt.Errorf("batch %d is not among the newest %d", id, mostOutputs)
}

func (x *outputView) sift(pattern string) {
	x.filter.Set(pattern)
	x.arrange()
}

// Len and Row make it the rows of its table.
func (x *outputView) Len() int { return len(x.rows) }

func (x *outputView) len() int { return x.table.Order.Len(len(x.rows)) }

// ---- keys

func (x *outputView) keys() []key.Binding {
	if len(x.rows) == 0 {
		return []key.Binding{keys.replay}
	}
	enter := keys.enter
	enter.SetHelp("enter", "open the batch")
	return listKeys(enter, keys.replay)
}

// ---- update

func (x *outputView) load(at scope) tea.Cmd {
	x.reading, x.err = false, nil
	cp, opt := x.s.cp, x.s.Examine
	x.gather()
	if cp == nil || opt.Sink == nil {
		return nil
	}
	if opt.Now.IsZero() {
		opt.Now = x.s.Now()
	}
	x.reading, x.asked = true, x.s.Now()
	return guard(at.id, func() tea.Msg {
		out, err := sink.OutputOf(at.ctx, cp, opt.Sink, opt.Spec, opt.Now)
		return outputRead{at.id, out, err}
	})
}

func (x *outputView) loading() bool { return x.reading }

// outdated reports whether the last round of a following found the output other than it is shown.
func (x *outputView) outdated() bool {
	return x.s.Examine.Sink != nil && !x.reading && !x.inRound()
}

// inRound reports whether the last round found in the output what is shown of it.
func (x *outputView) inRound() bool {
	now := x.s.verdict.Sink
	return x.out != nil && now != nil && now.Highest == x.out.Highest && now.Proof == x.out.Proof
}

// renew takes in what the last round found, and keeps the batches that it did not ask for.
func (x *outputView) renew() {
	if x.inRound() {
		out := *x.s.verdict.Sink
		out.Batches = x.out.Batches
		x.out, x.asked = &out, x.s.answered
	}
	x.gather()
}

// gather puts together the batches of the checkpoint and those of the output.
func (x *outputView) gather() {
	if x.out == nil {
		x.out, x.asked = x.s.verdict.Sink, x.s.answered
	}
	x.rows = nil
	if x.s.cp != nil {
		ids := slices.Collect(x.s.cp.IDs())
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

func (x *outputView) arrange() {
	x.table.Order.All()
	if x.filter.Pattern != "" {
		x.table.Order.Set(len(x.rows), func(i int) bool {
			id := x.rows[i]
			return x.filter.Wants(fmt.Sprintf("%d %s", id, report.InOutput(x.out, id)))
		}, nil)
	}
	x.resize(x.w, x.h)
}

func (x *outputView) resize(w, h int) { x.lay(w, h, len(x.head()), x.len()) }

func (x *outputView) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case grown:
		if x.out == nil && x.s.verdict.Sink != nil {
			x.gather()
		}
		return nil, nil
	case renewed:
		x.renew()
		return nil, nil
	case outputRead:
		x.reading, x.err = false, msg.err
		if msg.err == nil {
			x.out = &msg.out
		}
		x.gather()
		return nil, nil
	case broke:
		x.reading, x.err = false, msg.err
		return nil, nil
	}
	did, act := x.answer(msg, x.len(), x.arrange, x.key)
	x.moved = x.moved || did == picked
	return act, nil
}

func (x *outputView) key(k tea.KeyPressMsg) action {
	if pressed(k, keys.enter) && x.table.At < x.len() {
		if id := x.rows[x.table.Order.Row(x.table.At)]; x.s.planned(id) || x.s.committed(id) {
			return open{newBatch(x.s, id)}
		}
	}
	return nil
}

func (s *session) planned(id int64) bool { return s.cp != nil && s.cp.Offsets.Find(id) != nil }

func (s *session) committed(id int64) bool { return s.cp != nil && s.cp.Commits.Find(id) != nil }

// ---- view

func (x *outputView) Row(i int, r *widget.Row) {
	id, t := x.rows[i], &x.s.theme
	r.Cells[0].Text = strconv.FormatInt(id, 10)
	r.Cells[1], r.Cells[2] = t.yesNo(x.s.planned(id)), t.yesNo(x.s.committed(id))
	r.Cells[3] = t.inOutput(x.out, id)
	for c := 4; c < 9; c++ {
		r.Cells[c].Text = "–"
	}
	b := x.batch(id)
	if b == nil {
		return
	}
	if b.Rows >= 0 {
		r.Cells[4].Text = report.Count(b.Rows)
	}
	if b.Files >= 0 {
		r.Cells[5].Text = report.Count(b.Files)
	}
	if b.Version >= 0 {
		r.Cells[6].Text = strconv.FormatInt(b.Version, 10)
	}
	r.Cells[7].Text, r.Cells[8].Text = x.s.clock.full(b.Time), safe(b.Where.String())
}

// batch is what the output tells of one batch; nil for nothing.
func (x *outputView) batch(id int64) *output.Batch {
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

func (t *theme) yesNo(yes bool) widget.Cell {
	if yes {
		return widget.Cell{Text: "✓ yes", Style: t.good}
	}
	return widget.Cell{Text: "✗ no", Style: t.warn}
}

// inOutput is whether a batch is in the output.
func (t *theme) inOutput(o *checks.Output, id int64) widget.Cell {
	style, symbol := t.unknown, "?"
	switch word := report.InOutput(o, id); word {
	case "yes":
		return t.yesNo(true)
	case "no":
		return t.yesNo(false)
	case "taken out":
		return widget.Cell{Text: "✗ " + word, Style: t.critical}
	}
	return widget.Cell{Text: symbol, Style: style}
}

// head is how the output stands to the checkpoint.
func (x *outputView) head() []string {
	t := &x.s.theme
	switch {
	case x.sought():
		return []string{" " + t.strong.Styled(safe(x.filter.Text())) + t.dim.Styled(fmt.Sprintf("   %d of %s; looks at numbers and the words yes, no, taken out", x.len(), plural(int64(len(x.rows)), "batch")))}
	case x.err != nil:
		return []string{" " + t.unknown.Styled("? the output was not read to its end: "+safe(x.err.Error())) + x.s.withKeys("   %s reads again", keys.reread)}
	case x.reading:
		return []string{t.dim.Styled(" … the newest batches of the output are being read")}
	case x.out == nil:
		return []string{" " + t.unknown.Styled("? no output was looked at")}
	}
	symbol, style := t.situation(x.out.Situation)
	return []string{" " + style.Styled(symbol+" "+string(x.out.Situation)) + t.dim.Styled("   the newest batches of the checkpoint and of the output"+x.s.askedAgo(x.asked))}
}

// situation is the symbol and the colour of how the output stands; its words stand beside them.
func (t *theme) situation(s checks.Situation) (symbol string, style ansi.Style) {
	switch s {
	case checks.InStep, checks.NotInSink, checks.Unacknowledged, checks.NothingYet:
		return "✓", t.good
	case checks.Ahead, checks.Replanned, checks.SetBack, checks.Behind, checks.OldOutput:
		return "✗", t.critical
	}
	return "?", t.unknown
}

func (x *outputView) view(w, h int) []string {
	if x.s.Examine.Sink == nil && x.out == nil {
		lines := []string{"", "   " + x.s.theme.unknown.Styled("? NO OUTPUT IS LOOKED AT: none was given")}
		for _, text := range []string{
			"Start again with --sink LOCATION, the table or folder that the query writes to; or name it in the spec, as sink.location.",
			"Delta, Iceberg, Hudi and the file sink record which batches of a query they hold: then it can be told whether a batch that runs again is written twice, once, or not at all.",
		} {
			lines = append(append(lines, ""), indent(widget.Wrap(text, w-6))...)
		}
		return lines
	}
	return x.list.view(&x.s.theme, x.head(), x, x.words)
}

// words are what the output is, and what it comes to.
func (x *outputView) words(w, h int) []string {
	t := &x.s.theme
	if x.out == nil {
		return []string{t.dim.Styled("… the output is being looked at")}
	}
	var lines []string
	for _, l := range report.Output(x.out) {
		if l.Name == "" {
			symbol, style := t.situation(x.out.Situation)
			lines = append(lines, styledLines(style, widget.Wrap(symbol+" "+prose(l.Text), w))...)
			continue
		}
		lines = append(lines, wrapped(t, l.Name, safe(l.Text), w)...)
	}
	return scrolled(lines, x.scroll, h, x.s, x.inside)
}

package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// replay is what the next start reads, part by part, beside what the sources still have of it; below it what
// becomes of each range: the statement for the postmortem.

// ---- model

type model struct {
	kit.List
	s     *kit.Session
	rows  []replayRow
	fates []checks.Fate
	full  map[string]int64 // the longest stretch of positions of a unit: all bars of a unit are on one scale
	of    replayInput      // what rows and fates were worked out of
	moved bool             // a person has moved the cursor

	stated   []string // what becomes of each range, as it was laid out last; nil where that has changed
	statedAt int      // its width in cells
}

// replayRow is one part of one source.
type replayRow struct {
	source  int
	of      *checks.KeptSource // nil where the source was not asked
	part    checks.KeptPart
	stretch stretch
}

// replayInput is what of a verdict the screen shows: it comes early and changes rarely, while a verdict grows often.
type replayInput struct {
	kept  *checks.Kept
	out   *checks.Output
	known bool
}

func replayInputOf(v *checks.Verdict) replayInput { return replayInput{v.Kept, v.Sink, v.Known} }

// stretch is where a part lies: from the oldest that matters to its head. It is empty where positions do not count.
type stretch struct{ low, oldest, from, to, head int64 }

func newModel(s *kit.Session) *model {
	x := &model{s: s, List: kit.List{Across: 20, Down: 10}}
	x.Table.Palette = s.Theme.Palette()
	return x
}

func (x *model) Title() string { return "replay" }

func (x *model) Command() string {
	part := ""
	if x.moved && x.Table.At < x.len() {
		r := &x.rows[x.Table.Order.Row(x.Table.At)]
		part = kit.Quote(r.name())
	}
	return kit.LineOf(x.Filter.Typed(), "replay", part)
}

// Set goes to a part by its name.
func (x *model) Set(w *kit.Words) (tea.Cmd, error) {
	name := w.Next()
	for i := range x.len() {
		if x.rows[x.Table.Order.Row(i)].name() == name {
			x.Table.Go(i, x.len())
			x.moved = true
			return nil, nil
		}
	}
	if !x.s.Verdict.Done {
		return nil, kit.ErrNotYet
	}
	return nil, fmt.Errorf("no source has a part %q", name)
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.arrange()
}

func (r *replayRow) name() string {
	if r.part.Name == "" {
		return strconv.Itoa(r.source)
	}
	return fmt.Sprintf("%d %s", r.source, r.part.Name)
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) len() int { return x.Table.Order.Len(len(x.rows)) }

// ---- keys

func (x *model) Keys() []key.Binding {
	return kit.ListKeys(kit.Keys.Output, kit.Keys.Sources)
}

// ---- update

func (x *model) Load(kit.Scope) tea.Cmd {
	x.gather()
	return nil
}

// gather takes in what has become known: the parts that lack something first.
func (x *model) gather() {
	v := &x.s.Verdict
	x.of = replayInputOf(v)
	x.rows, x.full, x.fates, x.stated = nil, map[string]int64{}, nil, nil
	asked := map[int]bool{}
	if v.Kept != nil {
		for i := range v.Kept.Sources {
			k := &v.Kept.Sources[i]
			asked[k.Recorded.Index] = true
			for _, p := range k.Reads {
				x.rows = append(x.rows, replayRow{source: k.Recorded.Index, of: k, part: p})
			}
		}
	}
	for _, r := range v.Restart.Ranges {
		if !asked[r.Source] {
			x.rows = append(x.rows, replayRow{source: r.Source,
				part: checks.KeptPart{Name: r.Part, From: r.From, To: r.To, Unit: r.Unit, State: checks.NotJudged}})
		}
	}
	slices.SortStableFunc(x.rows, func(a, b replayRow) int {
		return cmp.Or(page.RemainsRank(a.part.State)-page.RemainsRank(b.part.State), a.source-b.source)
	})
	for i := range x.rows {
		r := &x.rows[i]
		r.stretch = stretchOf(&r.part)
		x.full[r.part.Unit] = max(x.full[r.part.Unit], r.stretch.head-r.stretch.low)
	}
	if v.Known {
		x.fates = checks.Statement(v)
	}
	x.setColumns()
	x.arrange()
}

// stretchOf is where a part lies, as far as its positions are numbers.
func stretchOf(p *checks.KeptPart) stretch {
	at := func(x *source.Position, other int64) int64 {
		if x == nil || x.Order == source.Unordered || x.Order == source.BigNumber {
			return other
		}
		return x.Num
	}
	if p.From == nil || p.From.Order == source.Unordered || p.From.Order == source.BigNumber || p.State == checks.Another ||
		p.State == checks.Beyond {
		return stretch{}
	}
	s := stretch{from: p.From.Num}
	s.oldest = at(p.Earliest, s.from)
	s.to = max(at(p.To, s.from), s.from)
	s.head = max(at(p.Latest, s.to), s.to, s.oldest)
	s.low = s.from // what was read before matters no more
	return s
}

// columns are the columns of the table: those of the page, and between them the bars.
var columns = []struct {
	of    int // of page.PartColumns; bars for the bars
	widen int // cells that it may have; 0: no more than it begins with
	widget.Column
}{
	{page.NameOfPart, 28, widget.Column{Width: 14, Grow: true, Middle: true}}, {page.LeftOfPart, 46, widget.Column{Width: 20}},
	{page.BeginOfPart, 24, widget.Column{Width: 10, Right: true}},
	{page.OldestOfPart, 24, widget.Column{Width: 11, Right: true}}, {page.HeadOfPart, 24, widget.Column{Width: 10, Right: true}},
	{bars, 0, widget.Column{Title: "on one scale", Width: barWidth}},
	{page.EndOfPart, 0, widget.Column{Width: 10, Right: true}}, {page.LagOfPart, 0, widget.Column{Width: 10, Right: true}},
}

const bars = -1

func (x *model) setColumns() {
	x.Table.Columns = nil
	for _, c := range columns {
		if c.of != bars {
			c.Title = page.PartColumns[c.of].Title
		}
		x.Table.Columns = append(x.Table.Columns, c.Column)
	}
	for i := range x.rows[:min(len(x.rows), 1000)] {
		cells := x.cells(&x.rows[i])
		for j, c := range columns {
			if c.widen > 0 {
				x.Table.Columns[j].Width = max(x.Table.Columns[j].Width, min(phrase.Width(kit.Safe(cells[c.of].Text)), c.widen))
			}
		}
	}
}

// barWidth is how many cells a bar has.
const barWidth = 24

func (x *model) arrange() {
	x.Table.Order.All()
	if x.Filter.Pattern != "" {
		x.Table.Order.Set(len(x.rows), func(i int) bool {
			r := &x.rows[i]
			return x.Filter.Wants(r.name() + " " + string(r.part.State) + " " + x.cells(r)[page.LeftOfPart].Text)
		}, nil)
	}
	x.Resize(x.W, x.H)
}

func (x *model) Resize(w, h int) { x.Layout(w, h, len(x.head()), x.len()) }

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if _, ok := msg.(kit.Grown); ok {
		if x.of != replayInputOf(&x.s.Verdict) {
			x.gather()
		}
		return nil, nil
	}
	did, act := x.Answer(msg, x.len(), x.arrange, x.key)
	x.moved = x.moved || did == kit.RowSelected
	return act, nil
}

func (x *model) key(k kit.Input) kit.Action {
	if kit.Pressed(k, kit.Keys.Enter) && x.Table.At < x.len() {
		return kit.Go{Line: "sources"}
	}
	return nil
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "replay", Title: "replay", Args: "[SOURCE PART]", Does: "what the next start reads, and what of it is still there", Key: kit.Keys.Replay, Tab: "Replay", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) },
}

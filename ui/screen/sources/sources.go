package sources

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- model

// model is the sources over time: of each source its parts, with the position that the newest batch ends at, what that batch
// reads of it, and how that was in the batches before. Parts that are idle, and parts that read far more than others, are named.
type model struct {
	kit.List
	s       *kit.Session
	at      kit.Scope
	times   *sourceTimes // nil until it is read
	rows    []sourceRow
	order   int  // of orders
	back    bool // the order is reversed
	kept    kit.PartColumn
	moved   bool // a person has chosen the row
	reading bool
	err     error
}

// sourceTimes is what some batches read of every part. Nothing changes it once it is made.
type sourceTimes struct {
	batches []int64 // ascending
	sources []sourceTime
}

// sourceTime is one source over those batches.
type sourceTime struct {
	index int
	title string // its name or number, and its kinds
	parts []partTime
	known map[string]int // of parts by name

	total   int64      // what the newest batch reads of it
	amount  phrase.Sum // total, for words
	counted bool       // total is known
	unit    string
	idle    int // parts that nothing was read of for some batches
}

// partTime is one part of a source over those batches.
type partTime struct {
	name     string
	position string  // the newest that is known; "–" for none
	gone     bool    // the newest batch does not have it
	reads    []int64 // what each batch reads; -1 where that is not known
	amount   string  // what the newest batch reads, in words
	idle     int     // how many of the newest batches read nothing of it
}

// sourceRow is a part, or the head of its source (part is -1).
type sourceRow struct{ source, part int }

// sourceBatches is how many of the newest batches are looked at, and one more where they begin.
const sourceBatches = 60

// idleFrom is for how many batches nothing is read of a part that is called idle.
const idleFrom = 3

func newModel(s *kit.Session) *model {
	x := &model{s: s, List: kit.List{Name: "Sources"}}
	x.Table.Palette = s.Theme.Palette()
	x.Table.Columns = []widget.Column{
		{Title: "partition", Width: 16, Middle: true}, {Title: "position", Width: 12, Right: true}, {Title: "reads", Width: 16, Right: true},
		{Title: "share", Width: 6, Right: true}, {Title: "idle", Width: 6, Right: true}, {Title: "over time", Width: 20},
	}
	return x
}

func (x *model) Title() string { return "sources" }

// ---- keys

func (x *model) Keys() []key.Binding {
	enter, sort := kit.Keys.Enter, kit.Keys.Sort
	enter.SetHelp("enter", "open the batch")
	sort.SetHelp("s", "sort")
	return kit.FilterKeys(enter, kit.Keys.Older, kit.Keys.Newer, sort, kit.Keys.Replay)
}

// orders are the ways to sort the parts of each source.
var orders = []struct {
	name    string
	compare func(a, b *partTime) int
}{
	{"as recorded", nil},
	{"most first", func(a, b *partTime) int { return cmp.Compare(b.count(), a.count()) }},
	{"longest idle first", func(a, b *partTime) int { return cmp.Compare(b.idle, a.idle) }},
	{"by name", func(a, b *partTime) int {
		return slices.CompareFunc(strings.Split(a.name, "/"), strings.Split(b.name, "/"), kit.Natural)
	}},
}

// columnOrder is the order of each column.
var columnOrder = [...]int{3, 0, 1, 1, 2, 0}

// count is how much the newest batch reads of a part; -1 where that is not known.
func (p *partTime) count() int64 { return p.reads[len(p.reads)-1] }

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at, x.reading, x.err = at, false, nil
	if x.s.Checkpoint == nil {
		return nil
	}
	ids := slices.Collect(x.s.Checkpoint.Offsets.IDs())
	if x.s.AsOf >= 0 {
		ids = ids[:rank(ids, x.s.AsOf)]
	}
	ids = ids[max(0, len(ids)-sourceBatches-1):]
	if len(ids) == 0 {
		x.times, x.rows = &sourceTimes{}, nil
		return nil
	}
	x.reading = true
	return kit.Stream(at.Life, at.ID, timesOf(at.Ctx, x.s.Checkpoint, ids))
}

// rank is how many of ids, which ascend, are no larger than id.
func rank(ids []int64, id int64) int {
	i, found := slices.BinarySearch(ids, id)
	if found {
		i++
	}
	return i
}

func (x *model) Outdated() bool { return x.times == nil || !x.shows(x.s.AsOf) }

func (x *model) Loading() bool { return x.reading }

func (x *model) len() int { return x.Table.Order.Len(len(x.rows)) }

func (x *model) Resize(w, h int) {}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[*sourceTimes]:
		for _, t := range msg.Items {
			x.take(t)
		}
		x.err, x.reading = msg.Err, msg.Next != nil
		return nil, msg.Next
	case kit.Uncovered:
		if x.times != nil && !x.reading && !x.shows(x.s.AsOf) {
			return kit.Reload{}, nil
		}
	case tea.PasteMsg, tea.KeyPressMsg, kit.Input:
		return x.key(msg), nil
	}
	return nil, nil
}

// shows reports whether the newest batch that is shown is the one that is looked at.
func (x *model) shows(asOf int64) bool {
	n := len(x.times.batches)
	if n == 0 || x.s.Checkpoint == nil {
		return true
	}
	if asOf < 0 {
		asOf = x.s.Checkpoint.Offsets.Last()
	}
	return x.times.batches[n-1] == asOf
}

func (x *model) take(t *sourceTimes) {
	x.times, x.rows = t, nil
	for i := range t.sources {
		x.rows = append(x.rows, sourceRow{i, -1})
		for j := range t.sources[i].parts {
			x.rows = append(x.rows, sourceRow{i, j})
		}
	}
	x.arrange()
}

func (x *model) key(msg tea.Msg) kit.Action {
	k, isKey := msg.(kit.Input)
	if isKey && !x.Typing() {
		by := map[bool]int64{true: -1, false: 1}[kit.Pressed(k, kit.Keys.Older)]
		if kit.Pressed(k, kit.Keys.Older) || kit.Pressed(k, kit.Keys.Newer) {
			return x.scrub(by)
		}
	}
	switch x.Handle(msg, x.len()) {
	case kit.RowSelected:
		x.moved = true
		x.note()
	case kit.FilterChanged:
		x.arrange()
	case kit.SortChosen:
		order := columnOrder[x.Column]
		x.order, x.back = order, x.order == order && !x.back
		x.arrange()
	case kit.ListLeft:
		return kit.Back{}
	case kit.NotForList:
		switch {
		case kit.Pressed(k, kit.Keys.Sort):
			x.order, x.back = (x.order+1)%len(orders), false
			x.arrange()
		case kit.Pressed(k, kit.Keys.Enter) && len(x.rows) > 0 && len(x.times.batches) > 0:
			return kit.GoBatch(x.newest())
		}
	}
	return nil
}

// scrub goes to the batch after (negative: before); after the newest one to now.
func (x *model) scrub(by int64) kit.Action {
	if x.s.Checkpoint == nil {
		return nil
	}
	from := x.s.AsOf
	if from < 0 {
		from = x.s.Checkpoint.Offsets.Last()
	}
	if !x.s.Scrub(from, by) {
		return nil
	}
	return kit.Reload{}
}

// note remembers which row is selected.
func (x *model) note() {
	if r, ok := x.selected(); ok {
		x.kept = x.name(r)
	}
}

// name says which row one is, whatever the order and whatever else there is.
func (x *model) name(r sourceRow) kit.PartColumn {
	if r.part < 0 {
		return kit.PartColumn{Source: r.source, Name: ""}
	}
	return kit.PartColumn{Source: r.source, Name: "/" + x.times.sources[r.source].parts[r.part].name}
}

func (x *model) selected() (sourceRow, bool) {
	if x.Table.At >= x.len() {
		return sourceRow{}, false
	}
	return x.rows[x.Table.Order.Row(x.Table.At)], true
}

// arrange filters and sorts within each source, whose head stays above its parts, and keeps the selection.
func (x *model) arrange() {
	if x.Filter.Pattern == "" && x.order == 0 && !x.back {
		x.Table.Order.All()
	} else {
		x.Table.Order.Set(len(x.rows), func(i int) bool {
			r := x.rows[i]
			return r.part < 0 || x.wants(&x.times.sources[r.source], r.part)
		}, x.compare)
	}
	if !x.moved {
		x.Table.Go(0, x.len())
		return
	}
	for i := range x.len() {
		if x.name(x.rows[x.Table.Order.Row(i)]) == x.kept {
			x.Table.Go(i, x.len())
			return
		}
	}
}

// compare orders two rows: those of one source together, its head first.
func (x *model) compare(a, b int) int {
	r, s := x.rows[a], x.rows[b]
	if r.source != s.source || r.part < 0 || s.part < 0 {
		return cmp.Compare(a, b)
	}
	c := cmp.Compare(a, b)
	if compare := orders[x.order].compare; compare != nil {
		parts := x.times.sources[r.source].parts
		c = cmp.Or(compare(&parts[r.part], &parts[s.part]), c)
	}
	if x.back {
		return -c
	}
	return c
}

// wants reports whether the filter wants a part: by what its cells show, and by the words "idle" and "gone".
func (x *model) wants(s *sourceTime, part int) bool {
	p := &s.parts[part]
	texts := []string{p.name, kit.PartOf(s.index, p.name), p.position, p.words(&x.s.Theme), s.share(p)}
	if p.idle >= idleFrom {
		texts = append(texts, "idle "+phrase.Count(int64(p.idle)))
	}
	return x.Filter.Wants(texts...)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "sources", Title: "sources", Args: "[SOURCE [PARTITION]] [batch N] [sort ORDER]", Does: "the sources and their partitions over time",
	Key: kit.Keys.Sources, Moment: true, Tab: "Sources", Badge: badge, Second: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: kit.CompleteSort(orderNames(), kit.CompleteNothing),
}

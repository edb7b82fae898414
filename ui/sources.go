package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// sourcesScreen is the sources over time: of each source its parts, with the position that the newest batch
// ends at, what that batch reads of it, and how that was in the batches before. Parts that stand still, and
// parts that read far more than others, are named.

// ---- model

type sourcesScreen struct {
	list
	s       *session
	at      scope
	times   *sourceTimes // nil until it is read
	rows    []sourceRow
	order   int // of sourceOrders
	kept    partColumn
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

	total   int64 // what the newest batch reads of it
	counted bool  // total is known
	unit    string
	still   int // parts that stand still
}

// partTime is one part of a source over those batches.
type partTime struct {
	name     string
	position string  // the newest that is known; "–" for none
	gone     bool    // the newest batch does not have it
	reads    []int64 // what each batch reads; -1 where that is not known
	upper    bool    // what it reads may be less
	still    int     // how many of the newest batches read nothing of it
}

// sourceRow is a part, or the head of its source (part is -1).
type sourceRow struct{ source, part int }

// sourceBatches is how many of the newest batches are looked at, and one more where they begin.
const sourceBatches = 60

// standsStill is in how many of the newest batches nothing is read of a part that is said to stand still.
const standsStill = 3

func newSources(s *session) *sourcesScreen {
	x := &sourcesScreen{s: s, list: list{across: 20, down: 14}}
	x.table.Look = s.theme.look()
	x.table.Columns = []widget.Column{
		{Title: "part", Width: 16, Middle: true}, {Title: "position", Width: 12, Right: true}, {Title: "reads", Width: 16, Right: true},
		{Title: "share", Width: 6, Right: true}, {Title: "still", Width: 7, Right: true}, {Title: "over time", Width: 20},
	}
	return x
}

func (x *sourcesScreen) title() string { return "sources" }

// ---- keys

func (x *sourcesScreen) keys() []key.Binding {
	order := keys.sort
	order.SetHelp("s", sourceOrders[(x.order+1)%len(sourceOrders)].name)
	return listKeys(order, keys.older, keys.newer)
}

// sourceOrders are the ways to sort the parts of each source.
var sourceOrders = []struct {
	name    string
	compare func(a, b *partTime) int
}{
	{"as planned", nil},
	{"most first", func(a, b *partTime) int { return cmp.Compare(b.newest(), a.newest()) }},
	{"longest still first", func(a, b *partTime) int { return cmp.Compare(b.still, a.still) }},
	{"by name", func(a, b *partTime) int {
		return slices.CompareFunc(strings.Split(a.name, "/"), strings.Split(b.name, "/"), natural)
	}},
}

// newest is what the newest batch reads of a part; -1 where that is not known.
func (p *partTime) newest() int64 { return p.reads[len(p.reads)-1] }

// ---- update

func (x *sourcesScreen) load(at scope) tea.Cmd {
	x.at, x.reading, x.err = at, false, nil
	if x.s.cp == nil {
		return nil
	}
	ids := slices.Collect(x.s.cp.Offsets.IDs())
	if x.s.asOf >= 0 {
		ids = ids[:rank(ids, x.s.asOf)]
	}
	ids = ids[max(0, len(ids)-sourceBatches-1):]
	if len(ids) == 0 {
		x.times, x.rows = &sourceTimes{}, nil
		return nil
	}
	x.reading = true
	return stream(at.life, at.id, timesOf(at.ctx, x.s.cp, ids))
}

// rank is how many of ids, which ascend, are no larger than id.
func rank(ids []int64, id int64) int {
	i, found := slices.BinarySearch(ids, id)
	if found {
		i++
	}
	return i
}

func (x *sourcesScreen) outdated() bool { return x.times == nil || !x.shows(x.s.asOf) }

func (x *sourcesScreen) loading() bool { return x.reading }

func (x *sourcesScreen) len() int { return x.table.Order.Len(len(x.rows)) }

func (x *sourcesScreen) resize(w, h int) {
	x.lay(w, h, len(x.head()), x.len())
	x.fit()
}

func (x *sourcesScreen) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[*sourceTimes]:
		for _, t := range msg.items {
			x.take(t)
		}
		x.err, x.reading = msg.err, msg.next != nil
		return nil, msg.next
	case uncovered:
		if x.times != nil && !x.reading && !x.shows(x.s.asOf) {
			return reload{}, nil
		}
	case tea.PasteMsg, tea.KeyPressMsg:
		return x.key(msg), nil
	}
	return nil, nil
}

// shows reports whether the newest batch that is shown is the one that is looked at.
func (x *sourcesScreen) shows(asOf int64) bool {
	n := len(x.times.batches)
	if n == 0 || x.s.cp == nil {
		return true
	}
	if asOf < 0 {
		asOf = x.s.cp.Offsets.Last()
	}
	return x.times.batches[n-1] == asOf
}

func (x *sourcesScreen) take(t *sourceTimes) {
	x.times, x.rows = t, nil
	for i := range t.sources {
		x.rows = append(x.rows, sourceRow{i, -1})
		for j := range t.sources[i].parts {
			x.rows = append(x.rows, sourceRow{i, j})
		}
	}
	x.arrange()
}

func (x *sourcesScreen) key(msg tea.Msg) action {
	k, isKey := msg.(tea.KeyPressMsg)
	if isKey && !x.typing() {
		by := map[bool]int64{true: -1, false: 1}[pressed(k, keys.older)]
		if pressed(k, keys.older) || pressed(k, keys.newer) {
			return x.scrub(by)
		}
	}
	switch x.hear(msg, x.len()) {
	case picked:
		x.moved = true
		x.note()
	case sifted:
		x.arrange()
	case left:
		return back{}
	case unheard:
		if pressed(k, keys.sort) {
			x.order = (x.order + 1) % len(sourceOrders)
			x.arrange()
		}
	}
	return nil
}

// scrub goes to the batch after (negative: before); after the newest one to now.
func (x *sourcesScreen) scrub(by int64) action {
	if x.s.cp == nil {
		return nil
	}
	from := x.s.asOf
	if from < 0 {
		from = x.s.cp.Offsets.Last()
	}
	if !x.s.scrub(from, by) {
		return nil
	}
	return reload{}
}

// note remembers which row is selected.
func (x *sourcesScreen) note() {
	if r, ok := x.selected(); ok {
		x.kept = x.name(r)
	}
}

// name says which row one is, whatever the order and whatever else there is.
func (x *sourcesScreen) name(r sourceRow) partColumn {
	if r.part < 0 {
		return partColumn{r.source, ""}
	}
	return partColumn{r.source, "/" + x.times.sources[r.source].parts[r.part].name}
}

func (x *sourcesScreen) selected() (sourceRow, bool) {
	if x.table.At >= x.len() {
		return sourceRow{}, false
	}
	return x.rows[x.table.Order.Row(x.table.At)], true
}

// arrange filters and sorts within each source, whose head stays above its parts, and keeps the selection.
func (x *sourcesScreen) arrange() {
	if x.filter.Pattern == "" && x.order == 0 {
		x.table.Order.All()
	} else {
		x.table.Order.Set(len(x.rows), func(i int) bool {
			r := x.rows[i]
			return r.part < 0 || x.wants(&x.times.sources[r.source].parts[r.part])
		}, func(a, b int) int {
			r, s := x.rows[a], x.rows[b]
			if r.source != s.source || r.part < 0 || s.part < 0 || sourceOrders[x.order].compare == nil {
				return cmp.Compare(a, b)
			}
			parts := x.times.sources[r.source].parts
			return cmp.Or(sourceOrders[x.order].compare(&parts[r.part], &parts[s.part]), cmp.Compare(a, b))
		})
	}
	x.resize(x.w, x.h)
	if !x.moved {
		x.table.Go(0, x.len())
		return
	}
	for i := range x.len() {
		if x.name(x.rows[x.table.Order.Row(i)]) == x.kept {
			x.table.Go(i, x.len())
			return
		}
	}
}

// wants compares a part with what is looked for: its name, and the words "still" and "gone".
func (x *sourcesScreen) wants(p *partTime) bool {
	texts := []string{p.name}
	if p.still >= standsStill {
		texts = append(texts, "still")
	}
	if p.gone {
		texts = append(texts, "gone")
	}
	return x.filter.Wants(texts...)
}

// ---- the lines that open it

var sourcesSpec = Spec{
	command: "sources", title: "sources", args: "[SOURCE [PART]] [batch N] [sort ORDER]", does: "the sources over time, at one of them", key: keys.sources, moment: true,
	make: func(s *session) screen { return newSources(s) }, complete: sortWords(sourceOrderNames(), noWords),
}

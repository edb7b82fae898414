package replay

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

// model is what a restart reads, partition by partition, compared with what the sources still have; then what happens to each
// range, and what the sink has of it.
type model struct {
	kit.List
	s     *kit.Session
	rows  []replayRow
	fates []checks.Fate
	of    replayInput // what rows and fates were worked out of
	moved bool        // a person has moved the cursor
	order int         // of orders

	stated   []string // what happens to each range, as it was laid out last; nil where that has changed
	statedAt int      // its width in cells
	names    int      // the width of the column of names
}

// replayRow is one part of one source.
type replayRow struct {
	source int
	of     *checks.KeptSource // nil where the source was not asked
	part   checks.KeptPart
	reads  *checks.Range // what a restart reads of it; nil where that is not known
}

// replayInput is what of a verdict the screen shows: it comes early and changes rarely, while a verdict grows often.
type replayInput struct {
	kept  *checks.Kept
	out   *checks.Output
	known bool
}

func replayInputOf(v *checks.Verdict) replayInput { return replayInput{v.Kept, v.Sink, v.Known} }

func newModel(s *kit.Session) *model {
	x := &model{s: s, List: kit.List{Name: "What the restart reads"}}
	x.Table.Columns = []widget.Column{{Title: "partition"}, {Title: "reads"}, {Title: "left"}, {Title: "lag"}} // as they are copied
	x.Table.Palette = s.Theme.Palette()
	return x
}

// orders are the ways to sort.
var orders = []struct {
	name    string
	compare func(a, b *replayRow) int
}{
	{"worst first", nil},
	{"by partition", func(a, b *replayRow) int {
		return cmp.Or(a.source-b.source, slices.CompareFunc(strings.Split(a.part.Name, "/"), strings.Split(b.part.Name, "/"), kit.Natural))
	}},
	{"most lag first", func(a, b *replayRow) int { return cmp.Compare(b.part.Lag, a.part.Lag) }},
}

func (x *model) Title() string { return "replay" }

func (x *model) Command() string {
	part := ""
	if x.moved && x.Table.At < x.len() {
		r := &x.rows[x.Table.Order.Row(x.Table.At)]
		part = kit.Quote(r.name())
	}
	return kit.LineOf(x.Filter.Typed(), "replay", part, kit.SortWord(x.order, orders[x.order].name))
}

func orderNames() (names []string) {
	for _, o := range orders {
		names = append(names, kit.SortName(o.name))
	}
	return names
}

// Set goes to a part by its name, and sorts.
func (x *model) Set(w *kit.Words) (tea.Cmd, error) {
	name := ""
	if w.Peek() != "sort" {
		name = w.Next()
	}
	if err := kit.TakeSort(w, &x.order, orderNames()); err != nil {
		return nil, err
	}
	x.arrange()
	if name == "" {
		return nil, nil
	}
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
	return nil, fmt.Errorf("no source has a partition %q", name)
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
	enter, sort := kit.Keys.Enter, kit.Keys.Sort
	sort.SetHelp("s", "sort")
	enter.SetHelp("enter", "open sources")
	if x.reruns() {
		enter.SetHelp("enter", "open the batch")
	}
	if len(x.rows) == 0 {
		return kit.PanelKeys(kit.Keys.Sources, kit.Keys.Output)
	}
	return kit.FilterKeys(enter, kit.Keys.Sources, kit.Keys.Output, sort)
}

// reruns reports whether a restart runs a batch again.
func (x *model) reruns() bool { return x.s.Verdict.Restart.Again() }

// ---- update

func (x *model) Load(kit.Scope) tea.Cmd {
	x.gather()
	return nil
}

// gather takes in what has become known: the parts that lack something first.
func (x *model) gather() {
	v := &x.s.Verdict
	x.of = replayInputOf(v)
	x.rows, x.fates, x.stated = nil, nil, nil
	reads := map[kit.PartColumn]*checks.Range{}
	for i := range v.Restart.Ranges {
		r := &v.Restart.Ranges[i]
		reads[kit.PartColumn{Source: r.Source, Name: r.Part}] = r
	}
	add := func(source int, of *checks.KeptSource, p checks.KeptPart) {
		x.rows = append(x.rows, replayRow{source, of, p, reads[kit.PartColumn{Source: source, Name: p.Name}]})
	}
	asked := map[int]bool{}
	if v.Kept != nil {
		for i := range v.Kept.Sources {
			k := &v.Kept.Sources[i]
			asked[k.Recorded.Index] = true
			for _, p := range k.Reads {
				add(k.Recorded.Index, k, p)
			}
		}
	}
	for _, r := range v.Restart.Ranges {
		if !asked[r.Source] {
			add(r.Source, nil, checks.KeptPart{Name: r.Part, From: r.From, To: r.To, Unit: r.Unit, State: checks.NotJudged})
		}
	}
	slices.SortStableFunc(x.rows, func(a, b replayRow) int {
		return cmp.Or(page.RemainsRank(a.part.State)-page.RemainsRank(b.part.State), a.source-b.source)
	})
	x.names = 0
	for i := range x.rows[:min(len(x.rows), 1000)] {
		x.names = max(x.names, phrase.Width(x.partName(&x.rows[i])))
	}
	if v.Known {
		x.fates = checks.Statement(v)
	}
	x.arrange()
}

// partName is a part under its name among all sources.
func (x *model) partName(r *replayRow) string {
	return page.PartName(&x.s.Verdict, r.source, r.part.Name)
}

func (x *model) arrange() {
	x.Table.Order.All()
	if compare := orders[x.order].compare; x.Filter.Pattern != "" || compare != nil {
		x.Table.Order.Set(len(x.rows), x.wants, func(a, b int) int {
			if compare == nil {
				return cmp.Compare(a, b)
			}
			return cmp.Or(compare(&x.rows[a], &x.rows[b]), cmp.Compare(a, b))
		})
	}
	x.Table.Go(x.Table.At, x.len())
}

// wants reports whether the filter wants a row: by what is drawn of it.
func (x *model) wants(i int) bool {
	r := &x.rows[i]
	texts := []string{r.name(), x.partName(r)}
	for _, c := range page.PartCells(r.of, &r.part) {
		texts = append(texts, c.Text)
	}
	bar := kit.RangeBarOf(&x.s.Verdict, r.of, &r.part, r.reads)
	for _, p := range bar.Pieces {
		texts = append(texts, p.At, p.Words)
	}
	return x.Filter.Wants(strings.Join(append(texts, x.left(r).Text), " "))
}

func (x *model) Resize(w, h int) {}

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
	switch {
	case kit.Pressed(k, kit.Keys.Sort):
		x.order = (x.order + 1) % len(orders)
		x.arrange()
	case !kit.Pressed(k, kit.Keys.Enter) || x.Table.At >= x.len():
	case x.reruns():
		return kit.GoBatch(x.s.Verdict.Restart.Batch)
	default:
		return kit.Go{Line: "sources"}
	}
	return nil
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "replay", Title: "replay", Args: "[SOURCE PARTITION] [sort ORDER]", Does: "what a restart reads, and what the sources still have",
	Key: kit.Keys.Replay, Tab: "Replay", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: kit.CompleteSort(orderNames(), kit.CompleteNothing),
}

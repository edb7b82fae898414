package start

import (
	"cmp"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The rows of the list: places, in groups, each under a head that the cursor passes over.

// row is a place, or the head of a group.
type row struct {
	head string // of a group; "" for a place
	n    int    // places of the group
	at   int    // of spots
	nth  int    // place, from 1
}

// mostRecents is how many of the places that were opened lately are shown.
const mostRecents = 10

// order is one of the orders of found checkpoints; its number is that of its column.
type order struct {
	name    string
	compare func(a, b *spot) int
}

var orders = []order{
	{"worst first", func(a, b *spot) int { return cmp.Compare(rankOf(a.State), rankOf(b.State)) }},
	{"by checkpoint", func(a, b *spot) int { return kit.Natural(a.choice.Label, b.choice.Label) }},
	{"newest first", func(a, b *spot) int { return cmp.Compare(b.Newest, a.Newest) }},
}

// groups are the heads of found checkpoints, the worst first, and what the banner says of each.
var groups = []struct {
	state       checks.State
	head, short string
}{
	{checks.Stop, "Do not restart yet", "do not restart yet"},
	{checks.OnlyIf, "Restart only if …", "only if"},
	{checks.NoVerdict, "No verdict", "no verdict"},
	{checks.Safe, "Safe to restart", "safe"},
	{"", "Being checked", "being checked"},
}

func rankOf(s checks.State) int {
	for i, g := range groups {
		if g.state == s {
			return i
		}
	}
	return len(groups) - 1
}

// arrange makes the rows: what was found, then what was opened lately, then the examples.
func (x *model) arrange() {
	x.spots = x.spots[:0]
	for _, f := range x.found {
		x.spots = append(x.spots, spot{kind: found, choice: f.Choice, Summary: f.Summary, same: f.Same})
	}
	less := func(a, b spot) int {
		c := orders[x.order].compare(&a, &b)
		if x.back {
			c = -c
		}
		return cmp.Or(c, kit.Natural(a.choice.Label, b.choice.Label))
	}
	slices.SortStableFunc(x.spots, less)
	if x.around != "" {
		x.spots = append(x.spots, spot{kind: whole, choice: x.s.OpenAt(x.around)})
	}
	if x.own {
		x.spots = append(x.spots, spot{kind: here, choice: x.s.OpenAt(x.root)})
	} else {
		x.others()
	}
	x.rows = x.rows[:0]
	nth := 0
	for i := range x.spots {
		if x.Filter.Pattern != "" && !x.Filter.Wants(x.text(&x.spots[i])) {
			continue
		}
		if head := x.group(&x.spots[i]); len(x.rows) == 0 || x.group(&x.spots[x.rows[len(x.rows)-1].at]) != head {
			x.rows = append(x.rows, row{head: head, at: i})
		}
		nth++
		x.rows = append(x.rows, row{at: i, nth: nth})
	}
	last := 0
	for i := range x.rows {
		if x.rows[i].head != "" {
			last = i
		} else {
			x.rows[last].n++
		}
	}
	x.fit()
}

// others are the places of the start screen that were not found below the folder.
func (x *model) others() {
	if x.s.OpenAt != nil {
		for _, r := range x.recents[:min(len(x.recents), mostRecents)] {
			x.spots = append(x.spots, spot{kind: recent, choice: x.s.OpenAt(r.Location), worst: r.Verdict, when: r.When})
		}
	}
	for _, c := range x.s.Choices {
		x.spots = append(x.spots, spot{kind: example, choice: c})
	}
}

// group is the head that a place is under.
func (x *model) group(at *spot) string {
	switch {
	case at.kind == recent:
		return "Opened lately"
	case at.kind == example:
		return "Examples"
	case at.kind == whole:
		return "It is part of this checkpoint"
	case at.kind == here:
		return "This location"
	case x.order > 0:
		return "Found"
	}
	return groups[rankOf(at.State)].head
}

// places is how many places the filter leaves.
func (x *model) places() int {
	if len(x.rows) == 0 {
		return 0
	}
	return x.rows[len(x.rows)-1].nth
}

// fit gives the columns their width.
func (x *model) fit() {
	name, short, age, same := 10, 10, 0, 0
	for i := range x.spots {
		at := &x.spots[i]
		name = max(name, phrase.Width(x.label(at)))
		_, words := x.does(at)
		age = max(age, len(x.age(at)))
		short, same = max(short, phrase.Width(words)+2), max(same, phrase.Width(at.same))
	}
	c := x.Table.Columns
	most := 24
	if x.w >= kit.Wide {
		most = 34
	}
	c[0].Width, c[1].Width = min(short, most), min(name, 28)
	if c[2].Width = 0; age > 0 {
		c[2].Width = 8
	}
	if c[3].Width = 0; same > 0 {
		c[3].Width = min(max(same, len(c[3].Title)), 20)
	}
}

// follow arranges the rows again and keeps the cursor on its place.
func (x *model) follow() {
	var kept spot
	if at := x.selected(); at != nil && x.moved {
		kept = *at
	}
	x.arrange()
	to := 0
	for i, r := range x.rows {
		if at := &x.spots[r.at]; r.head == "" && at.kind == kept.kind && at.choice.Location == kept.choice.Location && kept.choice.Location != "" {
			to = i
			break
		}
	}
	x.Table.Go(to, len(x.rows))
	x.offHead(to)
}

// offHead moves the cursor from the head of a group to a place, on from where it was.
func (x *model) offHead(was int) {
	n, at := len(x.rows), x.Table.At
	if at < n && x.rows[at].head != "" {
		step := 1
		if at < was && at > 0 {
			step = -1
		}
		x.Table.Go(at+step, n)
	}
	if x.Table.At == 1 {
		x.Table.Top = 0
	}
}

// selected is the place under the cursor; nil where there is none.
func (x *model) selected() *spot {
	if x.Table.At >= len(x.rows) || x.rows[x.Table.At].head != "" {
		return nil
	}
	return &x.spots[x.rows[x.Table.At].at]
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	t := &x.s.Theme
	if head := &x.rows[i]; head.head != "" {
		r.Note = t.Strong.Styled(head.head) + " " + t.Dim.Styled(phrase.Count(int64(head.n)))
		return
	}
	at := &x.spots[x.rows[i].at]
	sign, words := x.does(at)
	r.Cells[0] = widget.Cell{Text: sign.Symbol + " " + words, Style: t.Role(sign.Role)}
	r.Cells[1].Text = x.label(at)
	r.Cells[2] = widget.Cell{Text: x.age(at), Style: t.Dim}
	if at.same != "" {
		r.Cells[3] = widget.Cell{Text: kit.Safe(at.same), Style: t.Warn}
	}
	if at.kind == example {
		r.Cells[1] = widget.Cell{Text: kit.Safe(at.choice.Detail), Wide: true}
	}
}

// does is the sign of a place, and what a restart does there in a few words.
func (x *model) does(at *spot) (phrase.Sign, string) {
	open := phrase.Sign{Symbol: "›", Role: phrase.Key}
	switch {
	case at.kind == example:
		return open, kit.Safe(at.choice.Label)
	case at.kind == whole:
		return open, "open the checkpoint"
	case at.kind == here:
		return open, "open without choosing"
	case at.kind == recent && at.worst == "folder":
		return open, "folder"
	case at.kind == recent && at.worst == "":
		return phrase.Sign{Symbol: "?", Role: phrase.Open}, "not checked to the end"
	case at.kind == recent:
		return health(at.worst), at.worst
	case at.State == "":
		return phrase.Sign{Symbol: "…", Role: phrase.Dim}, "being checked"
	}
	return phrase.Verdicts.Of(string(at.State)), at.Short
}

// health is the sign of the worst finding.
func health(word string) phrase.Sign {
	if s, ok := phrase.Severities[word]; ok {
		return s
	}
	return phrase.Healths.Of(word)
}

// label is a place as short as it can be told from the others.
func (x *model) label(at *spot) string {
	if at.kind == found && at.choice.Label != "" && at.choice.Label != "." {
		return kit.Safe(strings.TrimSuffix(at.choice.Label, "/checkpoint"))
	}
	return kit.Safe(at.choice.Location)
}

// age is how old the newest batch of a checkpoint is, or how long ago it was opened.
func (x *model) age(at *spot) string {
	ms := at.Newest
	if at.kind == recent && !at.when.IsZero() {
		ms = at.when.UnixMilli()
	}
	if at.kind == found && at.State != "" && ms == 0 {
		return "–"
	}
	return strings.TrimSuffix(x.s.Clock.Age(ms), " ago")
}

// text is all that a filter looks for in a place: what its row shows, its group and its location.
func (x *model) text(at *spot) string {
	sign, words := x.does(at)
	parts := []string{sign.Symbol, words, x.label(at), at.choice.Label, x.age(at), at.same, x.group(at), at.choice.Location, at.choice.Detail}
	if at.kind == found {
		parts = append(parts, groups[rankOf(at.State)].head)
	}
	for _, f := range at.Facts.Rows {
		parts = append(parts, f.Name+" "+f.Text.String())
	}
	return strings.Join(parts, " ")
}

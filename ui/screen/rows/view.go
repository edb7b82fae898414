package rows

import (
	"errors"
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- layout

// kindWidths are the cells that a column of a kind takes at least; those of no fixed width are not
// here, and take what is left over.
var kindWidths = map[row.Kind]int{
	row.Boolean: 5, row.Byte: 4, row.Short: 6, row.Integer: 8, row.Long: 8, row.Float: 8, row.Double: 8, row.Date: 10, row.Timestamp: 20,
	row.TimestampNTZ: 19, row.Void: 4,
}

// setColumns makes the columns, as wide as the rows of the first page ask for.
func (x *model) setColumns() {
	x.Table.Columns, x.Table.Left = nil, 0
	for i, c := range x.columns {
		title := kit.Safe(c.title)
		switch c.of {
		case ofKey:
			title = "key " + title
		case ofMapKey:
			title = "map key " + title
		}
		w, fixed := kindWidths[c.kind]
		for j := range x.rows {
			if x.rows[j].err == nil {
				w = max(w, min(phrase.Width(x.cell(&x.rows[j], i)), 27))
			}
		}
		right := c.kind >= row.Byte && c.kind <= row.Double || c.kind == row.Decimal
		x.Table.Columns = append(x.Table.Columns, widget.Column{Title: title, Width: max(w, min(phrase.Width(title), 28)), Grow: !fixed &&
			c.of != ofChange, Right: right})
	}
}

// ---- view

// head is what stands above the table: what is shown, or what is asked for.
func (x *model) head() []string {
	if x.ask.IsOpen() {
		return x.ask.View(&x.s.Theme, x.W)
	}
	lines := []string{" " + x.Summary()}
	if x.err != nil && len(x.rows) > 0 {
		lines = append(lines, " "+x.s.Theme.Unknown.Styled(phrase.Cut("? no more is read: "+kit.Safe(x.err.Error()), x.W-2)))
	}
	return lines
}

func (x *model) Summary() string {
	t := &x.s.Theme
	if x.Filtering() {
		return kit.FilterLine(t, &x.Filter, fmt.Sprintf("%s of %s read", phrase.Units(int64(x.len()), "rows"), phrase.Units(int64(len(x.rows)), "rows"))+x.progress())
	}
	if x.want.nothing {
		return t.Dim.Styled("no rows are read yet")
	}
	text := phrase.Units(int64(len(x.rows)-x.amiss), "rows")
	if x.want.compare {
		text = fmt.Sprintf("%s added   %s changed   %s removed", phrase.Count(x.changes["added"]), phrase.Count(x.changes["changed"]), phrase.Count(x.changes["removed"]))
	}
	if x.want.key != "" {
		text += " with the key " + t.Strong.Styled(phrase.Cut(kit.Safe(x.want.key), 40))
	}
	guess := ""
	if x.from != nil && x.from.view.Guessed {
		guess = t.Unknown.Styled("   ? columns are a guess: " + page.NoSchema)
	}
	return text + x.progress() + guess + t.Dim.Styled("   "+x.moment())
}

// moment says whose rows are shown, as which batch left them.
func (x *model) moment() string {
	text := page.LeftBy(x.want.batch)
	if x.want.compare {
		text = page.Between(x.want.before, x.want.batch)
	}
	if x.from == nil {
		return text
	}
	switch partitions := x.from.state.PartitionCount(); {
	case x.from.lookup != nil:
		text = x.lookedIn() + " · " + text
	case x.want.partition < 0:
		text += " · of all " + phrase.Units(int64(partitions), "partitions")
	}
	if v := x.from.view; v.Name != "default" {
		text = kit.Safe(v.Name) + " " + text
		if v.Raw {
			text += " · as Spark keeps it"
		}
	}
	return text
}

// lookedIn says where a key was looked for.
func (x *model) lookedIn() string {
	p := x.from.lookup.Partition
	return page.LookedIn(p, p, x.from.state.PartitionCount())
}

// progress says how far the reading has come.
func (x *model) progress() string {
	switch {
	case x.full():
		return ", and no more is kept"
	case x.done && x.lost:
		return " could be read, and not all"
	case x.done && x.want.key != "":
		return ""
	case x.done:
		return ", all there are"
	case x.err != nil:
		return ", and no more is read"
	}
	return " so far …"
}

func (x *model) View(w, h int) []string {
	lines := x.head()
	say := func(text string) []string {
		return append(append(lines, ""), x.s.Theme.Say(w, page.Section{Blocks: []page.Block{page.Paragraph{Text: page.Plain(text)}}})...)
	}
	switch {
	case x.err != nil && len(x.rows) == 0:
		return append(lines, x.unreadable(w)...)
	case len(x.rows) == 0 && x.want.nothing:
		return say("Nothing is read before the key is known: its hash tells the partition.")
	case len(x.rows) == 0 && x.done:
		return say(x.none())
	case len(x.rows) == 0 && x.want.compare:
		return append(lines, "", "   … both versions are being put together from their files")
	case len(x.rows) == 0:
		return append(lines, "", "   … the version is being put together from its files")
	}
	return x.List.View(&x.s.Theme, lines, x, x.detail)
}

// none says that there are no rows, and where they were looked for.
func (x *model) none() string {
	of := fmt.Sprintf("partition %d holds no key", x.want.partition)
	if x.want.partition < 0 {
		of = "no partition holds a key"
	}
	if x.want.compare {
		return fmt.Sprintf("No row differs: what batch %d left is what batch %d had left. %s shows the rows.", x.want.batch, x.want.before, x.s.FirstKey(kit.Keys.Back))
	}
	if x.want.key != "" {
		return fmt.Sprintf("No row has the key %s. It was looked for %s, at version %d. %s shows all rows.", kit.Safe(x.want.key), x.lookedIn(), x.want.batch+1, x.s.FirstKey(kit.Keys.Back))
	}
	return fmt.Sprintf("No rows: %s at version %d. A partition to which no key belongs, and one from which the watermark has dropped all, look like this.", of, x.want.batch+1)
}

// unreadable says why there are no rows, and what to do.
func (x *model) unreadable(w int) []string {
	next := x.s.WithKeys("The files of the store can be opened one by one: %s, then %s.", kit.Keys.Back, kit.Keys.Pane)
	if checkpoint.Stopped(x.err) {
		next = x.s.WithKeys("%s reads on.", kit.Keys.Reread)
	} else if _, ok := errors.AsType[*statestore.NoSuchError](x.err); ok {
		next = x.s.WithKeys("%s goes back to the stores that there are.", kit.Keys.Back)
	}
	return append([]string{""}, x.s.Theme.Say(w, page.Section{Title: "? NO ROWS CAN BE SHOWN", Blocks: []page.Block{
		page.Paragraph{Text: page.Plain(kit.Safe(x.err.Error()))}, page.Paragraph{Text: page.Plain(next)}}})...)
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	l := &x.rows[i]
	if l.err != nil {
		r.Note, r.Style = "✗ "+kit.Safe(l.err.Error()), x.s.Theme.Bad
		if passed(l.err) {
			r.Note, r.Style = "! "+kit.Safe(l.err.Error()), x.s.Theme.Warn
		}
		return
	}
	r.Style = x.s.Theme.Role(x.change(l).Role)
	r.Cells[0].Text = x.cell(l, 0)
	for c := max(r.From, 1); c < min(r.To, len(l.cells)); c++ {
		r.Cells[c].Text = x.cell(l, c)
		if l.before != nil && l.before[c] != l.cells[c] {
			r.Cells[c].Style = x.s.Theme.Warn
		}
	}
}

// change is how a row has changed; its zero value where that is not asked.
func (x *model) change(l *rowLine) phrase.Sign {
	if !x.want.compare || l.err != nil {
		return phrase.Sign{}
	}
	return phrase.Changes.Of(l.cells[0])
}

// passed reports whether an error is of a file that others stand in for: the rows are right.
func passed(err error) bool {
	_, ok := errors.AsType[*statestore.PassedError](err)
	return ok
}

// cell is the beginning of a value, as much as a column may show; where it has changed, what it was before
// comes first.
func (x *model) cell(l *rowLine, column int) string {
	c := x.columns[column]
	if c.of == ofChange {
		return x.change(l).Head()
	}
	text := brief(l.cells[column], c.kind)
	if l.before != nil && l.before[column] != l.cells[column] {
		text = brief(l.before[column], c.kind) + " → " + text
	}
	return text
}

// brief is the beginning of a value; a time has its microseconds only where there are some.
func brief(s string, k row.Kind) string {
	const enough = 300
	if k == row.Timestamp || k == row.TimestampNTZ {
		s = strings.Replace(s, ".000000", "", 1)
	}
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return kit.Safe(s)
}

// detail is the selected row whole: every column with its type, in no more than h lines of w cells.
func (x *model) detail(w, h int) []string {
	l := x.selected()
	if l == nil {
		return []string{"", x.s.WithKeys("Nothing matches in what was read. %s shows all again.", kit.Keys.Back)}
	}
	t := &x.s.Theme
	var lines []string
	if l.err != nil {
		lines = append(lines, t.Bad.Styled("what went wrong"))
		lines = append(lines, phrase.Wrap(kit.Safe(l.err.Error()), w)...)
		if !passed(l.err) {
			lines = append(lines, phrase.Wrap(x.s.WithKeys("The rows that could be read are shown all the same. %s goes to the batch before.", kit.Keys.Older), w)...)
		}
		return kit.Scrolled(lines, x.Scroll, h, x.s, x.Inside)
	}
	for i, c := range x.columns {
		switch c.of {
		case ofChange:
			m := x.change(l)
			lines = append(lines, t.Draw(w, page.Paragraph{Text: page.Text{{Role: m.Role, Text: m.Head()}, {Role: phrase.Dim, Text: " " + page.Between(x.want.before, x.want.batch)}}})...)
			continue
		case ofPartition:
			lines = append(lines, t.Draw(w, page.Facts{Rows: []page.Fact{{Name: "partition", Text: page.Plain(l.cells[i])}}})...)
			continue
		}
		if i == 0 || c.of != x.columns[i-1].of {
			lines = append(lines, t.Strong.Styled([...]string{ofKey: "KEY", ofMapKey: "MAP KEY", ofValue: "VALUE"}[c.of]))
		}
		name := phrase.Cut(kit.Safe(c.title), max(w-12, 8))
		head := t.Strong.Styled(name) + " " + t.Dim.Styled(phrase.Cut(kit.Safe(c.ddl), max(w-phrase.Width(name)-1, 0)))
		lines = append(lines, head)
		value := strings.TrimRight(kit.Safe(l.cells[i]), " ")
		if l.before != nil && l.before[i] != l.cells[i] {
			value = kit.Safe(l.before[i]) + " → " + value
		}
		all := phrase.Wrap(value, max(w-2, 1))
		if len(all) == 0 {
			all = []string{t.Dim.Styled("(no characters)")}
		}
		for _, line := range all {
			lines = append(lines, "  "+line)
		}
	}
	return kit.Scrolled(lines, x.Scroll, h, x.s, x.Inside)
}

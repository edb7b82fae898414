package rows

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// View draws the key that is looked for, the rows, and the selected one.
func (x *model) View(w, h int) []string { return x.Board.View(&x.s.Theme, w, h, x.root(w, h)) }

func (x *model) root(w, h int) kit.Node {
	list := x.listPanel(w)
	list.Grow = true
	find, problem, detail := x.findPanel(), x.problemPanel(), x.detailPanel()
	if list.Rows == nil {
		return kit.Stack(find, list)
	}
	room := h / 2
	if h < 18 {
		room = h - 4
	}
	list.Least = max(min(len(x.rows)+1, room), 4)
	switch {
	case w >= kit.Wide:
		return kit.Across([]int{66, 34}, kit.Stack(find, list, problem), detail)
	case w >= kit.TwoColumns:
		return kit.Across([]int{3, 2}, kit.Stack(find, list, problem), detail)
	}
	for _, p := range []*kit.Panel{find, problem, detail} { // the one that has the keys gets room
		if p == nil {
			continue
		}
		p.Unfolds = true
		if p.ID == x.Focus() {
			p.Rank = 1
			list.Least = 4
		}
	}
	return kit.Stack(find, list, problem, detail)
}

// measure is how many cells a line of text has at most.
const measure = 100

// ---- the list

// listPanel has the rows, or says why there are none.
func (x *model) listPanel(w int) *kit.Panel {
	t := &x.s.Theme
	x.Name = x.listTitle()
	p := x.Panel(t, x, "")
	if !x.Filtering() {
		p.Right = x.summary(w)
	}
	p.Rows.More = x.reading || x.next != nil
	if len(x.rows) > 0 {
		return p
	}
	p.Rows = nil
	if !x.done {
		p.Right = t.Dim.Styled(x.moment())
	}
	say := func(texts ...string) {
		p.Text = func(w int) (lines []string) {
			for _, text := range texts {
				lines = append(lines, phrase.Wrap(text, min(w, measure))...)
			}
			return lines
		}
	}
	switch {
	case x.err != nil:
		p.Title, p.Sign = "No rows", phrase.Tones[phrase.Open]
		say(phrase.Sentence(kit.Safe(x.err.Error())), x.afterError())
	case x.want.nothing:
		say("No row is read before the key is known: its hash determines the partition.")
	case x.done:
		say(x.none())
	case x.want.compare:
		say("… both versions are being rebuilt from their files")
	default:
		say("… the version is being rebuilt from its files")
	}
	return p
}

func (x *model) listTitle() string {
	if x.want.compare {
		return fmt.Sprintf("Changes since batch %d", x.want.before)
	}
	return fmt.Sprintf("Rows after batch %d", x.want.batch)
}

// summary says how many rows there are, and of which version.
func (x *model) summary(w int) string {
	t := &x.s.Theme
	text := phrase.Units(int64(len(x.rows)-x.amiss), "rows")
	if x.want.compare {
		text = fmt.Sprintf("%s added · %s changed · %s removed", phrase.Count(x.changes["added"]), phrase.Count(x.changes["changed"]), phrase.Count(x.changes["removed"]))
	}
	if x.want.key != "" {
		text += " with this key"
	}
	text = t.Dim.Styled(x.moment()+" · "+text) + x.progress()
	if x.day != "" {
		text = t.Dim.Styled(x.day+" UTC · ") + text
	}
	if x.from == nil {
		return text
	}
	switch v := x.from.view; {
	case v.Name != "default" && v.Raw:
		text += t.Dim.Styled(" · " + kit.Safe(v.Name) + " as Spark stores it")
	case v.Name != "default":
		text += t.Dim.Styled(" · " + kit.Safe(v.Name))
	case x.want.partition < 0 && x.want.key == "" && !x.want.compare && (w >= kit.Wide || w >= kit.BareFrom && w < kit.TwoColumns):
		text += t.Dim.Styled(" in " + phrase.Units(int64(x.from.state.PartitionCount()), "partitions"))
	}
	return text
}

// moment says of which version rows are shown.
func (x *model) moment() string {
	if x.want.compare {
		return fmt.Sprintf("version %d → %d", x.want.before+1, x.want.batch+1)
	}
	return fmt.Sprintf("version %d", x.want.batch+1)
}

// progress says how far the reading is.
func (x *model) progress() string {
	t := &x.s.Theme
	switch {
	case x.full():
		return t.Unknown.Styled(", no more are kept")
	case x.done && x.lost:
		return t.Unknown.Styled(", some could not be read")
	case x.done:
		return ""
	case x.err != nil:
		return t.Unknown.Styled(", not all read")
	}
	return t.Dim.Styled(" so far …")
}

// none says that there are no rows, and where they were looked for.
func (x *model) none() string {
	switch {
	case x.want.compare:
		return x.s.WithKeys(fmt.Sprintf("No row differs between batch %d and batch %d. %%s shows the rows.", x.want.before, x.want.batch), kit.Keys.Back)
	case x.want.key != "":
		return fmt.Sprintf("No row has the key %s. %s %s shows all rows.", kit.Safe(x.want.key), x.lookedIn(), x.s.FirstKey(kit.Keys.Back))
	}
	of := fmt.Sprintf("Partition %d has no row", x.want.partition)
	if x.want.partition < 0 {
		of = "No partition has a row"
	}
	return fmt.Sprintf("%s at version %d. No key belongs to it, or the watermark has removed all of them.", of, x.want.batch+1)
}

// lookedIn says where a key was looked for.
func (x *model) lookedIn() string {
	n := phrase.Units(int64(x.from.state.PartitionCount()), "partitions")
	if x.from.lookup.Partition < 0 {
		return "All " + n + " were read."
	}
	return fmt.Sprintf("Its hash puts it in partition %d of %s; only that one was read.", x.from.lookup.Partition, n)
}

// afterError says what to do if nothing could be read.
func (x *model) afterError() string {
	if checkpoint.Stopped(x.err) {
		return x.s.WithKeys("%s continues to read.", kit.Keys.Reread)
	}
	if _, ok := errors.AsType[*statestore.NoSuchError](x.err); ok {
		return x.s.WithKeys("%s shows the stores that exist.", kit.Keys.Back)
	}
	return x.s.WithKeys("Its files can be opened one by one: %s, then %s.", kit.Keys.Back, kit.Keys.Pane)
}

// ---- a key

// findPanel is the key that is looked for, and how one is typed; nil before it is known what rows are read.
func (x *model) findPanel() *kit.Panel {
	if x.from == nil || x.from.view.Key == nil || x.want.compare {
		return nil
	}
	p := &kit.Panel{ID: "find", Title: "Find a key", Opens: kit.Keys.Lookup, Rank: 3}
	p.Text = func(w int) (lines []string) {
		for _, text := range x.findWords() {
			lines = append(lines, phrase.Wrap(text, w)...)
		}
		return lines
	}
	p.Fold = func(int) string { return strings.Join(x.findWords()[:1], "") }
	return p
}

// findWords are the key and what was found, or how a key is typed.
func (x *model) findWords() []string {
	t, v := &x.s.Theme, x.from.view
	switch {
	case x.want.key == "":
		return x.keyHint(v.Key)
	}
	name := "key"
	if fields := v.Key.Fields; len(fields) > 0 && !strings.HasPrefix(x.want.key, "{") {
		name = kit.Safe(fields[0].Label)
	}
	found := phrase.Units(int64(len(x.rows)-x.amiss), "rows")
	if !x.done {
		found += " so far …"
	}
	return []string{t.Accent.Styled(name) + "  " + kit.Safe(x.want.key) + t.Dim.Styled(" · "+found), x.lookedIn()}
}

// ---- what went wrong

// problemPanel says why not all rows are read, or that their columns are a guess; nil if neither is so.
func (x *model) problemPanel() *kit.Panel {
	title, text := "", ""
	switch {
	case x.err != nil && len(x.rows) > 0:
		title, text = "Reading ended", "No more rows were read: "+phrase.Sentence(kit.Safe(x.err.Error()))
	case x.from != nil && x.from.view.Guessed:
		title, text = "Guessed columns", phrase.Sentence(page.GuessedColumns)
	default:
		return nil
	}
	sign := phrase.Tones[phrase.Open]
	return &kit.Panel{ID: "problem", Title: title, Sign: sign, Rank: 2, Text: func(w int) []string { return phrase.Wrap(text, min(w, measure)) },
		Fold: func(int) string { return x.s.Theme.Unknown.Styled(sign.Symbol) + " " + text }}
}

// ---- the selected row

// aboutID is the panel of the selected row: a list scrolls it back to its start.
const aboutID = "about"

func (x *model) detailPanel() *kit.Panel {
	l := x.selected()
	p := &kit.Panel{ID: aboutID, Title: "Row", Rank: 2, Least: 5}
	if l == nil {
		p.Text = func(w int) []string {
			return phrase.Wrap(x.s.WithKeys("No row matches. %s shows all again.", kit.Keys.Back), w)
		}
		return p
	}
	if l.err != nil {
		p.Title = "Problem"
	}
	p.Text = func(w int) []string { return x.detail(l, min(w, measure)) }
	p.Fold = func(int) string { return x.detailFold(l) }
	return p
}

// detailFold is the selected row in one line: when it leaves state, or its values.
func (x *model) detailFold(l *rowLine) string {
	if l.err != nil {
		return kit.Safe(l.err.Error())
	}
	if texts := x.leaves(l); len(texts) > 0 {
		return strings.Join(texts, " ")
	}
	var parts []string
	for i, c := range x.columns {
		if c.of == ofValue || c.of == ofMapKey {
			parts = append(parts, x.s.Theme.Dim.Styled(kit.Safe(c.title))+" "+x.cell(l, i))
		}
	}
	return strings.Join(parts, x.s.Theme.Dim.Styled(" · "))
}

// detail is the selected row with every column and its type.
func (x *model) detail(l *rowLine, w int) (lines []string) {
	t := &x.s.Theme
	if l.err != nil {
		lines = phrase.Wrap(phrase.Sentence(kit.Safe(l.err.Error())), w)
		if !passed(l.err) {
			lines = append(lines, phrase.Wrap(x.s.WithKeys("Rows that could be read are shown. %s goes to the batch before.", kit.Keys.Older), w)...)
		}
		return lines
	}
	for _, part := range []struct {
		of    part
		title string
	}{{ofKey, "Key"}, {ofMapKey, "Map key"}, {ofValue, "Value"}} {
		if values := x.valueLines(l, part.of, w); len(values) > 0 {
			lines = append(append(lines, t.Strong.Styled(part.title)), values...)
		}
	}
	lines = append(append(lines, t.Strong.Styled("Place")), t.Draw(w, x.place(l))...)
	if texts := x.leaves(l); len(texts) > 0 {
		lines = append(lines, t.Strong.Styled("When does it leave state?"))
		for _, text := range texts {
			lines = append(lines, phrase.Wrap(text, w)...)
		}
	}
	return lines
}

// valueLines are the columns of one part of a row: name, value, and type if there is room for it.
func (x *model) valueLines(l *rowLine, of part, w int) (lines []string) {
	t := &x.s.Theme
	const mostName = 24
	names := 0
	for _, c := range x.columns {
		if c.of == of {
			names = max(names, min(phrase.Width(kit.Safe(c.title)), mostName))
		}
	}
	for i, c := range x.columns {
		if c.of != of {
			continue
		}
		name, ddl := phrase.Middle(kit.Safe(c.title), mostName), kit.Safe(c.ddl)
		value, style := strings.TrimRight(kit.Safe(l.cells[i]), " "), widget.Style{}
		switch {
		case l.before != nil && l.before[i] != l.cells[i]:
			value, style = kit.Safe(l.before[i])+" → "+value, t.Warn
		case value == "":
			value, style = emptyText, t.Dim
		}
		line := "  " + t.Dim.Styled(phrase.Fit(name, names)) + "  "
		if phrase.Width(line)+phrase.Width(value) > w {
			lines = append(lines, "  "+t.Dim.Styled(phrase.Cut(name+"  "+ddl, w-2)))
			for _, part := range phrase.Wrap(value, max(w-4, 1)) {
				lines = append(lines, "    "+style.Styled(part))
			}
			continue
		}
		line += style.Styled(value)
		if phrase.Width(line)+2+phrase.Width(ddl) <= w {
			line += "  " + t.Dim.Styled(ddl)
		}
		lines = append(lines, line)
	}
	return lines
}

// place is where a row is: its partition, and the version of the state.
func (x *model) place(l *rowLine) page.Facts {
	f := page.Facts{Level: 1}
	say := func(name, text string, role phrase.Role) {
		f.Rows = append(f.Rows, page.Fact{Name: name, Text: page.Text{{Role: role, Text: text}}})
	}
	partition := strconv.Itoa(x.want.partition)
	for i, c := range x.columns {
		switch c.of {
		case ofChange:
			m := x.change(l)
			say("change", m.Head(), m.Role)
		case ofPartition:
			partition = l.cells[i]
		}
	}
	if x.from != nil && x.from.lookup != nil && x.from.lookup.Partition >= 0 {
		partition += ", from the hash of the key"
	}
	say("partition", partition, phrase.Plain)
	say("version", fmt.Sprintf("%d, written by batch %d", x.want.batch+1, x.want.batch), phrase.Plain)
	return f
}

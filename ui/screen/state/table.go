package state

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The columns of the list, by their places.
const (
	partColumn = iota
	nameColumn
	markColumn
	newestColumn
	loadableColumn
	sizeColumn
	barColumn
	rowsColumn
	filesColumn
	chainColumn
)

// columns have the widths that they have if there is room.
var columns = []widget.Column{
	partColumn: {}, nameColumn: {Title: "store", Middle: true}, markColumn: {}, newestColumn: {Title: "newest", Right: true},
	loadableColumn: {Title: "loadable", Right: true}, sizeColumn: {Title: "size", Right: true}, barColumn: {},
	rowsColumn: {Title: "rows", Right: true}, filesColumn: {Title: "files", Right: true}, chainColumn: {Title: "chain a restart loads"},
}

// The cells of a chain that come before the columns of less use, at most; and those that are worth a column.
const (
	usualChain = 30
	leastChain = 14
)

// widths are the cells that the contents of columns need.
type widths struct{ part, name, version, mark int }

// measure works out how wide the columns must be.
func (x *model) measure() {
	x.widths = widths{}
	for i := range x.rows {
		r := &x.rows[i]
		x.widths.part = max(x.widths.part, len(strconv.Itoa(r.Partition)))
		x.widths.version = max(x.widths.version, len(strconv.FormatInt(r.newest, 10)))
		if r.Name != "default" && r.Name != "" {
			x.widths.name = max(x.widths.name, min(phrase.Width(kit.Safe(r.Name)), 40))
		}
	}
	x.widths.version = max(x.widths.version, len(strconv.FormatInt(x.version(), 10)))
}

// measureMarks works out how wide the column of marks must be.
func (x *model) measureMarks() {
	x.widths.mark = 9
	for i := range x.rows {
		if !x.rows[i].heading {
			x.widths.mark = max(x.widths.mark, min(phrase.Width(x.mark(&x.rows[i]).Words), 24))
		}
	}
}

// fit gives the columns their widths in w cells: first what a restart needs, then the chain, then the rest.
func (x *model) fit(w int) {
	c := x.Table.Columns
	for i := range c {
		c[i].Width = 0
	}
	room := w - 4 // the padding, and the sign of columns that are out of sight
	add := func(column, width int) {
		if width > 0 && room >= width+2 {
			c[column].Width = width
			room -= width + 2
		}
	}
	c[partColumn].Title = "part"
	if w >= kit.TwoColumns-4 {
		c[partColumn].Title = "partition"
	}
	c[partColumn].Width = 2 + max(len(c[partColumn].Title), x.widths.part)
	c[partColumn].Title = phrase.FitRight(c[partColumn].Title, c[partColumn].Width)
	c[markColumn].Title = "restart"
	loads := len(x.s.Verdict.Loads) > 0
	if loads {
		c[markColumn].Title = fmt.Sprintf("version %d", x.version())
	}
	room -= c[partColumn].Width
	add(markColumn, max(x.widths.mark, len(c[markColumn].Title)))
	if x.widths.name > 0 {
		add(nameColumn, min(x.widths.name, max(room-22, 14)))
	}
	if loads {
		add(loadableColumn, max(8, x.widths.version))
	}
	add(sizeColumn, 9)
	if x.counts.any(&x.held) {
		add(rowsColumn, 7)
	}
	chain := 0
	if loads && room >= leastChain+2 {
		chain = min(usualChain, room-2)
		room -= chain + 2
	}
	add(newestColumn, max(6, x.widths.version))
	add(filesColumn, 5)
	if room >= 10 {
		add(barColumn, min(max(room/2, 8), 16))
	}
	if chain > 0 {
		c[chainColumn].Width = chain + room + 2 // it is the last one: no sign behind it
	}
}

// ---- rows

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	row, t := &x.rows[i], &x.s.Theme
	m := x.mark(row)
	if row.heading {
		head, rest, _ := strings.Cut(row.text, "   ")
		r.Note = t.Strong.Styled(head)
		if m.Symbol == "✗" || m.Symbol == "?" {
			r.Note = m.Style.Styled(m.Symbol + " " + head)
		}
		r.Note += t.Dim.Styled("   " + rest)
		return
	}
	x.cells(row, &m, r.Cells)
	if c := x.Table.Columns[chainColumn]; row.load != nil && c.Width > 0 && r.From <= chainColumn && r.To > chainColumn {
		r.Cells[chainColumn].Text = kit.DrawChain(x.linksOf(row), c.Width, t.Bad)
	}
}

// cells fills the cells of a store, but for its chain.
func (x *model) cells(row *storeRow, m *kit.StoreMark, cells []widget.Cell) {
	t := &x.s.Theme
	part := max(x.Table.Columns[partColumn].Width-2, x.widths.part)
	cells[partColumn].Text = m.Style.Styled(m.Symbol) + " " + phrase.FitRight(strconv.Itoa(row.Partition), part)
	cells[nameColumn].Text = kit.Safe(row.Name)
	cells[markColumn] = widget.Cell{Text: m.Words, Style: m.Style}
	if m.Symbol == "✓" {
		cells[markColumn].Style = widget.Style{}
	}
	for _, c := range []int{newestColumn, loadableColumn, sizeColumn, rowsColumn, filesColumn} {
		cells[c] = widget.Cell{Text: "–", Style: t.Dim}
	}
	if row.load != nil && row.err == nil {
		cells[loadableColumn] = x.loadableCell(row)
	}
	if row.store == nil {
		return
	}
	if row.newest > 0 {
		cells[newestColumn] = widget.Cell{Text: strconv.FormatInt(row.newest, 10)}
	}
	cells[rowsColumn] = widget.Cell{Text: x.counts.cell(row, &x.held)}
	cells[filesColumn] = widget.Cell{Text: phrase.Count(x.fileCount(row))}
	bytes, known := x.size(row)
	switch {
	case known:
		cells[sizeColumn] = widget.Cell{Text: phrase.Bytes(bytes)}
		cells[barColumn] = widget.Cell{Text: widget.Bar(bytes, x.full[scale{row.Operator, row.Name}], x.Table.Columns[barColumn].Width), Style: t.Plot}
	case x.sizes[row.tables].err != nil || !x.adding:
		cells[sizeColumn] = widget.Cell{Text: "?", Style: t.Unknown}
	default:
		cells[sizeColumn] = widget.Cell{Text: "…", Style: t.Dim}
	}
}

// loadableCell is the newest version that loads, as far as the names of the files show it.
func (x *model) loadableCell(row *storeRow) widget.Cell {
	t, l := &x.s.Theme, row.load
	cell := widget.Cell{Text: strconv.FormatInt(l.Loadable, 10)}
	switch {
	case l.Loadable == 0:
		cell.Text = "none"
	case row.whole() && x.broken(row): // its files exist, and one does not load
		return widget.Cell{Text: "?", Style: t.Unknown}
	}
	if l.Loadable < l.Version && !x.past() {
		cell.Style = t.Bad
	}
	return cell
}

// mostChains is the number of stores up to which the filter finds chains: of more it would take longer than a person waits.
const mostChains = 20_000

// texts are what the cells of a row show, for the filter, and its path.
func (x *model) texts(i int) []string {
	row := &x.rows[i]
	cells := make([]widget.Cell, len(x.Table.Columns))
	m := x.mark(row)
	x.cells(row, &m, cells)
	texts := []string{row.dir, m.Symbol + " " + m.Words}
	for _, c := range cells {
		texts = append(texts, strings.TrimSpace(kit.Unstyled(c.Text)))
	}
	if row.load != nil && len(x.rows) <= mostChains {
		links := x.linksOf(row)
		texts = append(texts, kit.DrawChain(links, max(x.Table.Columns[chainColumn].Width, leastChain), widget.Style{}))
	}
	return texts
}

// mark says in a word or two whether a restart can load a store.
func (x *model) mark(r *storeRow) kit.StoreMark {
	t := &x.s.Theme
	f := x.worst(r)
	bad := func(format string, args ...any) kit.StoreMark {
		return kit.StoreMark{Symbol: "✗", Words: fmt.Sprintf(format, args...), Style: t.Bad}
	}
	switch {
	case r.err != nil:
		return kit.StoreMark{Symbol: "?", Words: "not listed", Style: t.Unknown}
	case x.past():
		return x.pastMark(r)
	case r.load != nil && (r.store == nil || len(r.store.Files) == 0):
		return bad("no file")
	case r.load != nil && len(r.load.Missing) > 0:
		return bad("%s", missingWords(r))
	case r.load != nil && len(r.load.Empty) > 0:
		return bad("%d empty", r.load.Empty[0].Version)
	case f != nil:
		symbol, style := t.Severity(f.Severity)
		words := kit.FlawWord(f.Code)
		if words == kit.Missing { // of another file than the state files: an SST file
			words = "file missing"
		}
		return kit.StoreMark{Symbol: symbol, Words: words, Style: style}
	case r.load == nil:
		return kit.StoreMark{Symbol: "·", Words: "not loaded", Style: t.Dim}
	}
	return x.fine()
}

// missingWords name the versions whose files are missing: "24 missing", "24–26 missing", "24, … missing".
func missingWords(r *storeRow) string {
	l := kit.Link{From: r.load.Missing[0].From, To: r.load.Missing[0].To}
	text := l.Versions()
	if len(r.load.Missing) > 1 {
		text += ", …"
	}
	return text + " missing"
}

// fine is the mark of a store whose files exist. It is a check mark only if all of them were read.
func (x *model) fine() kit.StoreMark {
	answer, _ := kit.AnswerTo(x.s, "intact")
	v := &x.s.Verdict
	switch {
	case !v.Done:
		return kit.StoreMark{Symbol: "…", Words: "files exist"}
	case !v.Complete || v.Unverified != "" || answer == "unknown":
		return kit.StoreMark{Symbol: "·", Words: "files exist"}
	}
	return kit.StoreMark{Symbol: "✓", Words: "loads", Style: x.s.Theme.Good}
}

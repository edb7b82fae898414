package batch

import (
	"cmp"
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// readRow is what a batch reads of one partition, or one file of a file source.
type readRow struct {
	source   int
	name     string
	from, to string
	r        source.Range
	note     page.Span // what is unusual, or a file's time and folder
	wide     bool      // the note is in the place of all columns after the name
	at       decode.Where
	line     bool
}

const (
	colName = iota
	colSource
	colFrom
	colTo
	colAmount
	colShare
)

// build works out the rows and the facts from what was read.
func (b *model) build() {
	b.reads, b.full, b.total = nil, map[string]int64{}, map[string]int64{}
	b.facts.all, b.facts.w = nil, 0
	if f := b.Facts(b.id); f != nil {
		b.facts.all = b.FactsOf(f, b.places)
		if f.B.Plan != nil {
			for i := range f.B.Plan.Sources {
				b.readSource(i, &f.B.Plan.Sources[i], f.Ranges[i])
			}
		}
	}
	b.setColumns()
	b.arrange()
}

// readSource adds what is read of one source: a fact, its partitions, and its files.
func (b *model) readSource(i int, o *source.Offset, ranges []source.Range) {
	head := strings.TrimPrefix(page.SourceHead(i, o), fmt.Sprintf("source %d", i))
	text := strings.TrimLeft(head, ", ")
	if !o.None {
		text += "  " + kit.ReadsOf(o, ranges)
	}
	b.facts.all = append(b.facts.all, kit.BatchFact{Name: fmt.Sprintf("source %d", i), Text: b.Session.Theme.Signs(text), At: o.Where,
		Line: true})
	at := map[string]int{}
	for _, p := range o.Parts {
		at[p.Name] = p.At
	}
	for _, r := range ranges {
		row := readRow{source: i, name: phrase.Or(kit.Safe(r.Part), "position"), r: r, note: page.RangeNote(r), at: o.Where, line: true}
		row.from, row.to = kit.Ends(r)
		if n, ok := at[r.Part]; ok {
			row.at, row.line = o.Where.In(n), false
		}
		if r.Counted && r.Count > 0 {
			b.full[r.Unit] = max(b.full[r.Unit], r.Count)
			b.total[r.Unit] += r.Count
		}
		b.reads = append(b.reads, row)
	}
	if len(o.Parts) == 0 && !o.None {
		b.reads = append(b.reads, readRow{source: i, name: "as written", wide: true, note: page.Span{Text: kit.Safe(o.Raw)},
			at: o.Where, line: true})
	}
	b.readFiles(i)
}

// readFiles adds the files that are read of a file source; none of another, and none before they are looked up.
func (b *model) readFiles(i int) {
	for k := range b.taken {
		if b.taken[k].Source != i {
			continue
		}
		files := page.Taken(&b.taken[k], b.Session.Clock)
		say := func(name, text string, role phrase.Role, at decode.Where) {
			b.reads = append(b.reads, readRow{source: i, name: name, wide: true, note: page.Span{Role: role, Text: text}, at: at,
				line: true})
		}
		if b.taken[k].Count > 0 {
			b.facts.all = append(b.facts.all, kit.BatchFact{Text: files.Head})
		}
		for _, f := range files.Files {
			say("  "+kit.Safe(f.Name), strings.TrimLeft(f.Modified+"  in "+kit.Safe(f.Dir), " "), phrase.Plain, f.Where)
		}
		if files.More != "" {
			say("  …", files.More, phrase.Dim, decode.Where{})
		}
		if files.Why != "" {
			say("  ?", files.Why, phrase.Open, decode.Where{})
		}
	}
}

// setColumns gives the columns the widths of what is in them.
func (b *model) setColumns() {
	w := [colShare + 1]int{colName: len("partition"), colFrom: len("from"), colTo: phrase.Width(b.Session.Theme.Signs("→ to"))}
	units := map[string]bool{}
	for i := range b.reads {
		r := &b.reads[i]
		w[colName] = max(w[colName], phrase.Width(r.name))
		if r.source > 0 {
			w[colSource] = len("source")
		}
		if r.wide {
			w[colShare] = max(w[colShare], 8)
			continue
		}
		w[colFrom], w[colTo] = max(w[colFrom], phrase.Width(r.from)), max(w[colTo], phrase.Width(b.Session.Theme.Signs("→ "+r.to)))
		w[colAmount] = max(w[colAmount], phrase.Width(b.amount(r)))
		units[r.r.Unit] = true
		w[colShare] = max(w[colShare], shareWidth, phrase.Width(r.note.Text))
	}
	title := "amount"
	if len(units) == 1 {
		for unit := range units {
			title = cmp.Or(kit.ShortUnit(unit), title)
		}
	}
	b.Table.Columns = []widget.Column{
		colName:   {Title: "partition", Width: min(w[colName], 40), Middle: true},
		colSource: {Title: "source", Width: w[colSource], Right: true},
		colFrom:   {Title: "from", Width: min(w[colFrom], 30), Right: true},
		colTo:     {Title: b.Session.Theme.Signs("→ to"), Width: min(w[colTo], 32)},
		colAmount: {Title: title, Width: max(w[colAmount], phrase.Width(title)), Right: true},
		colShare:  {Title: "share", Width: w[colShare], Grow: true},
	}
}

// shareWidth are the cells of a share before its bar.
const shareWidth = len("< 0.1 %") + 1

// fitBars gives the bars what the other columns leave of a panel of w cells. Long offsets give way first.
func (b *model) fitBars(w int) {
	const leastOffset = 12
	room := w - 4
	for _, c := range b.Table.Columns {
		if c.Width > 0 {
			room -= c.Width + 2
		}
	}
	room += 2
	for _, i := range []int{colFrom, colTo} {
		c := &b.Table.Columns[i]
		if less := min(-room, c.Width-leastOffset); less > 0 {
			c.Width -= less
			room += less
		}
	}
	share := &b.Table.Columns[colShare]
	share.Width = max(share.Width+min(room, 0), len("share"))
	b.bar = max(min(share.Width+max(room, 0)-shareWidth, widget.MostBar), 0)
}

// amount is how much is read of a partition: a number, with "≤" if it may be less.
func (b *model) amount(r *readRow) string {
	switch {
	case !r.r.Counted:
		return "?"
	case r.r.CountIs == "at most" && r.r.Count > 0:
		return b.Session.Theme.Signs("≤ ") + phrase.Count(r.r.Count)
	}
	return phrase.Count(r.r.Count)
}

// Len and Row make it the rows of its table.
func (b *model) Len() int { return len(b.reads) }

func (b *model) Row(i int, r *widget.Row) {
	row, t := &b.reads[i], &b.Session.Theme
	r.Cells[colSource].Text = fmt.Sprint(row.source)
	r.Cells[colName].Text = row.name
	note := widget.Cell{Text: row.note.Text, Style: t.Role(row.note.Role), Wide: true}
	if row.wide {
		r.Cells[colFrom] = note
		return
	}
	r.Cells[colFrom].Text, r.Cells[colTo].Text = row.from, t.Signs("→ "+row.to)
	r.Cells[colAmount].Text = b.amount(row)
	switch {
	case row.note.Text != "":
		r.Cells[colShare] = note
	case row.r.Counted && row.r.Count == 0:
		r.Cells[colShare] = widget.Cell{Text: "nothing new", Style: t.Dim}
	case row.r.Counted:
		bar := widget.Bar(row.r.Count, b.full[row.r.Unit], b.bar)
		r.Cells[colShare].Text = phrase.FitRight(phrase.Share(row.r.Count, b.total[row.r.Unit]), shareWidth-1) + " " + t.Plot.Styled(bar)
	}
}

// row is the selected row of what is read; ok is false for none.
func (b *model) row() (i int, ok bool) {
	if b.Table.At >= b.Table.Order.Len(len(b.reads)) {
		return 0, false
	}
	return b.Table.Order.Row(b.Table.At), true
}

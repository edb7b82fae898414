package batches

import (
	"cmp"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- the order

// order is by which fixed column the rows are, and whether from the lowest on. Its zero value is newest first.
type order struct {
	by int
	up bool
}

// canSort reports whether a column is shown and orders the rows. Of a long log only the batch IDs are known of all rows.
func (t *model) canSort(i int) bool {
	return i < fixed && columns[i].value != nil && t.Table.Columns[i].Width > 0 && (t.fits || i == colBatch)
}

// sortBy orders by a column, and again by the same one the other way round.
func (t *model) sortBy(i int) {
	if !t.canSort(i) {
		return
	}
	if t.order.by == i {
		t.order.up = !t.order.up
	} else {
		t.order = order{by: i}
	}
	t.arrange()
}

// nextOrder orders by the next column; the only one is ordered the other way round.
func (t *model) nextOrder() {
	for k := 1; k <= fixed; k++ {
		if i := (t.order.by + k) % fixed; t.canSort(i) {
			t.order = order{by: i, up: i == t.order.by && !t.order.up}
			t.arrange()
			return
		}
	}
}

// words say what the order is.
func (o order) words() string {
	switch {
	case o.by == colBatch && o.up:
		return "oldest first"
	case o.by == colBatch:
		return "newest first"
	case o.by == colCommitted && !o.up:
		return "uncommitted first"
	case o.up:
		return "lowest " + columns[o.by].title + " first"
	}
	return "highest " + columns[o.by].title + " first"
}

// orderNames are the columns that a line may name.
func orderNames() (names []string) {
	for i := range columns {
		names = append(names, strings.ReplaceAll(columns[i].title, " ", "-"))
	}
	return names
}

// arrange chooses the rows that the filter wants, in their order. The cursor stays on its row where that is still shown.
func (t *model) arrange() {
	row, had := 0, t.Table.At < t.len() && t.Table.At > 0
	if had {
		row = t.Table.Order.Row(t.Table.At)
	}
	if t.goal >= 0 && len(t.rows) > 0 {
		row, had = kit.RowOfBatch(t.rows, t.goal), true
	}
	switch {
	case t.order.by != colBatch:
		t.Table.Order.Set(len(t.rows), t.wanted(), t.compare())
	case t.Filter.Pattern != "":
		t.Table.Order.Set(len(t.rows), t.wanted(), nil)
	default:
		t.Table.Order.All()
	}
	if t.order.up && t.order.by == colBatch {
		t.Table.Order.Reverse(len(t.rows))
	}
	if had {
		t.Table.At = t.placeOf(row)
	}
	t.Table.Go(t.Table.At, t.len())
}

// compare orders rows by a value; those that have none come last.
func (t *model) compare() func(a, b int) int {
	type value struct {
		v  int64
		ok bool
	}
	values := make([]value, len(t.rows))
	for i, r := range t.rows {
		if r.Missing == 0 {
			values[i].v, values[i].ok = columns[t.order.by].value(t, r.ID, t.Facts(r.ID))
		}
	}
	return func(a, b int) int {
		x, y := values[a], values[b]
		switch {
		case x.ok != y.ok:
			return map[bool]int{true: -1, false: 1}[x.ok]
		case t.order.up:
			return cmp.Compare(x.v, y.v)
		}
		return cmp.Compare(y.v, x.v)
	}
}

// ---- the filter

// wanted compares rows with what they show. Of a batch that was not read that is its number, and whether it is committed; it
// looks at every row, from the newest on, and makes nothing new for those.
func (t *model) wanted() func(i int) bool {
	if t.Filter.Pattern == "" || t.Session.Checkpoint == nil {
		return nil
	}
	f := &t.Filter
	read := t.Loaded()
	offsets, commits := newestFirst{t.Session.Checkpoint.Offsets.Files}, newestFirst{t.Session.Checkpoint.Commits.Files}
	row := widget.Row{Cells: make([]widget.Cell, len(t.Table.Columns)), From: 1, To: len(t.Table.Columns)}
	var text []byte
	return func(i int) bool {
		r := t.rows[i]
		for len(read) > 0 && read[0] > r.ID {
			read = read[1:]
		}
		word := fileWord(offsets.has(r.ID), commits.has(r.ID))
		if r.Missing == 0 && (len(read) == 0 || read[0] != r.ID) {
			text = append(append(strconv.AppendInt(text[:0], r.ID, 10), ' '), word...)
			return f.WantsBytes(text)
		}
		clear(row.Cells)
		row.Note = ""
		t.Row(i, &row)
		text = append(text[:0], strings.ToLower(kit.Unstyled(row.Note))...)
		if r.Missing > 0 {
			return f.WantsBytes(text) || t.inGap(r)
		}
		for k, c := range row.Cells {
			if t.Table.Columns[k].Width > 0 && c.Text != "" {
				text = append(append(text, strings.ToLower(kit.Unstyled(t.Session.Theme.Plain(c.Text)))...), ' ')
			}
		}
		return f.WantsBytes(append(text, word...))
	}
}

// inGap reports whether the filter is the number of a missing batch.
func (t *model) inGap(r kit.BatchRow) bool {
	text, plain := t.Filter.Plain()
	n, err := strconv.ParseInt(text, 10, 64)
	return plain && err == nil && n >= r.ID && n < r.ID+r.Missing
}

// fileWord is in a word which files a batch has.
func fileWord(planned, committed bool) string {
	switch {
	case !planned:
		return "no offsets file"
	case !committed:
		return "uncommitted"
	}
	return "yes"
}

// newestFirst finds files of a log by batch IDs that only get smaller.
type newestFirst struct{ files []checkpoint.LogFile }

func (n *newestFirst) has(id int64) bool {
	for len(n.files) > 0 && n.files[len(n.files)-1].ID > id {
		n.files = n.files[:len(n.files)-1]
	}
	return len(n.files) > 0 && n.files[len(n.files)-1].ID == id
}

package batches

import (
	"cmp"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The columns that every table of batches has, before those of the parts of the sources.
const (
	colBatch = iota
	colCommitted
	colSink
	colStarted
	colInterval
	colRead
	colTook
	colWatermark
	colBehind
	colState
	fixed
)

const mostParts = 1000 // columns of parts

// column is what a fixed column shows of a batch.
type column struct {
	title string
	right bool
	from  int // cells of the table from which on it is shown
	// value is what it is ordered by; ok is false where the batch has none.
	value func(t *model, id int64, f *kit.BatchFacts) (v int64, ok bool)
	// cell is drawn of a batch whose files were read: "" for nothing; nil where the listing has it.
	cell func(t *model, f *kit.BatchFacts, v int64) string
}

var columns = [fixed]column{
	colBatch: {"batch", true, 0, func(_ *model, id int64, _ *kit.BatchFacts) (int64, bool) { return id, true }, nil},
	colCommitted: {"committed", false, 0, func(t *model, id int64, _ *kit.BatchFacts) (int64, bool) { return t.uncommitted(id), true },
		nil},
	colSink: {"in sink", false, 0, nil, nil},
	colStarted: {"started", false, 0, ofFacts(func(f *kit.BatchFacts) (int64, bool) { return f.B.Timestamp(), f.B.Timestamp() != 0 }),
		func(t *model, _ *kit.BatchFacts, v int64) string { return t.time(v) }},
	colInterval: {"interval", true, 100, ofFacts((*kit.BatchFacts).Interval),
		func(_ *model, _ *kit.BatchFacts, v int64) string { return phrase.Span(v) }},
	colRead: {"read", true, 0, ofFacts(func(f *kit.BatchFacts) (int64, bool) { n, _, _, ok := f.Read(); return n, ok }),
		func(t *model, f *kit.BatchFacts, _ int64) string { return t.read(f) }},
	colTook: {"took", true, 110, func(t *model, _ int64, f *kit.BatchFacts) (int64, bool) { return t.took(f) },
		func(_ *model, _ *kit.BatchFacts, v int64) string { return phrase.Span(v) }},
	colWatermark: {"watermark", false, 90, ofFacts(func(f *kit.BatchFacts) (int64, bool) {
		if f.B.Plan == nil {
			return 0, false
		}
		return f.B.Plan.Watermark, f.B.Plan.Watermark != 0
	}), func(t *model, f *kit.BatchFacts, v int64) string { return t.watermark(f, v) }},
	colBehind: {"behind", true, 0, ofFacts(func(f *kit.BatchFacts) (int64, bool) { return kit.LagOf(f.B) }),
		func(_ *model, _ *kit.BatchFacts, v int64) string {
			if v < 0 {
				return "-" + phrase.Span(-v)
			}
			return phrase.Span(v)
		}},
	colState: {"state", false, 100, func(t *model, id int64, _ *kit.BatchFacts) (int64, bool) {
		n, ok := t.Session.StateSizes[id+1]
		return n, ok
	}, nil},
}

// ofFacts is a value that only the files of a batch have.
func ofFacts(of func(f *kit.BatchFacts) (int64, bool)) func(*model, int64, *kit.BatchFacts) (int64, bool) {
	return func(_ *model, _ int64, f *kit.BatchFacts) (int64, bool) {
		if f == nil {
			return 0, false
		}
		return of(f)
	}
}

// uncommitted is 1 for a batch without a commit file, else 0.
func (t *model) uncommitted(id int64) int64 {
	if t.Session.Checkpoint.Commits.Find(id) == nil {
		return 1
	}
	return 0
}

// setColumns makes the columns that every table has.
func (t *model) setColumns() {
	t.Table.Columns = make([]widget.Column, fixed, fixed+8)
	for i, c := range columns {
		t.Table.Columns[i] = widget.Column{Title: c.title, Right: c.right}
	}
	t.fit()
}

// learn takes in what batches that were read need of the columns, and adds one for every part that has none yet. The newest
// batches are read first, so that parts of older ones that are gone come last.
func (t *model) learn(read []*checkpoint.Batch) {
	for _, b := range read {
		if b == nil {
			continue
		}
		for _, f := range []*kit.BatchFacts{t.Facts(b.ID), t.Facts(b.ID + 1)} {
			if f != nil {
				t.measure(f)
			}
		}
		if b.Plan == nil {
			continue
		}
		for i, o := range b.Plan.Sources {
			for _, p := range o.Parts {
				t.addPart(kit.PartColumn{Source: i, Name: p.Name}, 2*len(p.Position.Text)+phrase.Width(t.Session.Theme.Signs(" → ")))
			}
		}
	}
	t.fit()
	if t.Filter.Pattern != "" || t.order.by != colBatch {
		t.arrange()
		t.point()
	}
}

// addPart adds the column of a part, in its place among those of its source.
func (t *model) addPart(c kit.PartColumn, width int) {
	if t.known[c] || len(t.parts) == mostParts {
		return
	}
	t.known[c] = true
	at, _ := slices.BinarySearchFunc(t.parts, c, func(a, b kit.PartColumn) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), kit.NaturalPath(a.Name, b.Name))
	})
	t.parts = slices.Insert(t.parts, at, c)
	name := kit.PartOf(c.Source, c.Name)
	head := widget.Column{Title: name, Width: max(min(width, 41), min(phrase.Width(name), 24))}
	t.Table.Columns = slices.Insert(t.Table.Columns, fixed+at, head)
}

// measure widens the columns for a batch.
func (t *model) measure(f *kit.BatchFacts) {
	if _, unit, _, ok := f.Read(); ok {
		t.units[unit] = true
	}
	for i := range columns {
		if c := &columns[i]; c.cell != nil {
			if v, ok := c.value(t, f.B.ID, f); ok {
				t.widest[i] = min(max(t.widest[i], phrase.Width(t.Session.Theme.Signs(c.cell(t, f, v)))), 30)
			} else if i == colRead {
				t.widest[i] = max(t.widest[i], phrase.Width(t.Session.Theme.Signs(t.read(f))))
			}
		}
	}
}

// fit gives the fixed columns their widths: 0 to those that are empty in every row, and to those for which the table is too
// narrow.
func (t *model) fit() {
	if len(t.Table.Columns) < fixed {
		return
	}
	if t.local != t.Session.Clock.Local {
		t.local, t.widest = t.Session.Clock.Local, [fixed]int{}
		for _, id := range t.Loaded() {
			t.measure(t.Facts(id))
		}
	}
	t.widest[colBatch], t.widest[colCommitted], t.widest[colSink], t.widest[colState] = 5, 5, 0, 0
	if len(t.rows) > 0 {
		t.widest[colBatch] = max(5, len(idOf(t.rows[0].ID))+2) // the mark is before the number
	}
	if t.Session.Examine.Sink != nil {
		t.widest[colSink] = len("taken out") + 2
	}
	if t.newState > 0 {
		t.widest[colState] = len("▃ 683 bytes") - 2
	}
	w := t.listWidth(t.w)
	for i := range columns {
		c := &t.Table.Columns[i]
		if i == colRead {
			c.Title = t.readTitle()
		}
		if c.Width = 0; t.widest[i] > 0 && w >= columns[i].from {
			c.Width = max(t.widest[i], phrase.Width(c.Title))
		}
	}
}

// readTitle names what is read, where all batches have one unit.
func (t *model) readTitle() string {
	if unit := t.oneUnit(); unit != "" {
		return kit.ShortUnit(unit)
	}
	return "read"
}

// oneUnit is what all batches count in; "" where they do not.
func (t *model) oneUnit() string {
	if len(t.units) == 1 {
		for unit := range t.units {
			return unit
		}
	}
	return ""
}

// read is how much a batch reads, without its unit where the head of the column has it; "?" where that is not known.
func (t *model) read(f *kit.BatchFacts) string {
	text := f.Sum.Short()
	if unit := t.oneUnit(); unit != "" {
		text = strings.Replace(strings.Replace(text, " "+unit, "", 1), strings.TrimPrefix(phrase.Units(1, unit), "1"), "", 1)
	}
	return cmp.Or(text, "?")
}

// time is a time with its year where the table is wide.
func (t *model) time(ms int64) string {
	if t.listWidth(t.w) >= 100 {
		return t.Session.Clock.Full(ms)
	}
	return t.Session.Clock.Short(ms)
}

// watermark is a time without its day where that is the day of the batch.
func (t *model) watermark(f *kit.BatchFacts, ms int64) string {
	day, time, ok := kit.DayAndTime(t.Session.Clock, ms)
	if batch, _, has := kit.DayAndTime(t.Session.Clock, f.B.Timestamp()); ok && has && day == batch {
		return time
	}
	return t.time(ms)
}

// took is the time from the offset file to the commit file, where the times that the store reports can be
// believed: a copy has new ones. They can when commits are between the batches around them.
func (t *model) took(f *kit.BatchFacts) (ms int64, ok bool) {
	if f == nil {
		return 0, false
	}
	mine, before := t.Session.Checkpoint.Commits.Find(f.B.ID), t.Session.Checkpoint.Commits.Find(f.B.ID-1)
	planned := f.B.Timestamp()
	if mine == nil || mine.Modified == 0 || planned == 0 || mine.Modified < planned {
		return 0, false
	}
	if next := f.After.Timestamp(); next != 0 {
		if mine.Modified > next+999 { // some stores report whole seconds
			return 0, false
		}
	} else if before == nil || before.Modified == 0 || before.Modified > planned+999 {
		return 0, false
	}
	return mine.Modified - planned, true
}

// setState finds the largest version of state: the scale of its column.
func (t *model) setState() {
	t.newState = 0
	for _, n := range t.Session.StateSizes {
		t.newState = max(t.newState, n)
	}
}

package page

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
)

// Difference is what two sides differ in, as it is found: titles, sentences and tables.
type Difference struct {
	Page
	left, right string // what the sides are called
}

// NewDifference begins a page; left and right are what the sides are called.
func NewDifference(left, right string) *Difference { return &Difference{left: left, right: right} }

// Head begins a section.
func (d *Difference) Head(key, title string) {
	d.Sections = append(d.Sections, Section{Key: key, Title: title})
}

func (d *Difference) add(b Block) { d.Sections[len(d.Sections)-1].add(b) }

// Line adds a sentence, made harmless.
func (d *Difference) Line(format string, args ...any) {
	d.add(Paragraph{Text: Plain(phrase.Prose(fmt.Sprintf(format, args...)))})
}

// Table adds rows of harmless cells, the first of which are titles.
func (d *Difference) Table(rows [][]string) { d.add(Rows(rows)) }

// Batches is what two batches of one checkpoint differ in.
func Batches(cp *checkpoint.Checkpoint, l, r statestore.BatchState) Page {
	d := NewDifference(fmt.Sprintf("batch %d", l.ID), fmt.Sprintf("batch %d", r.ID))
	d.Head("batches", fmt.Sprintf("Batches %d and %d", l.ID, r.ID))
	d.Table([][]string{
		{"", d.left, d.right},
		{"planned", phrase.TimeOr(l.Plan.Timestamp, "not recorded"), phrase.TimeOr(r.Plan.Timestamp, "not recorded")},
		{"committed", Committed(cp, l.Batch), Committed(cp, r.Batch)},
		{"watermark", phrase.TimeOr(l.Plan.Watermark, "none"), phrase.TimeOr(r.Plan.Watermark, "none")},
		{"sources", strconv.Itoa(len(l.Plan.Sources)), strconv.Itoa(len(r.Plan.Sources))},
	})
	d.Sources(l.Plan.Sources, r.Plan.Sources)
	d.Conf(l.Plan.Conf, r.Plan.Conf)
	d.stateOf(l.Operators, r.Operators, l.ID, r.ID)
	for _, b := range []*checkpoint.Batch{l.Batch, r.Batch} {
		for _, e := range b.Problems() {
			d.Line("! %v", e)
		}
	}
	return d.Page
}

// Committed says in a word whether a batch is committed.
func Committed(cp *checkpoint.Checkpoint, b *checkpoint.Batch) string {
	switch {
	case b.Commit != nil:
		return "yes"
	case cp.Commits.Find(b.ID) != nil:
		return "unread"
	case cp.Commits.Err != nil:
		return "unknown"
	}
	return "no"
}

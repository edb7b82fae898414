package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
)

// Difference writes what two sides differ in, for a person: a title, then lines and tables.
type Difference struct {
	*bufio.Writer
	left  string // what the sides are called
	right string
}

// NewDifference writes to w; left and right are what the sides are called. Flush ends it.
func NewDifference(w io.Writer, left, right string) *Difference {
	return &Difference{bufio.NewWriter(w), left, right}
}

// Title begins a part.
func (d *Difference) Title(text string) { fmt.Fprintln(d, "\n"+text) }

// Line writes a sentence, made harmless.
func (d *Difference) Line(format string, args ...any) {
	fmt.Fprintln(d, "  "+Printable(fmt.Sprintf(format, args...)))
}

// Table writes rows, see Columns. Their cells are harmless already.
func (d *Difference) Table(rows [][]string) {
	for _, line := range Columns(rows) {
		fmt.Fprintln(d, "  "+line)
	}
}

// BatchSide is one of two batches of a checkpoint: it has a plan, and the stateful operators as they were for it.
type BatchSide struct {
	*checkpoint.Batch
	Operators []statestore.Operator
}

// Batches writes what two batches of one checkpoint differ in.
func Batches(w io.Writer, cp *checkpoint.Checkpoint, l, r BatchSide) error {
	d := NewDifference(w, fmt.Sprintf("batch %d", l.ID), fmt.Sprintf("batch %d", r.ID))
	d.Title(fmt.Sprintf("BATCHES %d AND %d", l.ID, r.ID))
	d.Table([][]string{
		{"", d.left, d.right},
		{"planned", TimeOr(l.Plan.Timestamp, "not recorded"), TimeOr(r.Plan.Timestamp, "not recorded")},
		{"committed", Committed(cp, l.Batch), Committed(cp, r.Batch)},
		{"watermark", TimeOr(l.Plan.Watermark, "none"), TimeOr(r.Plan.Watermark, "none")},
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
	return d.Flush()
}

// Committed says in a word whether a batch is committed.
func Committed(cp *checkpoint.Checkpoint, b *checkpoint.Batch) string {
	switch {
	case b.Commit != nil:
		return "yes"
	case cp.Commits.Find(b.ID) != nil:
		return "unread"
	case cp.Commits.Err != nil:
		return "not known"
	}
	return "no"
}

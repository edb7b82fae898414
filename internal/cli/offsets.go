package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// offsetForms has one line per form of the positions, the default first.
var offsetForms = []struct {
	name  string
	write func(*app, *positions) error
}{
	{"table", (*app).offsetsTable},
	{"starting-offsets", nil}, // see startingOffsets
	{"json", (*app).offsetsJSON},
	{"csv", (*app).offsetsCSV},
}

// offsetsFlags are the flags of the command.
type offsetsFlags struct {
	batch    int64 // below 0: the last committed
	redo     bool
	as, from string
	form     int       // of offsetForms
	start    time.Time // of from; zero where it is not given
}

func offsetsCommand(a *app) *cobra.Command {
	var f offsetsFlags
	cmd := &cobra.Command{
		Use:   "offsets LOCATION",
		Short: "Print the end offsets of each source",
		Long: long(`
Prints the end offsets of the last committed batch: where the query continues. With
--as starting-offsets they are in the form of a source option for a new query: JSON
for Kafka, the source's own form otherwise. For a query with several sources this is a
JSON list with one entry per source:
{"source": 0, "option": "startingOffsets", "value": …}.`),
		Example: `tidemark offsets /mnt/checkpoints/orders
tidemark offsets LOCATION --as starting-offsets
tidemark offsets LOCATION --batch 119 --redo --as starting-offsets
tidemark offsets LOCATION --as csv`,
		Args:        args(1, 1),
		Annotations: exits(exitsOfReading),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			cp, err := a.openCheckpoint(ctx, args[0])
			if err != nil {
				return err
			}
			return a.offsets(ctx, cp, &f)
		}),
	}
	names := offsetFormNames()
	cmd.Flags().Int64Var(&f.batch, "batch", -1, "the batch `N` (default: the last committed)")
	cmd.Flags().BoolVar(&f.redo, "redo", false, "the start offsets of the batch instead of its end offsets")
	cmd.Flags().StringVar(&f.from, "from", "", "records from this `TIME` on instead of the end of a batch (2026-11-29T02:00:00Z)")
	cmd.Flags().StringVar(&f.as, "as", names[0], "`FORM`: "+strings.Join(names, ", "))
	return cmd
}

func offsetFormNames() (names []string) {
	for _, f := range offsetForms {
		names = append(names, f.name)
	}
	return names
}

func (f *offsetsFlags) validate(cmd *cobra.Command) (err error) {
	names := offsetFormNames()
	if f.form = slices.Index(names, f.as); f.form < 0 {
		return usageError("--as: %q is not a form (%s)%s", f.as, strings.Join(names, ", "), phrase.DidYouMean(f.as, names))
	}
	if f.batch < 0 && cmd.Flags().Changed("batch") {
		return usageError("--batch: %d is not a batch", f.batch)
	}
	switch {
	case f.from == "":
		return nil
	case f.as != "starting-offsets":
		return usageError("--from: it is the start of a new query: also give --as starting-offsets")
	case f.redo || cmd.Flags().Changed("batch"):
		return usageError("--from: a time and a batch are two starts: use one of them")
	}
	f.start, err = parseTime("--from", f.from)
	return err
}

// offsets writes the positions in the form that is asked for.
func (a *app) offsets(ctx context.Context, cp *checkpoint.Checkpoint, f *offsetsFlags) error {
	p, err := readPositions(ctx, cp, f.batch, f.redo)
	if err != nil && f.from != "" { // where a batch ends may not be recorded, and is not asked for
		p, err = readPositions(ctx, cp, f.batch, true)
	}
	if err != nil {
		return err
	}
	for _, note := range p.Notes {
		a.note("%s", note)
	}
	if f.as == "starting-offsets" {
		return a.startingOffsets(ctx, cp, p, f.start)
	}
	return offsetForms[f.form].write(a, p)
}

// positions are where the sources stand at one end of a batch.
type positions struct{ *checkpoint.Positions }

func (p *positions) end() string {
	if p.Start {
		return "start"
	}
	return "end"
}

// readPositions reads where batch ends, or with redo where it starts; a batch below 0 is the last committed.
func readPositions(ctx context.Context, cp *checkpoint.Checkpoint, batch int64, redo bool) (*positions, error) {
	p, err := cp.PositionsAt(ctx, batch, redo)
	if errors.Is(err, checkpoint.ErrNothingCommitted) {
		err = fmt.Errorf("%w; --batch N shows an uncommitted batch", err)
	}
	return &positions{p}, err
}

// startingOffsets writes what a new query's source option takes: for one source the value itself, for
// several a JSON list.
func (a *app) startingOffsets(ctx context.Context, cp *checkpoint.Checkpoint, p *positions, from time.Time) error {
	s, err := a.startPositions(ctx, cp, p, from)
	if err != nil {
		return err
	}
	startOf := func(i int, o source.Offset) (availability.StartPosition, bool, error) { return s.startOf(ctx, i, o) }
	notes, err := report.StartingOffsets(a.Out, p.Positions, startOf)
	for _, note := range notes {
		a.note("%s", note)
	}
	if _, ok := errors.AsType[*report.NoStartError](err); ok {
		return usageError("--as starting-offsets: %v; --as json prints the recorded offset", err)
	}
	return err
}

func (a *app) offsetsJSON(p *positions) error {
	type part struct {
		Part     string `json:"part"`
		Position any    `json:"position"`
		Unit     string `json:"unit"`
	}
	type entry struct {
		Index  int      `json:"index"`
		Name   string   `json:"name"`
		Kinds  []string `json:"kinds"`
		Parts  []part   `json:"parts"`
		Offset any      `json:"offset"` // as recorded
	}
	out := struct {
		Schema  string  `json:"schema"`
		Batch   int64   `json:"batch"`
		At      string  `json:"at"` // "end" or "start" of the batch
		Sources []entry `json:"sources"`
	}{"tidemark/offsets/1", p.Batch, p.end(), []entry{}}
	for i, o := range p.Sources {
		e := entry{Index: i, Name: o.Name, Kinds: o.KindNames(), Parts: []part{}}
		if !o.None {
			e.Offset = report.Embedded(o.Raw)
		}
		for j := range o.Parts {
			e.Parts = append(e.Parts, part{o.Parts[j].Name, report.Position(&o.Parts[j].Position), o.Parts[j].Unit})
		}
		out.Sources = append(out.Sources, e)
	}
	return report.WriteJSON(a.Out, out, "  ")
}

// rows returns the parts of all sources: source, name, part, position, unit.
func (p *positions) rows() [][]string {
	var all [][]string
	for i, o := range p.Sources {
		index, name := strconv.Itoa(i), phrase.Printable(o.Name)
		for _, part := range o.Parts {
			all = append(all, []string{index, name, phrase.Printable(part.Name), phrase.Printable(part.Position.Text), part.Unit})
		}
		if len(o.Parts) == 0 {
			all = append(all, []string{index, name, "", phrase.Printable(o.Raw), ""})
		}
	}
	return all
}

func (a *app) offsetsCSV(p *positions) error {
	w := csv.NewWriter(a.Out)
	rows := append([][]string{{"source", "name", "part", "position", "unit"}}, p.rows()...)
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return w.Error()
}

func (a *app) offsetsTable(p *positions) error {
	what := "End offsets of batch %d, from %s. The next batch starts here."
	if p.Start {
		what = "Start offsets of batch %d, from %s."
	}
	fmt.Fprintf(a.Out, what+"\n\n", p.Batch, p.File)
	rows := [][]string{{"source", "kind", "part", ">position", "counts"}}
	for _, r := range p.rows() {
		i, _ := strconv.Atoi(r[0])
		source := r[0]
		if r[1] != "" {
			source += " " + r[1]
		}
		rows = append(rows, []string{source, strings.Join(p.Sources[i].KindNames(), " or "), r[2], ">" + r[3], r[4]})
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	return nil
}

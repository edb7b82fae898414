package cli

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/logs"
	"tidemark/checkpoint/source"
	"tidemark/report"
)

// offsetForms has one line per form of the positions, the default first.
var offsetForms = []struct {
	name  string
	write func(*app, *positions) error
}{
	{"table", (*app).offsetsTable},
	{"starting-offsets", (*app).startingOffsets},
	{"json", (*app).offsetsJSON},
	{"csv", (*app).offsetsCSV},
}

func offsetsCommand(a *app) *cobra.Command {
	var batch int64
	var redo bool
	var as string
	var names []string
	for _, f := range offsetForms {
		names = append(names, f.name)
	}
	cmd := &cobra.Command{
		Use:   "offsets LOCATION",
		Short: "Print up to where each source was read",
		Long: long(`
Prints the positions at which the last committed batch ends: where the query
goes on. With --as starting-offsets they are in the form that a new query's
source option takes: JSON for Kafka, the source's own form otherwise. Where the
query has several sources, that is a JSON list with one entry a source:
{"source": 0, "option": "startingOffsets", "value": …}.`),
		Example: `tidemark offsets /mnt/checkpoints/orders
tidemark offsets LOCATION --as starting-offsets
tidemark offsets LOCATION --batch 119 --redo --as starting-offsets
tidemark offsets LOCATION --as csv`,
		Args: args(1, 1),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			i := slices.Index(names, as)
			if i < 0 {
				return usageError("--as: %q is no form (%s)%s", as, strings.Join(names, ", "), maybe("", as, names))
			}
			if batch < 0 && cmd.Flags().Changed("batch") {
				return usageError("--batch: %d is no batch", batch)
			}
			cp, err := a.openWhole(ctx, args[0])
			if err != nil {
				return err
			}
			p, err := readPositions(ctx, cp, batch, redo)
			if err != nil {
				return err
			}
			for _, note := range p.notes {
				fmt.Fprintln(a.Err, "note: "+report.Printable(note))
			}
			return offsetForms[i].write(a, p)
		}),
	}
	cmd.Flags().Int64Var(&batch, "batch", -1, "the batch `N` (default: the last committed)")
	cmd.Flags().BoolVar(&redo, "redo", false, "where the batch starts, rather than where it ends")
	cmd.Flags().StringVar(&as, "as", names[0], "`FORM`: "+strings.Join(names, ", "))
	return cmd
}

// positions are where the sources stand at one end of a batch.
type positions struct {
	batch   int64
	redo    bool            // at its start
	file    string          // that records them
	sources []source.Offset // in the order of the plan
	notes   []string        // what a person should know beside them
}

func (p *positions) end() string {
	if p.redo {
		return "start"
	}
	return "end"
}

// readPositions reads where batch ends, or with redo where it starts; a batch below 0 is the last
// committed. Most kinds of source log where a batch ends, others where it starts: each is looked up
// in the plan that records it.
func readPositions(ctx context.Context, cp *checkpoint.Checkpoint, batch int64, redo bool) (*positions, error) {
	p := &positions{batch: batch, redo: redo}
	if batch < 0 {
		if p.batch = cp.Commits.Last(); p.batch < 0 {
			if cp.Commits.Err != nil {
				return nil, fmt.Errorf("commits could not be listed: %w", cp.Commits.Err)
			}
			return nil, errors.New("no batch is committed, so there is no position to go on from; --batch N shows a batch that is only planned")
		}
	}
	b, err := plan(ctx, cp, p.batch)
	if err != nil {
		return nil, err
	}
	p.file, p.sources = b.File, slices.Clone(b.Sources)
	for i := range p.sources {
		if p.sources[i].LogsStart() != redo {
			if err := p.move(ctx, cp, i); err != nil {
				return nil, err
			}
		}
		if e := p.sources[i].Problem; e != nil {
			return nil, e
		}
	}
	p.note(cp)
	return p, nil
}

// move takes the position of source i from the neighbour of the batch that records the other end.
func (p *positions) move(ctx context.Context, cp *checkpoint.Checkpoint, i int) error {
	o := p.sources[i]
	if p.redo && p.batch == 0 {
		return p.initial(ctx, cp, i)
	}
	neighbour := p.batch - 1
	if !p.redo {
		neighbour = p.batch + 1
	}
	other, err := plan(ctx, cp, neighbour)
	if err != nil {
		return fmt.Errorf("the %s of batch %d stands in offsets/%d: %w", p.end(), p.batch, neighbour, err)
	}
	p.file = other.File
	for j, q := range other.Sources {
		if q.Name == o.Name && (o.Name != "" || i == j) {
			p.sources[i] = q
			return nil
		}
	}
	return fmt.Errorf("the %s of batch %d is not recorded for source %d: offsets/%d has no line for it", p.end(), p.batch, i, neighbour)
}

// initial takes the position of source i from where the source began to read: some kinds record it.
func (p *positions) initial(ctx context.Context, cp *checkpoint.Checkpoint, i int) error {
	o := p.sources[i]
	name := "sources/" + strconv.Itoa(i) + "/0"
	data, err := cp.Read(ctx, name, logs.Limit)
	if err == nil {
		n := logs.ParseInitialOffsets(name, data)
		if len(n.Offset.Kinds) > 0 && len(o.Kinds) > 0 && n.Offset.Kinds[0] == o.Kinds[0] && n.Offset.Problem == nil {
			n.Offset.Name = o.Name
			p.sources[i], p.file = n.Offset, name
			return nil
		}
	}
	return fmt.Errorf("where batch 0 starts is not recorded for source %d", i)
}

// plan reads the plan of a batch.
func plan(ctx context.Context, cp *checkpoint.Checkpoint, batch int64) (*logs.Plan, error) {
	name := fmt.Sprintf("offsets/%d", batch)
	if cp.Offsets.Find(batch) == nil {
		if cp.Offsets.Err != nil {
			return nil, fmt.Errorf("offsets could not be listed: %w", cp.Offsets.Err)
		}
		if cp.Offsets.Last() < 0 {
			return nil, fmt.Errorf("%s is not there: offsets is empty", name)
		}
		return nil, fmt.Errorf("%s is not there; offsets holds batches %d to %d", name, cp.Offsets.First(), cp.Offsets.Last())
	}
	b, err := cp.Batch(ctx, batch)
	if err != nil {
		return nil, err
	}
	if b.Plan == nil {
		for _, u := range b.Unread {
			return nil, fmt.Errorf("%s could not be read: %w", u.Name, u.Err)
		}
		return nil, fmt.Errorf("%s could not be read", name)
	}
	if len(b.Plan.Sources) == 0 {
		for _, e := range b.Plan.Problems {
			return nil, e
		}
		return nil, fmt.Errorf("%s has no line for a source", name)
	}
	return b.Plan, nil
}

// note says what a person should know before using these positions.
func (p *positions) note(cp *checkpoint.Checkpoint) {
	last := cp.Offsets.Last()
	switch {
	case cp.Commits.Find(p.batch) == nil && !p.redo:
		p.notes = append(p.notes, fmt.Sprintf("batch %d is planned and not committed: whether its rows reached the sink is not recorded here", p.batch))
	case last > p.batch && last > cp.Commits.Last() && !p.redo:
		p.notes = append(p.notes, fmt.Sprintf("batch %d is planned and not committed: its end is another position, see --batch %d", last, last))
	}
	for i, o := range p.sources {
		if o.None {
			p.notes = append(p.notes, fmt.Sprintf("source %d has no offset yet in %s", i, p.file))
		}
	}
}

// startingOffsets writes what a new query's source option takes: for one source the value itself, for
// several a JSON list.
func (a *app) startingOffsets(p *positions) error {
	type entry struct {
		Source int    `json:"source"`
		Name   string `json:"name,omitempty"`
		Option string `json:"option"`
		Value  any    `json:"value"`
	}
	var all []entry
	for i, o := range p.sources {
		if o.None {
			continue
		}
		option, value, repeats, ok := o.StartingOffsets()
		if !ok {
			return usageError("--as starting-offsets: source %d (%s) has no option that goes on at this position; --as json has the position as it is recorded", i, strings.Join(o.KindNames(), " or "))
		}
		fmt.Fprintln(a.Err, report.Printable(fmt.Sprintf("note: source %d is %s: its option %s, for a query with a new checkpoint; a query with this checkpoint ignores it", i, strings.Join(o.KindNames(), " or "), option)))
		if repeats != "" {
			fmt.Fprintln(a.Err, report.Printable(fmt.Sprintf("note: source %d: it reads again %s", i, repeats)))
		}
		all = append(all, entry{i, o.Name, option, embedded(value)})
	}
	if len(p.sources) > 1 {
		return report.WriteJSON(a.Out, all, "")
	}
	if len(all) == 0 {
		return usageError("--as starting-offsets: the source has no position yet")
	}
	if text, ok := all[0].Value.(string); ok {
		_, err := fmt.Fprintln(a.Out, report.Printable(text))
		return err
	}
	return report.WriteJSON(a.Out, all[0].Value, "")
}

// embedded is a value as JSON where it is an object or a list, else as text.
func embedded(value string) any {
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	}
	return value
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
	}{"tidemark/offsets/1", p.batch, p.end(), []entry{}}
	for i, o := range p.sources {
		e := entry{Index: i, Name: o.Name, Kinds: o.KindNames(), Parts: []part{}}
		if !o.None {
			e.Offset = embedded(o.Raw)
		}
		for j := range o.Parts {
			e.Parts = append(e.Parts, part{o.Parts[j].Name, report.Position(&o.Parts[j].Position), o.Parts[j].Unit})
		}
		out.Sources = append(out.Sources, e)
	}
	return report.WriteJSON(a.Out, out, "  ")
}

// rows are the parts of all sources: source, name, part, position, unit.
func (p *positions) rows() [][]string {
	var all [][]string
	for i, o := range p.sources {
		for _, part := range o.Parts {
			all = append(all, []string{strconv.Itoa(i), report.Printable(o.Name), report.Printable(part.Name), report.Printable(part.Position.Text), part.Unit})
		}
		if len(o.Parts) == 0 {
			all = append(all, []string{strconv.Itoa(i), report.Printable(o.Name), "", report.Printable(o.Raw), ""})
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
	what := "Batch %d ends here, by %s; the next batch starts here."
	if p.redo {
		what = "Batch %d starts here, by %s."
	}
	fmt.Fprintf(a.Out, what+"\n\n", p.batch, p.file)
	rows := [][]string{{"source", "kind", "part", ">position", "counts"}}
	for _, r := range p.rows() {
		i, _ := strconv.Atoi(r[0])
		source := r[0]
		if r[1] != "" {
			source += " " + r[1]
		}
		rows = append(rows, []string{source, strings.Join(p.sources[i].KindNames(), " or "), r[2], ">" + r[3], r[4]})
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	return nil
}

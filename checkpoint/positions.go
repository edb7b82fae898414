package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// Positions are where the sources of a query stand at one end of a batch.
type Positions struct {
	Batch   int64
	Start   bool            // where it starts, rather than where it ends
	File    string          // within the checkpoint, that records them: "offsets/120"
	Sources []source.Offset // in the order of the plan
	Notes   []string        // what a person should know beside them; sentences without a full stop
}

// ErrNothingCommitted is that there is no last committed batch.
var ErrNothingCommitted = errors.New("no batch is committed, so no position is recorded to continue from")

func (p *Positions) end() string {
	if p.Start {
		return "start"
	}
	return "end"
}

// PositionsAt reads where batch ends, or where it starts; a batch below 0 is the last committed. Most kinds of
// source log where a batch ends, others where it starts: each is looked up in the plan that records it.
func (c *Checkpoint) PositionsAt(ctx context.Context, batch int64, start bool) (*Positions, error) {
	p := &Positions{Batch: batch, Start: start}
	if batch < 0 {
		if p.Batch = c.Commits.Last(); p.Batch < 0 {
			if c.Commits.Err != nil {
				return nil, fmt.Errorf("commits could not be listed: %w", c.Commits.Err)
			}
			return nil, ErrNothingCommitted
		}
	}
	b, err := c.PlanOf(ctx, p.Batch)
	if err != nil {
		return nil, err
	}
	p.File, p.Sources = b.File, slices.Clone(b.InOrder())
	for i := range p.Sources {
		if p.Sources[i].LogsStart() != start {
			if err := p.move(ctx, c, i); err != nil {
				return nil, err
			}
		}
		if e := p.Sources[i].Problem; e != nil {
			return nil, e
		}
	}
	p.note(c)
	return p, nil
}

// move takes the position of source i from the neighbor of the batch that records the other end.
func (p *Positions) move(ctx context.Context, cp *Checkpoint, i int) error {
	o := p.Sources[i]
	if p.Start && p.Batch == 0 {
		return p.initial(ctx, cp, i)
	}
	neighbor := p.Batch - 1
	if !p.Start {
		neighbor = p.Batch + 1
	}
	other, err := cp.PlanOf(ctx, neighbor)
	if err != nil {
		return fmt.Errorf("the %s of batch %d is recorded in offsets/%d: %w", p.end(), p.Batch, neighbor, err)
	}
	p.File = other.File
	for j, q := range other.InOrder() {
		if q.Name == o.Name && (o.Name != "" || i == j) {
			p.Sources[i] = q
			return nil
		}
	}
	return fmt.Errorf("the %s of batch %d is not recorded for source %d: offsets/%d has no line for it", p.end(), p.Batch, i, neighbor)
}

// initial takes the position of source i from where the source began to read: some kinds record it.
func (p *Positions) initial(ctx context.Context, cp *Checkpoint, i int) error {
	o := p.Sources[i]
	name := "sources/" + strconv.Itoa(i) + "/0"
	data, err := cp.Read(ctx, name, log.Limit)
	if err == nil {
		n := log.ParseInitialOffsets(name, data)
		if len(n.Offset.Kinds) > 0 && len(o.Kinds) > 0 && n.Offset.Kinds[0] == o.Kinds[0] && n.Offset.Problem == nil {
			n.Offset.Name = o.Name
			p.Sources[i], p.File = n.Offset, name
			return nil
		}
	}
	return fmt.Errorf("the start of batch 0 is not recorded for source %d", i)
}

// PlanOf reads the plan of a batch, or says why it cannot be had: its error tells which batches there are.
func (c *Checkpoint) PlanOf(ctx context.Context, batch int64) (*log.Plan, error) {
	name := fmt.Sprintf("offsets/%d", batch)
	if c.Offsets.Find(batch) == nil {
		if c.Offsets.Err != nil {
			return nil, fmt.Errorf("offsets could not be listed: %w", c.Offsets.Err)
		}
		if c.Offsets.Last() < 0 {
			return nil, fmt.Errorf("%s is missing: offsets/ is empty", name)
		}
		return nil, fmt.Errorf("%s is missing; offsets/ has batches %d to %d", name, c.Offsets.First(), c.Offsets.Last())
	}
	b, err := c.Batch(ctx, batch)
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
func (p *Positions) note(cp *Checkpoint) {
	last := cp.Offsets.Last()
	switch {
	case cp.Commits.Find(p.Batch) == nil && !p.Start:
		p.Notes = append(p.Notes, fmt.Sprintf("batch %d is not committed: nothing here records whether its rows reached the sink", p.Batch))
	case last > p.Batch && last > cp.Commits.Last() && !p.Start:
		p.Notes = append(p.Notes, fmt.Sprintf("batch %d is not committed: it ends at a different position", last))
	}
	first := p.Batch + 1
	if p.Start {
		first = p.Batch
	}
	if last := cp.Commits.Last(); last >= first {
		p.Notes = append(p.Notes, fmt.Sprintf("a new query from this position reads the input of %s again, and its sink may have those rows", batches(first, last)))
	}
	for i, o := range p.Sources {
		if o.None {
			p.Notes = append(p.Notes, fmt.Sprintf("source %d has no offset yet in %s", i, p.File))
		}
	}
}

// batches is "batch 3" or "batches 3 to 5".
func batches(first, last int64) string {
	if first == last {
		return fmt.Sprintf("batch %d", first)
	}
	return fmt.Sprintf("batches %d to %d", first, last)
}

package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// This file is the half of source-identity-changed that asks the sources themselves: the log names one table, stream
// or topic all along, and what stands there now is another one of that name.

// runSourceIsAnother reports tables whose id is not the recorded one.
func runSourceIsAnother(_ context.Context, p *checks.Pass) error {
	if p.Kept == nil {
		return nil
	}
	for i := range p.Kept.Sources {
		s := Held(p.Kept, i)
		if s.Other == "" {
			continue
		}
		o := s.newest()
		f := s.finding(fmt.Sprintf("%s; the query is at %s", s.Other, standsAt(o)))
		f.Where = o.Where
		f.Title = "a source is not the table the query read"
		f.Meaning = `The table now has another ID than the one in the offset log. A table dropped and created again under its
old name or path has a new ID. So has a different table, if the query or tidemark was given another location. Versions of one
mean nothing in the other. Delta refuses to start: "The streaming query was reading from an unexpected Delta table".`
		p.Report(f)
	}
	return nil
}

// newest is the newest position that is recorded of a source.
func (s *heldSource) newest() source.Offset {
	if s.Recorded.To.None {
		return s.Recorded.From
	}
	return s.Recorded.To
}

// recreated finds the batches that read a source which was made after them.
type recreated struct {
	p    *checks.Pass
	read map[recreatedKey]*checkpoint.Batch // the newest such batch
}

type recreatedKey struct{ source, created int } // indexes in Kept.Sources and Created

func findRecreated(p *checks.Pass) *recreated {
	return &recreated{p, map[recreatedKey]*checkpoint.Batch{}}
}

func (a *recreated) see(b *checkpoint.Batch) {
	if a.p.Kept == nil || b.Plan == nil {
		return
	}
	sources := b.Plan.InOrder()
	for i := range a.p.Kept.Sources {
		s := Held(a.p.Kept, i)
		if len(s.Created) == 0 {
			continue // nothing to compare: there may be a hundred thousand batches
		}
		o := basics.SourceNamed(b.Plan, s.Key)
		if o.None || len(sources) != len(a.p.Kept.Asked) || !basics.SameKind(o, s.newest()) {
			continue
		}
		for j, c := range s.Created {
			if s.madeAfter(c, b.Plan.Timestamp) && (c.Name == "" || slices.Contains(basics.TopicsOf(o), c.Name)) {
				a.read[recreatedKey{i, j}] = b
			}
		}
	}
}

func (a *recreated) end(bool) {
	if a.p.Kept == nil {
		return
	}
	for i := range a.p.Kept.Sources {
		s := Held(a.p.Kept, i)
		for j, c := range s.Created {
			if b := a.read[recreatedKey{i, j}]; b != nil {
				a.report(s, c, b)
			}
		}
	}
}

func (a *recreated) report(s *heldSource, c availability.Created, b *checkpoint.Batch) {
	o := basics.SourceNamed(b.Plan, s.Key)
	name := "it"
	if c.Name != "" {
		name = "topic " + c.Name
	}
	text := fmt.Sprintf("%s was created at %s, but batch %d, planned at %s, had read it before: it was at %s", name, checks.Utc(c.Time), b.ID, checks.Utc(b.Plan.Timestamp), standsAt(o))
	if c.Shown != "" {
		text = fmt.Sprintf("%s: %s, but batch %d, planned at %s, had read past it: it was at %s", name, c.Shown, b.ID, checks.Utc(b.Plan.Timestamp), standsAt(o))
	}
	if now := s.holds(c.Name); now != "" {
		text += "; it now has " + now
	}
	f := s.finding(text)
	f.Batch, f.Where = b.ID, o.Where
	f.Title = "a source was created again under its old name"
	f.Meaning = `The source was created after a batch had read one of that name, so the old one was deleted. Old offsets mean
nothing in the new source. Whether the query read the old one to its end is unknown.`
	if c.Shown != "" {
		f.Title = "a source was likely created again under its old name"
		f.Meaning = `The query reached offsets before the records below them were written, by their timestamps. A topic
deleted and created again does this. So do producers whose clocks are ahead by that much, if the topic is no older than that.
Old offsets mean nothing in a new topic. Whether the query read the old one to its end is unknown.`
	}
	if b.Plan.Timestamp < s.Recorded.Time {
		f.Meaning += ` Later batches were planned after that, and may have read the new one already.`
	} else {
		f.Meaning += ` A restart continues at the old offset. If the new source is shorter, the offset is past its end. If it
is longer, its first records are skipped silently.`
	}
	a.p.Report(f)
}

// holds is what a source, or one topic of it, holds now: "orders/0: 0 to 300".
func (s *heldSource) holds(topic string) string {
	var all []string
	for i := range s.Parts {
		part := &s.Parts[i]
		if topic != "" && topicOf(part.Name) != topic || part.Earliest == nil || part.Latest == nil {
			continue
		}
		all = append(all, fmt.Sprintf("%s%s to %s", basics.PartPrefix(part.Name), part.Earliest.Text, part.Latest.Text))
	}
	if len(all) > 4 {
		all = append(all[:4], fmt.Sprintf("%d more", len(all)-4))
	}
	return strings.Join(all, ", ")
}

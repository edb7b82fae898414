package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks/sources"
	"tidemark/internal/spec"
)

// startPositions is where a new query begins, source by source.
type startPositions struct {
	*positions
	a        *app
	from     time.Time                     // what was written then or later; zero for the positions
	recorded []availability.SourceProgress // the sources, where they were asked or are declared
	kept     []availability.Source         // what they still keep, as far as that is known
}

// startPositions learns what the sources still keep, where something was given that knows.
func (a *app) startPositions(ctx context.Context, cp *checkpoint.Checkpoint, p *positions, from time.Time) (*startPositions, error) {
	s := &startPositions{positions: p, a: a, from: from}
	if a.prober() == nil && a.spec == nil {
		return s, nil
	}
	var err error
	if s.recorded, err = sources.ProgressOf(ctx, cp, a.spec); err != nil || a.prober() == nil {
		return s, err
	}
	a.noteUnfit(availability.Unfit(a.prober(), s.recorded))
	s.kept, err = availability.Allowing(a.prober(), a.spec).Probe(ctx, s.recorded)
	if sources.Mistaken(err) {
		return s, a.usageProblems(err)
	}
	for i := range s.kept {
		if k := &s.kept[i]; k.Err != nil && err == nil {
			err = fmt.Errorf("source %d: %s: %w", k.Index, k.From, k.Err)
		}
	}
	return s, err
}

// startOf returns where a new query begins to read source i; ok is false where its kind has no option for that.
func (s *startPositions) startOf(ctx context.Context, i int, o source.Offset) (b availability.StartPosition, ok bool, err error) {
	var kind *source.Kind
	var declared *spec.Source
	if i < len(s.recorded) {
		declared = s.recorded[i].Declared
		if s.recorded[i].Sure {
			kind = s.recorded[i].Kind
		}
	}
	if s.from.IsZero() {
		var k *availability.Source
		for j := range s.kept {
			if s.kept[j].Index == i {
				k = &s.kept[j]
			}
		}
		b, ok = availability.StartAt(o, kind, k, declared)
		return b, ok, nil
	}
	var parts []availability.Part
	if i < len(s.recorded) {
		if parts, _, err = s.a.probers.At(ctx, s.recorded[i], s.from); err != nil {
			return b, false, err
		}
	}
	b, ok = availability.StartFromTime(o.As(kind), s.from, parts, s.Batch)
	return b, ok, nil
}

// timeForms are the ways to write a time; without a zone it is UTC.
var timeForms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}

// parseTime reads a time, or milliseconds since 1970.
func parseTime(flag, text string) (time.Time, error) {
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) >= 12 {
		return time.UnixMilli(ms).UTC(), nil
	}
	return time.Time{}, usageError("%s: %q is not a time such as 2026-11-29T02:00:00Z", flag, text)
}

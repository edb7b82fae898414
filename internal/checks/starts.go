package checks

import (
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/spec"
)

// Starts tells where a new query begins to read each source: not before what that still has, where it was asked.
type Starts struct {
	Sources []Source
	Kept    *Kept
}

// Starts are those of what the examination has told so far.
func (v *Verdict) Starts() Starts { return Starts{v.Sources, v.Kept} }

// At is where a new query begins to read source i, in plan order, so that it continues at o. ok is false where the kind
// of the source has no option for that.
func (s Starts) At(i int, o source.Offset) (b availability.StartPosition, ok bool) {
	var kind *source.Kind
	if i < len(s.Sources) {
		kind = s.Sources[i].Kind
	}
	var has *availability.Source
	var declared *spec.Source
	if known := s.Kept.Source(i); known != nil {
		has, declared = &known.Source, known.Recorded.Declared
	}
	b, ok = availability.StartAt(o, kind, has, declared)
	b.Source = i
	return b, ok
}

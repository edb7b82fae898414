package availability

import (
	"fmt"
	"slices"

	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// StartPosition is where a new query begins to read one source. StartAt and StartFromTime work it out; there is no other place.
type StartPosition struct {
	Source  int      // position in the plan, from 0
	Name    string   // of a named source, else ""
	Kinds   []string // that write such an offset, likeliest first; the one that the query declares
	Option  string   // of the source, that takes Value: "startingOffsets"; "" where there is none
	Value   string   // as the option takes it: not before what the source still has, where it was asked
	Repeats string   // what is read again, in words; "" for nothing that is known
	Notes   []string // what is skipped, and what else to know; each one sentence without a full stop
	Without string   // of a plan for a new query: why there is no option, and what to do; "" where there is one
	Asked   bool     // the source was asked what it still has
	Raw     string   // the offset as recorded
}

// Notices returns all that a person should know beside the value: what is read again, then the notes.
func (b *StartPosition) Notices() []string {
	if b.Repeats == "" {
		return b.Notes
	}
	return append([]string{"it reads again " + b.Repeats}, b.Notes...)
}

func (b *StartPosition) note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// StartAt returns where a new query begins so that it goes on at an offset, or at what the source has left of it. kind is
// the one of the source where it is certain, else nil. k is nil where it is not known what is left. declared is what the new
// query declares of the source; nil where there is no spec. ok is false where the kind has no option for that, or where Notes say why it
// cannot be.
func StartAt(o source.Offset, kind *source.Kind, k *Source, declared *spec.Source) (b StartPosition, ok bool) {
	o = o.As(kind)
	b, ok = startDeclared(o, k, declared)
	b.Kinds, b.Raw, b.Asked = o.KindNames(), o.Raw, k != nil && k.Err == nil
	if k != nil && k.Err != nil && ok {
		b.note("the source could not be asked, so the position is the recorded one (%s: %v)", k.From, k.Err)
	}
	return b, ok
}

// startDeclared leaves out the partitions that the new query does not read. Start offsets must be those of the partitions that it reads, and
// of no other: Spark fails otherwise (KafkaOffsetReader.fetchSpecificOffsets).
func startDeclared(o source.Offset, k *Source, declared *spec.Source) (b StartPosition, ok bool) {
	sub, declares, err := declared.Subscription()
	if !declares || err != nil || !o.Likeliest().Topics {
		return startAt(o, k)
	}
	var left []string
	read, at := []source.Part{}, map[string]string{}
	for _, p := range o.Parts {
		if !sub.Reads(CutPart(p.Name)) {
			left = append(left, p.Name)
			continue
		}
		read, at[p.Name] = append(read, p), p.Position.Text
	}
	if k != nil {
		known := *k
		known.Parts = slices.DeleteFunc(slices.Clone(k.Parts), func(p Part) bool { return !sub.Reads(CutPart(p.Name)) })
		k = &known
	}
	if len(left) == 0 {
		return startAt(o, k)
	}
	o.Parts, o.Line = read, topicsLine(at)
	if len(read) > 0 || k != nil && len(k.Parts) > 0 {
		b, ok = startAt(o, k)
	}
	b.note("omitted, because the spec does not declare them: %s", phrase.List(left, 8))
	return b, ok
}

func startAt(o source.Offset, k *Source) (StartPosition, bool) {
	if at := Of(o.Likeliest()).startAt; at != nil && k != nil {
		return at(o, k)
	}
	return recordedStart(o)
}

// recordedStart returns the position as the offset has it, whatever the source still keeps.
func recordedStart(o source.Offset) (b StartPosition, ok bool) {
	b.Option, b.Value, b.Repeats, ok = o.StartingOffsets()
	return b, ok
}

package availability

import (
	"time"

	"tidemark/checkpoint/source"
)

// StartFromTime returns where a new query begins to read what was written at t or later. parts are the first such positions of
// each part, where they could be looked up; batch is the one at whose end o stands. ok is false where the kind has no
// option for that.
func StartFromTime(o source.Offset, t time.Time, parts []Part, batch int64) (b StartPosition, ok bool) {
	switch k := Of(o.Likeliest()); {
	case k.startAtParts != nil && parts != nil:
		b = k.startAtParts(o, parts)
	case k.startFromTime != nil:
		b = k.startFromTime(o, t)
		b.note("a later time than the end of batch %d skips the data in between; an earlier time reads it again", batch)
	default:
		return StartPosition{Kinds: o.KindNames()}, false
	}
	b.Kinds = o.KindNames()
	return b, true
}

package rows

import (
	"fmt"
	"strconv"

	"tidemark/internal/phrase"
)

// When a row leaves state, if it says so itself.

// leaves says when Spark removes a row; nil if the files do not show it.
//
// dropDuplicatesWithinWatermark writes the event time until which it keeps a key, and transformWithState the processing time
// at which a value expires. Of other operators the output mode decides, which no file records.
func (x *model) leaves(l *rowLine) []string {
	for i, c := range x.columns {
		if c.of != ofValue {
			continue
		}
		n, err := strconv.ParseInt(l.cells[i], 10, 64)
		switch {
		case err != nil:
		case c.title == "expiresAtMicros" && x.operatorName() == "dedupeWithinWatermark":
			return x.byWatermark(n / 1000)
		case c.title == "ttlExpirationMs" && n > 0:
			return []string{fmt.Sprintf("When processing time passes %s: its TTL ends.", x.s.Clock.Full(n))}
		}
	}
	return nil
}

func (x *model) operatorName() string {
	if x.from == nil {
		return ""
	}
	return x.from.state.Operator.Name
}

// byWatermark says how far the watermark is from the time at which it removes a row, in ms.
func (x *model) byWatermark(at int64) []string {
	texts := []string{fmt.Sprintf("When the watermark passes %s.", x.s.Clock.Full(at))}
	now := x.s.Verdict.Restart.Watermark
	switch {
	case now == 0 || x.want.batch != x.latest:
	case now < at:
		texts = append(texts, fmt.Sprintf("Now it is at %s: %s to go.", x.s.Clock.Full(now), phrase.Span(at-now)))
	default:
		texts = append(texts, "The watermark has passed it: the next batch removes the row.")
	}
	return texts
}

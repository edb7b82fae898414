package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checks"
)

// batchLine is one batch for a program. A committed of null could not be read; times are ms since the
// epoch, 0 where they are not recorded.
type batchLine struct {
	Batch       int64    `json:"batch"`
	Planned     bool     `json:"planned"`
	PlannedMS   int64    `json:"planned_ms"`
	Committed   *bool    `json:"committed"`
	InSink      string   `json:"in_sink,omitempty"` // "yes", "no", "taken out", "?"; absent without --sink
	WatermarkMS int64    `json:"watermark_ms"`
	Ranges      any      `json:"ranges"`
	Problems    []string `json:"problems"`
}

// BatchJSON writes a batch as one line of JSON. before and after are the batches beside it in a list, nil where there
// is none; out is what the sink holds, nil where that is not known.
func BatchJSON(w io.Writer, before, b, after *checkpoint.Batch, out *checks.Output) error {
	unread := func(name string) bool {
		return slices.ContainsFunc(b.Unread, func(u checkpoint.Unread) bool { return u.Name == name+"/"+strconv.FormatInt(b.ID, 10) })
	}
	l := batchLine{Batch: b.ID, InSink: InOutput(out, b.ID), Ranges: Ranges(checkpoint.Reads(before, b, after)), Problems: []string{}}
	if l.Planned = b.Plan != nil || unread("offsets"); b.Plan != nil {
		l.PlannedMS, l.WatermarkMS = b.Plan.Timestamp, b.Plan.Watermark
	}
	if committed := b.Commit != nil; committed || !unread("commits") {
		l.Committed = &committed
	}
	for _, p := range b.Problems() {
		l.Problems = append(l.Problems, p.Error())
	}
	for _, u := range b.Unread {
		l.Problems = append(l.Problems, fmt.Sprintf("%s could not be read: %v", u.Name, u.Err))
	}
	return WriteJSON(w, l, "")
}

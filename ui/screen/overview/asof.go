package overview

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The overview as of another batch: what it read, what was committed, and the findings about it.

const readsID = "reads"

// asOf is the panels of one batch.
func (o *model) asOf(w, h int) kit.Node {
	t, id := &o.Session.Theme, o.Session.AsOf
	at := kit.BatchRow{ID: id}
	i := kit.RowOfBatch(o.rows, id)
	if i >= 0 {
		at = o.rows[i]
	}
	batch, about := o.BatchPanel(at), o.FindingsPanel(at)
	batch.Right, batch.Rank = t.Dim.Styled(o.before()), 0
	reads := &kit.Panel{ID: readsID, Title: "Reads", Rank: 1, Least: 1, Text: func(w int) []string {
		if f := o.Facts(id); f != nil && f.B.Plan != nil {
			return o.reads(rangesOf(f), w, h < roomyBody)
		}
		return []string{t.Dim.Styled("unknown")}
	}}
	var batches *kit.Panel
	if h >= tallBody && i < o.newestShown() {
		batches = o.batchesPanel()
	}
	return stack(w, batch, reads, about, o.timelinePanel(), batches)
}

// rangesOf are the ranges that a batch read.
func rangesOf(f *kit.BatchFacts) (all []checks.Range) {
	for i, ranges := range f.Ranges {
		for _, r := range ranges {
			all = append(all, checks.Range{Source: i, Range: r})
		}
	}
	return all
}

// before says how many batches newer there are.
func (o *model) before() string {
	n := int64(0)
	if len(o.rows) > 0 {
		n = max(o.rows[0].ID-o.Session.AsOf, 0)
	}
	if n == 0 {
		return "the newest"
	}
	return phrase.Count(n) + " before the newest"
}

package overview

import (
	"fmt"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

const (
	plotColumns = 60 // columns of the timeline at most
	plotNames   = 12 // cells for the names of its lanes
)

// timelineWidth is how many cells the timeline has.
func (o *model) timelineWidth() int {
	if o.w >= kit.ThreeColumns {
		return o.w/3 - 4
	}
	return o.w - 4
}

// timelinePanel is the batches in lanes, and below them what the query reads and keeps.
func (o *model) timelinePanel() *kit.Panel {
	if len(o.rows) == 0 {
		return nil
	}
	return &kit.Panel{ID: timelineID, Title: "Timeline", Opens: kit.Keys.Batches, Rank: 4, Least: 5, Text: func(w int) []string {
		plot := o.plot.Draw(&o.BatchLoader, o.rows, plotNames, kit.PlotFull, o.Session.AsOf >= 0)
		lines := append(o.plot.All(o.Session, plotNames), plot.View(w)...)
		return append(lines, o.about(w)...)
	}}
}

// about are the sources and the stateful operators, a line each.
func (o *model) about(w int) []string {
	s, v := o.Session, &o.Session.Verdict
	var f kit.Facts
	for i := range v.Sources {
		src := &v.Sources[i]
		f.Line(phrase.Fit(sourceName(src), plotNames-1), kit.Safe(strings.Join(src.Kinds, " or "))+" · "+phrase.Units(int64(src.Parts), "partitions"))
	}
	for i, text := range s.StateWords {
		if i == 3 && len(s.StateWords) > 4 {
			f.Line("", fmt.Sprintf("… %d more operators · %s shows them", len(s.StateWords)-i, s.FirstKey(kit.Keys.State)))
			break
		}
		f.Line([]string{"state", ""}[min(i, 1)], text)
	}
	return f.Lines(&s.Theme, w)
}

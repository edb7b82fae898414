package overview

import (
	"fmt"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// timelineWidth is how many cells the timeline has.
func (o *model) timelineWidth() int {
	if o.w >= kit.ThreeColumns {
		return o.w*2/3 - 4
	}
	return o.w - 4
}

// timelineNames are the cells of the names of its lanes.
const timelineNames = 12

// timelinePanel is the batches in lanes, and below them what the query reads and keeps.
func (o *model) timelinePanel() *kit.Panel {
	if len(o.rows) == 0 {
		return nil
	}
	return &kit.Panel{ID: timelineID, Title: "Timeline", Opens: kit.Keys.Batches, Rank: 5, Least: 4, Text: func(w int) []string {
		lines := o.plot.Lines(&o.BatchLoader, o.rows, w, kit.MostTimeline+1, o.Session.AsOf >= 0)
		return append(lines, o.about(w)...)
	}}
}

// operatorsShown is how many stateful operators are shown.
const operatorsShown = 3

// about are the sources and the stateful operators, a line each.
func (o *model) about(w int) []string {
	s, t := o.Session, &o.Session.Theme
	var lines []string
	say := func(name, text string) {
		lines = append(lines, t.Dim.Styled(phrase.Fit(name, timelineNames))+" "+phrase.Cut(text, w-timelineNames-1))
	}
	for i := range s.Verdict.Sources {
		src := &s.Verdict.Sources[i]
		say(sourceName(src), kit.Safe(strings.Join(src.Kinds, " or "))+" · "+phrase.Units(int64(src.Parts), "partitions"))
	}
	for i, text := range s.StateWords {
		if i == operatorsShown && len(s.StateWords) > operatorsShown+1 {
			say("", fmt.Sprintf("… %d more operators · %s shows them", len(s.StateWords)-i, s.FirstKey(kit.Keys.State)))
			break
		}
		say([]string{"state", ""}[min(i, 1)], text)
	}
	return lines
}

package kit

import (
	"fmt"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// lane is what a lane of the timeline shows of a batch.
type lane struct {
	name  string
	from  int // lines of a timeline from which on it is drawn
	of    func(f *BatchFacts) (v int64, ok bool)
	words func(f *BatchFacts, least, most int64) string // f is of a batch with a value
	none  func(f *BatchFacts) bool                      // reports that a batch is known to have none; nil where that cannot be
	empty string                                        // what is said where every batch is known to have none
}

// lanes are those below the one of the logs, in their order.
var lanes = []lane{
	{"read", 2, func(f *BatchFacts) (int64, bool) { return f.count, f.counted }, readWords, nil, ""},
	{"interval", 5, func(f *BatchFacts) (int64, bool) { return f.Interval() },
		func(_ *BatchFacts, least, most int64) string { return "every " + spans(least, most) }, nil, ""},
	{"behind", 4, func(f *BatchFacts) (int64, bool) { return LagOf(f.B) },
		func(_ *BatchFacts, least, most int64) string { return "watermark " + spans(least, most) + " behind" },
		noWatermark, "no watermark"},
}

const (
	axisFrom  = 3 // lines of a timeline from which on it has an axis
	stateFrom = 6
	allFrom   = 5
)

// MostTimeline is how many lines a timeline has at most, with its axis.
const MostTimeline = 7

// readWords are how much the batches read.
func readWords(f *BatchFacts, least, most int64) string {
	switch {
	case f.upper:
		return "at most " + phrase.Count(most) + " per batch"
	case least == most:
		return phrase.Count(most) + " per batch"
	case least == most-1:
		return phrase.Count(least) + " or " + phrase.Count(most) + " per batch"
	}
	return phrase.Count(least) + " to " + phrase.Count(most) + " per batch"
}

// spans are two lengths of time in ms, the unit once where it is the same: "26 to 31 min".
func spans(least, most int64) string {
	a, b := phrase.Span(least), phrase.Span(most)
	x, y := strings.Fields(a), strings.Fields(b)
	switch {
	case a == b:
		return a
	case len(x) == 2 && len(y) == 2 && x[1] == y[1]:
		return x[0] + " to " + b
	}
	return a + " to " + b
}

// lane is one lane over rows, the oldest first. Of batches that count in other units than the newest one
// nothing is drawn: they have another scale.
func (p *Timeline) lane(g *BatchLoader, rows []BatchRow, of *lane) widget.PlotLine {
	line := widget.PlotLine{Name: of.name, Values: make([]int64, len(rows)), Signs: make([]widget.Sign, len(rows)),
		Style: g.Session.Theme.Plot}
	var newest *BatchFacts
	below, none := 0, of.none != nil
	for i := range rows {
		at := len(rows) - 1 - i
		if rows[i].Missing > 0 {
			continue
		}
		f := g.Facts(rows[i].ID)
		if f == nil {
			none, line.Signs[at] = false, widget.Unread
			continue
		}
		v, ok := of.of(f)
		if !ok {
			none = none && of.none(f)
			continue
		}
		if newest == nil {
			newest = f
		} else if of.name == lanes[0].name && f.unit != newest.unit {
			continue
		}
		if line.Values[at], line.Signs[at] = v, widget.Value; v < 0 {
			line.Signs[at] = widget.Below
			below++
		}
	}
	if of.name == lanes[0].name && newest != nil {
		line.Name = ShortUnit(newest.unit) + " read"
	}
	most, ok := line.Top()
	least, _ := line.Least()
	switch {
	case ok:
		line.Words = of.words(newest, least, most)
	case g.Reading || newest == nil && g.Err == nil && len(g.loaded) == 0:
		line.Words = "…"
	case none && newest == nil:
		line.Words = of.empty
	case below == 0:
		line.Words = "unknown"
	}
	if below > 0 {
		line.Words = strings.TrimSpace(line.Words + fmt.Sprintf(" ↓ %d below 0", below))
	}
	return line
}

// logWords name the signs that the lane of the logs has, in room cells.
func logWords(rows []BatchRow, signs []widget.Sign, room int, t *Theme) string {
	var normal, lost, open int64
	var lostRow, openRow BatchRow
	for i, s := range signs {
		switch r := rows[len(rows)-1-i]; s {
		case widget.Normal:
			normal++
		case widget.Lost, widget.Gap, widget.Hole:
			lost, lostRow = lost+1, r
		case widget.Open:
			open, openRow = open+1, r
		}
	}
	if lost+open == 0 {
		if normal == 0 {
			return ""
		}
		return phrase.Count(normal) + " committed"
	}
	one := func(n int64, r BatchRow, batch string) string {
		if n == 1 {
			return batch + rowName(r)
		}
		return phrase.Units(n, "batches")
	}
	say := func(batch, missing, uncommitted string) string {
		var parts []string
		if lost > 0 {
			if missing != "" && (lostRow.Missing == 0 || lost > 1) {
				missing = " missing or damaged"
			}
			parts = append(parts, t.Bad.Styled("✗")+" "+one(lost, lostRow, batch)+missing)
		}
		if open > 0 {
			parts = append(parts, t.Warn.Styled("!")+" "+one(open, openRow, batch)+uncommitted)
		}
		return strings.Join(parts, " · ")
	}
	long := say("batch ", " missing", " uncommitted")
	for _, text := range []string{phrase.Count(normal) + " committed · " + long, long, say("", " missing", " uncommitted")} {
		if phrase.Width(t.Plain(text)) <= room {
			return text
		}
	}
	return say("", "", "")
}

package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/output"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// Cells of a lane: of its name, of the words behind it, and of one batch at most.
const laneName, laneWords, laneStep = 14, 28, 16

// lanes is the panel of the newest batches in both logs and in the sink; nil where no sink was checked.
func (x *model) lanes(w int) *kit.Panel {
	if x.s.Verdict.Sink == nil || x.s.Checkpoint == nil {
		return nil
	}
	t := &x.s.Theme
	return &kit.Panel{ID: "lanes", Title: "Checkpoint and sink", Rank: 1, Text: x.laneLines,
		Right: t.Good.Styled("●") + t.Dim.Styled(" exists  ") + t.Warn.Styled("○") + t.Dim.Styled(" does not")}
}

// newest are the newest batches that any of the logs and the sink have, oldest first.
func (x *model) newest(most int) (ids []int64) {
	cp, out := x.s.Checkpoint, x.s.Verdict.Sink
	last := max(cp.Offsets.Last(), cp.Commits.Last())
	if out.Highest > last && out.Unknown == "" {
		ids = append(ids, out.Highest)
	}
	for id, ok := last, last >= 0; ok && len(ids) < most; id, ok = x.s.Step(id, -1) {
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids
}

func (x *model) laneLines(w int) []string {
	t, out := &x.s.Theme, x.s.Verdict.Sink
	words := min(laneWords, w/3)
	room := w - laneName - words - 2
	ids := x.newest(max(room/8, 2))
	if len(ids) == 0 {
		return []string{t.Dim.Styled("No batch was planned or committed.")}
	}
	step := min(room/len(ids), laneStep)
	head := phrase.Blanks(laneName)
	for _, id := range ids {
		head += phrase.Fit(fmt.Sprintf("batch %d", id), step)
	}
	if step < 12 {
		head = phrase.Fit("batch", laneName)
		for _, id := range ids {
			head += phrase.Fit(fmt.Sprint(id), step)
		}
	}
	kind := cmp.Or(output.Named(out.Kind).Title, out.Kind)
	lane := func(name, words string, style widget.Style, has func(id int64) string) string {
		line := phrase.Fit(name, laneName)
		for i, id := range ids {
			line += mark(t, has(id))
			if i < len(ids)-1 {
				line += t.Edge.Styled(strings.Repeat("─", step-1))
			}
		}
		return phrase.Fit(line, laneName+step*len(ids)+1) + " " + style.Styled(words)
	}
	logged := func(has func(id int64) bool) func(int64) string {
		return func(id int64) string { return map[bool]string{true: "yes", false: "no"}[has(id)] }
	}
	situation := phrase.Situations.Of(string(out.Situation))
	return []string{t.Dim.Styled(head),
		lane("offset log", lacks("offsets", ids, x.s.Planned), t.Warn, logged(x.s.Planned)),
		lane("commit log", lacks("commits", ids, x.s.Committed), t.Warn, logged(x.s.Committed)),
		lane(strings.TrimSpace("sink "+kind), situation.Word, t.Role(situation.Role),
			func(id int64) string { return page.InOutput(out, id) })}
}

// mark is whether a batch is in a lane.
func mark(t *kit.Theme, has string) string {
	sign := phrase.Held.Of(has)
	symbol := map[string]string{"yes": "●", "no": "○"}[has]
	if symbol == "" {
		symbol = sign.Symbol
	}
	return t.Role(sign.Role).Styled(symbol)
}

// lacks names the newest file that a log lacks of some batches; "" for none.
func lacks(log string, ids []int64, has func(id int64) bool) string {
	for _, id := range slices.Backward(ids) {
		if !has(id) {
			return fmt.Sprintf("%s/%d is missing", log, id)
		}
	}
	return ""
}

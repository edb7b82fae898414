package page

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// MigrationWays are the ways to choose from where the code does not fit the checkpoint: back to the old code, or to a new
// checkpoint. It has no rows where the code fits, or where no committed batch says where to start.
func MigrationWays(v *checks.Verdict) Table {
	t := Table{Columns: []Column{{}, {Title: "way"}, {Title: "code"}, {Title: "checkpoint"}, {Title: "state"}, {Title: "reads from"},
		{Title: "duplicates"}}}
	m := v.Migration
	if m == nil || !misfits(v) {
		return t
	}
	add := func(way, code, checkpoint string, state Cell, from string, duplicates Cell) {
		number := Cell{Text: fmt.Sprint(len(t.Rows) + 1), Role: phrase.Key}
		t.Rows = append(t.Rows, []Cell{number, {Text: way}, {Text: code}, {Text: checkpoint}, state, {Text: from}, duplicates})
	}
	kept, empty, none := Cell{Text: "kept"}, Cell{Text: "starts empty", Role: phrase.Warn}, Cell{Text: "none"}
	stateful := len(v.Operators) > 0
	if !stateful {
		kept, empty = none, none
	}
	again, repeats := none, Cell{Text: "none"}
	from := phrase.Batch(m.Batch + 1)
	if n := len(m.Open); n > 0 {
		again = Cell{Text: "rows of " + phrase.Batches(m.Open[0], m.Open[n-1]) + ", unless the sink deduplicates", Role: phrase.Warn}
		repeats = Cell{Text: "rows of " + phrase.Batches(m.Open[0], m.Open[n-1]) + " in the sink", Role: phrase.Warn}
		from = phrase.Batch(m.Open[0])
	}
	if text := forgets(v); text != "" {
		repeats = Cell{Text: text, Role: phrase.Warn}
	}
	add("Go back", "old", "this one", kept, from, again)
	add("Migrate", "new", "new", empty, "end of "+phrase.Batch(m.Batch), repeats)
	if stateful {
		add("Migrate, earlier", "new", "new", Cell{Text: "rebuilt, if the sources have it"}, "an older batch",
			Cell{Text: "the sink must drop repeats", Role: phrase.Warn})
	}
	return t
}

// misfits reports whether a difference stops a restart or makes its results wrong.
func misfits(v *checks.Verdict) bool {
	for i := range v.Drift {
		if e := v.Drift[i].Effect; e == checks.RefusesDrift || e == checks.Misreads {
			return true
		}
	}
	return false
}

// forgets is what a new checkpoint forgets of operators that drop duplicates; "" where there is none.
func forgets(v *checks.Verdict) string {
	for i := range v.Operators {
		if strings.HasPrefix(v.Operators[i].Name, "dedupe") {
			return "rows seen before count as new"
		}
	}
	return ""
}

// Recorded is what the checkpoint records that a spec can be compared with.
func Recorded(v *checks.Verdict) Facts {
	var f Facts
	say := func(name, text string) {
		f.Rows = append(f.Rows, Fact{Name: name, Text: Plain(phrase.Prose(text))})
	}
	for i := range v.Sources {
		s := &v.Sources[i]
		kind := strings.TrimSpace(s.Name + " " + strings.Join(s.Kinds, " or "))
		say(fmt.Sprintf("source %d", s.Index), kind+", "+phrase.Units(int64(s.Parts), "partitions"))
	}
	for i := range v.Operators {
		o := &v.Operators[i]
		text := phrase.Or(o.Name, "name not recorded")
		if key, _ := Schema(o); key != "" {
			text += ", key " + key
		}
		say(fmt.Sprintf("operator %d", o.ID), text)
	}
	if last := v.Standing.Last; last != nil && last.Plan != nil && len(last.Plan.Conf) > 0 {
		say("settings", phrase.Count(int64(len(last.Plan.Conf)))+" in "+last.Plan.File)
	}
	if len(f.Rows) == 0 {
		say("", "… nothing is read yet")
	}
	return f
}

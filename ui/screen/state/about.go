package state

import (
	"fmt"
	"path"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What is known of the selected row: what a restart loads or what is lost, what to do, what the operator is.

const aboutID = "about"

// aboutPanel says what the files of a row mean for a restart.
func (x *model) aboutPanel(r *storeRow) *kit.Panel {
	p := &kit.Panel{ID: aboutID, Title: "What a restart loads", Rank: 2, Least: 5}
	switch {
	case r.heading:
		p = x.operatorPanel(r)
		p.ID, p.Rank, p.Grow, p.Least = aboutID, 1, true, 5
		return p
	case x.past():
		p.Title = fmt.Sprintf("Version %d", x.version())
	case r.load == nil:
		p.Title = "Not loaded"
	case x.broken(r) && x.free():
		p.Title = "What is broken"
	case x.broken(r):
		p.Title = "What is lost"
	}
	p.Text = func(w int) []string { return x.about(r, min(w, measure)) }
	p.Fold = func(w int) string { return x.aboutFold(r, w) }
	return p
}

// about are the words on a store.
func (x *model) about(r *storeRow, w int) (lines []string) {
	t := &x.s.Theme
	for _, text := range x.judgement(r) {
		lines = append(lines, phrase.Wrap(text, w)...)
	}
	for i := range x.flaws[r.dir] {
		f := &x.flaws[r.dir][i]
		if r.load != nil && len(r.load.Missing) > 0 && f.Severity == checks.Critical && f.file == path.Join(r.dir, path.Base(r.load.Asked)) {
			continue // the lines above say it
		}
		lines = append(lines, x.findingLines(f.Finding, w)...)
	}
	if facts := x.lossFacts(r); len(facts.Rows) > 0 {
		lines = append(lines, t.Draw(w, facts)...)
	}
	if also := x.also(r); also != "" {
		lines = append(lines, kit.StyledLines(t.Dim, phrase.Wrap(also, w))...)
	}
	return lines
}

// aboutFold is the one line that is left of them: the longest that w cells have room for.
func (x *model) aboutFold(r *storeRow, w int) string {
	way := x.rollBack()
	if list := x.flaws[r.dir]; x.broken(r) && r.whole() && way == nil && len(list) > 0 {
		return x.foldOf(list[0].Finding)
	}
	if !x.broken(r) || r.load == nil || x.past() || way == nil {
		return strings.Join(x.judgement(r), " ")
	}
	text := fmt.Sprintf("All partitions can load version %d.", way.To+1)
	if long := text + " A rollback " + x.rollBackWords(way) + "."; phrase.Width(long) <= w {
		return long
	}
	return text
}

// rollBackWords say what a rollback does, behind its name.
func (x *model) rollBackWords(way *checks.Recovery) string {
	var parts []string
	if way.First >= 0 {
		parts = append(parts, "re-reads "+phrase.Batches(way.First, way.Last))
	}
	if n := len(way.Twice); n > 0 {
		them := phrase.Batches(way.Twice[0], way.Twice[n-1])
		switch {
		case way.Twice[0] != way.First || way.Twice[n-1] != way.Last:
		case n == 1:
			them = "it"
		default:
			them = "them"
		}
		parts = append(parts, "the sink gets "+them+" twice")
	}
	if len(parts) == 0 {
		return "loses nothing"
	}
	return strings.Join(parts, "; ")
}

// judgement is what the files of a row allow a restart, in a sentence or two.
func (x *model) judgement(r *storeRow) []string {
	l := r.load
	switch {
	case r.err != nil:
		return []string{"The folder could not be listed: " + phrase.Sentence(kit.Prose(r.err.Error())), "Not checked: what it contains."}
	case l == nil && x.fromNothing():
		return []string{"No batch is committed. A restart begins with version 0, which is empty, and loads none of these files."}
	case l == nil && len(x.s.Verdict.Loads) > 0:
		return []string{"A restart does not load this store."}
	case l == nil:
		return []string{"The logs do not show which version a restart loads."}
	case x.past():
		return x.pastJudgement(r)
	case r.store == nil || len(r.store.Files) == 0:
		return []string{fmt.Sprintf("A restart loads version %d, and this store has no state file.", l.Version)}
	case len(l.Missing) > 0:
		return []string{x.equation(r, false), fmt.Sprintf("Without %s %s", kit.Safe(path.Base(l.Asked)), ends(l))}
	case len(l.Empty) > 0:
		return []string{x.equation(r, false), fmt.Sprintf("%s has no bytes; %s", fileName(l.Empty[0]), ends(l))}
	}
	return []string{x.equation(r, true)}
}

// ends says how far a store loads.
func ends(l *checks.Load) string {
	if l.Loadable == 0 {
		return "no version of this store loads."
	}
	return fmt.Sprintf("the chain ends at %d.", l.Loadable)
}

// equation is what a version is rebuilt from: "Version 26 = 22.snapshot + deltas 23 to 26".
func (x *model) equation(r *storeRow, whole bool) string {
	c := r.load.Chain()
	if stepRole(r) == state.Zip && !whole { // without changelogs each version is a zip
		return fmt.Sprintf("Version %d = %d.zip.", c.Version, c.Version)
	}
	var parts []string
	first := int64(1)
	if c.Base > 0 && len(c.Files) > 0 {
		parts, first = append(parts, fileName(c.Files[0])), c.Base+1
	}
	if first <= c.Version {
		parts = append(parts, changesOf(r, first, c.Version))
	}
	text := fmt.Sprintf("Version %d = %s", c.Version, strings.Join(parts, " + "))
	if whole {
		text += fmt.Sprintf(": %s, %s", phrase.Units(int64(len(c.Files)), "files"), phrase.Bytes(c.Bytes()))
	}
	text += "."
	if whole && len(c.Files) > 0 && c.Files[0].Role == state.Zip {
		text += " The zip names SST files in SSTs."
	}
	return text
}

// fileName is the name of a state file in a sentence: an id in it is cut.
func fileName(f state.File) string { return phrase.Middle(kit.Safe(f.Name()), 24) }

// changesOf names the files of changes from one version to another: "deltas 23 to 26", "changelog 5".
func changesOf(r *storeRow, first, last int64) string {
	one, several := "delta %d", "deltas %d to %d"
	if stepRole(r) != state.Delta {
		one, several = "changelog %d", "changelogs %d to %d"
	}
	if first == last {
		return fmt.Sprintf(one, first)
	}
	return fmt.Sprintf(several, first, last)
}

// free reports whether there is a way to a restart that loses nothing.
func (x *model) free() bool {
	way := x.s.Verdict.Recover.Cheapest()
	return way != nil && way.Free()
}

// rollBack is the way back to an older batch; nil if there is none, or one that costs nothing.
func (x *model) rollBack() *checks.Recovery {
	ways := x.s.Verdict.Recover.Ways
	if x.free() {
		return nil
	}
	for i := range ways {
		if ways[i].Way == checks.RollBack {
			return &ways[i]
		}
	}
	return nil
}

// lossFacts are which versions still load, and what going back to one costs.
func (x *model) lossFacts(r *storeRow) (f page.Facts) {
	if r.load == nil || x.past() || !x.broken(r) || x.free() {
		return f
	}
	say := func(name, text, dim string) {
		f.Rows = append(f.Rows, page.Fact{Name: name, Text: page.Text{{Text: text}, {Role: phrase.Dim, Text: dim}}})
	}
	if !r.whole() && r.load.Loadable > 0 {
		say("newest here", fmt.Sprint(r.load.Loadable), fmt.Sprintf("  written by batch %d", r.load.Loadable-1))
	}
	way := x.rollBack()
	if way == nil {
		for _, n := range x.s.Verdict.Recover.Not {
			if n.Way == checks.RollBack {
				say("rollback", "not possible: "+kit.Prose(n.Because), "")
			}
		}
		return f
	}
	say("newest, all", fmt.Sprint(way.To+1), fmt.Sprintf("  written by batch %d", way.To))
	say("rollback", x.rollBackWords(way), "")
	return f
}

// also says what else the folder contains.
func (x *model) also(r *storeRow) string {
	if r.store == nil {
		return ""
	}
	var parts []string
	if r.tables != "" {
		switch t, ok := x.sizes[r.tables]; {
		case t.err != nil:
			parts = append(parts, "SSTs could not be listed: "+kit.Safe(t.err.Error()))
		case ok:
			parts = append(parts, fmt.Sprintf("%s in SSTs, %s, shared by the zips", phrase.Units(int64(t.files), "SST files"), phrase.Bytes(t.bytes)))
		}
	}
	n := 0
	for _, e := range r.store.Others {
		if !e.Dir {
			n++
		}
	}
	if n > 0 {
		parts = append(parts, phrase.Units(int64(n), "files")+" Spark does not load")
	}
	if len(parts) == 0 {
		return ""
	}
	return "Also here: " + strings.Join(parts, " · ")
}

// ---- what to do

// todoPanel has the steps of the verdict, if the row is broken; else it is nil.
func (x *model) todoPanel(r *storeRow) *kit.Panel {
	if x.past() || !x.broken(r) {
		return nil
	}
	return x.stepsPanel()
}

// stepsPanel has the steps of the verdict; nil if there are none.
func (x *model) stepsPanel() *kit.Panel {
	steps := page.StepsOf(&x.s.Verdict.Advice)
	if len(steps.Items) == 0 {
		return nil
	}
	return &kit.Panel{ID: "todo", Title: "What to do", Rank: 3, Least: 4,
		Text: func(w int) []string { return x.s.Theme.Draw(min(w, measure), steps) },
		Fold: func(int) string {
			return x.s.WithKeys("What to do: "+phrase.Units(int64(len(steps.Items)), "steps")+" (%s)", kit.Keys.Pane)
		}}
}

// ---- the operator

// operatorPanel says what is known of the operator of a row.
func (x *model) operatorPanel(r *storeRow) *kit.Panel {
	return &kit.Panel{ID: "operator", Title: fmt.Sprintf("Operator %d", r.Operator), Right: x.s.Theme.Dim.Styled(r.op.Dir), Rank: 3,
		Text: func(w int) []string { return x.operatorWords(r, min(w, measure)) },
		Fold: func(int) string { return r.text }}
}

func (x *model) operatorWords(r *storeRow, w int) []string {
	t, op := &x.s.Theme, r.op
	facts := page.Operator(op)
	facts.Rows = append(facts.Rows, x.skew(r.Operator)...)
	lines := t.Draw(w, facts)
	lines = append(lines, t.Draw(w, page.OperatorProblems(op)...)...)
	for i := range x.flaws[op.Dir] {
		lines = append(lines, x.findingLines(x.flaws[op.Dir][i].Finding, w)...)
	}
	return lines
}

// skew says how the sizes of the stores of an operator differ, each name for itself.
func (x *model) skew(operator int) (rows []page.Fact) {
	var total int64
	say := func(name, text string) { rows = append(rows, page.Fact{Name: name, Text: page.Plain(text)}) }
	for _, s := range x.spreads {
		if s.operator == operator {
			total += s.total
		}
	}
	say("size", phrase.Bytes(total)+", all versions together")
	for _, s := range x.spreads {
		if s.operator != operator || s.stores < 2 {
			continue
		}
		text := fmt.Sprintf("%s to %s, median %s", phrase.Bytes(s.least), phrase.Bytes(s.most), phrase.Bytes(s.median))
		if s.least == s.most {
			text = "all " + phrase.Bytes(s.most)
		}
		if s.median > 0 && s.most >= 4*s.median {
			text += fmt.Sprintf("; the largest is %d × the median", s.most/s.median)
		}
		name := "per store"
		if s.name != "default" && s.name != "" {
			text = kit.Safe(s.name) + ": " + text
		}
		say(name, text)
	}
	return rows
}

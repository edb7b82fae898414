package findings

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

func (f *model) View(w, h int) []string {
	t := &f.s.Theme
	list := f.Panel(t, f, f.summary())
	if f.Len() == 0 {
		list = &kit.Panel{ID: kit.ListID, Title: f.Name, Text: f.empty}
		return f.Board.View(t, w, h, list)
	}
	about, todo := f.about(h >= kit.Roomy), f.todo()
	about.Least, about.Rank = 3, 2
	kit.RoomForSteps(list, todo, f.len(), w, h)
	switch related := f.related(); {
	case w >= kit.ThreeColumns && related != nil:
		return f.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{1, 1, 1}, about, todo, related)))
	case w >= kit.TwoColumns:
		return f.Board.View(t, w, h, kit.Stack(list, kit.Across([]int{1, 1}, about, todo), related))
	}
	return f.Board.View(t, w, h, kit.Stack(list, about, todo))
}

// summary is the order of the list, and how many checks did not run.
func (f *model) summary() string {
	parts := []string{orders[f.order].name}
	if f.back {
		parts[0] += ", reversed"
	}
	n := 0
	for i := range f.skipped {
		n += len(f.skipped[i].codes)
	}
	if n > 0 {
		parts = append(parts, phrase.Units(int64(n), "checks")+" not run")
	}
	if !f.s.Verdict.Done {
		parts = append(parts, "… so far")
	}
	return strings.Join(parts, " · ")
}

// empty says that nothing was found, and how far that goes.
func (f *model) empty(w int) []string {
	v := &f.s.Verdict
	head := page.Tally(v)
	switch {
	case !v.Done:
		head = append(page.Plain("So far: "), head...)
	case !v.Open():
		head = append(head, page.Span{Text: ". All checks ran, and they read everything they need."})
	}
	return f.s.Theme.Draw(min(w, kit.Measure), page.Paragraph{Text: head})
}

// about is the panel of what was found, what that means, and where it shows.
func (f *model) about(roomy bool) *kit.Panel {
	found, not, gone := f.selected()
	p := &kit.Panel{ID: "about", Title: "Finding", Fold: func(int) string { return f.fold() }}
	switch {
	case not != nil:
		p.Title, p.Sign = "Not checked", phrase.NotRun
		p.Text = func(w int) []string { return f.s.Theme.Draw(min(w, kit.Measure), f.notRunWords(not)...) }
		return p
	case found == nil && gone == nil:
		p.Text = func(int) []string {
			return []string{f.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
		}
		return p
	case found == nil:
		found = gone
	}
	sign := phrase.Severities.Of(found.Severity.String())
	p.Title, p.Sign, p.Right = found.Code, sign, f.s.Theme.Dim.Styled(sign.Word)
	p.Text = func(w int) []string {
		return f.s.Theme.Draw(min(w, kit.Measure), findingWords(found, gone != nil, roomy)...)
	}
	return p
}

// fold is the selected finding in a line.
func (f *model) fold() string {
	found, _, gone := f.selected()
	if gone != nil {
		found = gone
	}
	if found == nil {
		return ""
	}
	sign := phrase.Severities.Of(found.Severity.String())
	return f.s.Theme.Role(sign.Role).Styled(sign.Symbol) + " " + found.Code + " " + f.s.Theme.Dim.Styled(kit.Prose(found.Title))
}

// findingWords are a finding in full: what is so, what that means, and where.
func findingWords(x *checks.Finding, gone, roomy bool) []page.Block {
	var blocks []page.Block
	gap := func() {
		if roomy {
			blocks = append(blocks, page.Blank{})
		}
	}
	if gone {
		before := page.Span{Role: phrase.Dim, Text: "The last check did not find this any more. It said:"}
		blocks = append(blocks, page.Paragraph{Text: page.Text{before}})
	}
	blocks = append(blocks, page.Paragraph{Text: page.Text{{Role: phrase.Strong, Text: phrase.Sentence(phrase.Prose(x.Title))}}})
	if x.Evidence != "" {
		blocks = append(blocks, page.Paragraph{Text: page.Plain(phrase.Sentence(kit.Safe(x.Evidence)))})
	}
	if x.Meaning != "" {
		gap()
		blocks = append(blocks, page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: phrase.Prose(x.Meaning)}}})
	}
	gap()
	facts := page.Facts{Rows: []page.Fact{{Name: "evidence", Text: page.Plain(page.FindingPlace(x))}}}
	if text := page.Salvaged(x); text != "" {
		facts.Rows = append(facts.Rows, page.Fact{Name: "still reads", Text: page.Plain(text)})
	}
	return append(blocks, facts)
}

// todo is the panel of what to do about the selected row.
func (f *model) todo() *kit.Panel {
	p := f.s.StepsPanel(f.steps(), "Nothing to do about this.")
	if len(f.steps().Items) > 0 {
		p.Right, p.Opens = f.s.Theme.Dim.Styled("copy"), kit.Keys.Copy
	}
	return p
}

func (f *model) steps() page.Steps {
	switch found, not, _ := f.selected(); {
	case found != nil:
		return page.StepsFrom(found.NextStep, found.Avoid)
	case not != nil && f.wanted(not) != nil:
		return page.Steps{Items: []page.Step{f.s.TellStep(f.wanted(not))}}
	}
	return page.Steps{}
}

// ---- what did not run

// wanted is what gives these checks what they need; nil where nothing can.
func (f *model) wanted(x *skipped) *kit.Wanted { return f.s.WantedFor(x.of.Needs) }

// lacks is what these checks need, in a cell.
func (f *model) lacks(x *skipped) string {
	if w := f.wanted(x); w != nil {
		return w.Brief + ": " + f.s.HowTo(w)
	}
	return kit.Safe(page.Needs(x.of))
}

// notRunWords say which checks did not run, and why.
func (f *model) notRunWords(x *skipped) []page.Block {
	var blocks []page.Block
	if len(x.codes) > 0 {
		head := page.Span{Role: phrase.Strong, Text: phrase.Units(int64(len(x.codes)), "checks") + " did not run:"}
		blocks = append(blocks, page.Paragraph{Text: page.Text{head, {Text: " " + kit.Safe(strings.Join(x.codes, ", ")) + "."}}})
	}
	if f.wanted(x) == nil {
		blocks = append(blocks, page.Paragraph{Text: page.Plain(phrase.Sentence(phrase.Prose(x.of.Needs)))})
	}
	return append(blocks, page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: "Nothing that was not checked counts as healthy."}}})
}

// ---- what is related

// relatedBars is how many partitions are shown next to a finding about a source.
const relatedBars = 3

// related is the panel with the ranges of the partitions that lost something, next to a finding about a source; nil for others.
func (f *model) related() *kit.Panel {
	found, _, _ := f.selected()
	kept := f.s.Verdict.Kept
	if found == nil || kept == nil || !strings.HasPrefix(found.Code, "source-") {
		return nil
	}
	var names []string
	var bars []kit.RangeBar
	for i := range kept.Sources {
		k := &kept.Sources[i]
		for j := range k.Reads {
			if p := &k.Reads[j]; p.State.Lost() {
				names = append(names, page.PartName(&f.s.Verdict, k.Recorded.Index, p.Name))
				bars = append(bars, kit.RangeBarOf(&f.s.Verdict, k, p, f.reads(k.Recorded.Index, p.Name)))
			}
		}
	}
	if len(bars) == 0 {
		return nil
	}
	return &kit.Panel{ID: "related", Title: "What the sources lost", Right: kit.RangeLegend(&f.s.Theme), Opens: kit.Keys.Replay, Rank: 3,
		Text: func(w int) []string { return f.barLines(names, bars, w) }}
}

// reads is what a restart reads of a part; nil where that is not known.
func (f *model) reads(source int, part string) *checks.Range {
	all := f.s.Verdict.Restart.Ranges
	i := slices.IndexFunc(all, func(r checks.Range) bool { return r.Source == source && r.Part == part })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// barLines are the first bars under their names, in lines of w cells.
func (f *model) barLines(names []string, bars []kit.RangeBar, w int) (lines []string) {
	t := &f.s.Theme
	width := 0
	for _, name := range names[:min(len(names), relatedBars)] {
		width = max(width, min(phrase.Width(name), w/4))
	}
	for i := range bars[:min(len(bars), relatedBars)] {
		bar, joints, words := bars[i].Draw(t, min(w-width-2, kit.Measure))
		indent := phrase.Blanks(width + 2)
		lines = append(lines, phrase.Fit(phrase.Middle(names[i], width), width)+"  "+bar, indent+joints, indent+words)
	}
	if more := len(bars) - relatedBars; more > 0 {
		lines = append(lines, t.Dim.Styled(fmt.Sprintf("… %s more, worst first in Replay", phrase.Units(int64(more), "partitions"))))
	}
	return lines
}

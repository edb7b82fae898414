package explain

import (
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/trace"
	"tidemark/ui/kit"
)

// The panels.
const (
	pastedID = "pasted"
	meansID  = "means"
	behindID = "behind"
)

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	switch {
	case x.taking:
		return x.Board.View(t, w, h, kit.Stack(x.wanted(), x.typing(h)))
	case x.said == nil:
		return x.Board.View(t, w, h, kit.Stack(x.paper(true), x.waiting()))
	}
	pasted, means, behind := x.paper(h >= kit.Roomy), x.means(h >= kit.Roomy), x.behind()
	todo := x.s.StepsPanel(page.StepsFrom(x.said.Next, x.said.Avoid), "Nothing to do about this.")
	todo.Right, todo.Opens = t.Dim.Styled("copy"), kit.Keys.Copy
	switch {
	case w >= kit.ThreeColumns:
		return x.Board.View(t, w, h, kit.Across([]int{1, 1, 1}, pasted, means, kit.Stack(todo, behind)))
	case w >= kit.TwoColumns:
		means.Least = 8
		return x.Board.View(t, w, h, kit.Stack(kit.Across([]int{1, 1}, pasted, means), todo, behind))
	}
	kit.RoomForSteps(means, todo, h/2, w, h)
	pasted.Rank, pasted.Least = 2, 2
	return x.Board.View(t, w, h, kit.Stack(pasted, means, todo, behind))
}

// waiting says why there is no explanation yet.
func (x *model) waiting() *kit.Panel {
	text := "… comparing it with the checkpoint"
	if x.s.Err != nil && x.s.Checkpoint == nil {
		text = x.s.WithKeys("Not compared: the checkpoint could not be read. %s tries again.", kit.Keys.Reread)
	}
	return &kit.Panel{ID: meansID, Title: "What it means here", Text: func(w int) []string { return phrase.Wrap(text, w) }}
}

// paper is a panel with the text that was pasted, or where there is little room with its exceptions. The files of the checkpoint
// that it names are marked.
func (x *model) paper(roomy bool) *kit.Panel {
	t := &x.s.Theme
	all := strings.Split(strings.TrimRight(string(x.paste), "\n"), "\n")
	count := int64(len(all))
	if !roomy && x.said != nil && len(x.said.Chain) > 0 {
		all = nil
		for i, e := range x.said.Chain {
			all = append(all, map[bool]string{true: "Caused by: "}[i > 0]+phrase.Prose(e.String()))
		}
	}
	return &kit.Panel{ID: pastedID, Title: "Pasted error", Right: t.Dim.Styled(phrase.Units(count, "lines")), Least: 3, Rank: 3,
		Text: func(w int) (lines []string) {
			for _, l := range all {
				for _, part := range broken(kit.Safe(strings.ReplaceAll(l, "\t", "  ")), w) {
					lines = append(lines, x.marked(part))
				}
			}
			return lines
		}}
}

// broken is a line in parts of no more than w cells; those after the first are indented.
func broken(line string, w int) []string {
	parts := phrase.Wrap(line, max(w-2, 8))
	for i := range parts {
		if i > 0 || strings.HasPrefix(line, " ") {
			parts[i] = "  " + parts[i]
		}
	}
	if len(parts) == 0 {
		return []string{""}
	}
	return parts
}

// marked is a line of the paste, with the files that it names marked.
func (x *model) marked(line string) string {
	t := &x.s.Theme
	if x.said != nil {
		for _, f := range x.said.Files {
			name := kit.Safe(f.Name)
			if i := strings.Index(line, name); i >= 0 && name != "" {
				return t.Dim.Styled(line[:i]) + t.Marked.Styled(name) + t.Dim.Styled(line[i+len(name):])
			}
		}
	}
	return t.Dim.Styled(line)
}

// means is a panel with what the error says, what the checkpoint shows there, and whether the two agree.
func (x *model) means(roomy bool) *kit.Panel {
	return &kit.Panel{ID: meansID, Title: "What it means here", Least: 4, Text: func(w int) []string {
		w = min(w, kit.Measure)
		lines := x.sections(w, roomy, "another-query")
		lines = append(lines, x.s.Theme.Draw(w, x.agreement()...)...)
		if roomy {
			lines = append(lines, "")
		}
		return append(lines, x.sections(w, roomy, "error", "places")...)
	}}
}

// agreements are the signs of whether the checkpoint agrees with an error.
var agreements = map[trace.Agreement]phrase.Sign{
	trace.Agrees:     {Symbol: "✓", Role: phrase.Good, Word: "The checkpoint agrees."},
	trace.Disagrees:  {Symbol: "!", Role: phrase.Warn, Word: "The checkpoint does not agree."},
	trace.CannotTell: {Symbol: "?", Role: phrase.Open, Word: "The checkpoint cannot confirm it."},
}

// agreement is whether the checkpoint agrees with the error, why, and the findings about it.
func (x *model) agreement() []page.Block {
	sign := agreements[x.said.Agreement]
	blocks := []page.Block{page.Paragraph{Mark: page.Span{Role: sign.Role, Text: sign.Symbol}, Text: page.Text{{Role: sign.Role, Text: sign.Word}}},
		page.Paragraph{Text: page.Plain(phrase.Prose(x.said.Because))}}
	var facts page.Facts
	for i := range x.said.Findings {
		f := &x.said.Findings[i]
		severity := phrase.Severities.Of(f.Severity.String())
		facts.Rows = append(facts.Rows, page.Fact{Name: "finding", Text: page.Text{{Text: f.Code + " "}, {Role: severity.Role, Text: severity.Word}}})
	}
	if len(facts.Rows) > 0 {
		blocks = append(blocks, facts)
	}
	return blocks
}

// behind is a panel with what Spark checks, and what the error proves.
func (x *model) behind() *kit.Panel {
	return &kit.Panel{ID: behindID, Title: "How Spark gets there", Rank: 4, Least: 3, Text: func(w int) []string {
		return x.sections(min(w, kit.Measure), false, "behind", "notes")
	}}
}

// sections draws sections of the explanation in lines of w cells, without their titles.
func (x *model) sections(w int, roomy bool, keys ...string) []string {
	var blocks []page.Block
	sections := page.Explanation(x.said).Sections
	for _, key := range keys {
		i := slices.IndexFunc(sections, func(s page.Section) bool { return s.Key == key })
		if i < 0 || len(sections[i].Blocks) == 0 {
			continue
		}
		if len(blocks) > 0 && roomy {
			blocks = append(blocks, page.Blank{})
		}
		if key == "another-query" || key == "notes" {
			blocks = append(blocks, page.Paragraph{Text: page.Text{{Role: phrase.Strong, Text: sections[i].Title + "."}}})
		}
		blocks = append(blocks, sections[i].Blocks...)
	}
	return x.s.Theme.Draw(w, blocks...)
}

// ---- the paste

const (
	wantedText = "Paste a stack trace, a part of a log, or the message alone. tidemark compares it with what the checkpoint shows now."
	wantedKeys = "Press enter after a paste. After typed text press ctrl+d, or enter on an empty line. ctrl+u clears, esc leaves."
)

// wanted says what to paste, and how.
func (x *model) wanted() *kit.Panel {
	return &kit.Panel{ID: "wanted", Title: "Explain a Spark error", Text: func(w int) []string {
		blocks := []page.Block{
			page.Paragraph{Text: page.Plain(wantedText)},
			page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: wantedKeys}}},
		}
		if x.err != nil {
			blocks = append(blocks, page.Paragraph{Mark: page.Span{Role: phrase.Warn, Text: "!"}, Text: page.Text{{Role: phrase.Warn, Text: phrase.Prose(phrase.Sentence(x.err.Error()))}}})
		}
		return x.s.Theme.Draw(min(w, kit.Measure), blocks...)
	}}
}

// typing is a panel with the end of what was pasted or typed so far.
func (x *model) typing(h int) *kit.Panel {
	t, text := &x.s.Theme, string(x.paste)
	all := strings.Split(text, "\n")
	p := &kit.Panel{ID: pastedID, Title: "Pasted error", Right: t.Dim.Styled("nothing yet"), Least: 1, Grow: true}
	if text != "" {
		p.Right = t.Dim.Styled(phrase.Units(int64(len(all)), "lines") + " · " + phrase.Bytes(int64(len(text))))
	}
	p.Text = func(w int) (lines []string) {
		for _, line := range all[max(len(all)-max(h-8, 1), 0):] {
			lines = append(lines, phrase.Cut(kit.Safe(strings.ReplaceAll(line, "\t", "  ")), w-1))
		}
		lines[len(lines)-1] += "▏"
		return lines
	}
	return p
}

package kit

import (
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// How the screens draw what package page says.

// Role is the style of what a piece of text is for.
func (t *Theme) Role(r phrase.Role) widget.Style {
	switch r {
	case phrase.Dim:
		return t.Dim
	case phrase.Strong:
		return t.Strong
	case phrase.Title:
		return t.Strong
	case phrase.Key:
		return t.Accent
	case phrase.Plot:
		return t.Plot
	case phrase.Bad:
		return t.Bad
	case phrase.Warn:
		return t.Warn
	case phrase.Good:
		return t.Good
	case phrase.Info:
		return t.Info
	case phrase.Open:
		return t.Unknown
	case phrase.Marked:
		return t.Marked
	}
	return widget.Style{}
}

// Paint is text in the style of its role.
func (t *Theme) Paint(r phrase.Role, text string) string { return t.Role(r).Styled(text) }

// Layout draws pages in lines of no more than w cells.
func (t *Theme) Layout(w int) page.Layout {
	return page.Layout{Style: t, Width: max(w, 1), ASCII: t.Ascii, Clip: true}
}

// Draw draws blocks in lines of no more than w cells, at the left edge.
func (t *Theme) Draw(w int, blocks ...page.Block) []string {
	l := t.Layout(w)
	return l.Blocks(blocks...)
}

// Rows draws the rows of facts or ranges, each in lines of no more than w cells.
func (t *Theme) Rows(w int, b page.Block) [][]string { return t.Layout(w).Rows(b) }

// DrawSection draws a section under its title, in lines of no more than w cells.
func (t *Theme) DrawSection(w int, s page.Section) []string {
	l := t.Layout(w)
	return l.Section(&s)
}

// Say draws a section in the place of a screen: its title one cell in, where it has one, and its blocks three.
func (t *Theme) Say(w int, s page.Section) []string {
	l := t.inPlace(w)
	if s.Title == "" {
		return l.Blocks(s.Blocks...)
	}
	return l.Section(&s)
}

// SayAll draws the sections of a page in the place of a screen.
func (t *Theme) SayAll(w int, sections ...page.Section) []string {
	return t.inPlace(w).Lines(page.Page{Sections: sections})
}

func (t *Theme) inPlace(w int) page.Layout {
	l := t.Layout(w)
	l.Margin, l.Indent = 1, 3
	return l
}

// Cell is a cell of a page as one of a table with a cursor. What is not worth drawing of a long text is cut off.
func (t *Theme) Cell(c page.Cell) widget.Cell {
	text := Safe(c.Text)
	if c.Mark != "" {
		text = c.Mark + " " + text
	}
	return widget.Cell{Text: t.Signs(text), Style: t.Role(c.Role)}
}

// Signs writes our signs as the terminal can draw them, before anything is measured: "≤" becomes "<=".
func (t *Theme) Signs(text string) string {
	if t.Ascii {
		return phrase.ASCII(text)
	}
	return text
}

// Fit is a line in exactly w cells, with the signs that the terminal can draw.
func (t *Theme) Fit(line string, w int) string {
	if t.Ascii {
		if line = t.Plain(line); phrase.Width(line) > w {
			line = phrase.Head(line, w)
		}
	}
	return phrase.Fit(line, w)
}

// Line is a line in no more than w cells, with the signs that the terminal can draw.
func (t *Theme) Line(line string, w int) string {
	if !t.Ascii {
		return phrase.Cut(line, w)
	}
	if line = t.Plain(line); phrase.Width(line) > w {
		return phrase.Head(line, w)
	}
	return line
}

// Nothing says why a screen has nothing to show: a head, and paragraphs below it.
func (t *Theme) Nothing(w int, head page.Text, texts ...string) []string {
	blocks := []page.Block{page.Blank{}, page.Paragraph{Text: head}}
	for _, text := range texts {
		blocks = append(blocks, page.Blank{}, page.Paragraph{Text: page.Plain(text)})
	}
	l := t.Layout(w - 3)
	l.Indent = 3
	return l.Blocks(blocks...)
}

// NothingMatches is what a list says that a filter leaves nothing of.
func (s *Session) NothingMatches() []string {
	return []string{"", s.WithKeys("Nothing matches. %s shows all again.", Keys.Back)}
}

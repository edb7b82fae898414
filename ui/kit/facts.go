package kit

import (
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Facts are names with what they are, one below the other, as the text of a panel. The zero Facts has none.
type Facts struct{ rows []fact }

// fact is one of them.
type fact struct {
	name, text string
	style      widget.Style // of the text
	whole      bool         // the text is styled already and stays on one line
}

// Say adds a fact. Its text is wrapped.
func (f *Facts) Say(name, text string) { f.rows = append(f.rows, fact{name: name, text: text}) }

// Tell adds a fact in a style.
func (f *Facts) Tell(name, text string, style widget.Style) {
	f.rows = append(f.rows, fact{name: name, text: text, style: style})
}

// Line adds a fact on one line, whose text is styled already.
func (f *Facts) Line(name, styled string) {
	f.rows = append(f.rows, fact{name: name, text: styled, whole: true})
}

// Room is how many cells of w are left to the texts.
func (f *Facts) Room(w int, names ...string) int {
	n := 0
	for _, name := range names {
		n = max(n, phrase.Width(name))
	}
	for i := range f.rows {
		n = max(n, phrase.Width(f.rows[i].name))
	}
	return max(w-n-2, 8)
}

// Lines are the facts in lines of w cells.
func (f *Facts) Lines(t *Theme, w int) (lines []string) {
	room := f.Room(w)
	label := w - room
	for i := range f.rows {
		r := &f.rows[i]
		name := t.Dim.Styled(phrase.Fit(r.name, label))
		texts := []string{r.text}
		if !r.whole {
			texts = StyledLines(r.style, phrase.Wrap(t.Signs(r.text), room))
		}
		for _, text := range texts {
			lines = append(lines, name+text)
			name = phrase.Blanks(label)
		}
	}
	return lines
}

// Progress is a bar of w cells for n of all, whose rest is dashed.
func (t *Theme) Progress(n, all int64, w int) string {
	full := 0
	if all > 0 {
		full = int(min(n, all) * int64(w) / all)
	}
	return t.Accent.Styled(strings.Repeat("━", full)) + t.Edge.Styled(strings.Repeat("╌", max(w-full, 0)))
}

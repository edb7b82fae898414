package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tidemark/internal/phrase"
)

// Style draws a piece of text as its role looks: with the codes of a terminal, or as it is.
type Style interface {
	Paint(role phrase.Role, text string) string
}

// Layout draws pages as lines. Widths are terminal cells.
type Layout struct {
	Style  Style
	Width  int  // of a line
	Margin int  // before the titles of sections
	Indent int  // before the blocks of sections that have a title
	ASCII  bool // plain ASCII for our own signs
	Clip   bool // nothing may be wider than Width: long words are broken, and cells cut, as are texts longer than enough
}

// enough is how many bytes of one text are worth drawing where the layout clips.
const enough = 4096

// labelLimit is how wide the names of facts get; a longer one has a line of its own.
const labelLimit = 14

// Lines draws a page: its title, then its sections with an empty line before each.
func (l Layout) Lines(p Page) []string {
	var lines []string
	if p.Title != "" {
		lines = append(lines, l.paint(phrase.Strong, l.sign(p.Title)))
	}
	if p.Subtitle != "" {
		lines = append(lines, l.hang("", "", Plain(p.Subtitle))...)
	}
	for i := range p.Sections {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, l.Section(&p.Sections[i])...)
	}
	return lines
}

// Section draws a section under its title.
func (l Layout) Section(s *Section) []string {
	var lines []string
	if s.Title == "" {
		l.Indent = 0
	} else {
		lines = append(lines, spaces(l.Margin)+l.paint(phrase.Title, l.sign(s.Title)))
	}
	return append(lines, l.Blocks(s.Blocks...)...)
}

// Blocks draws blocks one below the other.
func (l Layout) Blocks(blocks ...Block) []string {
	var lines []string
	for _, b := range blocks {
		switch b := b.(type) {
		case Paragraph:
			lines = append(lines, l.paragraph(b)...)
		case Facts:
			lines = append(lines, l.facts(b)...)
		case Table:
			lines = append(lines, l.table(b)...)
		case Steps:
			lines = append(lines, l.steps(b)...)
		case Ranges:
			lines = append(lines, l.ranges(b)...)
		case Code:
			lines = append(lines, l.code(b)...)
		case Blank:
			lines = append(lines, "")
		}
	}
	return lines
}

// Rows draws a block of rows that say nothing together: the lines of each row. It is for whoever lets a cursor go over them.
func (l Layout) Rows(b Block) (rows [][]string) {
	switch b := b.(type) {
	case Facts:
		return l.factRows(b)
	case Ranges:
		for _, line := range l.ranges(Ranges{Rows: b.Rows, Level: b.Level}) {
			rows = append(rows, []string{line})
		}
	}
	return rows
}

func (l *Layout) paint(role phrase.Role, text string) string {
	if l.Style == nil || role == phrase.Plain || text == "" {
		return text
	}
	return l.Style.Paint(role, text)
}

// sign writes our signs as the terminal can draw them, and as much of a text as is worth it.
func (l *Layout) sign(text string) string {
	if l.Clip && len(text) > enough {
		at := enough
		for !utf8.RuneStart(text[at]) {
			at--
		}
		text = text[:at] + "…"
	}
	if l.ASCII {
		return phrase.ASCII(text)
	}
	return text
}

func (l *Layout) indent(level int) string { return spaces(l.Indent + 2*level) }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// paragraph hangs a text behind its mark.
func (l *Layout) paragraph(p Paragraph) []string {
	first := l.indent(p.Level)
	rest := first
	if mark := l.sign(p.Mark.Text); mark != "" {
		rest += spaces(phrase.Width(mark) + 1)
		first += l.paint(p.Mark.Role, mark) + " "
	}
	if p.Whole {
		return []string{first + l.whole(p.Text)}
	}
	return l.hang(first, rest, p.Text)
}

// whole draws a text on one line.
func (l *Layout) whole(t Text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(l.paint(s.Role, l.sign(s.Text)))
	}
	return b.String()
}

// hang breaks a text between words: its first line stands after first, the others after rest. Both are as wide.
func (l *Layout) hang(first, rest string, t Text) []string {
	room := l.Width - phrase.Width(rest)
	var lines []string
	for i, line := range l.wrap(t, room) {
		if i > 0 {
			first = rest
		}
		lines = append(lines, first+l.whole(line))
	}
	if lines == nil {
		return []string{strings.TrimRight(first, " ")}
	}
	return lines
}

// wrap breaks a text into lines of no more than room cells, between words. A word that is longer than a line is a path or
// a number that someone copies: it is broken only where the layout clips.
func (l *Layout) wrap(t Text, room int) []Text {
	var lines []Text
	var line Text
	for _, word := range l.words(t) {
		switch {
		case line == nil:
			line = word
		case phrase.Width(line.String()+" "+word.String()) <= room: // as a whole: a mark at the start of a word joins the blank
			line = joined(line, word)
		default:
			lines, line = append(lines, line), word
		}
		for l.Clip && phrase.Width(line.String()) > room {
			head, tail := line.cut(room)
			if len(head) == 0 {
				break
			}
			lines, line = append(lines, head), tail
		}
	}
	if line != nil {
		lines = append(lines, line)
	}
	return lines
}

// words are what stands between the blanks of a text. A word has several spans where its role changes within it.
func (l *Layout) words(t Text) []Text {
	var all []Text
	apart := true // what follows begins a word
	for _, s := range t {
		text := l.sign(s.Text)
		if text == "" {
			continue
		}
		apart = apart || text[0] == ' '
		for word := range strings.FieldsSeq(text) {
			if apart {
				all = append(all, Text{{s.Role, word}})
			} else {
				last := &all[len(all)-1]
				*last = append(*last, Span{s.Role, word})
			}
			apart = true
		}
		apart = strings.HasSuffix(text, " ")
	}
	return all
}

// joined is a line with a word behind a blank. Neighbors of one role become one span, so that they are painted as one.
func joined(line, word Text) Text {
	last := &line[len(line)-1]
	if last.Role == word[0].Role {
		last.Text += " " + word[0].Text
		return append(line, word[1:]...)
	}
	switch phrase.Plain { // the blank between them has no style
	case last.Role:
		last.Text += " "
	case word[0].Role:
		word[0].Text = " " + word[0].Text
	default:
		line = append(line, Span{Text: " "})
	}
	return append(line, word...)
}

// cut parts a line after as much as fits in room cells.
func (t Text) cut(room int) (head, tail Text) {
	used := 0
	for i, s := range t {
		n := phrase.Width(s.Text)
		if used+n <= room {
			used += n
			continue
		}
		part := phrase.Head(s.Text, room-used)
		head = append(head, t[:i]...)
		if part != "" {
			head = append(head, Span{s.Role, part})
		}
		return head, append(Text{{s.Role, s.Text[len(part):]}}, t[i+1:]...)
	}
	return t, nil
}

// facts stand in columns: mark, name, value, and the text that hangs behind them.
func (l *Layout) facts(f Facts) []string { return slices.Concat(l.factRows(f)...) }

// factRows are the lines of each fact.
func (l *Layout) factRows(f Facts) [][]string {
	mark, name, value := 0, 0, 0
	for i := range f.Rows {
		r := &f.Rows[i]
		mark, value = max(mark, phrase.Width(l.sign(r.Mark.Text))), max(value, phrase.Width(r.Value.Text))
		if n := phrase.Width(r.Name); n <= labelLimit {
			name = max(name, n)
		}
	}
	var rows [][]string
	for i := range f.Rows {
		rows = append(rows, l.fact(&f.Rows[i], l.indent(f.Level), mark, name, value))
	}
	return rows
}

func (l *Layout) fact(r *Fact, indent string, mark, name, value int) []string {
	first, at := indent, phrase.Width(indent)
	column := func(role phrase.Role, text string, width, gap int) {
		if width > 0 {
			first += l.paint(role, text) + spaces(width-phrase.Width(text)+gap)
			at += width + gap
		}
	}
	column(r.Mark.Role, l.sign(r.Mark.Text), mark, 1)
	if phrase.Width(r.Name) > name {
		head := first + l.paint(phrase.Dim, l.middle(r.Name, l.Width-at))
		first = indent
		at = phrase.Width(indent)
		column(phrase.Plain, "", mark, 1)
		column(phrase.Plain, "", name, 2)
		column(phrase.Plain, "", value, 2)
		return append([]string{head}, l.hang(first, spaces(at), r.Text)...)
	}
	column(phrase.Dim, r.Name, name, 2)
	column(r.Value.Role, r.Value.Text, value, 2)
	return l.hang(first, spaces(at), r.Text)
}

// steps are numbered; the last line is what must not be done.
func (l *Layout) steps(s Steps) []string {
	var lines []string
	for i, step := range s.Items {
		text := Plain(phrase.Sentence(step.Do))
		if step.If != "" {
			text = Text{{phrase.Strong, step.If + ":"}, {phrase.Plain, " " + strings.TrimSuffix(step.Do, ".") + "."}}
		}
		lines = append(lines, l.paragraph(Paragraph{Mark: Span{phrase.Key, fmt.Sprint(i + 1)}, Text: text})...)
	}
	if s.Never != "" {
		text := Text{{phrase.Bad, "Never"}, {phrase.Plain, " " + s.Never + "."}}
		lines = append(lines, l.paragraph(Paragraph{Mark: Span{phrase.Bad, "✗"}, Text: text})...)
	}
	return lines
}

// ranges stand in columns; what they are together stands behind the last one where there is room.
func (l *Layout) ranges(r Ranges) []string {
	if len(r.Rows) == 0 && r.More == "" {
		return nil
	}
	indent := l.indent(r.Level)
	room := l.Width - len(indent)
	name, from, to, amount := 0, 0, 0, 0
	for i := range r.Rows {
		x := &r.Rows[i]
		name, from, to, amount = max(name, phrase.Width(x.Name)), max(from, phrase.Width(l.sign(x.From))),
			max(to, phrase.Width(l.sign(x.To))), max(amount, phrase.Width(l.sign(x.Amount)))
	}
	if l.Clip {
		name, from, to = min(name, max(room/3, 8)), min(from, max(room/5, 6)), min(to, max(room/5, 6))
	}
	var lines []string
	for i := range r.Rows {
		x := &r.Rows[i]
		line := phrase.Fit(l.position(x.Name, name), name) + "  "
		if x.Start {
			line += "from " + phrase.FitRight(l.position(x.From, from), from)
		} else {
			line += phrase.FitRight(l.position(x.From, from), from) + l.sign(" → ") + phrase.FitRight(l.position(x.To, to), to) + "  " + phrase.FitRight(l.sign(x.Amount), amount)
		}
		lines = append(lines, l.clip(indent+line, l.Width))
	}
	if r.More != "" {
		lines = append(lines, indent+l.sign(r.More))
	}
	if r.Sum == "" {
		return lines
	}
	if last := &lines[len(lines)-1]; phrase.Width(*last)+4+phrase.Width(r.Sum) <= l.Width {
		*last += "    " + l.paint(phrase.Strong, r.Sum)
		return lines
	}
	return append(lines, l.hang(indent, indent, Text{{phrase.Strong, r.Sum}})...)
}

// position is text that is cut in its middle where it takes more than w cells.
func (l *Layout) position(text string, w int) string {
	return l.ellipsis(phrase.Middle(l.sign(text), w))
}

// middle cuts a text in its middle, where the layout clips.
func (l *Layout) middle(text string, w int) string {
	if !l.Clip {
		return text
	}
	return l.ellipsis(phrase.Middle(text, w))
}

// clip cuts a text at its end, where the layout clips.
func (l *Layout) clip(text string, w int) string {
	if !l.Clip {
		return text
	}
	return l.ellipsis(phrase.Cut(text, w))
}

// ellipsis is of one cell in plain ASCII, too: what was cut is as wide as was asked for.
func (l *Layout) ellipsis(text string) string {
	if l.ASCII {
		return strings.ReplaceAll(text, "…", "~")
	}
	return text
}

// code is a value on a line of its own; where the layout clips, on as many as it takes, cut anywhere.
func (l *Layout) code(c Code) []string {
	indent := l.indent(c.Level)
	if !l.Clip {
		return []string{indent + c.Text}
	}
	var lines []string
	for _, line := range cells(c.Text, l.Width-len(indent)) {
		lines = append(lines, indent+line)
	}
	return lines
}

// cells cuts a text into lines of w cells, wherever that falls.
func cells(text string, w int) []string {
	var lines []string
	for phrase.Width(text) > w {
		head := phrase.Head(text, w)
		if head == "" {
			break
		}
		lines, text = append(lines, head), text[len(head):]
	}
	return append(lines, text)
}

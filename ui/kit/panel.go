package kit

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Panel is a titled box of a screen: lines of text, or rows under a cursor. A screen makes its panels anew for each frame;
// what stays from frame to frame is in its Board.
type Panel struct {
	ID    string      // names it to its screen; the same in every frame
	Title string      // one to four words, sentence case
	Sign  phrase.Sign // the worst thing in it, before the title; its zero value for none
	Right string      // in the top edge: a summary or a filter, styled; "" for none
	Opens key.Binding // in the top edge: the key that opens the screen about it; its zero value for none

	// Text returns its lines of no more than w cells, styled; nil where it has rows.
	Text func(w int) []string
	Rows *Rows // nil where it has text

	Least int                // lines of its content that it needs at least; 0: all of a text, a head and three rows of a list
	Fold  func(w int) string // the one line that is left of it where there is no room; nil: it goes
	Rank  int                // how soon it gives way where there is no room: the highest first
	Grow  bool               // it takes the lines that are left over

	Unfolds bool                 // the keys go to it where it is folded, too: its screen then gives it room
	Chosen  func(x, y int) Input // what a click on its text asks for, at a cell of it; nil to give it the keys
}

// Rows are the rows of a panel.
type Rows struct {
	Cursor *widget.Cursor
	Len    int  // rows
	Head   int  // lines above the first row
	Per    int  // lines of a row; 0: 1
	Foot   int  // lines below the last row, where there is room for them
	More   bool // more are arriving
	Few    bool // they are always the same few: the edge does not count them
	// Position is in the bottom edge; "" for the row of the cursor, of all.
	Position string
	// Draw returns the head and the rows in the window of the cursor: no more than h lines, each of w cells with the
	// padding of the panel at both ends (widget.Palette.Row).
	Draw func(w, h int, blurred bool) []string
	// ColumnAt returns the column whose head is at a cell; nil where the rows have no order to choose.
	ColumnAt func(x, w int) (column int, ok bool)
}

// TableRows are the rows of a table.
func TableRows(t *widget.Table, rows widget.Rows) *Rows {
	return &Rows{Cursor: &t.Cursor, Len: t.Order.Len(rows.Len()), Head: 1, ColumnAt: t.ColumnAt,
		Draw: func(w, h int, blurred bool) []string {
			drawn := *t
			drawn.Palette.Blurred = blurred
			return drawn.View(rows, w, h)
		}}
}

// Says draws a text of w cells in the place of rows that are not there.
func (r *Rows) Says(text func(w int) []string) {
	r.Draw = func(w, h int, _ bool) []string {
		lines := text(w - 2)
		return Indent1(lines[:min(len(lines), max(h, 0))])
	}
}

func (r *Rows) per() int { return max(r.Per, 1) }

// fits is how many rows h lines have room for.
func (r *Rows) fits(h int) int { return max((h-r.Head)/r.per(), 0) }

// leastList is how many lines of a list are worth a box: its head, and three rows.
const leastList = 4

// textLines are the lines of a panel of text, made once a frame.
func (p *Panel) textLines(b *Board, w int) []string {
	if p.Text == nil {
		return nil
	}
	if at := b.frame[p]; at.lines != nil && at.w == w {
		return at.lines
	}
	lines := p.Text(max(w, 1))
	if b.frame == nil {
		b.frame = map[*Panel]textOf{}
	}
	b.frame[p] = textOf{w, lines}
	return lines
}

// textOf are the lines of a panel for a width.
type textOf struct {
	w     int
	lines []string
}

// inner are the cells of a text in a box of w cells.
func inner(w int) int { return w - 4 }

// edges is how many lines the edges of a box take: the bottom edge is left out on narrow screens.
func (b *Board) edges() int {
	if b.bare {
		return 1
	}
	return 2
}

func (p *Panel) want(b *Board, w int) int {
	if p.Rows != nil {
		return p.Rows.Head + max(p.Rows.Len, 1)*p.Rows.per() + p.Rows.Foot + b.edges()
	}
	return len(p.textLines(b, inner(w))) + b.edges()
}

// box is the smallest box that is worth drawing.
func (p *Panel) box(b *Board, w int) int {
	want := p.want(b, w)
	switch {
	case p.Least > 0:
		return min(p.Least+b.edges(), want)
	case p.Rows != nil:
		return min(leastList+b.edges(), want)
	}
	return want
}

// least is the fewest lines that it is given: those of its fold, or of its box where it must not give way.
func (p *Panel) least(b *Board, w int) int {
	switch {
	case p.Rank == 0:
		return p.box(b, w)
	case p.Fold != nil:
		return 1
	}
	return 0
}

func (p *Panel) rank() int { return p.Rank }

func (p *Panel) grows() bool { return p.Grow }

// place draws the panel at a place of its board.
func (p *Panel) place(b *Board, x, y, w, h int) string {
	switch {
	case h <= 0:
		return ""
	case h == 1 && p.Fold != nil:
		line := " " + b.theme.Fit(p.Fold(w-2), w-2) + " "
		b.placed = append(b.placed, placed{p: p, x: x, y: y, w: w, h: h, block: line, folded: true})
		return line
	}
	at := placed{p: p, x: x, y: y, w: w, h: h}
	at.focused = b.isFocused(p)
	lines := max(h-b.edges(), 0)
	var content []string
	var thumbFrom, thumbTo int
	position := ""
	if r := p.Rows; r != nil {
		r.Cursor.Height = max(r.fits(lines), 1)
		r.Cursor.Go(r.Cursor.At, r.Len)
		content = r.Draw(w-2, lines, !at.focused)
		at.overflow = r.Len > r.Cursor.Height
		thumbFrom, thumbTo = thumb(r.Cursor.Top, r.Cursor.Height, r.Len, lines)
		if position = r.Position; r.Len > 0 && !r.Few && position == "" {
			position = phrase.Count(int64(r.Cursor.At+1)) + "/" + phrase.Count(int64(r.Len))
			if r.More {
				position += "+"
			}
		}
	} else {
		all := p.textLines(b, inner(w))
		top := b.scrollTo(p.ID, b.scroll[p.ID], len(all), lines)
		at.overflow = len(all) > lines
		thumbFrom, thumbTo = thumb(top, lines, len(all), lines)
		for _, l := range all[top:min(top+lines, len(all))] {
			content = append(content, " "+b.theme.Fit(l, inner(w))+" ")
		}
	}
	at.block = b.draw(p, &at, content, position, thumbFrom, thumbTo)
	b.placed = append(b.placed, at)
	return at.block
}

// thumb are the lines of h that the scroll thumb takes: at least two of them.
func thumb(top, shown, n, h int) (from, to int) {
	if n <= shown || h <= 0 {
		return 0, 0
	}
	size := max(h*shown/n, min(2, h))
	from = (h - size) * top / max(n-shown, 1)
	return from, from + size
}

// draw returns the box, or the one that was drawn last where nothing of it has changed.
func (b *Board) draw(p *Panel, at *placed, content []string, position string, thumbFrom, thumbTo int) string {
	key := drawnKey{sign: p.Sign, title: p.Title, right: p.Right, position: position, opens: b.theme.key(p.Opens), w: at.w, h: at.h,
		focused: at.focused, bare: b.bare, thumbFrom: thumbFrom, thumbTo: thumbTo}
	if last := b.drawn[p.ID]; last != nil && last.key == key && slices.Equal(last.content, content) {
		return last.block
	}
	d := &drawnPanel{key: key, content: content}
	d.block = b.box(p, at, content, position, thumbFrom, thumbTo)
	if b.drawn == nil {
		b.drawn = map[string]*drawnPanel{}
	}
	b.drawn[p.ID] = d
	return d.block
}

// drawnPanel is a box as it was drawn last, and what it was drawn of.
type drawnPanel struct {
	key     drawnKey
	content []string
	block   string
}

type drawnKey struct {
	sign                          phrase.Sign
	title, right, position, opens string
	w, h                          int
	focused, bare                 bool
	thumbFrom, thumbTo            int
}

// thumbSign is the scroll thumb in the right edge.
const thumbSign = "┃"

// box draws a box around content.
func (b *Board) box(p *Panel, at *placed, content []string, position string, thumbFrom, thumbTo int) string {
	t := b.theme
	edge, border := t.Edge, lipgloss.RoundedBorder()
	if at.focused {
		edge = t.Accent
	}
	lines := make([]string, 0, at.h)
	lines = append(lines, b.top(p, at.w, edge, border))
	left, right, thumbLine := edge.Styled(border.Left), edge.Styled(border.Right), t.Accent.Styled(thumbSign)
	if b.bare {
		left, right = " ", " "
	}
	blank := phrase.Blanks(at.w - 2)
	for i := range max(at.h-b.edges(), 0) {
		line := blank
		if i < len(content) {
			line = t.Fit(content[i], at.w-2)
		}
		if thumbTo > 0 && i >= thumbFrom && i < thumbTo {
			lines = append(lines, left+line+thumbLine)
		} else {
			lines = append(lines, left+line+right)
		}
	}
	if !b.bare {
		lines = append(lines, bottom(position, at.w, t, edge, border))
	}
	lines = lines[:min(len(lines), at.h)]
	for i := range lines {
		lines[i] = t.Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// top is the upper edge: the sign and the title from its third cell on, and at the right the summary or the key.
func (b *Board) top(p *Panel, w int, edge widget.Style, border lipgloss.Border) string {
	t := b.theme
	title := p.Title
	right := t.Signs(p.Right)
	if k := t.Signs(t.key(p.Opens)); k != "" {
		if right != "" {
			right += " "
		}
		right += t.Accent.Styled(k)
	}
	room := w - 6
	if n := phrase.Width(right); n > 0 {
		if n > room-phrase.Width(title)-4 {
			right = phrase.Cut(right, max(room-phrase.Width(title)-6, 0))
		}
		if right != "" {
			right = " " + right + " "
		}
	}
	style := t.Strong
	if b.isFocused(p) {
		style = t.Accent
	}
	head := style.Styled(t.Plain(phrase.Cut(title, room-2)))
	if p.Sign.Symbol != "" {
		head = t.Role(p.Sign.Role).Styled(t.Plain(p.Sign.Symbol)) + " " + head
	}
	fill := max(w-5-phrase.Width(head)-phrase.Width(right)-1, 0)
	corner, end := border.TopLeft, border.TopRight
	if b.bare {
		corner, end = border.Top, border.Top
	}
	return edge.Styled(corner+border.Top) + " " + head + " " + edge.Styled(strings.Repeat(border.Top, fill)) + right + edge.Styled(border.Top+end)
}

// bottom is the lower edge, with the position at the right.
func bottom(position string, w int, t *Theme, edge widget.Style, border lipgloss.Border) string {
	if position == "" {
		return edge.Styled(border.BottomLeft + strings.Repeat(border.Bottom, max(w-2, 0)) + border.BottomRight)
	}
	fill := max(w-5-phrase.Width(position), 0)
	return edge.Styled(border.BottomLeft+strings.Repeat(border.Bottom, fill)) + " " + t.Dim.Styled(position) + " " + edge.Styled(border.Bottom+border.BottomRight)
}

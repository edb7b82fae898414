package kit

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"tidemark/ui/kit/widget"
)

// Board is what stays of the panels of a screen from frame to frame: which one has the keys, how far each text is scrolled,
// and where each was drawn last. The zero Board is ready.
type Board struct {
	Column int // that BoardSort is about

	theme  *Theme
	bare   bool // boxes have a title and no other edge
	focus  string
	scroll map[string]int // lines of texts that are scrolled away
	frame  map[*Panel]textOf
	drawn  map[string]*drawnPanel
	placed []placed // in reading order
}

// placed is a panel where it was drawn last.
type placed struct {
	p                         *Panel
	x, y, w, h                int
	focused, overflow, folded bool
	block                     string
}

// Node is a panel, or panels one below the other (Stack) or next to each other (Across).
type Node interface {
	want(b *Board, w int) int  // lines, where there is room
	least(b *Board, w int) int // the fewest lines that it is given; 0: it may go
	box(b *Board, w int) int   // the fewest lines that are more than its fold
	rank() int                 // the highest gives way first
	grows() bool
	place(b *Board, x, y, w, h int) string
}

// BareFrom is the width from which on boxes have all their edges; TwoColumns that from which on panels are next to each other;
// ThreeColumns that from which on there are three.
const (
	BareFrom     = 80
	TwoColumns   = 110
	Wide         = 140
	ThreeColumns = 200
)

// View draws the panels in h lines of w cells.
func (b *Board) View(t *Theme, w, h int, root Node) []string {
	b.theme, b.bare = t, w < BareFrom
	b.placed, b.frame = b.placed[:0], nil
	b.keepFocus(root)
	block := root.place(b, 0, 0, w, min(h, max(root.want(b, w), growing(root, h))))
	b.frame = nil
	if block == "" {
		return nil
	}
	return strings.Split(block, "\n")
}

func growing(root Node, h int) int {
	if root.grows() {
		return h
	}
	return 0
}

// ---- panels one below the other

type stack []Node

// Stack puts panels one below the other. Those that are nil are left out.
func Stack(nodes ...Node) Node { return stack(present(nodes)) }

func present(nodes []Node) []Node {
	return slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool {
		p, ok := n.(*Panel)
		return n == nil || ok && p == nil
	})
}

func (s stack) sum(of func(Node) int) (n int) {
	for _, x := range s {
		n += of(x)
	}
	return n
}

func (s stack) want(b *Board, w int) int  { return s.sum(func(n Node) int { return n.want(b, w) }) }
func (s stack) least(b *Board, w int) int { return s.sum(func(n Node) int { return n.least(b, w) }) }
func (s stack) grows() bool               { return slices.ContainsFunc(s, Node.grows) }

func (s stack) rank() int {
	if len(s) == 0 {
		return 0
	}
	return s.last().rank()
}

// last is the panel that gives way last.
func (s stack) last() Node {
	return slices.MinFunc(s, func(a, b Node) int { return cmp.Compare(a.rank(), b.rank()) })
}

// box is that of the panel that gives way last, with what the others cannot do without.
func (s stack) box(b *Board, w int) int {
	if len(s) == 0 {
		return 0
	}
	return s.least(b, w) + max(s.last().box(b, w)-s.last().least(b, w), 0)
}

func (s stack) place(b *Board, x, y, w, h int) string { return s.draw(b, x, y, w, s.share(b, w, h)) }

// filled draws the panels so that the last box ends at line h, as the one next to it does.
func (s stack) filled(b *Board, x, y, w, h int) string {
	lines := s.share(b, w, h)
	for i := len(s) - 1; i >= 0; i-- {
		if lines[i] >= s[i].box(b, w) && lines[i] > 0 {
			lines[i] = h - sumOf(lines) + lines[i]
			break
		}
	}
	return s.draw(b, x, y, w, lines)
}

func sumOf(lines []int) (n int) {
	for _, l := range lines {
		n += l
	}
	return n
}

func (s stack) draw(b *Board, x, y, w int, share []int) string {
	var blocks []string
	for i, lines := range share {
		if lines <= 0 {
			continue
		}
		block := s[i].place(b, x, y, w, lines)
		if n := lipgloss.Height(block); n < lines && block != "" {
			block += strings.Repeat("\n", lines-n)
		}
		blocks = append(blocks, block)
		y += lines
	}
	return strings.Join(blocks, "\n")
}

// share gives each panel its lines: first what it cannot do without, then a box by rank, then what it wants by rank, then what
// is left to those that grow.
func (s stack) share(b *Board, w, h int) []int {
	lines, room := make([]int, len(s)), h
	for i, n := range s {
		lines[i] = n.least(b, w)
		room -= lines[i]
	}
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s[i].rank(), s[j].rank()) })
	for _, i := range slices.Backward(order) { // too little even for that: the least important give way
		if room < 0 {
			less := min(-room, lines[i])
			lines[i], room = lines[i]-less, room+less
		}
	}
	give := func(to func(Node) int, whole bool) {
		for _, i := range order {
			more := to(s[i]) - lines[i]
			if more > room && whole {
				continue
			}
			if more = min(more, room); more > 0 && (whole || lines[i] >= s[i].box(b, w)) {
				lines[i], room = lines[i]+more, room-more
			}
		}
	}
	give(func(n Node) int { return n.box(b, w) }, true)
	give(func(n Node) int { return n.want(b, w) }, false)
	growers := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return !s[i].grows() || lines[i] < s[i].box(b, w) })
	for k, i := range growers {
		more := room / (len(growers) - k)
		lines[i], room = lines[i]+more, room-more
	}
	return lines
}

// ---- panels next to each other

type across struct {
	parts []int // of the width, one a node
	nodes []Node
}

// Across puts panels next to each other, whose widths are as these parts. Fewer nodes than parts get the whole width.
func Across(parts []int, nodes ...Node) Node {
	nodes = present(nodes)
	if len(nodes) == 1 {
		return nodes[0]
	}
	return across{parts[:len(nodes)], nodes}
}

// widths share w cells.
func (a across) widths(w int) []int {
	all, left := 0, w
	for _, p := range a.parts {
		all += p
	}
	widths := make([]int, len(a.nodes))
	for i, p := range a.parts {
		widths[i] = w * p / all
		left -= widths[i]
	}
	widths[0] += left
	return widths
}

func (a across) most(w int, of func(n Node, w int) int) (most int) {
	for i, width := range a.widths(w) {
		most = max(most, of(a.nodes[i], width))
	}
	return most
}

func (a across) want(b *Board, w int) int {
	return a.most(w, func(n Node, w int) int { return n.want(b, w) })
}
func (a across) least(b *Board, w int) int {
	return a.most(w, func(n Node, w int) int { return n.least(b, w) })
}
func (a across) box(b *Board, w int) int {
	return a.most(w, func(n Node, w int) int { return n.box(b, w) })
}
func (a across) rank() int   { return stack(a.nodes).rank() }
func (a across) grows() bool { return stack(a.nodes).grows() }

func (a across) place(b *Board, x, y, w, h int) string {
	blocks := make([]string, len(a.nodes))
	for i, width := range a.widths(w) {
		if s, ok := a.nodes[i].(stack); ok {
			blocks[i] = s.filled(b, x, y, width, h)
		} else {
			blocks[i] = a.nodes[i].place(b, x, y, width, h)
		}
		x += width
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, blocks...)
}

// ---- focus

// Focus is the ID of the panel that has the keys; "" before the first frame.
func (b *Board) Focus() string { return b.focus }

// SetFocus gives the keys to a panel, at the next frame where it is drawn.
func (b *Board) SetFocus(id string) { b.focus = id }

func (b *Board) isFocused(p *Panel) bool { return p.ID == b.focus }

// keepFocus gives the keys to the first panel with rows where the one that had them is not drawn any more.
func (b *Board) keepFocus(root Node) {
	first := ""
	for p := range panels(root) {
		if p.ID == b.focus {
			return
		}
		if first == "" && p.Rows != nil {
			first = p.ID
		}
	}
	b.focus = first
}

// panels are all panels of a node, in reading order.
func panels(n Node) func(yield func(*Panel) bool) {
	return func(yield func(*Panel) bool) { walk(n, yield) }
}

func walk(n Node, yield func(*Panel) bool) bool {
	var nodes []Node
	switch n := n.(type) {
	case *Panel:
		return yield(n)
	case stack:
		nodes = n
	case across:
		nodes = n.nodes
	}
	for _, x := range nodes {
		if !walk(x, yield) {
			return false
		}
	}
	return true
}

// next gives the keys to the next panel (by is 1) or the one before (-1) that has something to move in.
func (b *Board) next(by int) {
	var can []string
	at := -1
	for i := range b.placed {
		if p := &b.placed[i]; p.p.ID == b.focus || p.folded && p.p.Unfolds || !p.folded && (p.p.Rows != nil && p.p.Rows.Len > 0 || p.overflow) {
			if p.p.ID == b.focus {
				at = len(can)
			}
			can = append(can, p.p.ID)
		}
	}
	if len(can) > 0 {
		b.focus = can[(max(at, 0)+map[bool]int{true: by, false: 0}[at >= 0]+len(can))%len(can)]
	}
}

func (b *Board) panel(id string) *placed {
	for i := range b.placed {
		if b.placed[i].p.ID == id {
			return &b.placed[i]
		}
	}
	return nil
}

// ---- update

// BoardEvent is what the panels made of an input.
type BoardEvent byte

const (
	NotForBoard BoardEvent = iota // nothing: it is for the screen
	BoardMoved                    // another part is in sight, or another panel has the keys
	BoardRow                      // the cursor of the panel in focus is on another row
	BoardSort                     // the head of Column was chosen
)

// Handle lets the panels answer to the keys of every panel and to the mouse.
func (b *Board) Handle(in Input) BoardEvent {
	switch in := in.(type) {
	case Scroll:
		if in.Panel == "" {
			in.Panel = b.focus
		}
		b.wheel(in)
		return BoardMoved
	case Select:
		if in.Panel != "" {
			b.focus = in.Panel
		}
		if p := b.panel(b.focus); p != nil && p.p.Rows != nil {
			p.p.Rows.Cursor.Go(in.Row, p.p.Rows.Len)
			return BoardRow
		}
		return BoardMoved
	case FocusPanel:
		b.focus = in.Panel
		return BoardMoved
	case SortBy:
		b.focus, b.Column = in.Panel, in.Column
		return BoardSort
	}
	switch {
	case Pressed(in, Keys.Pane):
		b.next(1 - 2*Nth(in, Keys.Pane))
		return BoardMoved
	case b.panel(b.focus) == nil:
		return NotForBoard
	}
	return b.move(in, b.panel(b.focus))
}

func (b *Board) move(in Input, at *placed) BoardEvent {
	if r := at.p.Rows; r != nil {
		if Moved(in, r.Cursor, r.Len) {
			return BoardRow
		}
		return NotForBoard
	}
	all, lines := len(at.p.textLines(b, inner(at.w))), at.h-b.edges()
	b.frame = nil
	c := widget.Cursor{At: b.scroll[at.p.ID], Height: lines}
	if !Moved(in, &c, max(all-lines+1, 1)) {
		return NotForBoard
	}
	b.scrollTo(at.p.ID, c.At, all, lines)
	return BoardMoved
}

// wheel scrolls the panel under the mouse, without giving it the keys.
func (b *Board) wheel(in Scroll) {
	at := b.panel(in.Panel)
	if at == nil {
		return
	}
	if r := at.p.Rows; r != nil {
		r.Cursor.Move(in.Rows, r.Len)
		return
	}
	b.scrollTo(at.p.ID, b.scroll[at.p.ID]+in.Rows, len(at.p.textLines(b, inner(at.w))), at.h-b.edges())
	b.frame = nil
}

// scrollTo scrolls a text of n lines, of which some are shown, and returns the first line that is in sight.
func (b *Board) scrollTo(id string, top, n, shown int) int {
	top = max(min(top, n-shown), 0)
	if b.scroll == nil {
		b.scroll = map[string]int{}
	}
	b.scroll[id] = top
	return top
}

// ScrollTo scrolls a panel so that a line of its text is in sight.
func (b *Board) ScrollTo(id string, line int) {
	shown := 0
	if at := b.panel(id); at != nil {
		shown = at.h - b.edges()
	}
	if top := b.scroll[id]; line < top || line >= top+shown {
		b.scrollTo(id, max(line-shown/3, 0), line+shown, shown)
	}
}

// ScrollHome scrolls a panel back to its first line: what it is about has changed.
func (b *Board) ScrollHome(id string) { delete(b.scroll, id) }

// ---- the mouse

// Layers are the panels as they were drawn last, each with its ID, on a screen whose first cell is at x and y.
func (b *Board) Layers(x, y int) (layers []*lipgloss.Layer) {
	for i := range b.placed {
		p := &b.placed[i]
		layers = append(layers, lipgloss.NewLayer(p.block).ID(p.p.ID).X(x+p.x).Y(y+p.y))
	}
	return layers
}

// Click returns what a click on a panel asks for, at a cell that counts from its upper left corner: to give it the keys, to
// select or open a row, to sort by a column, to press the key in its edge; nil for nothing.
func (b *Board) Click(id string, x, y int) Input {
	at := b.panel(id)
	switch {
	case at == nil:
		return nil
	case y == 0 && at.p.Opens.Help().Key != "" && x > at.w/2 || at.folded && at.p.Opens.Help().Key != "":
		return PressOf(at.p.Opens)
	case at.p.Chosen != nil && y > 0:
		return at.p.Chosen(x-2, y-1)
	case at.p.Rows == nil || y == 0:
		return FocusPanel{id}
	}
	r := at.p.Rows
	if y-1 < r.Head {
		if r.ColumnAt != nil {
			if column, ok := r.ColumnAt(x-1, at.w-2); ok {
				return SortBy{id, column}
			}
		}
		return FocusPanel{id}
	}
	if lines := at.h - b.edges(); x == at.w-1 && at.overflow {
		return Select{Panel: id, Row: (y - 1 - r.Head) * r.Len / max(lines-r.Head, 1)}
	}
	row := r.Cursor.Top + (y-1-r.Head)/r.per()
	switch {
	case row >= r.Len || row >= r.Cursor.Top+r.Cursor.Height:
		return FocusPanel{id}
	case row == r.Cursor.At && id == b.focus:
		return OpenRow{}
	}
	return Select{Panel: id, Row: row}
}

// Drag returns what moving the pressed mouse on a panel asks for: on its thumb to scroll; nil for nothing.
func (b *Board) Drag(id string, x, y int) Input {
	at := b.panel(id)
	if at == nil || !at.overflow || x < at.w-2 {
		return nil
	}
	lines := max(at.h-b.edges(), 1)
	if r := at.p.Rows; r != nil {
		return Select{Panel: id, Row: max(y-1-r.Head, 0) * r.Len / max(lines-r.Head, 1)}
	}
	return nil
}

// PanelKeys are the keys that panels answer to, after those of the screen.
func PanelKeys(own ...key.Binding) []key.Binding {
	return append(append(own, Keys.Pane), Moving()...)
}

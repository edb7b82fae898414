package file

import (
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- model

// model is one file: decoded, as text, or byte by byte, with a place in it marked. A file of up to a megabyte is read completely;
// of a longer one only the bytes on the screen are read.
type model struct {
	kit.Board
	s     *kit.Session
	at    kit.Scope
	where decode.Where // the place it opened at; File may name a file within a container
	name  string       // the file that is read
	size  int64        // bytes; -1 while that is not known
	mode  int
	focus int64 // the byte that was last asked for
	fixed bool  // a person has chosen the mode
	moved bool  // and has moved away from where it opened

	data   []byte // the complete file, if it is short enough
	whole  bool
	done   bool
	err    error
	lines  []checkpoint.Line
	rows   []kit.TextRow
	chunks map[int64][]byte // by number, of a long file
	asked  int64            // the chunk under way; -1 for none

	table   widget.Table // of the decoded lines
	cursor  widget.Cursor
	filter  widget.Filter
	found   *[2]int // the bytes that were found; nil for none
	counted countKey
	count   int // matches, of counted
	w       int // cells of the rows
}

// The ways to show a file.
const (
	decoded = iota
	asText
	asBytes
)

// modes are their names.
var modes = []string{"decoded", "text", "bytes"}

const (
	wholeLimit = 1 << 20 // bytes of a file that is read completely
	chunkSize  = 1 << 16 // bytes of a longer one that are read at once
	keptChunks = 32
)

// fileRead is a file, or why it could not be read.
type fileRead struct {
	to    kit.ScreenID
	data  []byte
	whole bool
	size  int64
	err   error
}

func (f fileRead) Address() kit.ScreenID { return f.to }

// chunkRead is a part of a long file.
type chunkRead struct {
	to   kit.ScreenID
	n    int64
	data []byte
	err  error
}

func (c chunkRead) Address() kit.ScreenID { return c.to }

// newModel opens a file at a place; size is -1 where it is not known.
func newModel(s *kit.Session, where decode.Where, size int64) *model {
	name, _, _ := strings.Cut(where.File, "!")
	b := &model{s: s, where: where, name: name, size: size, asked: -1}
	b.table.Columns = []widget.Column{{Title: "place", Width: 12}, {Title: "what", Width: 34, Middle: true}, {Title: "value", Width: 10, Grow: true}}
	b.table.Palette = s.Theme.Palette()
	return b
}

func (b *model) Title() string {
	if dir := path.Base(path.Dir(b.name)); dir != "." {
		return kit.Safe(dir + "/" + path.Base(b.name))
	}
	return kit.Safe(b.name)
}

// ---- keys

func (b *model) Keys() []key.Binding {
	find := kit.Keys.Find
	find.SetHelp("/", "find")
	turn := kit.Keys.Hex
	turn.SetHelp("x", []string{"decoded", "as text", "as bytes"}[(b.mode+1)%3])
	if b.done && !b.whole {
		return append([]key.Binding{kit.Keys.Copy, kit.Keys.Back}, kit.Moving()...) // not read, or long: as bytes only
	}
	return append([]key.Binding{turn, find, kit.Keys.Copy, kit.Keys.Next, kit.Keys.Previous, kit.Keys.Back}, kit.Moving()...)
}

// ---- update

func (b *model) Loading() bool { return !b.done || b.asked >= 0 }

func (b *model) Typing() bool { return b.filter.Typing }

func (b *model) Resize(w, h int) {
	old := b.offset()
	b.w = w - 2
	b.fit()
	b.table.Height, b.cursor.Height = max(h-3, 1), max(h-2, 1)
	if b.whole && b.done {
		b.rows = kit.TextRows(b.data, b.textCells())
		if b.mode != decoded {
			b.show(old)
		}
	}
}

// fit gives the columns of the decoded lines their widths.
func (b *model) fit() {
	place, what := 8, 16
	for _, l := range b.lines {
		place, what = max(place, min(len(placeIn(l.Where)), 16)), max(what, min(len(l.Label), b.w/2))
	}
	b.table.Columns[0].Width, b.table.Columns[1].Width = place, what
}

// show puts the cursor on a byte.
func (b *model) show(offset int64) {
	b.focus = offset
	switch b.mode {
	case asText:
		b.cursor.Go(kit.RowAt(b.rows, offset), len(b.rows))
	case asBytes:
		b.cursor.Go(int(offset/int64(widget.PerRow(b.w))), b.len())
	default:
		best := 0
		for i, l := range b.lines {
			if l.Where.Offset <= offset {
				best = i
			}
		}
		b.table.Go(best, len(b.lines))
	}
}

// offset is the byte under the cursor: of a row of several, the one that was asked for where it is
// one of them, else the first.
func (b *model) offset() int64 {
	within := func(from, to int64) int64 {
		if b.focus >= from && b.focus < to {
			return b.focus
		}
		return from
	}
	switch {
	case b.mode == asText && b.cursor.At < len(b.rows):
		return within(int64(b.rows[b.cursor.At].From), int64(b.rows[b.cursor.At].To))
	case b.mode == asBytes && b.w > 0:
		per := int64(widget.PerRow(b.w))
		return within(int64(b.cursor.At)*per, int64(b.cursor.At+1)*per)
	case b.mode == decoded && b.table.At < len(b.lines):
		return b.lines[b.table.At].Where.Offset
	}
	return b.where.Offset
}

// len is how many rows the present view has.
func (b *model) len() int {
	switch b.mode {
	case asText:
		return len(b.rows)
	case asBytes:
		per := int64(widget.PerRow(b.w))
		return int((max(b.size, 0) + per - 1) / per)
	}
	return len(b.lines)
}

func (b *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case fileRead:
		b.arrived(msg)
		return nil, b.want()
	case chunkRead:
		b.asked = -1
		if b.err = msg.err; msg.err == nil {
			b.chunks[msg.n] = msg.data
			return nil, b.want()
		}
	case tea.WindowSizeMsg:
		return nil, b.want()
	case tea.KeyPressMsg, tea.PasteMsg, kit.Input:
		act := b.key(msg)
		if act != nil {
			return act, nil
		}
		return nil, b.want()
	}
	return nil, nil
}

func (b *model) arrived(f fileRead) {
	b.done, b.err, b.data, b.whole, b.size = true, f.err, f.data, f.whole, f.size
	if !b.whole {
		b.mode = asBytes
		b.show(b.where.Offset)
		return
	}
	b.lines = checkpoint.Describe(b.name, b.data)
	b.rows = kit.TextRows(b.data, b.textCells())
	b.fit()
	if !b.fixed && strings.Contains(b.where.File, "!") {
		b.mode = asBytes
	}
	b.show(b.inFile())
}

// inFile is the byte of the file that is read at which it opened: the start, where the place is
// within a container.
func (b *model) inFile() int64 {
	if strings.Contains(b.where.File, "!") {
		return 0
	}
	if b.where.Offset == 0 && b.where.Line > 1 {
		for _, r := range b.rows {
			if r.Line == b.where.Line {
				return int64(r.From)
			}
		}
	}
	return b.where.Offset
}

func (b *model) key(msg tea.Msg) kit.Action {
	if b.filter.Typing {
		b.filter.Update(msg)
		b.search(0, 1)
		return nil
	}
	k, ok := msg.(kit.Input)
	if !ok {
		return nil
	}
	switch {
	case kit.Pressed(k, kit.Keys.Back):
		return kit.Back{}
	case kit.Pressed(k, kit.Keys.Find):
		b.filter.Begin()
	case kit.Pressed(k, kit.Keys.Next):
		b.search(1, 1)
	case kit.Pressed(k, kit.Keys.Previous):
		b.search(-1, -1)
	case kit.Pressed(k, kit.Keys.Hex):
		b.turn()
	default:
		b.moved = b.handled(k) || b.moved
	}
	return nil
}

// handled lets the rows answer to a key, also before anything is drawn.
func (b *model) handled(k kit.Input) bool {
	did := b.Handle(k)
	if did != kit.NotForBoard {
		return did == kit.BoardRow
	}
	c := &b.cursor
	if b.mode == decoded {
		c = &b.table.Cursor
	}
	return kit.Moved(k, c, b.len())
}

// turn shows the same byte in the next way. It counts also before the file is read.
func (b *model) turn() {
	if !b.done {
		b.fixed, b.mode = true, (b.mode+1)%3
		return
	}
	if !b.whole {
		return
	}
	at := b.offset()
	b.fixed, b.moved = true, b.moved || at != b.inFile()
	b.mode = (b.mode + 1) % 3
	b.show(at)
}

func (b *model) rowText(i int) string {
	switch b.mode {
	case asText:
		return string(b.data[b.rows[i].From:b.rows[i].To])
	case asBytes:
		per := widget.PerRow(b.w)
		row := b.data[min(i*per, len(b.data)):min((i+1)*per, len(b.data))]
		return fmt.Sprintf("% x %s", row, row)
	}
	l := b.lines[i]
	return placeIn(l.Where) + " " + l.Label + " " + l.Value
}

func (b *model) Place() string {
	if !b.done || b.err != nil {
		return ""
	}
	return kit.Safe(b.here().String())
}

// here is the place under the cursor.
func (b *model) here() decode.Where {
	at := decode.Where{File: b.name, Offset: b.offset()}
	switch {
	case b.mode == decoded && b.table.At < len(b.lines):
		at = b.lines[b.table.At].Where
	case b.mode == asText && b.cursor.At < len(b.rows):
		at.Line = b.rows[b.cursor.At].Line
	}
	return at
}

// ---- the lines that open it

var (
	Spec = kit.Spec{
		Command: "file", Home: "tree", Args: "PLACE", Need: true, Does: "a file decoded, at a place: offsets/120:3@69", Open: openAs(decoded), Check: kit.CheckPlace, Complete: kit.CompleteFiles,
		Also: []kit.Spec{
			{Command: "text", Home: "tree", Args: "PLACE", Need: true, Does: "a file as text", Open: openAs(asText), Check: kit.CheckPlace, Complete: kit.CompleteFiles},
			{Command: "bytes", Home: "tree", Args: "PLACE", Need: true, Does: "a file byte by byte", Open: openAs(asBytes), Check: kit.CheckPlace, Complete: kit.CompleteFiles},
		},
	}
	// Place is a place alone.
	Place = kit.Spec{Args: "PLACE", Need: true, Open: openPlace}
)

// openAs opens a place in a file, shown in one of the ways; what a screen hands over is shown in the usual way.
func openAs(mode int) func(*kit.Session, *kit.Words) (kit.Screen, error) {
	return func(s *kit.Session, w *kit.Words) (kit.Screen, error) {
		if at, ok := w.With.(kit.FileAt); ok {
			w.List = nil
			return newModel(s, at.Where, at.Size), nil
		}
		b, err := openBytes(s, w)
		if err != nil {
			return nil, err
		}
		b.mode, b.fixed = mode, true
		return b, nil
	}
}

func openPlace(s *kit.Session, w *kit.Words) (kit.Screen, error) {
	b, err := openBytes(s, w)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func openBytes(s *kit.Session, w *kit.Words) (*model, error) {
	at, err := kit.ValidPlace(w.Next())
	if err == nil && len(w.List) > 0 {
		err = fmt.Errorf("%q is one word too many; put a name with blanks in quotes", w.Peek())
	}
	return newModel(s, at, -1), err
}

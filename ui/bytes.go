package ui

import (
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/widget"
)

// bytesScreen is one file: decoded, as text, or byte by byte, with a place in it marked. A file of
// up to a megabyte is read whole; of a longer one only the bytes on the screen are read.

// ---- model

type bytesScreen struct {
	s     *session
	at    scope
	where decode.Where // the place it opened at; File may name a file within a container
	name  string       // the file that is read
	size  int64        // bytes; -1 while that is not known
	mode  int
	focus int64 // the byte that was last asked for
	fixed bool  // a person has chosen the mode
	moved bool  // and has moved away from where it opened

	data   []byte // the whole file, where it is short enough
	whole  bool
	done   bool
	err    error
	lines  []checkpoint.Line
	rows   []textRow
	chunks map[int64][]byte // by number, of a long file
	asked  int64            // the chunk under way; -1 for none

	table  widget.Table // of the decoded lines
	cursor widget.Cursor
	filter widget.Filter
	found  *[2]int // the bytes that were found; nil for none
	w, h   int
}

// The ways to look at a file.
const (
	decoded = iota
	asText
	asBytes
)

// modes are their names.
var modes = []string{"decoded", "text", "bytes"}

const (
	wholeLimit = 1 << 20 // bytes of a file that is read whole
	chunkSize  = 1 << 16 // bytes of a longer one that are read at once
	keptChunks = 32
)

// fileRead is a file, or the error that stood in its way.
type fileRead struct {
	to    screenID
	data  []byte
	whole bool
	size  int64
	err   error
}

func (f fileRead) address() screenID { return f.to }

// chunkRead is a part of a long file.
type chunkRead struct {
	to   screenID
	n    int64
	data []byte
	err  error
}

func (c chunkRead) address() screenID { return c.to }

// newBytes opens a file at a place; size is -1 where it is not known.
func newBytes(s *session, where decode.Where, size int64) *bytesScreen {
	name, _, _ := strings.Cut(where.File, "!")
	b := &bytesScreen{s: s, where: where, name: name, size: size, asked: -1}
	b.table.Columns = []widget.Column{{Title: "place", Width: 12}, {Title: "what", Width: 34, Middle: true}, {Title: "value", Width: 10, Grow: true}}
	b.table.Look = s.theme.look()
	return b
}

func (b *bytesScreen) title() string {
	if dir := path.Base(path.Dir(b.name)); dir != "." {
		return safe(dir + "/" + path.Base(b.name))
	}
	return safe(b.name)
}

// ---- keys

func (b *bytesScreen) keys() []key.Binding {
	find := keys.find
	find.SetHelp("/", "find")
	turn := keys.hex
	turn.SetHelp("x", []string{"decoded", "as text", "as bytes"}[(b.mode+1)%3])
	if b.done && !b.whole {
		return append([]key.Binding{keys.back}, moving()...) // unread, or long: as bytes only
	}
	return append([]key.Binding{turn, find, keys.next, keys.previous, keys.back}, moving()...)
}

// ---- update

func (b *bytesScreen) loading() bool { return !b.done || b.asked >= 0 }

func (b *bytesScreen) typing() bool { return b.filter.Typing }

func (b *bytesScreen) resize(w, h int) {
	old := b.offset()
	b.w, b.h = w, h
	b.table.Height = max(h-2, 1)
	b.fit()
	b.cursor.Height = max(h-1, 1)
	if b.whole && b.done {
		b.rows = textRows(b.data, w-6)
		if b.mode != decoded {
			b.show(old)
		}
	}
}

// fit gives the columns of the decoded lines their widths.
func (b *bytesScreen) fit() {
	place, what := 8, 16
	for _, l := range b.lines {
		place, what = max(place, min(len(placeIn(l.Where)), 16)), max(what, min(len(l.Label), b.w/2))
	}
	b.table.Columns[0].Width, b.table.Columns[1].Width = place, what
}

// show puts the cursor on a byte.
func (b *bytesScreen) show(offset int64) {
	b.focus = offset
	switch b.mode {
	case asText:
		b.cursor.Go(rowAt(b.rows, offset), len(b.rows))
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
func (b *bytesScreen) offset() int64 {
	within := func(from, to int64) int64 {
		if b.focus >= from && b.focus < to {
			return b.focus
		}
		return from
	}
	switch {
	case b.mode == asText && b.cursor.At < len(b.rows):
		return within(int64(b.rows[b.cursor.At].from), int64(b.rows[b.cursor.At].to))
	case b.mode == asBytes && b.w > 0:
		per := int64(widget.PerRow(b.w))
		return within(int64(b.cursor.At)*per, int64(b.cursor.At+1)*per)
	case b.mode == decoded && b.table.At < len(b.lines):
		return b.lines[b.table.At].Where.Offset
	}
	return b.where.Offset
}

// len is how many rows the present view has.
func (b *bytesScreen) len() int {
	switch b.mode {
	case asText:
		return len(b.rows)
	case asBytes:
		per := int64(widget.PerRow(b.w))
		return int((max(b.size, 0) + per - 1) / per)
	}
	return len(b.lines)
}

func (b *bytesScreen) update(msg tea.Msg) (action, tea.Cmd) {
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
	case tea.KeyPressMsg, tea.PasteMsg:
		act := b.key(msg)
		if act != nil {
			return act, nil
		}
		return nil, b.want()
	}
	return nil, nil
}

func (b *bytesScreen) arrived(f fileRead) {
	b.done, b.err, b.data, b.whole, b.size = true, f.err, f.data, f.whole, f.size
	if !b.whole {
		b.mode = asBytes
		b.show(b.where.Offset)
		return
	}
	b.lines = checkpoint.Describe(b.name, b.data)
	b.rows = textRows(b.data, b.w-6)
	b.fit()
	if !b.fixed && strings.Contains(b.where.File, "!") {
		b.mode = asBytes
	}
	b.show(b.inFile())
}

// inFile is the byte of the file that is read at which it opened: the start, where the place is
// within a container.
func (b *bytesScreen) inFile() int64 {
	if strings.Contains(b.where.File, "!") {
		return 0
	}
	if b.where.Offset == 0 && b.where.Line > 1 {
		for _, r := range b.rows {
			if r.line == b.where.Line {
				return int64(r.from)
			}
		}
	}
	return b.where.Offset
}

func (b *bytesScreen) key(msg tea.Msg) action {
	if b.filter.Typing {
		b.filter.Update(msg)
		b.search(0, 1)
		return nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch {
	case pressed(k, keys.back):
		return back{}
	case pressed(k, keys.find):
		b.filter.Begin()
	case pressed(k, keys.next):
		b.search(1, 1)
	case pressed(k, keys.previous):
		b.search(-1, -1)
	case pressed(k, keys.hex):
		b.turn()
	case b.mode == decoded:
		b.moved = moved(k, &b.table.Cursor, len(b.lines)) || b.moved
	default:
		b.moved = moved(k, &b.cursor, b.len()) || b.moved
	}
	return nil
}

// turn goes to the next way to look at the same byte. Who is faster than the reading is not ignored.
func (b *bytesScreen) turn() {
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

func (b *bytesScreen) rowText(i int) string {
	switch b.mode {
	case asText:
		return string(b.data[b.rows[i].from:b.rows[i].to])
	case asBytes:
		per := widget.PerRow(b.w)
		row := b.data[min(i*per, len(b.data)):min((i+1)*per, len(b.data))]
		return fmt.Sprintf("% x %s", row, row)
	}
	l := b.lines[i]
	return placeIn(l.Where) + " " + l.Label + " " + l.Value
}

func (b *bytesScreen) place() string {
	if !b.done || b.err != nil {
		return ""
	}
	return safe(b.here().String())
}

// here is the place under the cursor.
func (b *bytesScreen) here() decode.Where {
	at := decode.Where{File: b.name, Offset: b.offset()}
	switch {
	case b.mode == decoded && b.table.At < len(b.lines):
		at = b.lines[b.table.At].Where
	case b.mode == asText && b.cursor.At < len(b.rows):
		at.Line = b.rows[b.cursor.At].line
	}
	return at
}

// ---- the lines that open it

var (
	bytesSpec = Spec{
		command: "file", args: "PLACE", need: true, does: "a file decoded, at a place such as offsets/120:3@69", open: openAs(decoded), check: checkPlace, complete: fileWords,
		also: []Spec{
			{command: "text", args: "PLACE", need: true, does: "a file as text", open: openAs(asText), check: checkPlace, complete: fileWords},
			{command: "bytes", args: "PLACE", need: true, does: "a file byte by byte", open: openAs(asBytes), check: checkPlace, complete: fileWords},
		},
	}
	// bytesPlace is a place alone.
	bytesPlace = Spec{args: "PLACE", need: true, open: openPlace}
)

// openAs opens a place in a file, shown in one of the ways; what a screen hands over is shown in the usual way.
func openAs(mode int) func(*session, *words) (screen, error) {
	return func(s *session, w *words) (screen, error) {
		if at, ok := w.with.(fileAt); ok {
			w.list = nil
			return newBytes(s, at.Where, at.size), nil
		}
		b, err := openBytes(s, w)
		if err != nil {
			return nil, err
		}
		b.mode, b.fixed = mode, true
		return b, nil
	}
}

func openPlace(s *session, w *words) (screen, error) {
	b, err := openBytes(s, w)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func openBytes(s *session, w *words) (*bytesScreen, error) {
	at, err := validPlace(w.next())
	if err == nil && len(w.list) > 0 {
		err = fmt.Errorf("%q is one word too many; a name with blanks stands in quotes", w.peek())
	}
	return newBytes(s, at, -1), err
}

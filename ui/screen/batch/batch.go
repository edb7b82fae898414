package batch

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/report"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// One batch: what its files say of it, what it reads of each partition, and next to it both files as written, with the bytes
// of the selected value marked.

// ---- model

type model struct {
	kit.List // of what it reads
	kit.BatchLoader
	at     kit.Scope
	id     int64
	taken  []checkpoint.Taken // what it reads of file sources
	places kit.Places         // of the values in both files
	raw    raw
	facts  facts
	reads  []readRow
	order  int // of orders
	full   map[string]int64
	total  map[string]int64 // by unit
	bar    int              // cells of the longest bar
	h      int
}

const (
	factsID = "facts"
	bytesID = "bytes"
)

// rawFiles are both files of a batch.
type rawFiles struct {
	to    kit.ScreenID
	files [2]rawFile
}

func (r rawFiles) Address() kit.ScreenID { return r.to }

// takenFiles are the files that a batch reads of file sources.
type takenFiles struct {
	to    kit.ScreenID
	taken []checkpoint.Taken
}

func (r takenFiles) Address() kit.ScreenID { return r.to }

const rawLimit = 1 << 20 // bytes of a log file that are shown next to its meaning

func newModel(s *kit.Session, id int64) *model {
	b := &model{BatchLoader: kit.BatchLoader{Session: s}, List: kit.List{Name: "Reads"}, id: id}
	b.Table.Palette = s.Theme.Palette()
	return b
}

func (b *model) Title() string { return fmt.Sprintf("batch %d", b.id) }

// Within is the place below the tab of all batches.
func (b *model) Within() string { return fmt.Sprint(b.id) }

// ---- keys

func (b *model) Keys() []key.Binding {
	var own []key.Binding
	if at, _ := b.selected(); at.File != "" {
		enter := kit.Keys.Enter
		enter.SetHelp("enter", "open file")
		own = append(own, enter)
	}
	own = append(own, kit.Keys.Older, kit.Keys.Newer)
	if len(b.reads) == 0 {
		return kit.PanelKeys(own...)
	}
	return kit.ListKeys(append(own, kit.Keys.Sort)...)
}

// ---- update

func (b *model) Load(at kit.Scope) tea.Cmd {
	b.at, b.taken, b.places, b.raw = at, nil, kit.Places{}, raw{}
	b.Restart(at)
	cp := b.Session.Checkpoint
	if cp == nil {
		return nil
	}
	id := b.id
	batches := b.Want([]int64{id - 1, id, id + 1})
	b.build()
	return tea.Batch(batches, kit.Guard(at.ID, func() tea.Msg {
		msg := rawFiles{to: at.ID}
		for i, name := range [2]string{fmt.Sprintf("offsets/%d", id), fmt.Sprintf("commits/%d", id)} {
			data, err := cp.Read(at.Ctx, name, rawLimit)
			msg.files[i] = rawFile{name, data, err}
		}
		return msg
	}))
}

// Outdated reports whether a file of the batch was written, or removed, since it was read.
func (b *model) Outdated() bool {
	if b.Reading {
		return false
	}
	f := b.Facts(b.id)
	if f == nil {
		return b.There(b.id)
	}
	return (f.B.Commit == nil) == b.Session.Committed(b.id) || (f.B.Plan == nil) == b.Session.Planned(b.id)
}

func (b *model) Loading() bool { return b.Reading }

func (b *model) Resize(_, h int) {
	b.h = h
	if b.Table.Height == 0 {
		b.Table.Height = max(h, 1)
	}
}

func (b *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[*checkpoint.Batch]:
		if next := b.Take(msg); next != nil {
			return nil, next
		}
		b.build()
		b.begin()
		return nil, b.take()
	case takenFiles:
		b.taken = msg.taken
		b.build()
	case rawFiles:
		for _, f := range msg.files {
			if f.err == nil {
				b.places.PlacesOf(f.name, f.data)
			}
		}
		b.raw = raw{files: msg.files}
		b.build()
	case kit.Grown:
		b.build()
	case tea.KeyPressMsg, tea.PasteMsg, kit.Input:
		return b.key(msg), nil
	}
	return nil, nil
}

// begin gives the keys to what is worth the first look: what is broken, or what is read.
func (b *model) begin() {
	f := b.Facts(b.id)
	switch {
	case b.Focus() != "":
	case f != nil && len(f.B.Problems())+len(f.B.Checksums) > 0 || len(b.reads) == 0:
		b.SetFocus(factsID)
	default:
		b.SetFocus(kit.ListID)
	}
}

// take looks up which files the batch reads of file sources: the offset file names only the entries of their logs.
func (b *model) take() tea.Cmd {
	cp, at, f := b.Session.Checkpoint, b.at, b.Facts(b.id)
	if cp == nil || f == nil || f.B.Plan == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		taken, _ := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(at.Ctx, f.Before, f.B) // stopped: this screen was left
		return takenFiles{at.ID, taken}
	})
}

func (b *model) key(msg tea.Msg) kit.Action {
	if in, ok := msg.(kit.Input); ok && !b.Filter.Typing {
		switch {
		case kit.Pressed(in, kit.Keys.Older):
			return b.step(-1)
		case kit.Pressed(in, kit.Keys.Newer):
			return b.step(1)
		}
	}
	switch b.Handle(msg, b.Table.Order.Len(len(b.reads))) {
	case kit.FilterChanged:
		b.arrange()
	case kit.SortChosen:
		b.sortBy(b.Column)
	case kit.ListLeft:
		return kit.Back{}
	case kit.NotForList:
		if in, ok := msg.(kit.Input); ok {
			return b.press(in)
		}
	}
	return nil
}

func (b *model) press(in kit.Input) kit.Action {
	switch {
	case kit.Pressed(in, kit.Keys.Sort):
		b.nextOrder()
	case kit.Pressed(in, kit.Keys.Enter) && b.Session.Checkpoint != nil:
		if at, _ := b.selected(); at.File != "" {
			return kit.GoFile(at, -1)
		}
	}
	return nil
}

// step goes to the batch before or after, over what is missing.
func (b *model) step(by int64) kit.Action {
	to, ok := b.Session.Step(b.id, by)
	if !ok {
		return nil
	}
	b.id, b.Session.AsOf = to, to
	return kit.Reload{}
}

// selected is the place of the selected row, and whether all of its line is meant.
func (b *model) selected() (at decode.Where, line bool) {
	if i, ok := b.row(); ok && b.Focus() != factsID {
		return b.reads[i].at, b.reads[i].line
	}
	if i := b.facts.cursor.At; i < len(b.facts.of) {
		f := b.facts.all[b.facts.of[i]]
		return f.At, f.Line
	}
	return decode.Where{}, false
}

func (b *model) Place() string {
	at, _ := b.selected()
	return kit.Safe(at.String())
}

// facts are what the files of the batch say of it, in lines under a cursor.
type facts struct {
	all    []kit.BatchFact
	cursor widget.Cursor
	lines  []string
	of     []int // the fact of each line
	w      int   // cells that the lines were made for; 0: none
}

// ---- the lines that open it

var Spec = kit.Spec{Command: "batch", Home: "batches", Args: "N", Need: true, Does: "one batch", Open: openBatch, Check: kit.CheckBatch,
	Complete: kit.CompleteBatches}

func openBatch(s *kit.Session, w *kit.Words) (kit.Screen, error) {
	id, err := kit.BatchNumber(w.Next())
	if err != nil {
		return nil, err
	}
	if err := kit.OneTooMany("batch", w); err != nil {
		return nil, err
	}
	return newModel(s, id), s.WantBatch(w, id)
}

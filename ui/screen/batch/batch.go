package batch

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// batchScreen is one batch: what each source reads, what changed since the batch before, and beside it
// the two files as written, with the bytes of the selected value marked.

// ---- model

type model struct {
	s      *kit.Session
	at     kit.Scope
	id     int64
	b      map[int64]*checkpoint.Batch // the batch and its neighbors
	files  [2]rawFile                  // offsets, commits
	taken  []checkpoint.Taken          // what it reads of file sources
	places map[string]decode.Where     // of the values in both, by "offsets/3 planned"
	lines  []batchLine
	cursor widget.Cursor
	raw    bool // narrow: the files are shown in place of what they mean
	done   bool
	err    error
	zone   kit.Zone // of the rows, as they were drawn last
	w, h   int
}

// rawFile is a log file as written.
type rawFile struct {
	name string
	data []byte
	err  error // why it could not be read; fs.ErrNotExist where there is none
}

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

const rawLimit = 1 << 20 // bytes of a log file that are shown beside its meaning

func newModel(s *kit.Session, id int64) *model { return &model{s: s, id: id} }

func (b *model) Title() string { return fmt.Sprintf("batch %d", b.id) }

// ---- keys

func (b *model) Keys() []key.Binding {
	enter := kit.Keys.Enter
	enter.SetHelp("enter", "open the file")
	own := []key.Binding{enter, kit.Keys.Older, kit.Keys.Newer}
	if b.w < kit.WideFrom {
		pane := kit.Keys.Pane
		pane.SetHelp("tab", "as written")
		if b.raw {
			pane.SetHelp("tab", "what it means")
		}
		own = append([]key.Binding{pane}, own...)
	}
	return append(own, kit.Moving()...)
}

// ---- update

func (b *model) Load(at kit.Scope) tea.Cmd {
	b.at, b.b, b.files, b.taken, b.lines = at, map[int64]*checkpoint.Batch{}, [2]rawFile{}, nil, nil
	b.done, b.err = false, nil
	cp := b.s.Checkpoint
	if cp == nil {
		return nil
	}
	var ids []int64
	for _, id := range []int64{b.id - 1, b.id, b.id + 1} {
		if cp.Offsets.Find(id) != nil || cp.Commits.Find(id) != nil {
			ids = append(ids, id)
		}
	}
	names := [2]string{fmt.Sprintf("offsets/%d", b.id), fmt.Sprintf("commits/%d", b.id)}
	return tea.Batch(
		kit.Stream(at.Life, at.ID, cp.BatchesOf(at.Ctx, slices.Values(ids))),
		kit.Guard(at.ID, func() tea.Msg {
			msg := rawFiles{to: at.ID}
			for i, name := range names {
				data, err := cp.Read(at.Ctx, name, rawLimit)
				msg.files[i] = rawFile{name, data, err}
			}
			return msg
		}))
}

// Outdated reports whether a file of the batch was written, or removed, since it was read.
func (b *model) Outdated() bool {
	x := b.b[b.id]
	return b.done && (x == nil || (x.Commit == nil) == (b.s.Checkpoint.Commits.Find(b.id) != nil) ||
		(x.Plan == nil) == (b.s.Checkpoint.Offsets.Find(b.id) != nil))
}

func (b *model) Loading() bool { return !b.done }

func (b *model) Resize(w, h int) {
	b.w, b.h = w, h
	b.cursor.Height = max(h, 1)
	if b.done {
		b.lines = b.meaning()
	}
	b.cursor.Go(b.cursor.At, len(b.lines))
}

func (b *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[*checkpoint.Batch]:
		for _, x := range msg.Items {
			b.b[x.ID] = x
		}
		b.done, b.err = msg.Next == nil, errors.Join(b.err, msg.Err)
		if b.done {
			b.lines = b.meaning()
			b.cursor.Go(0, len(b.lines))
			b.skip(1)
			return nil, b.take()
		}
		return nil, msg.Next
	case takenFiles:
		b.taken = msg.taken
		b.lines = b.meaning()
		b.cursor.Go(b.cursor.At, len(b.lines))
	case rawFiles:
		b.files, b.places = msg.files, map[string]decode.Where{}
		for i := range b.files {
			for _, l := range checkpoint.Describe(b.files[i].name, b.files[i].data) {
				if _, have := b.places[b.files[i].name+" "+l.Label]; !have && b.files[i].err == nil {
					b.places[b.files[i].name+" "+l.Label] = l.Where
				}
			}
		}
		b.lines = b.meaning()
	case kit.Input:
		return b.key(msg)
	}
	return nil, nil
}

// take looks up which files the batch reads of file sources: the plan names only the entries of their logs.
func (b *model) take() tea.Cmd {
	cp, at, before, x := b.s.Checkpoint, b.at, b.b[b.id-1], b.b[b.id]
	if cp == nil || x == nil || x.Plan == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		taken, _ := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(at.Ctx, before, x) // stopped: this screen was left
		return takenFiles{at.ID, taken}
	})
}

func (b *model) key(msg kit.Input) (kit.Action, tea.Cmd) {
	before := b.cursor.At
	switch {
	case kit.Pressed(msg, kit.Keys.Older):
		return b.step(-1), nil
	case kit.Pressed(msg, kit.Keys.Newer):
		return b.step(1), nil
	case kit.Pressed(msg, kit.Keys.Back):
		if b.raw {
			b.raw = false
			return nil, nil
		}
		return kit.Back{}, nil
	case kit.Pressed(msg, kit.Keys.Pane):
		b.raw = !b.raw && b.w < kit.WideFrom
	case kit.Pressed(msg, kit.Keys.Enter):
		return b.enter(), nil
	case kit.Moved(msg, &b.cursor, len(b.lines)):
		if b.cursor.At < before {
			b.skip(-1)
		} else {
			b.skip(1)
		}
	}
	return nil, nil
}

// skip goes on from a heading to the nearest line that stands for bytes.
func (b *model) skip(by int) {
	for _, way := range []int{by, -by} {
		for i := b.cursor.At; i >= 0 && i < len(b.lines); i += way {
			if b.lines[i].at.File != "" {
				b.cursor.Go(i, len(b.lines))
				if i < b.cursor.Height/2 {
					b.cursor.Top = 0 // the headings above the first line belong to the picture
				}
				return
			}
		}
	}
}

// step goes to the batch before or after, over what is missing.
func (b *model) step(by int64) kit.Action {
	to, ok := b.s.Step(b.id, by)
	if !ok {
		return nil
	}
	b.id, b.s.AsOf = to, to
	return kit.Reload{}
}

func (b *model) enter() kit.Action {
	if b.cursor.At < len(b.lines) && b.s.Checkpoint != nil {
		if l := b.lines[b.cursor.At]; l.at.File != "" {
			return kit.GoFile(l.at, -1)
		}
	}
	return nil
}

func (b *model) Place() string {
	if b.cursor.At < len(b.lines) {
		return kit.Safe(b.lines[b.cursor.At].at.String())
	}
	return ""
}

// ---- what the batch means, line by line

// batchLine is one line of the screen and the bytes that it stands for.
type batchLine struct {
	text string
	at   decode.Where // its zero value where it stands for no bytes
	line bool         // the whole line is marked, not a value
}

func (b *model) meaning() []batchLine {
	x, before := b.b[b.id], b.b[b.id-1]
	t := &b.s.Theme
	if x == nil {
		text := "there is no file of this batch, neither in offsets nor in commits"
		if b.err != nil {
			text = "it was not read: " + kit.Safe(b.err.Error())
		}
		return []batchLine{{text: " " + t.Unknown.Styled("? ") + text}}
	}
	w := b.leftWidth()
	var lines []batchLine
	lines = append(lines, b.facts(x, w)...)
	lines = append(lines, b.sources(x, before, b.b[b.id+1], w)...)
	lines = append(lines, b.settings(x, before, w)...)
	for _, e := range x.Problems() {
		if e == x.Problems()[0] {
			lines = append(lines, batchLine{}, batchLine{text: " " + t.Strong.Styled("WHAT DOES NOT PARSE")})
		}
		lines = append(lines, batchLine{text: "   " + t.Warn.Styled("! ") + kit.Safe(e.Where.String()) + "  " + kit.Safe(e.What) + ": " + kit.Safe(e.Err.Error()), at: e.Where, line: true})
	}
	for _, e := range x.Checksums {
		lines = append(lines, batchLine{text: "   " + t.Warn.Styled("! ") + kit.Safe(e.Error()), at: e.Where, line: true})
	}
	return lines
}

// facts are when the batch was planned, its watermark, and whether it is committed. Each has the bytes that say so.
func (b *model) facts(x *checkpoint.Batch, w int) (lines []batchLine) {
	facts := page.Batch(b.s.Checkpoint, x, b.s.Clock)
	for i, drawn := range b.s.Theme.Rows(w-3, facts) {
		at, whole := b.placeOf(x, facts.Rows[i].Name)
		lines = append(lines, batchLine{text: "   " + drawn[0], at: at, line: whole})
		for _, more := range drawn[1:] {
			lines = append(lines, batchLine{text: "   " + more})
		}
	}
	return lines
}

// placeOf is where the files of the batch have a fact: the value, or the whole line.
func (b *model) placeOf(x *checkpoint.Batch, fact string) (at decode.Where, line bool) {
	switch {
	case fact == "committed" || fact == "next mark":
		if x.Commit == nil {
			return decode.Where{}, true
		}
		return decode.Where{File: fmt.Sprintf("commits/%d", b.id), Line: 2}, true
	case x.Plan == nil:
		return decode.Where{}, true
	}
	at = decode.Where{File: fmt.Sprintf("offsets/%d", b.id), Line: 2}
	if exact, ok := b.places[at.File+" "+fact]; ok {
		return exact, false
	}
	return at, true
}

func (b *model) sources(x, before, after *checkpoint.Batch, w int) []batchLine {
	if x.Plan == nil {
		return nil
	}
	t := &b.s.Theme
	lines := []batchLine{{}, {text: " " + t.Strong.Styled("WHAT IT READS")}}
	if len(x.Plan.Sources) == 0 {
		lines = append(lines, batchLine{text: "   " + t.Unknown.Styled("?") + " the plan has no source line that could be read"})
	}
	all := checkpoint.Reads(before, x, after)
	full := fullest(all)
	for i := range x.Plan.Sources {
		o := &x.Plan.Sources[i]
		lines = append(lines, batchLine{text: "   " + t.Strong.Styled(page.SourceHead(i, o)), at: o.Where, line: true})
		lines = append(lines, b.ranges(o, all[i], full, w-5)...)
		if len(o.Parts) == 0 && !o.None {
			lines = append(lines, batchLine{text: "     " + phrase.Cut(kit.Safe(o.Raw), w-6), at: o.Where, line: true})
		}
		lines = append(lines, b.filesOf(i, w)...)
	}
	return lines
}

// ranges are what is read of each part of a source, each with a bar beside it, or what is unusual about it.
func (b *model) ranges(o *source.Offset, all []source.Range, full int64, w int) (lines []batchLine) {
	t := &b.s.Theme
	at := map[string]int{}
	for _, p := range o.Parts {
		at[p.Name] = p.At
	}
	for i, drawn := range t.Rows(w, page.SourceRanges(all)) {
		text, r := drawn[0], all[i]
		if note := page.RangeNote(r); note.Text != "" {
			text += "  " + t.Paint(note.Role, note.Text)
		} else if room := w - phrase.Width(text) - 3; room > 3 {
			text += "  " + t.Info.Styled(widget.Bar(r.Count, full, min(room, 30)))
		}
		line := batchLine{text: "     " + text}
		if n, ok := at[r.Part]; ok {
			line.at = o.Where.In(n)
		}
		lines = append(lines, line)
	}
	return lines
}

// fullest is the end of the scale of the bars.
func fullest(all [][]source.Range) (full int64) {
	for _, ranges := range all {
		for _, r := range ranges {
			if r.Counted {
				full = max(full, r.Count)
			}
		}
	}
	return full
}

// filesOf are the files that the batch reads of a file source; none of another, and none before they are looked up.
func (b *model) filesOf(source, w int) (lines []batchLine) {
	t := &b.s.Theme
	for i := range b.taken {
		if b.taken[i].Source != source {
			continue
		}
		files := page.Taken(&b.taken[i], b.s.Clock)
		say := func(text string, at decode.Where) {
			lines = append(lines, batchLine{text: "       " + phrase.Cut(text, max(w-8, 10)), at: at, line: true})
		}
		lines = append(lines, batchLine{text: "     " + phrase.Cut(files.Head, max(w-6, 10))})
		for _, f := range files.Files {
			text := phrase.Middle(kit.Safe(f.Name), max(w/2, 10))
			if f.Modified != "" {
				text += "  " + f.Modified
			}
			say(text+t.Dim.Styled("  in "+kit.Safe(f.Dir)), f.Where)
		}
		if files.More != "" {
			say(files.More, decode.Where{})
		}
		if files.Why != "" {
			lines = append(lines, batchLine{text: "       " + t.Unknown.Styled("? ") + files.Why})
		}
	}
	return lines
}

// settings are those that the plan pins otherwise than the one before.
func (b *model) settings(x, before *checkpoint.Batch, w int) []batchLine {
	if x.Plan == nil || !x.Plan.HasMetadata {
		return nil
	}
	t, pinned := &b.s.Theme, phrase.Units(int64(len(x.Plan.Conf)), "settings")+" pinned"
	if before == nil || before.Plan == nil || !before.Plan.HasMetadata {
		return []batchLine{{}, {text: " " + t.Strong.Styled("SETTINGS")}, {text: "   " + pinned + "; there is no batch before to compare with"}}
	}
	lines := []batchLine{{}, {text: " " + t.Strong.Styled(fmt.Sprintf("SETTINGS CHANGED SINCE BATCH %d", b.id-1))}}
	for _, c := range page.SettingChanges(before.Plan.Conf, x.Plan.Conf) {
		at := decode.Where{File: x.Plan.File, Line: 2}
		exact, ok := b.places[at.File+" conf "+c.Name]
		if ok {
			at = exact
		}
		lines = append(lines, batchLine{text: "   " + t.Warn.Styled("! ") + phrase.Middle(c.Name, max(w-30, 20)) + "  " + kit.Safe(c.Was) + " → " + kit.Safe(c.Is), at: at, line: !ok})
	}
	if len(lines) == 2 {
		lines = append(lines, batchLine{text: "   none; " + pinned})
	}
	return lines
}

// gone reports whether a raw file is simply not there.
func (r *rawFile) gone() bool { return errors.Is(r.err, fs.ErrNotExist) }

// ---- the lines that open it

var Spec = kit.Spec{Command: "batch", Home: "batches", Args: "N", Need: true, Does: "one batch", Open: openBatch, Check: kit.CheckBatch, Complete: kit.CompleteBatches}

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

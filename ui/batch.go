package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// batchScreen is one batch: what each source reads, what changed since the batch before, and beside it
// the two files as written, with the bytes of the selected value marked.

// ---- model

type batchScreen struct {
	s      *session
	at     scope
	id     int64
	b      map[int64]*checkpoint.Batch // the batch and its neighbours
	files  [2]rawFile                  // offsets, commits
	taken  []checkpoint.Taken          // what it reads of file sources
	places map[string]decode.Where     // of the values in both, by "offsets/3 planned"
	lines  []batchLine
	cursor widget.Cursor
	raw    bool // narrow: the files are shown in place of what they mean
	done   bool
	err    error
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
	to    screenID
	files [2]rawFile
}

func (r rawFiles) address() screenID { return r.to }

// takenFiles are the files that a batch reads of file sources.
type takenFiles struct {
	to    screenID
	taken []checkpoint.Taken
}

func (r takenFiles) address() screenID { return r.to }

const rawLimit = 1 << 20 // bytes of a log file that are shown beside its meaning

func newBatch(s *session, id int64) *batchScreen { return &batchScreen{s: s, id: id} }

func (b *batchScreen) title() string { return fmt.Sprintf("batch %d", b.id) }

// ---- keys

func (b *batchScreen) keys() []key.Binding {
	enter := keys.enter
	enter.SetHelp("enter", "open the file")
	own := []key.Binding{enter, keys.older, keys.newer}
	if b.w < wide {
		pane := keys.pane
		pane.SetHelp("tab", "as written")
		if b.raw {
			pane.SetHelp("tab", "what it means")
		}
		own = append([]key.Binding{pane}, own...)
	}
	return append(own, moving()...)
}

// ---- update

func (b *batchScreen) load(at scope) tea.Cmd {
	b.at, b.b, b.files, b.taken, b.lines = at, map[int64]*checkpoint.Batch{}, [2]rawFile{}, nil, nil
	b.done, b.err = false, nil
	cp := b.s.cp
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
		stream(at.life, at.id, cp.BatchesOf(at.ctx, slices.Values(ids))),
		guard(at.id, func() tea.Msg {
			msg := rawFiles{to: at.id}
			for i, name := range names {
				data, err := cp.Read(at.ctx, name, rawLimit)
				msg.files[i] = rawFile{name, data, err}
			}
			return msg
		}))
}

// outdated reports whether a file of the batch was written, or removed, since it was read.
func (b *batchScreen) outdated() bool {
	x := b.b[b.id]
	return b.done && (x == nil || (x.Commit == nil) == (b.s.cp.Commits.Find(b.id) != nil) || (x.Plan == nil) == (b.s.cp.Offsets.Find(b.id) != nil))
}

func (b *batchScreen) loading() bool { return !b.done }

func (b *batchScreen) resize(w, h int) {
	b.w, b.h = w, h
	b.cursor.Height = max(h, 1)
	if b.done {
		b.lines = b.meaning()
	}
	b.cursor.Go(b.cursor.At, len(b.lines))
}

func (b *batchScreen) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[*checkpoint.Batch]:
		for _, x := range msg.items {
			b.b[x.ID] = x
		}
		b.done, b.err = msg.next == nil, errors.Join(b.err, msg.err)
		if b.done {
			b.lines = b.meaning()
			b.cursor.Go(0, len(b.lines))
			b.skip(1)
			return nil, b.take()
		}
		return nil, msg.next
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
	case tea.KeyPressMsg:
		return b.key(msg)
	}
	return nil, nil
}

// take looks up which files the batch reads of file sources: the plan names only the entries of their logs.
func (b *batchScreen) take() tea.Cmd {
	cp, at, before, x := b.s.cp, b.at, b.b[b.id-1], b.b[b.id]
	if cp == nil || x == nil || x.Plan == nil {
		return nil
	}
	return guard(at.id, func() tea.Msg {
		taken, _ := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(at.ctx, before, x) // stopped: this screen was left
		return takenFiles{at.id, taken}
	})
}

func (b *batchScreen) key(msg tea.KeyPressMsg) (action, tea.Cmd) {
	before := b.cursor.At
	switch {
	case pressed(msg, keys.older):
		return b.step(-1), nil
	case pressed(msg, keys.newer):
		return b.step(1), nil
	case pressed(msg, keys.back):
		if b.raw {
			b.raw = false
			return nil, nil
		}
		return back{}, nil
	case pressed(msg, keys.pane):
		b.raw = !b.raw && b.w < wide
	case pressed(msg, keys.enter):
		return b.enter(), nil
	case moved(msg, &b.cursor, len(b.lines)):
		if b.cursor.At < before {
			b.skip(-1)
		} else {
			b.skip(1)
		}
	}
	return nil, nil
}

// skip goes on from a heading to the nearest line that stands for bytes.
func (b *batchScreen) skip(by int) {
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
func (b *batchScreen) step(by int64) action {
	to, ok := b.s.step(b.id, by)
	if !ok {
		return nil
	}
	b.id, b.s.asOf = to, to
	return reload{}
}

func (b *batchScreen) enter() action {
	if b.cursor.At < len(b.lines) && b.s.cp != nil {
		if l := b.lines[b.cursor.At]; l.at.File != "" {
			return goFile(l.at, -1)
		}
	}
	return nil
}

func (b *batchScreen) place() string {
	if b.cursor.At < len(b.lines) {
		return safe(b.lines[b.cursor.At].at.String())
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

func (b *batchScreen) meaning() []batchLine {
	x, before := b.b[b.id], b.b[b.id-1]
	t := &b.s.theme
	if x == nil {
		text := "there is no file of this batch, neither in offsets nor in commits"
		if b.err != nil {
			text = "it was not read: " + safe(b.err.Error())
		}
		return []batchLine{{text: " " + t.unknown.Styled("? ") + text}}
	}
	w := b.leftWidth()
	var lines []batchLine
	lines = append(lines, b.facts(x, w)...)
	lines = append(lines, b.sources(x, before, b.b[b.id+1], w)...)
	lines = append(lines, b.settings(x, before, w)...)
	for _, e := range x.Problems() {
		if e == x.Problems()[0] {
			lines = append(lines, batchLine{}, batchLine{text: " " + t.section.Styled("WHAT DOES NOT PARSE")})
		}
		lines = append(lines, batchLine{text: "   " + t.warn.Styled("! ") + safe(e.Where.String()) + "  " + safe(e.What) + ": " + safe(e.Err.Error()), at: e.Where, line: true})
	}
	for _, e := range x.Checksums {
		lines = append(lines, batchLine{text: "   " + t.warn.Styled("! ") + safe(e.Error()), at: e.Where, line: true})
	}
	return lines
}

func (b *batchScreen) facts(x *checkpoint.Batch, w int) []batchLine {
	t, s := &b.s.theme, b.s
	var lines []batchLine
	say := func(name, text string, at decode.Where) {
		lines = append(lines, batchLine{text: "   " + fact(t, name, text, w-3), at: at, line: true})
	}
	value := func(name, text, label string, at decode.Where) {
		exact, ok := b.places[at.File+" "+label]
		if ok {
			at = exact
		}
		lines = append(lines, batchLine{text: "   " + fact(t, name, text, w-3), at: at, line: !ok})
	}
	plan, commit := decode.Where{File: fmt.Sprintf("offsets/%d", b.id), Line: 2}, decode.Where{File: fmt.Sprintf("commits/%d", b.id), Line: 2}
	if x.Plan == nil {
		say("planned", t.critical.Styled("✗ ")+b.absent("offsets", x), decode.Where{})
	} else {
		planned := s.clock.aged(x.Plan.Timestamp)
		if x.Plan.Timestamp == 0 {
			planned = "when is not recorded"
		}
		value("planned", planned, "planned", plan)
		mark := "none yet"
		if x.Plan.Watermark != 0 {
			mark = s.clock.full(x.Plan.Watermark)
		}
		value("watermark", mark, "watermark", plan)
		if x.Plan.Control != "" {
			say("control", "a control batch: "+safe(x.Plan.Control), plan)
		}
	}
	if x.Commit == nil {
		say("committed", t.warn.Styled("✗ no")+": "+b.absent("commits", x), decode.Where{})
	} else {
		say("committed", t.good.Styled("✓ yes"), commit)
		if x.Commit.NextWatermark != 0 {
			say("next mark", s.clock.full(x.Commit.NextWatermark)+", the watermark of the batch after", commit)
		}
	}
	return lines
}

// absent says why there is no file of the batch in a log.
func (b *batchScreen) absent(log string, x *checkpoint.Batch) string {
	name := fmt.Sprintf("%s/%d", log, b.id)
	for _, u := range x.Unread {
		if u.Name == name {
			return fmt.Sprintf("%s could not be read (%s): %s", name, u.Why(), safe(u.Err.Error()))
		}
	}
	return name + " is not there"
}

func (b *batchScreen) sources(x, before, after *checkpoint.Batch, w int) []batchLine {
	if x.Plan == nil {
		return nil
	}
	t := &b.s.theme
	lines := []batchLine{{}, {text: " " + t.section.Styled("WHAT IT READS")}}
	all := checkpoint.Reads(before, x, after)
	l := measure(x.Plan, all, w-3)
	if len(x.Plan.Sources) == 0 {
		lines = append(lines, batchLine{text: "   " + t.unknown.Styled("?") + " the plan has no source line that could be read"})
	}
	for i, o := range x.Plan.Sources {
		name := fmt.Sprintf("source %d", i)
		if o.Name != "" {
			name += " " + safe(o.Name)
		}
		head := name + ", " + joinOr(o.KindNames())
		if o.None {
			head = name + ": no offset yet"
		}
		lines = append(lines, batchLine{text: "   " + t.strong.Styled(head), at: o.Where, line: true})
		at := map[string]int{}
		for _, p := range o.Parts {
			at[p.Name] = p.At
		}
		for _, r := range all[i] {
			line := batchLine{text: "     " + l.row(t, i, r, w-5)}
			if n, ok := at[r.Part]; ok {
				line.at = o.Where.In(n)
			}
			lines = append(lines, line)
		}
		if len(o.Parts) == 0 && !o.None {
			lines = append(lines, batchLine{text: "     " + widget.Cut(safe(o.Raw), w-6), at: o.Where, line: true})
		}
		lines = append(lines, b.filesOf(i, w)...)
	}
	return lines
}

// filesOf are the files that the batch reads of a file source; none of another, and none before they are looked up.
func (b *batchScreen) filesOf(source, w int) (lines []batchLine) {
	for i := range b.taken {
		t := &b.taken[i]
		if t.Source != source {
			continue
		}
		say := func(text string, at decode.Where) {
			lines = append(lines, batchLine{text: "       " + widget.Cut(text, max(w-8, 10)), at: at, line: true})
		}
		lines = append(lines, batchLine{text: "     " + plural(t.Count, "file") + ":"})
		for _, f := range t.Files {
			dir, name := path.Split(f.Path)
			text := widget.Middle(safe(name), max(w/2, 10))
			if f.Timestamp > 0 {
				text += "  modified " + b.s.clock.full(f.Timestamp)
			}
			say(text+b.s.theme.dim.Styled("  in "+safe(dir)), f.Where)
		}
		if more := t.Count - int64(len(t.Files)); more > 0 {
			say("and "+report.Count(more)+" more", decode.Where{})
		}
		if t.Why != "" {
			lines = append(lines, batchLine{text: "       " + b.s.theme.unknown.Styled("? not all is known: ") + safe(t.Why)})
		}
	}
	return lines
}

// settings are those that the plan pins otherwise than the one before.
func (b *batchScreen) settings(x, before *checkpoint.Batch, w int) []batchLine {
	if x.Plan == nil || !x.Plan.HasMetadata {
		return nil
	}
	t := &b.s.theme
	head := fmt.Sprintf("SETTINGS CHANGED SINCE BATCH %d", b.id-1)
	if before == nil || before.Plan == nil || !before.Plan.HasMetadata {
		return []batchLine{{}, {text: " " + t.section.Styled("SETTINGS")}, {text: fmt.Sprintf("   %s pinned; there is no batch before to compare with", plural(int64(len(x.Plan.Conf)), "setting"))}}
	}
	lines := []batchLine{{}, {text: " " + t.section.Styled(head)}}
	at := decode.Where{File: x.Plan.File, Line: 2}
	was, is := before.Plan.Conf, x.Plan.Conf
	names := maps.Clone(was)
	if names == nil {
		names = map[string]string{}
	}
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, hadIt := was[name]
		v, hasIt := is[name]
		if a == v && hadIt == hasIt {
			continue
		}
		change := safe(a) + " → " + safe(v)
		switch {
		case !hadIt:
			change = "added: " + safe(v)
		case !hasIt:
			change = "gone; it was " + safe(a)
		}
		place, ok := b.places[at.File+" conf "+name]
		if !ok {
			place = at
		}
		lines = append(lines, batchLine{text: "   " + t.warn.Styled("! ") + widget.Middle(safe(name), max(w-30, 20)) + "  " + change, at: place, line: !ok})
	}
	if len(lines) == 2 {
		lines = append(lines, batchLine{text: fmt.Sprintf("   none; %s pinned", plural(int64(len(is)), "setting"))})
	}
	return lines
}

// gone reports whether a raw file is simply not there.
func (r *rawFile) gone() bool { return errors.Is(r.err, fs.ErrNotExist) }

// ---- the lines that open it

var batchSpec = Spec{command: "batch", args: "N", need: true, does: "one batch", open: openBatch, check: checkBatch, complete: batchWords}

func openBatch(s *session, w *words) (screen, error) {
	id, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	if err := oneTooMany("batch", w); err != nil {
		return nil, err
	}
	return newBatch(s, id), s.wantBatch(w, id)
}

package ui

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// What is shown can be taken along: to the terminal's clipboard, which the terminal sets where it is asked to (OSC
// 52, through SSH too) and never confirms, or to a file that a person names.

// clipboardLimit is how many bytes of base64 terminals take; some drop what is longer without a word.
const clipboardLimit = 74_994

// copier is a screen with something to copy.
type copier interface{ copies() []copyable }

// copyable is one thing that can be copied.
type copyable struct {
	key, label string // the letter in the menu, and what it is
	detail     string // which one, or how it begins; printable
	// text is what is copied, and what a person should know of it; it may read. Its control characters are
	// escaped before anything is done with it.
	text func(ctx context.Context) (text string, notes []string, err error)
}

// ready is a thing to copy that is known already; it is none where the text is empty.
func ready(key, label, text string) []copyable {
	if text == "" {
		return nil
	}
	return []copyable{{key: key, label: label, detail: widget.Cut(prose(text), 300), text: func(context.Context) (string, []string, error) { return text, nil, nil }}}
}

// oneLine is ready for what is one line: a name with a line feed in it would end the line where it is pasted, and a shell
// would run it.
func oneLine(key, label, text string) []copyable {
	cells := strings.Split(text, "\t") // of a row
	for i := range cells {
		cells[i] = report.Printable(cells[i])
	}
	return ready(key, label, strings.Join(cells, "\t"))
}

// ---- the menu

// offerCopies opens the menu of what can be copied here, or written to a file.
func (a *App) offerCopies(toFile bool) tea.Cmd {
	m := &menu{title: "COPY TO THE TERMINAL'S CLIPBOARD", none: "There is nothing to copy here."}
	if toFile {
		m.title = "WRITE TO A FILE"
	}
	for _, c := range a.copyables() {
		m.items = append(m.items, item{key: c.key, label: c.label, detail: c.detail, do: func() tea.Cmd { return a.fetch(c, toFile) }})
	}
	switch {
	case toFile && a.Write == nil:
		a.notice = "nothing can be written here"
		return nil
	case !toFile && a.Write != nil && len(m.items) > 0:
		m.items = append(m.items, item{key: "w", label: "to a file instead", detail: "choose what, then name the file", right: keys.export.Help().Key, do: func() tea.Cmd { return a.offerCopies(true) }})
	}
	return a.offer(m)
}

// copyables is what can be copied here: what the screen has, and the way back to this view.
func (a *App) copyables() []copyable {
	var all []copyable
	if c, ok := a.top().screen.(copier); ok {
		all = c.copies()
	}
	if line := a.here(); line != "" && a.Reopen != nil && a.cp != nil {
		all = append(all, ready("c", "command", a.Reopen(a.Location, line))...)
	}
	return all
}

// copied is the text of something that is to be copied.
type copied struct {
	what   copyable
	text   string
	notes  []string
	err    error
	toFile bool
}

// fetch gets the text, in the background: it may have to be read.
func (a *App) fetch(c copyable, toFile bool) tea.Cmd {
	ctx := a.top().ctx
	return guard(0, func() tea.Msg {
		text, notes, err := c.text(ctx)
		return copied{c, harmless(text), notes, err, toFile}
	})
}

// harmless is a text of which each line is printable.
func harmless(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = report.Printable(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// take hands a text to the terminal, or asks for the name of a file. The footer says what was done.
func (a *App) takeCopy(c copied) tea.Cmd {
	switch encoded := base64.StdEncoding.EncodedLen(len(c.text)); {
	case c.err != nil:
		a.notice = fmt.Sprintf("%s: not copied: %v", c.what.label, c.err)
	case c.text == "":
		a.notice = c.what.label + ": there is nothing to copy"
	case c.toFile:
		a.askFile(c, "", nil)
	case encoded > clipboardLimit && a.Write == nil:
		a.notice = tooLong(encoded) + ", and is not sent"
	case encoded > clipboardLimit:
		a.askFile(c, "", errors.New(tooLong(encoded)+", and is not sent: name a file for it, or esc"))
	default:
		return a.clip(c)
	}
	return nil
}

func tooLong(encoded int) string {
	return fmt.Sprintf("that is more than a terminal's clipboard takes, %s of %s bytes of base64", report.Count(int64(encoded)), report.Count(clipboardLimit))
}

// clip sends a text to the clipboard of the terminal; inside tmux also through it, to the terminal around it.
func (a *App) clip(c copied) tea.Cmd {
	a.notice = fmt.Sprintf("%s sent to the terminal's clipboard, %s; it does not confirm", c.what.label, plural(int64(len(c.text)), "byte"))
	set := tea.SetClipboard(c.text)
	if a.Tmux {
		a.notice = fmt.Sprintf("%s sent to tmux and its terminal, %s; neither confirms it", c.what.label, plural(int64(len(c.text)), "byte"))
		set = tea.Sequence(set, tea.Raw(ansi.TmuxPassthrough(ansi.SetSystemClipboard(c.text))))
	}
	if len(c.notes) > 0 {
		a.notice += " · " + c.notes[0]
	}
	return set
}

// ---- a file

// save asks the app to write a text to a file.
type save struct {
	copied
	name string
}

// saved is what came of it.
type saved struct {
	save
	err error
}

// askFile asks for the name of a file.
func (a *App) askFile(c copied, name string, wrong error) {
	a.saving.show(ask{
		label: "write " + c.what.label + " to",
		hint: func() []string {
			return []string{"The name of a new file on this machine. Nothing is overwritten, and nothing is ever written in a checkpoint."}
		},
		take: func(typed string) (action, error) {
			if strings.TrimSpace(typed) == "" {
				return nil, errors.New("name a file, or press esc")
			}
			return save{c, typed}, nil
		},
	})
	if name != "" {
		a.saving.line.Set(name)
		a.saving.line.Begin()
	}
	a.saving.err = wrong
}

// heardFile takes a key or a paste while a name is typed.
func (a *App) heardFile(msg tea.Msg) tea.Cmd {
	s, ok := a.saving.hear(msg).(save)
	if !ok {
		return nil
	}
	a.notice = "… writing " + s.name
	write, location := a.Write, a.Location
	return guard(0, func() tea.Msg { return saved{s, write(location, s.name, []byte(s.text+"\n"))} })
}

// isSaved says that the file is there, or asks for another name.
func (a *App) isSaved(s saved) {
	if s.err != nil {
		a.notice = ""
		a.askFile(s.copied, s.name, fmt.Errorf("not written: %w", s.err))
		return
	}
	a.notice = fmt.Sprintf("%s written to %s, %s", s.what.label, s.name, plural(int64(len(s.text))+1, "byte"))
	if len(s.notes) > 0 {
		a.notice += " · " + s.notes[0]
	}
}

// ---- what screens copy

// pathOf is where something lies: the location, and its name within it.
func (s *session) pathOf(name string) string {
	if name == "" || name == "." {
		return s.Location
	}
	if i := strings.Index(s.Location, "://"); i >= 0 {
		return strings.TrimRight(s.Location, "/") + "/" + name
	}
	return path.Join(s.Location, name)
}

// rowText is the selected row of a table as it is shown, its cells between tabs.
func rowText(rows widget.Rows, t *widget.Table) string {
	if t.At >= t.Order.Len(rows.Len()) {
		return ""
	}
	r := widget.Row{Cells: make([]widget.Cell, len(t.Columns)), To: len(t.Columns)}
	rows.Row(t.Order.Row(t.At), &r)
	if r.Note != "" {
		return unstyled(r.Note)
	}
	cells := make([]string, len(r.Cells))
	for i := range r.Cells {
		cells[i] = strings.TrimSpace(unstyled(r.Cells[i].Text))
	}
	return strings.Join(cells, "\t")
}

// asJSON is something that is written as JSON.
func asJSON(detail string, write func(w *bytes.Buffer) error) []copyable {
	return []copyable{{key: "j", label: "JSON", detail: detail, text: func(context.Context) (string, []string, error) {
		var b bytes.Buffer
		err := write(&b)
		return b.String(), nil, err
	}}}
}

// starts are the start positions after a batch, as tidemark offsets prints them; -1 is the last committed one.
func (s *session) starts(batch int64) []copyable {
	if s.cp == nil || batch < 0 && s.cp.Commits.Last() < 0 || batch >= 0 && s.cp.Offsets.Find(batch) == nil {
		return nil
	}
	if batch < 0 {
		batch = s.cp.Commits.Last()
	}
	cp, begins, asked := s.cp, s.verdict.Starts(), s.verdict.Kept != nil
	return []copyable{{key: "s", label: "start positions", detail: fmt.Sprintf("what a new query's source option takes, to go on after batch %d", batch),
		text: func(ctx context.Context) (string, []string, error) {
			p, err := cp.PositionsAt(ctx, batch, false)
			if err != nil {
				return "", nil, err
			}
			var b bytes.Buffer
			var notes []string // the first is told beside the copy: what is skipped, before what else there is to know
			_, err = report.StartingOffsets(&b, p, func(i int, o source.Offset) (availability.StartPosition, bool, error) {
				begin, ok := begins.At(i, o)
				if asked {
					notes = append(notes, begin.Notices()...)
				}
				return begin, ok, nil
			})
			return b.String(), append(notes, p.Notes...), err
		}}}
}

// batchJSON is a batch as tidemark batches --json prints it.
func (s *session) batchJSON(id int64) []copyable {
	cp, out := s.cp, s.verdict.Sink
	return []copyable{{key: "j", label: "JSON", detail: fmt.Sprintf("batch %d", id), text: func(ctx context.Context) (string, []string, error) {
		var near [3]*checkpoint.Batch
		for i, n := range []int64{id - 1, id, id + 1} {
			if cp.Offsets.Find(n) == nil && cp.Commits.Find(n) == nil {
				continue
			}
			b, err := cp.Batch(ctx, n)
			if err != nil {
				return "", nil, err
			}
			near[i] = b
		}
		if near[1] == nil {
			return "", nil, fmt.Errorf("there is no file of batch %d", id)
		}
		var b bytes.Buffer
		files, err := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(ctx, near[0], near[1])
		if err != nil {
			return "", nil, err
		}
		err = report.BatchJSON(&b, near[0], near[1], near[2], files, out)
		return b.String(), nil, err
	}}}
}

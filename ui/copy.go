package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What is shown can be copied: to the terminal's clipboard, which the terminal sets if it supports OSC 52 (through SSH too) and
// never confirms, or to a file that a person names.

// clipboardLimit is how many bytes of base64 terminals accept; some drop longer texts silently.
const clipboardLimit = 74_994

// ---- the menu

// offerCopies opens the menu of what can be copied here, or written to a file.
func (a *App) offerCopies(toFile bool) tea.Cmd {
	m := &menu{title: "Copy to the clipboard", none: "Nothing to copy here."}
	if toFile {
		m.title = "Write to a file"
	}
	for _, c := range a.copyables() {
		m.items = append(m.items, item{key: c.Key, label: c.Label, detail: c.Detail, do: func() tea.Cmd { return a.fetch(c, toFile) }})
	}
	switch {
	case toFile && a.Write == nil:
		a.notice = "No file can be written here"
		return nil
	case !toFile && a.Write != nil && len(m.items) > 0:
		m.items = append(m.items, item{key: "w", label: "write to a file", detail: "choose what, then name the file", right: kit.Keys.Export.Help().Key, do: func() tea.Cmd { return a.offerCopies(true) }})
	}
	return a.offer(m)
}

// copyables is what can be copied here: what the screen has, and the way back to this view.
func (a *App) copyables() []kit.Copyable {
	var all []kit.Copyable
	if c, ok := a.top().Screen.(kit.Copier); ok {
		all = c.Copies()
	}
	if line := a.here(); line != "" && a.Reopen != nil && a.Checkpoint != nil {
		all = append(all, kit.Ready("c", "command", a.Reopen(a.Location, line))...)
	}
	return all
}

// copied is the text of something that is to be copied.
type copied struct {
	what   kit.Copyable
	text   string
	notes  []string
	err    error
	toFile bool
}

// fetch gets the text, in the background: it may have to be read.
func (a *App) fetch(c kit.Copyable, toFile bool) tea.Cmd {
	ctx := a.top().Ctx
	return kit.Guard(0, func() tea.Msg {
		text, notes, err := c.Text(ctx)
		return copied{c, harmless(text), notes, err, toFile}
	})
}

// harmless is a text with every line printable.
func harmless(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = phrase.Printable(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// take hands a text to the terminal, or asks for the name of a file. The footer says what was done.
func (a *App) takeCopy(c copied) tea.Cmd {
	switch encoded := base64.StdEncoding.EncodedLen(len(c.text)); {
	case c.err != nil:
		a.notice = fmt.Sprintf("%s not copied: %v", c.what.Label, c.err)
	case c.text == "":
		a.notice = c.what.Label + ": nothing to copy"
	case c.toFile:
		a.askFile(c, "", nil)
	case encoded > clipboardLimit && a.Write == nil:
		a.notice = tooLong(encoded)
	case encoded > clipboardLimit:
		a.askFile(c, "", errors.New(tooLong(encoded)+"; name a file for it, or press esc"))
	default:
		return a.clip(c)
	}
	return nil
}

func tooLong(encoded int) string {
	return fmt.Sprintf("not copied: %s bytes of base64, and a terminal's clipboard takes at most %s", phrase.Count(int64(encoded)), phrase.Count(clipboardLimit))
}

// clip sends a text to the clipboard of the terminal; inside tmux also through it, to the terminal around it.
func (a *App) clip(c copied) tea.Cmd {
	a.notice = fmt.Sprintf("%s sent to the terminal's clipboard, %s; terminals do not confirm", c.what.Label, phrase.Units(int64(len(c.text)), "bytes"))
	set := tea.SetClipboard(c.text)
	if a.Tmux {
		a.notice = fmt.Sprintf("%s sent to tmux and its terminal, %s; neither confirms", c.what.Label, phrase.Units(int64(len(c.text)), "bytes"))
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
	a.saving.Show(kit.Ask{
		Label: "Write " + c.what.Label + " to",
		Hint: func() []string {
			return []string{"A new file on this machine. tidemark overwrites nothing, and never writes into a checkpoint."}
		},
		Take: func(typed string) (kit.Action, error) {
			if strings.TrimSpace(typed) == "" {
				return nil, errors.New("name a file, or press esc")
			}
			return save{c, typed}, nil
		},
	})
	if name != "" {
		a.saving.Line.Set(name)
		a.saving.Line.Begin()
	}
	a.saving.Err = wrong
}

// heardFile takes a key or a paste while a name is typed.
func (a *App) heardFile(msg tea.Msg) tea.Cmd {
	s, ok := a.saving.Handle(msg).(save)
	if !ok {
		return nil
	}
	a.notice = "… writing " + s.name
	write, location := a.Write, a.Location
	return kit.Guard(0, func() tea.Msg { return saved{s, write(location, s.name, []byte(s.text+"\n"))} })
}

// isSaved says that the file was written, or asks for another name.
func (a *App) isSaved(s saved) {
	if s.err != nil {
		a.notice = ""
		a.askFile(s.copied, s.name, fmt.Errorf("not written: %w", s.err))
		return
	}
	a.notice = fmt.Sprintf("%s written to %s, %s", s.what.Label, s.name, phrase.Units(int64(len(s.text))+1, "bytes"))
	if len(s.notes) > 0 {
		a.notice += " · " + s.notes[0]
	}
}

package ui

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
)

// The command line that ":" opens: a batch by its number, a file or a place in one as findings and the
// footer write it, or a screen by its name.
//
//	:120   :batch 120   :offsets/120   :offsets/120:3@69   :findings

// prompted takes what is typed into the command line.
func (a *App) prompted(msg tea.Msg) tea.Cmd {
	enter := false
	if k, ok := msg.(tea.KeyPressMsg); ok {
		enter = k.String() == "enter"
	}
	text := strings.TrimSpace(a.prompt.Typed())
	a.prompt.Update(msg)
	if !enter || text == "" {
		return nil
	}
	a.prompt.Clear()
	return a.command(text)
}

// command does what a line asks for, or says in the footer why not.
func (a *App) command(text string) tea.Cmd {
	word, rest, _ := strings.Cut(text, " ")
	if id, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64); err == nil && word == "batch" {
		return a.openBatch(id)
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return a.openBatch(id)
	}
	if _, ok := screens[text]; ok {
		return a.jump(text)
	}
	switch at := parsePlace(text); {
	case text == "q" || text == "quit":
		return tea.Quit
	case text == "help":
		return a.push(newHelp(&a.session, a.top().screen))
	case a.cp != nil && fs.ValidPath(at.File) && (strings.Contains(at.File, "/") || a.cp.Root.Find(at.File) != nil):
		return a.push(newBytes(&a.session, at, -1))
	}
	a.notice = fmt.Sprintf("%q is none of: a batch number, a file such as offsets/120, overview, batches, findings, state, drift, tree, sources", text)
	return nil
}

func (a *App) openBatch(id int64) tea.Cmd {
	switch {
	case a.cp == nil:
		a.notice = "the checkpoint is not open yet"
	case a.cp.Offsets.Find(id) == nil && a.cp.Commits.Find(id) == nil:
		a.notice = fmt.Sprintf("there is no file of batch %d, neither in offsets nor in commits", id)
	default:
		return a.push(newBatch(&a.session, id))
	}
	return nil
}

// parsePlace reads a place as decode.Where writes it: "offsets/120:3@69".
func parsePlace(text string) decode.Where {
	at := decode.Where{File: text}
	if file, offset, ok := cutLast(at.File, "@"); ok {
		if n, err := strconv.ParseInt(offset, 10, 64); err == nil && n >= 0 {
			at.File, at.Offset = file, n
		}
	}
	if file, line, ok := cutLast(at.File, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil && n > 0 {
			at.File, at.Line = file, n
		}
	}
	return at
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

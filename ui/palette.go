package ui

import (
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The palette that ctrl+k opens: all that can be done here, in one list that typing filters. The keys of the screen are first,
// then the commands, the findings, the newest batches and the known files.

// How many of each the palette has; the prompt reaches all.
const (
	paletteFindings = 100
	paletteBatches  = 30
	paletteFiles    = 60
)

// openPalette offers all that can be done.
func (a *App) openPalette() tea.Cmd {
	items := a.keyItems()
	if a.Checkpoint != nil {
		items = append(items, a.findingItems()...)
		items = append(items, a.batchItems()...)
		items = append(items, a.fileItems()...)
	}
	return a.offer(&menu{title: "Go to, or do", items: items, more: a.typedItem,
		hint: "Type letters of a command, a batch ID, a file or a location."})
}

// typedItem is what is typed, if it is a location or a line of the prompt.
func (a *App) typedItem(typed string) []item {
	if strings.Contains(typed, "://") || strings.HasPrefix(typed, "/") && len(typed) > 1 {
		if a.OpenAt == nil {
			return nil
		}
		return []item{{label: "open this location", line: kit.Safe(":open " + typed), do: func() tea.Cmd { return a.command("open " + typed) }}}
	}
	c, at, err := readLine(kit.ParseWords(typed))
	if err != nil || c == nil && !strings.Contains(at.File, "/") {
		return nil
	}
	what := "a place in a file"
	if c != nil {
		what = c.Does
	}
	return []item{{label: what, line: kit.Safe(":" + typed), do: func() tea.Cmd { return a.command(typed) }}}
}

// keyItems are the keys of the screen, the commands, and the keys of every screen; what several of them do is there once.
func (a *App) keyItems() []item {
	var items []item
	have := map[string]bool{kit.MarkOf(kit.Keys.Question): true, kit.MarkOf(kit.Keys.Palette): true}
	add := func(b key.Binding, where string) {
		if have[kit.MarkOf(b)] || !b.Enabled() {
			return
		}
		have[kit.MarkOf(b)] = true
		items = append(items, item{label: b.Help().Desc, detail: where, right: a.Label(b),
			do: func() tea.Cmd { return a.press(kit.PressOf(b)) }})
	}
	for _, c := range specs {
		have[kit.MarkOf(c.Key)] = true
	}
	var moves []key.Binding
	for _, b := range a.top().Keys() {
		if kit.IsMoving(b) {
			moves = append(moves, b)
			continue
		}
		add(b, "this screen")
	}
	for _, c := range specs {
		items = append(items, a.commandItem(&c))
	}
	for _, b := range a.Everywhere() {
		add(b, "every screen")
	}
	for _, b := range moves {
		add(b, "move")
	}
	return items
}

// commandItem runs a command, or begins it in the prompt if it needs an argument.
func (a *App) commandItem(c *kit.Spec) item {
	name, do := ":"+c.Command, func() tea.Cmd { return a.command(c.Command) }
	if c.Need {
		name += " " + c.Args
		do = func() tea.Cmd {
			a.openPrompt(c.Command + " ")
			return nil
		}
	}
	return item{label: c.Does, line: name, right: a.Label(c.Key), do: do}
}

func (a *App) findingItems() []item {
	var items []item
	for i := range min(len(a.Verdict.Findings), paletteFindings) {
		f := &a.Verdict.Findings[i]
		line := kit.FindingLine(&a.Verdict, i)
		symbol, _ := a.Theme.Severity(f.Severity)
		detail := fmt.Sprintf("%s %s  %s  %s", symbol, f.Severity, phrase.Batch(f.Batch), kit.Safe(f.Evidence))
		items = append(items, item{label: line, detail: detail, also: kit.Prose(f.Title), do: func() tea.Cmd { return a.command(line) }})
	}
	return items
}

func (a *App) batchItems() []item {
	var items []item
	for id := range kit.Newest(a.Checkpoint, paletteBatches) {
		line, detail := fmt.Sprintf("batch %d", id), "committed"
		if a.Checkpoint.Commits.Find(id) == nil {
			detail = "uncommitted"
		}
		items = append(items, item{label: line, detail: detail, do: func() tea.Cmd { return a.command(line) }})
	}
	return items
}

// fileItems are the files and folders at the root, the newest of each log, and the folders of operators.
func (a *App) fileItems() []item {
	var items []item
	add := func(path string, dir bool, what string) {
		line, detail := "file "+kit.Quote(path), "a file, "+what
		if dir {
			line, detail = "tree "+kit.Quote(path), "a folder"
		}
		if len(items) < paletteFiles {
			items = append(items, item{label: kit.Safe(path), detail: detail, do: func() tea.Cmd { return a.command(line) }})
		}
	}
	for _, i := range kit.InOrder(&a.Checkpoint.Root) {
		e := &a.Checkpoint.Root.Entries[i]
		add(path.Join(a.Checkpoint.Root.Name, e.Name), e.Dir, phrase.Bytes(e.Size))
	}
	for id := range kit.Newest(a.Checkpoint, 8) {
		for _, d := range []*checkpoint.LogDir{&a.Checkpoint.Offsets, &a.Checkpoint.Commits} {
			if f := d.Find(id); f != nil {
				add(path.Join(d.Name, f.Name), false, phrase.Bytes(f.Size))
			}
		}
	}
	for i := range a.Verdict.Operators {
		op := &a.Verdict.Operators[i]
		add(op.Dir, true, "")
		for j := range op.Partitions {
			add(fmt.Sprintf("%s/%d", op.Dir, op.Partitions[j].ID), true, "")
		}
	}
	return items
}

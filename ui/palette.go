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

// The palette that ctrl+k opens: all that can be done from here, in one list that typing narrows. The keys of
// the screen come first, then the commands of the command line, then what was found, the newest batches and
// the files that are known.

// Of what there are many the palette has the first of them; the command line reaches all.
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
	return a.offer(&menu{title: "Go to, or do", items: items, beside: a.typedItem})
}

// typedItem is what is typed as a line of the command line, where it is one.
func (a *App) typedItem(typed string) []item {
	c, at, err := readLine(kit.ParseWords(typed))
	if err != nil || c == nil && !strings.Contains(at.File, "/") {
		return nil
	}
	what := "a place in a file"
	if c != nil {
		what = c.Does
	}
	return []item{{label: kit.Safe(":" + typed), detail: what, do: func() tea.Cmd { return a.command(typed) }}}
}

// keyItems are the keys of the screen, the commands, and the keys of everywhere: what several of them do once.
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
		add(b, "a key of this screen")
	}
	for _, c := range specs {
		items = append(items, a.commandItem(&c))
	}
	for _, b := range a.Everywhere() {
		add(b, "a key of every screen")
	}
	for _, b := range moves {
		add(b, "moves")
	}
	return items
}

// commandItem does a command, or where it wants more begins it on the command line.
func (a *App) commandItem(c *kit.Spec) item {
	name, do := ":"+c.Command, func() tea.Cmd { return a.command(c.Command) }
	if c.Need {
		name += " " + c.Args
		do = func() tea.Cmd {
			a.openPrompt(c.Command + " ")
			return nil
		}
	}
	return item{label: name, detail: c.Does, right: a.Label(c.Key), do: do}
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
			detail = "not committed"
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

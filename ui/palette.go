package ui

import (
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
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
	if a.cp != nil {
		items = append(items, a.findingItems()...)
		items = append(items, a.batchItems()...)
		items = append(items, a.fileItems()...)
	}
	return a.offer(&menu{title: "GO TO, OR DO", items: items, beside: a.typedItem})
}

// typedItem is what is typed as a line of the command line, where it is one.
func (a *App) typedItem(typed string) []item {
	c, at, err := readLine(parseWords(typed))
	if err != nil || c == nil && !strings.Contains(at.File, "/") {
		return nil
	}
	what := "a place in a file"
	if c != nil {
		what = c.does
	}
	return []item{{label: safe(":" + typed), detail: what, do: func() tea.Cmd { return a.command(typed) }}}
}

// keyItems are the keys of the screen, the commands, and the keys of everywhere: what several of them do once.
func (a *App) keyItems() []item {
	var items []item
	have := map[string]bool{markOf(keys.question): true, markOf(keys.palette): true}
	add := func(b key.Binding, where string) {
		if have[markOf(b)] || !b.Enabled() {
			return
		}
		have[markOf(b)] = true
		items = append(items, item{label: b.Help().Desc, detail: where, right: a.label(b), do: func() tea.Cmd { return a.key(pressOf(b)) }})
	}
	for _, c := range specs {
		have[markOf(c.key)] = true
	}
	var moves []key.Binding
	for _, b := range a.top().keys() {
		if isMoving(b) {
			moves = append(moves, b)
			continue
		}
		add(b, "a key of this screen")
	}
	for _, c := range specs {
		items = append(items, a.commandItem(&c))
	}
	for _, b := range a.everywhere() {
		add(b, "a key of every screen")
	}
	for _, b := range moves {
		add(b, "moves")
	}
	return items
}

// commandItem does a command, or where it wants more begins it on the command line.
func (a *App) commandItem(c *Spec) item {
	name, do := ":"+c.command, func() tea.Cmd { return a.command(c.command) }
	if c.need {
		name += " " + c.args
		do = func() tea.Cmd {
			a.openPrompt(c.command + " ")
			return nil
		}
	}
	return item{label: name, detail: c.does, right: a.label(c.key), do: do}
}

func (a *App) findingItems() []item {
	var items []item
	for i := range min(len(a.verdict.Findings), paletteFindings) {
		f := &a.verdict.Findings[i]
		line := findingLine(&a.verdict, i)
		symbol, _ := a.theme.severity(f.Severity)
		detail := fmt.Sprintf("%s %s  %s  %s", symbol, f.Severity, batchWord(f.Batch), safe(f.Evidence))
		items = append(items, item{label: line, detail: detail, also: prose(f.Title), do: func() tea.Cmd { return a.command(line) }})
	}
	return items
}

func (a *App) batchItems() []item {
	var items []item
	for id := range newest(a.cp, paletteBatches) {
		line, detail := fmt.Sprintf("batch %d", id), "committed"
		if a.cp.Commits.Find(id) == nil {
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
		line, detail := "file "+quote(path), "a file, "+what
		if dir {
			line, detail = "tree "+quote(path), "a folder"
		}
		if len(items) < paletteFiles {
			items = append(items, item{label: safe(path), detail: detail, do: func() tea.Cmd { return a.command(line) }})
		}
	}
	for _, i := range inOrder(&a.cp.Root) {
		e := &a.cp.Root.Entries[i]
		add(path.Join(a.cp.Root.Name, e.Name), e.Dir, size(e.Size))
	}
	for id := range newest(a.cp, 8) {
		for _, d := range []*checkpoint.LogDir{&a.cp.Offsets, &a.cp.Commits} {
			if f := d.Find(id); f != nil {
				add(path.Join(d.Name, f.Name), false, size(f.Size))
			}
		}
	}
	for i := range a.verdict.Operators {
		op := &a.verdict.Operators[i]
		add(op.Dir, true, "")
		for j := range op.Partitions {
			add(fmt.Sprintf("%s/%d", op.Dir, op.Partitions[j].ID), true, "")
		}
	}
	return items
}

package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// History, as a browser has it: "[" goes back over the views that were visited, "]" forward again. A view is kept
// as the lines that open the screens of the stack, so it comes back with its selection, order and filter, and
// costs a few words.

type history struct{ back, forward []view }

// view is what was on the screen.
type view struct {
	lines []string // of the screens, the first one first
	asOf  int64    // the batch that was looked at
}

// keptViews is how many views are kept each way.
const keptViews = 100

// seen is what is on the screen now.
func (a *App) seen() view {
	v := view{asOf: a.AsOf}
	for _, l := range a.stack {
		if line := commandOf(l.Screen); line != "" {
			v.lines = append(v.lines, line)
		}
	}
	return v
}

// record keeps the view that a message led away from. What was gone back over is no longer ahead then; and the
// views of one checkpoint say nothing of another.
func (a *App) record(was view, top *layer, location string) {
	switch traveled := a.traveled; {
	case a.Location != location:
		a.history = history{}
	case a.top() != top && !traveled && len(was.lines) > 0:
		a.history = history{back: keep(a.history.back, was)}
	}
	a.traveled = false
}

func keep(views []view, v view) []view {
	views = append(views, v)
	return views[max(len(views)-keptViews, 0):]
}

// travel goes back in history, or forward.
func (a *App) travel(back bool) tea.Cmd {
	from, to, words := &a.history.forward, &a.history.back, "no later view"
	if back {
		from, to, words = &a.history.back, &a.history.forward, "no earlier view"
	}
	n := len(*from)
	if n == 0 {
		a.notice = words
		return nil
	}
	target := (*from)[n-1]
	*from = (*from)[:n-1]
	a.traveled = true
	*to = keep(*to, a.seen())
	return a.restore(target)
}

// restore brings a view back: the screens of it that are open stay, the others are opened again.
func (a *App) restore(v view) tea.Cmd {
	a.AsOf = v.asOf
	same := 0
	for same < len(a.stack) && same < len(v.lines) && commandOf(a.stack[same].Screen) == v.lines[same] {
		same++
	}
	cmds := []tea.Cmd{}
	if same == 0 { // the first screen is never left: overview, or where the checkpoint was chosen
		same = 1
	}
	for len(a.stack) > same {
		a.pop()
	}
	for _, line := range v.lines[min(same, len(v.lines)):] {
		w := kit.ParseWords(line)
		w.Fresh = true
		cmd, err := a.runLine(line, w)
		cmds = append(cmds, cmd)
		if err != nil {
			a.notice = err.Error()
			break
		}
	}
	a.AsOf = v.asOf
	return tea.Batch(append(slices.Clip(cmds), a.tell(a.top(), kit.Uncovered{}))...)
}

// here is the line that opens what is shown now; "" where there is none.
func (a *App) here() string { return commandOf(a.top().Screen) }

func commandOf(s kit.Screen) string {
	if v, ok := s.(kit.Viewer); ok {
		return v.Command()
	}
	return ""
}

package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The line after ":": a batch by its number, a file or a place in one as findings and the footer write it,
// or a row of specs. The palette and the help screen are drawn from the same list.
//
//	:120   :batch 120   :offsets/120:3@69   :state 0/3 /missing   :key {"shop_id": 7}

// command does what a line asks for, or says in the footer why not. What is still being read is waited for.
func (a *App) command(line string) tea.Cmd {
	return a.try(line, func(a *App) (tea.Cmd, error) { return a.runLine(line, kit.ParseWords(line)) })
}

// goTo does what a screen asks for by a line.
func (a *App) goTo(to kit.Go) tea.Cmd {
	return a.try(to.Line, func(a *App) (tea.Cmd, error) {
		w := kit.ParseWords(to.Line)
		w.With = to.With
		c, _, err := readLine(w)
		if err != nil {
			return nil, err
		}
		return a.run(c, w)
	})
}

// visit opens a view by its line: the one on the stack that it already is, else a new one.
func (a *App) visit(line string) tea.Cmd {
	return a.try(line, func(a *App) (tea.Cmd, error) {
		for i := len(a.stack) - 1; i >= 0; i-- {
			if commandOf(a.stack[i].Screen) == line {
				return a.popTo(i), nil
			}
		}
		w := kit.ParseWords(line)
		w.Fresh = true
		return a.runLine(line, w)
	})
}

func (a *App) try(line string, do func(a *App) (tea.Cmd, error)) tea.Cmd {
	if a.waiting != nil {
		a.waiting, a.notice = nil, ""
	}
	cmd, err := do(a)
	switch {
	case errors.Is(err, kit.ErrNotYet):
		a.waiting = func() tea.Cmd { return a.try(line, do) }
		a.notice = fmt.Sprintf("… %s opens when it is read · any key cancels", line)
	case err != nil:
		a.notice = err.Error()
	}
	return cmd
}

// runLine does what a line asks for, once; errNotYet where it cannot be told yet what comes of it.
func (a *App) runLine(line string, w *kit.Words) (tea.Cmd, error) {
	if w.Empty() {
		return nil, nil
	}
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return nil, err
	case c == nil && at.File == "":
		return a.filterTop(w.Filter), nil
	case c != nil && c.Anywhere:
	case a.Checkpoint == nil && a.Open == nil:
		return nil, errors.New("no checkpoint is open")
	case a.Checkpoint == nil && a.Opening:
		return nil, kit.ErrNotYet
	case a.Checkpoint == nil:
		return nil, errors.New("the checkpoint could not be opened")
	case c == nil:
		if !strings.Contains(at.File, "/") && a.Checkpoint.Root.Find(at.File) == nil {
			return nil, notKnown(line)
		}
		c, w.List = &placeSpec, append([]kit.Word{{Text: at.String()}}, w.List...)
	}
	return a.run(c, w)
}

// run does a row of the list with what stands on the line after its command.
func (a *App) run(c *kit.Spec, w *kit.Words) (tea.Cmd, error) {
	if c.Ready != nil {
		if err := c.Ready(&a.Session, w); err != nil {
			return nil, err
		}
	}
	switch {
	case c.Do != nil:
		act, err := c.Do(&a.Session, w)
		if err != nil {
			return nil, err
		}
		return a.do(act), nil
	case c.Find != nil:
		return a.search(c, w)
	case c.New != nil:
		return a.set(c, w)
	}
	s, err := c.Open(&a.Session, w)
	switch {
	case err != nil:
		return nil, err
	case c.Once && a.top().Title() == s.Title():
		return a.filterTop(w.Filter), nil
	}
	return tea.Batch(a.push(s, c), a.filterTop(w.Filter)), nil
}

// readLine is the row that a line begins with, or else the place in a file that it is; neither where
// it is only a filter. The first word is taken off.
func readLine(w *kit.Words) (*kit.Spec, decode.Where, error) {
	if len(w.List) == 0 {
		return nil, decode.Where{}, nil
	}
	first := w.Next()
	if _, err := strconv.ParseInt(first, 10, 64); err == nil {
		w.List = append([]kit.Word{{Text: first}}, w.List...)
		first = "batch"
	}
	if first == "q" { // who comes from vi types it without thinking
		first = "quit"
	}
	for i := range specs {
		if c := &specs[i]; c.Command == first {
			if c.Whole && w.Filter != "" { // a path begins with a slash too
				w.List, w.Filter = append(w.List, kit.Word{Text: "/" + w.Filter}), ""
			}
			return c, decode.Where{}, c.Fits(w)
		}
	}
	if at := kit.ParsePlace(first); fs.ValidPath(at.File) && first != "." {
		return nil, at, nil
	}
	return nil, decode.Where{}, notKnown(first)
}

func notKnown(line string) error {
	word, _, _ := strings.Cut(line, " ")
	var names []string
	for _, c := range specs {
		names = append(names, c.Command)
	}
	if near := phrase.Nearest(word, names); near != "" {
		return fmt.Errorf("%q is no command or file; did you mean %q?", word, near)
	}
	return fmt.Errorf("%q is no command, batch ID or file · tab after : lists them", word)
}

// CheckView says what is wrong with the line of a view, as far as that shows without a checkpoint.
func CheckView(line string) error {
	w := kit.ParseWords(line)
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return err
	case c == nil && at.File == "":
		return errors.New("the name of a view is missing")
	case c == nil && !strings.Contains(at.File, "/") && at.File != "metadata":
		return fmt.Errorf("%w (for a file of that name: file %s)", notKnown(line), at.File)
	case c == nil || c.Check == nil:
		return nil
	}
	return c.Check(w)
}

// set goes to the screen of a row and hands it the rest of the line. Where it does not take it, nothing has happened.
func (a *App) set(c *kit.Spec, w *kit.Words) (tea.Cmd, error) {
	var cmd, more tea.Cmd
	var err error
	depth := len(a.stack)
	if c.Moment {
		switch at, err := kit.TakeMoment(w); {
		case err != nil:
			return nil, err
		case at >= 0 && a.HasBatch(at) != nil:
			return nil, a.HasBatch(at)
		case at >= 0 || w.Fresh:
			a.AsOf = at
		}
	} else if w.Fresh {
		a.AsOf = -1
	}
	if w.Fresh {
		cmd = a.push(c.New(&a.Session), c)
	} else {
		cmd = a.jump(c)
	}
	if s, ok := a.top().Screen.(kit.Settable); ok && len(w.List) > 0 {
		more, err = s.Set(w)
	}
	if err == nil && len(w.List) > 0 {
		err = fmt.Errorf("%s: %q is not understood", c.Title, w.Peek())
	}
	if err != nil && len(a.stack) > depth {
		a.pop()
		return nil, err
	}
	return tea.Batch(cmd, more, a.filterTop(w.Filter)), err
}

// filterTop sets the filter of the screen that is shown, where one is given.
func (a *App) filterTop(filter string) tea.Cmd {
	s, ok := a.top().Screen.(kit.Filterer)
	switch {
	case filter == "":
		return nil
	case !ok:
		a.notice = fmt.Sprintf("nothing to filter in %s", a.top().Title())
		return nil
	}
	s.SetFilter(filter)
	return a.tell(a.top(), tea.WindowSizeMsg{Width: a.w, Height: a.h}) // other rows are in sight, and may have to be read
}

// ---- lines that are searched for

// lineFound is the line that a search was for, or why there is none.
type lineFound struct {
	seek int // of the app: which search this is the end of
	line string
	err  error
}

// search looks in the background for the line to open. A key that is pressed meanwhile ends it.
func (a *App) search(c *kit.Spec, w *kit.Words) (tea.Cmd, error) {
	run, err := c.Find(&a.Session, w)
	if err != nil {
		return nil, err
	}
	a.seeks++
	seek, ctx := a.seeks, a.reading.Life
	a.notice = "… " + c.Finding + " · any key cancels"
	a.waiting = func() tea.Cmd { return nil }
	return kit.Guard(a.reading.ID, func() tea.Msg {
		line, err := run(ctx)
		return lineFound{seek, line, err}
	}), nil
}

// found opens what was searched for, unless a person has gone on.
func (a *App) found(msg lineFound) tea.Cmd {
	if msg.seek != a.seeks || a.waiting == nil {
		return nil
	}
	a.waiting, a.notice = nil, ""
	if msg.err != nil {
		a.notice = msg.err.Error()
		return nil
	}
	return a.command(msg.line)
}

// CheckKeys says what is wrong with keys of a person's own: names of actions, each with its keys.
func CheckKeys(changed map[string][]string) error { return kit.CheckKeys(changed, specs) }

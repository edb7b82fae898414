package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
)

// The line after ":": a batch by its number, a file or a place in one as findings and the footer write it,
// or a row of specs. The palette and the help screen are drawn from the same list.
//
//	:120   :batch 120   :offsets/120:3@69   :state 0/3 /missing   :key {"shop_id": 7}

// command does what a line asks for, or says in the footer why not. What is still being read is waited for.
func (a *App) command(line string) tea.Cmd {
	return a.try(line, func(a *App) (tea.Cmd, error) { return a.runLine(line, parseWords(line)) })
}

// goTo does what a screen asks for by a line.
func (a *App) goTo(to goLine) tea.Cmd {
	return a.try(to.line, func(a *App) (tea.Cmd, error) {
		w := parseWords(to.line)
		w.with = to.with
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
			if commandOf(a.stack[i].screen) == line {
				return a.popTo(i), nil
			}
		}
		w := parseWords(line)
		w.anew = true
		return a.runLine(line, w)
	})
}

func (a *App) try(line string, do func(a *App) (tea.Cmd, error)) tea.Cmd {
	if a.waiting != nil {
		a.waiting, a.notice = nil, ""
	}
	cmd, err := do(a)
	switch {
	case errors.Is(err, errNotYet):
		a.waiting = func() tea.Cmd { return a.try(line, do) }
		a.notice = fmt.Sprintf("… %s as soon as it is known · any key stays here", line)
	case err != nil:
		a.notice = err.Error()
	}
	return cmd
}

// runLine does what a line asks for, once; errNotYet where it cannot be told yet what comes of it.
func (a *App) runLine(line string, w *words) (tea.Cmd, error) {
	if w.empty() {
		return nil, nil
	}
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return nil, err
	case c == nil && at.File == "":
		return a.filterTop(w.filter), nil
	case c != nil && c.anywhere:
	case a.cp == nil && a.Open == nil:
		return nil, errors.New("no checkpoint is open")
	case a.cp == nil && a.opening:
		return nil, errNotYet
	case a.cp == nil:
		return nil, errors.New("the checkpoint could not be opened")
	case c == nil:
		if !strings.Contains(at.File, "/") && a.cp.Root.Find(at.File) == nil {
			return nil, notKnown(line)
		}
		c, w.list = &placeSpec, append([]word{{text: at.String()}}, w.list...)
	}
	return a.run(c, w)
}

// run does a row of the list with what stands on the line after its command.
func (a *App) run(c *Spec, w *words) (tea.Cmd, error) {
	if c.ready != nil {
		if err := c.ready(&a.session, w); err != nil {
			return nil, err
		}
	}
	switch {
	case c.do != nil:
		act, err := c.do(&a.session, w)
		if err != nil {
			return nil, err
		}
		return a.do(act), nil
	case c.find != nil:
		return a.search(c, w)
	case c.make != nil:
		return a.set(c, w)
	}
	s, err := c.open(&a.session, w)
	switch {
	case err != nil:
		return nil, err
	case c.once && a.top().title() == s.title():
		return a.filterTop(w.filter), nil
	}
	return tea.Batch(a.push(s), a.filterTop(w.filter)), nil
}

// readLine is the row that a line begins with, or else the place in a file that it is; neither where
// it is only a filter. The first word is taken off.
func readLine(w *words) (*Spec, decode.Where, error) {
	if len(w.list) == 0 {
		return nil, decode.Where{}, nil
	}
	first := w.next()
	if _, err := strconv.ParseInt(first, 10, 64); err == nil {
		w.list = append([]word{{text: first}}, w.list...)
		first = "batch"
	}
	if first == "q" { // who comes from vi types it without thinking
		first = "quit"
	}
	for i := range specs {
		if c := &specs[i]; c.command == first {
			if c.whole && w.filter != "" { // a path begins with a slash too
				w.list, w.filter = append(w.list, word{text: "/" + w.filter}), ""
			}
			return c, decode.Where{}, c.fits(w)
		}
	}
	if at := parsePlace(first); fs.ValidPath(at.File) && first != "." {
		return nil, at, nil
	}
	return nil, decode.Where{}, notKnown(first)
}

// fits returns an error where an argument is missing, or none is taken.
func (c *Spec) fits(w *words) error {
	switch {
	case c.need && len(w.list) == 0:
		return fmt.Errorf("%s: what is asked for is missing: %s %s", c.command, c.command, c.args)
	case c.args == "":
		return oneTooMany(c.command, w)
	}
	return nil
}

func notKnown(line string) error {
	word, _, _ := strings.Cut(line, " ")
	var names []string
	for _, c := range specs {
		names = append(names, c.command)
	}
	if near := decode.Nearest(word, names); near != "" {
		return fmt.Errorf("%q is neither a command nor a file; did you mean %q?", word, near)
	}
	return fmt.Errorf("%q is neither a command, the number of a batch, nor a file · tab after : shows what there is", word)
}

// CheckView says what is wrong with the line of a view, as far as that shows without a checkpoint.
func CheckView(line string) error {
	w := parseWords(line)
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return err
	case c == nil && at.File == "":
		return errors.New("no view is named")
	case c == nil && !strings.Contains(at.File, "/") && at.File != "metadata":
		return fmt.Errorf("%w (for a file of that name: file %s)", notKnown(line), at.File)
	case c == nil || c.check == nil:
		return nil
	}
	return c.check(w)
}

// set goes to the screen of a row and hands it the rest of the line. Where it does not take it, nothing has happened.
func (a *App) set(c *Spec, w *words) (tea.Cmd, error) {
	var cmd, more tea.Cmd
	var err error
	depth := len(a.stack)
	if c.moment {
		switch at, err := takeMoment(w); {
		case err != nil:
			return nil, err
		case at >= 0 && a.hasBatch(at) != nil:
			return nil, a.hasBatch(at)
		case at >= 0 || w.anew:
			a.asOf = at
		}
	} else if w.anew {
		a.asOf = -1
	}
	if w.anew {
		cmd = a.push(c.make(&a.session))
	} else {
		cmd = a.jump(c)
	}
	if s, ok := a.top().screen.(settable); ok && len(w.list) > 0 {
		more, err = s.set(w)
	}
	if err == nil && len(w.list) > 0 {
		err = fmt.Errorf("%s: %q is not understood there", c.title, w.peek())
	}
	if err != nil && len(a.stack) > depth {
		a.pop()
		return nil, err
	}
	return tea.Batch(cmd, more, a.filterTop(w.filter)), err
}

// filterTop sets the filter of the screen that is shown, where one is given.
func (a *App) filterTop(filter string) tea.Cmd {
	s, ok := a.top().screen.(sifter)
	switch {
	case filter == "":
		return nil
	case !ok:
		a.notice = fmt.Sprintf("%s has no filter", a.top().title())
		return nil
	}
	s.sift(filter)
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
func (a *App) search(c *Spec, w *words) (tea.Cmd, error) {
	run, err := c.find(&a.session, w)
	if err != nil {
		return nil, err
	}
	a.seeks++
	seek, ctx := a.seeks, a.reading.life
	a.notice = "… " + c.finding + " · any key stays here"
	a.waiting = func() tea.Cmd { return nil }
	return guard(a.reading.id, func() tea.Msg {
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

package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What a person tells beside the checkpoint: the sink, a spec, the brokers, a file of positions. It is asked for in a line that
// floats over the screen, and read in the background. Then all is judged again, from what was read before, and the answer takes the
// place of the old one when it is complete: every screen keeps the row under its cursor.

// asking is the line, and what becomes of what was typed in it.
type asking struct {
	kit.Ask
	of      *kit.Wanted
	busy    bool                   // what was typed is being read, or judged
	use     func(*examine.Options) // of what is being judged; nil while nothing is
	options examine.Options        // what it is judged by
	pending bool                   // it is judged when what is being read is complete
	turn    int                    // what comes of an earlier line is dropped
	end     func()                 // ends the reading of the answer
}

// tells is the action of a row of kit.Wants.
type tells struct {
	of   *kit.Wanted
	text string // "" asks for it
}

// answerRead is an answer that was read, or why it cannot be used.
type answerRead struct {
	turn int
	use  func(*examine.Options)
	err  error
}

// wantedRows are the rows of the list of all commands for what can be told.
func wantedRows() (rows []kit.Spec) {
	for i := range kit.Wants {
		of := &kit.Wants[i]
		rows = append(rows, kit.Spec{Command: of.Command, Args: "[" + of.Args + "]", Whole: true, Does: of.Does,
			Do: func(s *kit.Session, w *kit.Words) (kit.Action, error) {
				if s.Answer == nil {
					return nil, fmt.Errorf("%s: nothing can be named here", of.Command)
				}
				return tells{of, w.Rest()}, nil
			}})
	}
	return rows
}

// tell asks for what is missing, or takes it where it stands on the line.
func (a *App) ask(act tells) tea.Cmd {
	a.dropAnswer()
	q := &a.asking
	q.of = act.of
	q.Show(kit.Ask{Label: act.of.Title, Hint: func() []string { return nil }})
	if act.text == "" {
		return nil
	}
	q.Line.Set(act.text)
	q.Line.Begin()
	return a.answer()
}

// dropAnswer forgets a line, and ends what is read for it.
func (a *App) dropAnswer() {
	if a.asking.use != nil {
		a.dropRound()
	}
	if a.asking.end != nil {
		a.asking.end()
	}
	a.asking = asking{turn: a.asking.turn + 1}
}

// heardAnswer takes a key or a paste while the line is open.
func (a *App) heardAnswer(msg tea.Msg) tea.Cmd {
	q := &a.asking
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case isKey && k.String() == "esc":
		a.dropAnswer()
	case q.busy:
	case isKey && k.String() == "enter":
		return a.answer()
	default:
		q.Err = nil
		if q.Line.Update(msg); !q.Line.Typing {
			a.dropAnswer()
		}
	}
	return nil
}

// answer reads what was typed, in the background.
func (a *App) answer() tea.Cmd {
	q := &a.asking
	text := strings.TrimSpace(q.Line.Typed())
	if text == "" {
		q.Err = errors.New(strings.ToLower(q.of.Args) + " is missing")
		return nil
	}
	read, err := a.Answer(q.of.Command, text)
	if q.Err = err; err != nil {
		return nil
	}
	ctx, end := context.WithCancel(a.ctx)
	q.busy, q.end = true, end
	turn := q.turn
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = answerRead{turn: turn, err: kit.BrokeDown(p)}
			}
		}()
		use, err := read(ctx)
		return answerRead{turn, use, err}
	}
}

// isTold judges all again by an answer that was read.
func (a *App) isTold(msg answerRead) tea.Cmd {
	q := &a.asking
	if msg.turn != q.turn || !q.IsOpen() {
		return nil
	}
	if msg.err != nil {
		q.busy, q.Err = false, msg.err
		return nil
	}
	q.use = msg.use
	return a.judge()
}

// judge examines again what is open, by what was told; once what is being read is complete.
func (a *App) judge() tea.Cmd {
	q := &a.asking
	if q.pending = a.Opening || a.Examining || a.Checkpoint == nil; q.pending {
		return nil
	}
	a.dropRound()
	f := &a.follow
	f.looking, f.again, f.began = true, true, a.Now()
	a.ids++
	ctx, end := context.WithCancel(a.ctx)
	f.round, f.end = kit.Scope{ID: a.ids, Life: ctx, Ctx: ctx}, end
	f.cp, f.found, f.asked = a.Checkpoint, checks.Verdict{}, a.Now()
	q.options = a.Examine
	q.use(&q.options)
	opt := q.options
	if opt.Now.IsZero() {
		opt.Now = a.Now()
	}
	return kit.Stream(f.round.Life, f.round.ID, kit.Each(a.examine(f.round.Ctx, f.cp, opt)))
}

// failRound ends a round that found nothing out: the line says why, where the round was for one.
func (a *App) failRound(err error) {
	if a.asking.use != nil {
		a.judged(err)
		err = nil
	}
	a.endRound(err, false)
}

// renewTold puts what a round for an answer has found in the place of what was known.
func (a *App) renewTold() tea.Cmd {
	if !a.judged(nil) {
		a.endRound(nil, false)
		return nil
	}
	cmd := a.renew()
	if !a.follow.on { // nothing else takes the marks of what is new away
		a.Fresh, a.Gone = nil, nil
	}
	return cmd
}

// judged ends the line where the judgement by it is complete, and reports whether it counts. Where what was told is of no use, the line
// says why, and everything stays as it was.
func (a *App) judged(err error) bool {
	q := &a.asking
	if q.use == nil {
		return true
	}
	if err == nil {
		err = useless(q.of, &a.follow.found)
	}
	if err != nil {
		q.busy, q.use, q.Err = false, nil, err
		return false
	}
	if !a.told {
		a.untold, a.told = a.Examine, true
	}
	a.Examine = q.options
	a.notice = "checked again: " + a.follow.found.Decision().Does
	a.asking = asking{turn: q.turn + 1}
	return true
}

// useless is why what was told cannot be judged by; nil where it can.
func useless(of *kit.Wanted, v *checks.Verdict) error {
	switch {
	case of.Command == "sink":
		switch {
		case v.Sink == nil:
			return errors.New(cmp.Or(unreadText(v), "the sink could not be read"))
		case v.Sink.Unknown != "":
			return errors.New(phrase.Sentence(v.Sink.Unknown) + " " + v.Sink.Settle)
		}
	case of.Sources:
		switch {
		case v.Kept == nil:
			return errors.New(cmp.Or(unreadText(v), "no source could be asked"))
		case len(v.Kept.Sources) == 0 && len(v.Kept.Unfit) > 0:
			return errors.New(phrase.Sentence(v.Kept.Unfit[0]))
		}
		for i := range v.Kept.Sources {
			if v.Kept.Sources[i].Err == nil {
				return nil
			}
		}
		if len(v.Kept.Sources) > 0 {
			return v.Kept.Sources[0].Err
		}
		return errors.New("none of it is about a source of this query")
	}
	return nil
}

// unreadText is the first thing that could not be read; "" for none.
func unreadText(v *checks.Verdict) string {
	all := page.NotRun(v)
	if i := slices.IndexFunc(all, func(n checks.NotRun) bool { return n.Code == "" }); i >= 0 {
		return page.NotRunLine(&all[i])
	}
	return ""
}

// forgetTold goes back to what the command line has told: another checkpoint is opened.
func (a *App) forgetTold() {
	a.dropAnswer()
	if a.told {
		a.Examine, a.told = a.untold, false
	}
}

// ---- view

// answerFloat is the line in its box: the question, what is typed, and what will be read, or what is wrong with it.
func (a *App) answerFloat(w int) kit.Float {
	t, q := &a.Theme, &a.asking
	f := kit.Float{Title: q.of.Title, Right: t.Accent.Styled("enter") + " check  " + t.Accent.Styled("esc") + " cancel"}
	say := func(style func(string) string, text string) {
		for _, line := range phrase.Wrap(t.Signs(text), w-4) {
			f.Lines = append(f.Lines, " "+style(line))
		}
	}
	say(func(s string) string { return s }, q.of.Asks)
	lead := ":" + q.of.Command + " "
	f.Lines = append(f.Lines, "", " "+t.Accent.Styled(lead)+t.Strong.Styled(q.Line.TextIn(w-4-len(lead))), "")
	switch {
	case q.Err != nil:
		say(t.Bad.Styled, "✗ "+kit.Prose(q.Err.Error()))
	case q.pending:
		say(t.Info.Styled, "… It is checked when reading ends.")
	case q.busy:
		say(t.Info.Styled, "… Checking. esc stops it.")
	default:
		say(t.Dim.Styled, "Such as "+q.of.Example)
		say(t.Dim.Styled, q.of.Reads)
	}
	return f
}

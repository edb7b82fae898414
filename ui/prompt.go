package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The prompt that ":" opens over the screen. What a line may continue with is below it; the best of that is dimmed behind the
// cursor. tab chooses among it, → takes what is dimmed, ↑ and ↓ recall earlier lines of this run.

// ---- model

type prompt struct {
	widget.Input
	earlier []string // the lines of this run, oldest first
	recall  int      // which of them is shown; their number while a new one is typed
	draft   string   // the new one, while an earlier is shown
	offers  []kit.Candidate
	pick    int // the offer that tab chose; -1 for none
}

const (
	keptLines  = 100 // earlier lines
	seenOffers = 6   // lines of them below the line
)

// openPrompt opens the prompt with some text in it.
func (a *App) openPrompt(text string) {
	a.prompt.Set(text)
	a.prompt.Begin()
	a.prompt.recall, a.prompt.draft = len(a.prompt.earlier), ""
	a.suggest()
}

// suggest finds what the line may continue with.
func (a *App) suggest() {
	a.prompt.pick = -1
	a.prompt.offers = a.complete(a.prompt.Typed())
}

// rest is what is dimmed behind the cursor: the end of the best offer.
func (p *prompt) rest() string {
	if len(p.offers) == 0 || p.pick >= 0 || p.Typed() == "" || !p.AtEnd() {
		return ""
	}
	rest, _ := strings.CutPrefix(p.offers[0].Line, p.Typed())
	if rest == p.offers[0].Line {
		return ""
	}
	return rest
}

// ---- update

// prompted takes a key or a paste into the prompt.
func (a *App) prompted(msg tea.Msg) tea.Cmd {
	p := &a.prompt
	name := ""
	if k, ok := msg.(tea.KeyPressMsg); ok {
		name = k.String()
	}
	if p.AtEnd() && slices.Contains([]string{"right", "ctrl+e", "end"}, name) {
		a.openLine(p.Typed() + p.rest())
		return nil
	}
	switch name {
	case "enter":
		return a.entered()
	case "tab":
		a.cycle(1)
	case "shift+tab":
		a.cycle(-1)
	case "up", "ctrl+p":
		a.recallLine(-1)
	case "down", "ctrl+n":
		a.recallLine(1)
	default:
		if p.Update(msg); p.Typing {
			p.recall = len(p.earlier)
			a.suggest()
		}
	}
	return nil
}

// openLine puts another text into the line.
func (a *App) openLine(text string) {
	a.prompt.Set(text)
	a.prompt.Begin()
	a.suggest()
}

// entered does what the line asks for.
func (a *App) entered() tea.Cmd {
	p := &a.prompt
	line := strings.TrimSpace(p.Typed())
	p.Clear()
	p.offers = nil
	if line == "" {
		return nil
	}
	p.earlier = append(slices.DeleteFunc(p.earlier, func(l string) bool { return l == line }), line)
	p.earlier = p.earlier[max(len(p.earlier)-keptLines, 0):]
	return a.command(line)
}

// cycle chooses the next offer; a single one is taken, and what may follow it is offered.
func (a *App) cycle(by int) {
	p := &a.prompt
	n := len(p.offers)
	switch {
	case n == 0:
	case n == 1:
		a.openLine(p.offers[0].Line)
	default:
		if p.pick += by; p.pick < 0 {
			p.pick = n - 1
		}
		p.pick %= n
		p.Set(p.offers[p.pick].Line)
		p.Begin()
	}
}

// recallLine shows an earlier line, or again the one that was being typed.
func (a *App) recallLine(by int) {
	p := &a.prompt
	to := p.recall + by
	if to < 0 || to > len(p.earlier) {
		return
	}
	if p.recall == len(p.earlier) {
		p.draft = p.Typed()
	}
	p.recall = to
	if to == len(p.earlier) {
		a.openLine(p.draft)
		return
	}
	a.openLine(p.earlier[to])
}

// ---- view

// promptFloat is the command line w cells wide: the line itself, behind its end what it may continue with, and below it some
// of the offers, around the chosen one.
func (a *App) promptFloat(w int) kit.Float {
	t, p := &a.Theme, &a.prompt
	f := kit.Float{Title: "Go to", Right: t.Dim.Styled("a batch, a file, a command")}
	f.Lines = append(f.Lines, " "+t.Strong.Styled(":"+p.TextIn(w-6))+t.Dim.Styled(kit.Safe(p.rest())))
	if len(p.offers) == 0 {
		return f
	}
	c := widget.Cursor{Height: seenOffers}
	c.Go(p.pick, len(p.offers))
	from, to := c.Window(len(p.offers), seenOffers)
	if n := len(p.offers); n > seenOffers {
		f.Position = fmt.Sprintf("%d offers", n)
		if n == kit.MostOffers {
			f.Position = fmt.Sprintf("the first %d offers", n)
		}
	}
	f.Lines = append(f.Lines, "")
	name := 12
	for _, o := range p.offers[from:to] {
		name = max(name, min(phrase.Width(kit.Safe(o.Line)), w/2))
	}
	palette := t.Palette()
	for i, o := range p.offers[from:to] {
		text := phrase.Fit(phrase.Middle(kit.Safe(o.Line), name), name) + "  " + t.Dim.Styled(kit.Safe(o.Does))
		f.Lines = append(f.Lines, palette.Row(text, w-2, from+i == p.pick))
	}
	return f
}

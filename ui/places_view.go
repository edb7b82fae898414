package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// ---- view

// Len and Row make it the rows of its table.
func (x *places) Len() int { return len(x.rows) }

func (x *places) Row(i int, r *widget.Row) {
	t := &x.s.theme
	at := &x.rows[i]
	r.Cells[0] = widget.Cell{Text: at.kind, Style: t.dim}
	r.Cells[1].Text = x.label(at)
	symbol, style := t.health(at.health)
	r.Cells[2] = widget.Cell{Text: strings.TrimSpace(symbol + " " + at.health), Style: style}
	switch {
	case at.kind == kindExample, at.kind == kindHere:
		r.Cells[2] = widget.Cell{Text: safe(at.choice.Detail), Wide: true}
	case at.health == "…":
		r.Cells[2] = widget.Cell{Text: "… being looked at", Wide: true}
	case at.kind == kindRecent:
		r.Cells[3].Text = x.visit(at)
	default:
		r.Cells[3].Text = at.outcome
		if at.same != "" {
			r.Cells[3] = widget.Cell{Text: strings.TrimPrefix(at.outcome+"; ", "; ") + "same query as " + safe(at.same), Style: t.warn}
		}
	}
}

// label is a place as short as it can be told apart.
func (x *places) label(at *spot) string {
	if at.kind == kindExample || at.kind == kindFound && at.choice.Label != "" && at.choice.Label != "." {
		return safe(at.choice.Label)
	}
	return safe(at.choice.Location)
}

// visit is when a place was opened the last time.
func (x *places) visit(at *spot) string {
	if at.when.IsZero() {
		return ""
	}
	return "opened " + x.s.clock.age(at.when.UnixMilli())
}

// health is the symbol and the colour of a word on a checkpoint.
func (t *theme) health(word string) (symbol string, style ansi.Style) {
	switch word {
	case "", "…", "folder":
		return "", ansi.Style{}
	case "ok":
		return "✓", t.good
	case "unknown":
		return "?", t.unknown
	}
	if s, err := checks.ParseSeverity(word); err == nil {
		return t.severity(s)
	}
	return "?", t.unknown
}

func (x *places) head(w int) []string {
	t := &x.s.theme
	if x.typed.open() {
		return append(x.typed.view(t, w), "")
	}
	title, hint := "WHICH CHECKPOINT?", ""
	if x.own {
		title, hint = "NO CHECKPOINT, BUT A FOLDER.", "Which one below it?"
		if !x.looking && len(x.found) == 0 {
			hint = "None was found below it."
		}
	} else if x.s.OpenAt != nil {
		hint = x.s.label(keys.open) + " types a location"
	}
	lines := []string{" " + t.section.Styled(title) + "  " + t.dim.Styled(hint)}
	if x.sought() {
		lines[0] = " " + t.strong.Styled(safe(x.filter.Text())) + t.dim.Styled(fmt.Sprintf("   %d of %d", x.table.Order.Len(len(x.rows)), len(x.rows)))
	}
	return append(lines, "")
}

// summary is the line of the verdict while there is none: how far the search has come, and the worst of it.
func (x *places) summary(w int) string {
	t := &x.s.theme
	if x.root == "" || x.s.Find == nil {
		return t.dim.Styled("choose a checkpoint")
	}
	below := "below " + widget.Middle(safe(x.root), max(w-60, 20))
	var parts []string
	n := plural(int64(len(x.found)), "checkpoint")
	switch {
	case x.looking:
		parts = append(parts, fmt.Sprintf("… %s so far %s, %s looked at", n, below, plural(int64(x.looked), "folder")))
	case x.err != nil || x.left || len(x.unread) > 0:
		parts = append(parts, fmt.Sprintf("%s %s", n, below), t.unknown.Styled("? not everything was looked at"))
	default:
		parts = append(parts, fmt.Sprintf("%s %s", n, below))
	}
	words := slices.Clone(checks.Severities)
	slices.Reverse(words)
	for _, word := range append(words, "unknown", "ok") {
		n := 0
		for _, f := range x.found {
			if f.Health == word {
				n++
			}
		}
		if symbol, style := t.health(word); n > 0 {
			parts = append(parts, style.Styled(fmt.Sprintf("%s %d %s", symbol, n, word)))
		}
	}
	return strings.Join(parts, "   ")
}

func (x *places) view(w, h int) []string {
	if len(x.rows) == 0 && !x.typed.open() {
		return append(x.head(w), "   There is nothing to choose from. Give the location of a checkpoint: tidemark LOCATION")
	}
	return x.list.view(&x.s.theme, x.head(w), x, x.words)
}

// words are what is known of the selected place, and of the search.
func (x *places) words(w, h int) []string {
	t := &x.s.theme
	at := x.selected()
	if at == nil {
		return []string{"", x.s.withKeys("Nothing matches. %s shows all again.", keys.back)}
	}
	lines := []string{t.strong.Styled(widget.Middle(safe(at.choice.Location), w))}
	add := func(text string) { lines = append(lines, widget.Wrap(text, w)...) }
	switch {
	case at.kind == kindHere:
		add("What is in this folder, read as if it were a checkpoint: why it is taken for none, and its files.")
	case at.kind == kindExample:
		add(safe(at.choice.Detail))
		add("It is inside the program: an incident to learn on.")
	case at.kind == kindRecent && at.health == "folder":
		add(report.Sentence(x.visit(at)) + " It was no checkpoint then, but a folder with others below it.")
	case at.kind == kindRecent && at.health == "":
		add(report.Sentence(x.visit(at)) + " It was left before all of it was looked at.")
	case at.kind == kindRecent:
		add(report.Sentence(x.visit(at)) + " Its health is that of then: " + at.health + ".")
	case at.health == "…":
		add("It is being looked at.")
	default:
		symbol, style := t.health(at.health)
		lines = append(lines, style.Styled(symbol+" "+at.health)+"   restart: "+at.outcome)
		if at.same != "" {
			add("It is of the same query as " + safe(at.same) + ": one is a copy of the other. No more than one may ever be started, for a second run repeats what the first has written.")
		}
	}
	if x.left && x.s.Find != nil {
		add(fmt.Sprintf("The search ended after %s; what lies deeper was not looked at: tidemark find looks at all.", plural(int64(x.looked), "folder")))
	}
	if x.err != nil {
		add("The search has ended: " + safe(x.err.Error()) + ". r begins it anew.")
	}
	for _, u := range x.unread {
		add("? could not be listed: " + safe(u))
	}
	return scrolled(lines, x.scroll, h, x.s, x.inside)
}

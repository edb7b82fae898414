package start

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	t := &x.s.Theme
	at := &x.rows[i]
	r.Cells[0] = widget.Cell{Text: at.kind, Style: t.Dim}
	r.Cells[1].Text = x.label(at)
	symbol, style := t.Health(at.health)
	r.Cells[2] = widget.Cell{Text: strings.TrimSpace(symbol + " " + at.health), Style: style}
	switch {
	case at.kind == kindExample, at.kind == kindHere:
		r.Cells[2] = widget.Cell{Text: kit.Safe(at.choice.Detail), Wide: true}
	case at.health == "…":
		r.Cells[2] = widget.Cell{Text: "… being looked at", Wide: true}
	case at.kind == kindRecent:
		r.Cells[3].Text = x.visit(at)
	default:
		r.Cells[3].Text = at.outcome
		if at.same != "" {
			r.Cells[3] = widget.Cell{Text: strings.TrimPrefix(at.outcome+"; ", "; ") + "same query as " + kit.Safe(at.same), Style: t.Warn}
		}
	}
}

// label is a place as short as it can be told apart.
func (x *model) label(at *spot) string {
	if at.kind == kindExample || at.kind == kindFound && at.choice.Label != "" && at.choice.Label != "." {
		return kit.Safe(at.choice.Label)
	}
	return kit.Safe(at.choice.Location)
}

// visit is when a place was opened the last time.
func (x *model) visit(at *spot) string {
	if at.when.IsZero() {
		return ""
	}
	return "opened " + x.s.Clock.Age(at.when.UnixMilli())
}

func (x *model) head(w int) []string {
	t := &x.s.Theme
	if x.typed.IsOpen() {
		return append(x.typed.View(t, w), "")
	}
	title, hint := "WHICH CHECKPOINT?", ""
	if x.own {
		title, hint = "NO CHECKPOINT, BUT A FOLDER.", "Which one below it?"
		if !x.looking && len(x.found) == 0 {
			hint = "None was found below it."
		}
	} else if x.s.OpenAt != nil {
		hint = x.s.Label(kit.Keys.Open) + " types a location"
	}
	lines := []string{" " + t.Strong.Styled(title) + "  " + t.Dim.Styled(hint)}
	if x.Filtering() {
		lines[0] = " " + t.Strong.Styled(kit.Safe(x.Filter.Text())) + t.Dim.Styled(fmt.Sprintf("   %d of %d", x.Table.Order.Len(len(x.rows)), len(x.rows)))
	}
	return append(lines, "")
}

// Banner says how many checkpoints were found, and what to do about them.
func (x *model) Banner() (phrase.Sign, string) {
	if x.root == "" || x.s.Find == nil {
		return phrase.Sign{Symbol: "i", Role: phrase.Info, Word: "CHOOSE A CHECKPOINT"}, ""
	}
	sign := phrase.Sign{Symbol: "i", Role: phrase.Info, Word: strings.ToUpper(phrase.Units(int64(len(x.found)), "checkpoints"))}
	var parts []string
	switch {
	case x.looking:
		sign.Symbol = "…"
		parts = append(parts, fmt.Sprintf("so far, %s checked", phrase.Units(int64(x.looked), "folders")))
	case x.err != nil || x.left || len(x.unread) > 0:
		parts = append(parts, x.s.Theme.Unknown.Styled("? not everything was checked"))
	}
	return sign, strings.Join(append(parts, x.healths()...), "   ")
}

// healths counts the checkpoints by their health, the worst first.
func (x *model) healths() (parts []string) {
	words := slices.Clone(checks.Severities)
	slices.Reverse(words)
	for _, word := range append(words, "unknown", "ok") {
		n := 0
		for _, f := range x.found {
			if f.Health == word {
				n++
			}
		}
		if symbol, style := x.s.Theme.Health(word); n > 0 {
			parts = append(parts, style.Styled(fmt.Sprintf("%s %d %s", symbol, n, word)))
		}
	}
	return parts
}

func (x *model) View(w, h int) []string {
	if len(x.rows) == 0 && !x.typed.IsOpen() {
		return append(x.head(w), "   There is nothing to choose from. Give the location of a checkpoint: tidemark LOCATION")
	}
	return x.List.View(&x.s.Theme, x.head(w), x, x.detail)
}

// detail are what is known of the selected place, and of the search.
func (x *model) detail(w, h int) []string {
	t := &x.s.Theme
	at := x.selected()
	if at == nil {
		return []string{"", x.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
	}
	lines := []string{t.Strong.Styled(phrase.Middle(kit.Safe(at.choice.Location), w))}
	add := func(text string) { lines = append(lines, phrase.Wrap(text, w)...) }
	switch {
	case at.kind == kindHere:
		add("What is in this folder, read as if it were a checkpoint: why it is taken for none, and its files.")
	case at.kind == kindExample:
		add(kit.Safe(at.choice.Detail))
		add("It is inside the program: an incident to learn on.")
	case at.kind == kindRecent && at.health == "folder":
		add(phrase.Sentence(x.visit(at)) + " It was no checkpoint then, but a folder with others below it.")
	case at.kind == kindRecent && at.health == "":
		add(phrase.Sentence(x.visit(at)) + " It was left before all of it was looked at.")
	case at.kind == kindRecent:
		add(phrase.Sentence(x.visit(at)) + " Its health is that of then: " + at.health + ".")
	case at.health == "…":
		add("It is being looked at.")
	default:
		symbol, style := t.Health(at.health)
		lines = append(lines, style.Styled(symbol+" "+at.health)+"   restart: "+at.outcome)
		if at.same != "" {
			add("It is of the same query as " + kit.Safe(at.same) + ": one is a copy of the other. No more than one may ever be started, for a second run repeats what the first has written.")
		}
	}
	if x.left && x.s.Find != nil {
		add(fmt.Sprintf("The search ended after %s; what lies deeper was not looked at: tidemark find looks at all.", phrase.Units(int64(x.looked), "folders")))
	}
	if x.err != nil {
		add("The search has ended: " + kit.Safe(x.err.Error()) + ". r begins it anew.")
	}
	for _, u := range x.unread {
		add("? could not be listed: " + kit.Safe(u))
	}
	return kit.Scrolled(lines, x.Scroll, h, x.s, x.Inside)
}

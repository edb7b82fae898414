package drift

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/ui/kit"
)

// ---- view

// head is the line above the table: how many differences there are of each effect.
func (d *model) head() []string {
	t := &d.s.Theme
	if d.Filtering() {
		return []string{" " + kit.FilterLine(t, &d.Filter, kit.Plural(int64(d.len()), "difference")+" of "+phrase.Count(int64(len(d.rows))))}
	}
	line := d.tally(true)
	if phrase.Width(line) > d.W {
		line = d.tally(false)
	}
	if a := &d.s.Verdict.Advice; a.Way != "" {
		return []string{line, " → " + t.Strong.Styled(kit.Safe(report.Advice(a)))}
	}
	return []string{line}
}

// tally is how many differences there are of each effect, with or without what that means.
func (d *model) tally(words bool) string {
	t := &d.s.Theme
	var parts []string
	for _, e := range effects {
		n := 0
		for _, x := range d.rows {
			if x.Effect == e.is {
				n++
			}
		}
		if n > 0 && (words || e.words != "") {
			symbol, style := t.Effect(e.is)
			part := style.Styled(symbol + " " + phrase.Count(int64(n)) + " " + string(e.is))
			if words && e.words != "" {
				part += t.Dim.Styled(" (" + e.words + ")")
			}
			parts = append(parts, part)
		}
	}
	return " " + strings.Join(parts, "   ")
}

func (d *model) View(w, h int) []string {
	if len(d.rows) == 0 {
		return d.empty(w)
	}
	return d.List.View(&d.s.Theme, d.head(), d, d.detail)
}

// empty says why there is nothing to show.
func (d *model) empty(w int) []string {
	t := &d.s.Theme
	say := func(head string, texts ...string) []string {
		lines := []string{"", "   " + head}
		for _, text := range texts {
			lines = append(lines, "")
			lines = append(lines, kit.Indent(phrase.Wrap(text, w-6))...)
		}
		return lines
	}
	switch {
	case d.s.Examine.Spec == nil:
		return say(t.Unknown.Styled("? NOTHING IS COMPARED: no spec was given"),
			"A spec says what the code of the query declares: sources, operators, settings, sink. Start again with --spec FILE, and what differs is shown here, with what Spark does about it.",
			"tidemark spec LOCATION writes one from what a checkpoint records: from this one, to be changed as the code was changed, or from one that the new release made in a test. --spec takes such a checkpoint itself, too.")
	case !d.s.Verdict.Known:
		return say("… what the checkpoint records is being read.")
	}
	answer, because := kit.AnswerTo(d.s, "same_query")
	symbol, style := t.Answer(answer)
	return say(style.Styled(symbol+" No difference found."), "Same query? "+phrase.Sentence(answer+", "+kit.Prose(because)))
}

// detail is the words on the selected difference, scrolled, in no more than h lines of w cells.
func (d *model) detail(w, h int) []string {
	x := d.selected()
	if x == nil {
		return []string{"", d.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
	}
	return kit.Scrolled(d.text(x, w), d.Scroll, h, d.s, d.Inside)
}

func (d *model) text(x *checks.Drift, w int) []string {
	t := &d.s.Theme
	symbol, style := t.Effect(x.Effect)
	if x.Effect == kit.Same || x.Effect == kit.NotCompared {
		lines := []string{style.Styled(symbol+" "+string(x.Effect)) + "  " + t.Strong.Styled(kit.Safe(x.Field))}
		return append(lines, phrase.Wrap(kit.Prose(cmp.Or(x.Meaning, "The query declares what the checkpoint records.")), w)...)
	}
	does := effects[min(rankOf(x.Effect), len(effects)-1)].words
	if v := d.s.Verdict.Spark.String(); v != "" {
		does = "Spark " + v + " " + does
	}
	lines := []string{style.Styled(symbol+" "+does) + "  " + t.Strong.Styled(kit.Safe(x.Field))}
	if x.Error != "" {
		lines = append(lines, phrase.Wrap("Spark's words: "+kit.Safe(x.Error), w)...)
	}
	lines = append(lines, sides(t, said(x.Declared), said(x.Recorded), w)...)
	if x.Where.File != "" {
		lines = append(lines, t.Dim.Styled("recorded in ")+phrase.Middle(kit.Safe(x.Where.String()), w-12))
	}
	for _, part := range []struct{ head, text string }{{"what it means", x.Meaning}, {"next step", x.NextStep}, {"avoid", x.Avoid}} {
		if part.text == "" {
			continue
		}
		all := phrase.Wrap(part.head+": "+kit.Prose(part.text), w)
		if rest, ok := strings.CutPrefix(all[0], part.head); ok {
			all[0] = t.Section.Styled(part.head) + rest
		}
		lines = append(lines, all...)
	}
	return lines
}

const sideHead = 10 // cells

// sides are two texts one below the other, the part in which they differ marked; where they are too wide
// for that, each on lines of its own.
func sides(t *kit.Theme, declared, recorded string, w int) []string {
	first, last := difference(declared, recorded)
	line := func(name, text string) []string {
		if phrase.Width(text) > w-sideHead {
			return append([]string{t.Dim.Styled(name)}, kit.Indent(phrase.Wrap(text, w-3))...)
		}
		runes := []rune(text)
		to := max(len(runes)-last, first)
		return []string{t.Dim.Styled(phrase.Fit(name, sideHead)) + string(runes[:first]) + t.Marked.Styled(string(runes[first:to])) + string(runes[to:])}
	}
	return append(line("declared", declared), line("recorded", recorded)...)
}

// difference is how many runes two texts begin with alike, and how many they end with alike behind those.
func difference(a, b string) (first, last int) {
	x, y := []rune(ansi.Strip(a)), []rune(ansi.Strip(b))
	n := min(len(x), len(y))
	for first < n && x[first] == y[first] {
		first++
	}
	for last < n-first && x[len(x)-1-last] == y[len(y)-1-last] {
		last++
	}
	return first, last
}

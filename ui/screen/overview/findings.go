package overview

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// findings is the list of findings under its cursor, worst first, as its filter leaves them.
type findings struct {
	cursor widget.Cursor
	filter widget.Filter
	order  widget.Order
	kept   kit.FindingKey // the one under the cursor when a key was pressed last
	chosen bool           // a person has moved the cursor: it stays on its finding when others arrive above it
}

// arrange applies the filter, and puts the cursor on the finding that it was on.
func (f *findings) arrange(s *kit.Session) {
	all := s.Verdict.Findings
	f.order.All()
	if f.filter.Pattern != "" {
		f.order.Set(len(all), func(i int) bool { return f.filter.Wants(strings.Join(findingCells(s, &all[i]), " ")) }, nil)
	}
	n := f.order.Len(len(all))
	for at := range n {
		if f.chosen && kit.KeyOfFinding(&all[f.order.Row(at)]) == f.kept {
			f.cursor.Go(at, n)
			return
		}
	}
	f.cursor.Go(f.cursor.At, n)
}

// keep remembers which finding is under the cursor.
func (f *findings) keep(s *kit.Session) {
	if i, ok := f.selected(s); ok {
		f.kept, f.chosen = kit.KeyOfFinding(&s.Verdict.Findings[i]), f.chosen || f.cursor.At > 0
	}
}

// selected is the finding under the cursor; false if the list is empty.
func (f *findings) selected(s *kit.Session) (i int, ok bool) {
	if f.cursor.At >= f.order.Len(len(s.Verdict.Findings)) {
		return 0, false
	}
	return f.order.Row(f.cursor.At), true
}

// findingCells are the columns of a finding: severity, code, batch, and what was found.
func findingCells(s *kit.Session, f *checks.Finding) []string {
	text := kit.Safe(f.Evidence)
	if text == "" {
		text = kit.Prose(f.Title)
	}
	return []string{phrase.Severities.Of(f.Severity.String()).Word, f.Code, phrase.Batch(f.Batch), s.News(f) + text}
}

// findingsPanel is the list of findings, or one line where there is none.
func (o *model) findingsPanel() *kit.Panel {
	s, f := o.Session, &o.findings
	v := &s.Verdict
	p := &kit.Panel{ID: findingsID, Title: "Findings", Opens: kit.Keys.Findings, Rank: 4}
	if len(v.Findings) == 0 {
		p.Text = func(w int) []string { return o.noFindings(w) }
		p.Fold = func(w int) string { return o.noFindings(w)[0] }
		return p
	}
	if f.filter.Typing || f.filter.Pattern != "" {
		p.Right = kit.FilterEdge(&s.Theme, &f.filter, f.order.Len(len(v.Findings)), len(v.Findings))
	}
	p.Rows = &kit.Rows{Cursor: &f.cursor, Len: f.order.Len(len(v.Findings)), Foot: 1, More: !v.Done, Draw: o.drawFindings}
	p.Least = 2
	p.Fold = func(w int) string {
		t := &s.Theme
		symbol, style := t.Severity(v.Findings[0].Severity)
		cells := findingCells(s, &v.Findings[0])
		return phrase.Fit(style.Styled(t.Signs(symbol))+" "+cells[1]+"  "+cells[2]+"  "+cells[3], w-3) + " " + t.Accent.Styled(s.FirstKey(kit.Keys.Findings))
	}
	return p
}

// noFindings says that nothing was found, as far as that is known.
func (o *model) noFindings(w int) []string {
	t, v := &o.Session.Theme, &o.Session.Verdict
	switch {
	case !v.Done:
		return phrase.Wrap(t.Signs("… Nothing found so far. A finding that needs every file appears when reading ends."), w)
	case v.Open():
		return []string{t.Unknown.Styled("? ") + "Nothing found in what could be read." + t.Dim.Styled("  "+notRun(v))}
	}
	return []string{t.Good.Styled(t.Signs("✓ ")) + "Nothing found." + t.Dim.Styled("  "+notRun(v))}
}

// drawFindings draws the findings in the window, and below them what was not checked.
func (o *model) drawFindings(w, h int, blurred bool) (lines []string) {
	s, t := o.Session, &o.Session.Theme
	p := t.Palette()
	p.Blurred = blurred
	all := s.Verdict.Findings
	f := &o.findings
	n := f.order.Len(len(all))
	if n == 0 {
		return append(lines, " "+s.WithKeys("No finding matches. %s shows all.", kit.Keys.Back))
	}
	from, to := f.cursor.Window(n, h)
	code, batch := 0, 0
	for at := from; at < to; at++ {
		cells := findingCells(s, &all[f.order.Row(at)])
		code, batch = max(code, phrase.Width(cells[1])), max(batch, phrase.Width(cells[2]))
	}
	code = min(code, 28)
	for at := from; at < to; at++ {
		x := &all[f.order.Row(at)]
		cells := findingCells(s, x)
		symbol, style := t.Severity(x.Severity)
		head := t.Signs(symbol)
		if w >= kit.BareFrom {
			head = phrase.Fit(head+" "+cells[0], 10)
		}
		line := style.Styled(head) + "  " + phrase.Fit(cells[1], code) + "  " + phrase.Fit(cells[2], batch) + "  "
		line += fitting(w-2-phrase.Width(line), cells[3], kit.Prose(x.Title))
		lines = append(lines, p.Row(line, w, at == f.cursor.At))
	}
	if len(lines) < h {
		lines = append(lines, " "+t.Dim.Styled(o.below()))
	}
	return lines
}

// fitting is the first of the texts that fits in w cells; the first one cut where none does.
func fitting(w int, texts ...string) string {
	for _, text := range texts {
		if text != "" && phrase.Width(text) <= w {
			return text
		}
	}
	return phrase.Cut(texts[0], w)
}

// below is what is said below the findings.
func (o *model) below() string {
	if v := &o.Session.Verdict; v.Done {
		return notRun(v)
	}
	return "More may follow. A finding that needs every file appears when reading ends."
}

// notRun counts the checks that did not run, and says what they need; "" where all ran.
func notRun(v *checks.Verdict) string {
	var needs []string
	n, others := 0, 0
	need := func(what string) {
		if !slices.Contains(needs, what) {
			needs = append(needs, what)
		}
	}
	for i := range v.NotRun {
		switch x := &v.NotRun[i]; {
		case x.Code == "":
			continue
		case strings.Contains(x.Needs, "--sink"):
			need("the sink")
		case strings.Contains(x.Needs, "--spec"):
			need("a spec")
		case strings.HasPrefix(x.Needs, "--"):
			need("the sources")
		default:
			others++
		}
		n++
	}
	switch {
	case n == 0:
		return ""
	case len(needs) == 0 || others > 0:
		return fmt.Sprintf("%s not run", phrase.Units(int64(n), "checks"))
	case n == 1:
		return "1 check not run: it needs " + needs[0]
	}
	return fmt.Sprintf("%d checks not run: they need %s", n, orList(needs))
}

// orList joins words: "the sink, the sources or a spec".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

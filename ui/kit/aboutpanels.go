package kit

import (
	"fmt"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Panels about one batch, next to the list of all and to its own files.

// BatchPanel is a panel with the facts on a row of batches.
func (g *BatchLoader) BatchPanel(r BatchRow) *Panel {
	p := &Panel{ID: "batch", Title: "Batch " + rowName(r), Rank: 1, Least: 3}
	t := &g.Session.Theme
	if r.Missing > 0 {
		p.Title, p.Sign = p.Title+" is missing", phrase.Sign{Symbol: "✗", Role: g.GapRole(r)}
		if r.Missing > 1 {
			p.Title = "Batches " + rowName(r) + " are missing"
		}
		p.Text = func(w int) []string { return phrase.Wrap(phrase.Sentence(GapWords(g.Session.Checkpoint, r)), w) }
		return p
	}
	if g.Waits(r.ID) {
		p.Title, p.Sign = p.Title+" is uncommitted", phrase.Sign{Symbol: "!", Role: phrase.Warn}
	}
	p.Text = func(w int) []string {
		f := g.Facts(r.ID)
		if f == nil {
			return []string{t.Dim.Styled("… reading")}
		}
		lines, _ := t.FactLines(g.withReads(f), w)
		return lines
	}
	return p
}

// withReads are the facts on a batch, with what it reads of each source and its files.
func (g *BatchLoader) withReads(f *BatchFacts) []BatchFact {
	facts := g.FactsOf(f, nil)
	if f.B.Plan != nil {
		for i := range f.B.Plan.Sources {
			facts = append(facts, BatchFact{Name: fmt.Sprintf("source %d", i), Text: ReadsOf(&f.B.Plan.Sources[i], f.Ranges[i])})
		}
	}
	c := g.Session.Checkpoint
	for _, dir := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if file := dir.Find(f.B.ID); file != nil {
			facts = append(facts, BatchFact{Name: Safe(dir.Name + "/" + file.Name), Text: phrase.Bytes(file.Size)})
		}
	}
	return facts
}

// FindingsPanel is a panel with the findings about a row of batches, and the names of the others.
func (g *BatchLoader) FindingsPanel(r BatchRow) *Panel {
	return &Panel{ID: "about", Title: "Findings", Opens: Keys.Findings, Rank: 2, Least: 1,
		Text: func(w int) []string { return g.findings(r, w) }}
}

func (g *BatchLoader) findings(r BatchRow, w int) []string {
	const mostOthers = 20
	s := g.Session
	var about, others []string
	for i := range s.Verdict.Findings {
		f := &s.Verdict.Findings[i]
		symbol, style := s.Theme.Severity(f.Severity)
		line := style.Styled(symbol) + " " + f.Code
		switch {
		case f.Batch >= r.ID && f.Batch <= r.ID+max(r.Missing-1, 0):
			about = append(about, line)
			for _, l := range phrase.Wrap(Prose(f.Title), w-2) {
				about = append(about, "  "+l)
			}
		case len(others) == mostOthers:
			others = append(others, s.Theme.Dim.Styled(fmt.Sprintf("… %s in all",
				phrase.Units(int64(len(s.Verdict.Findings)), "findings"))))
		case len(others) < mostOthers && f.Batch >= 0:
			others = append(others, line+s.Theme.Dim.Styled(fmt.Sprintf("  batch %d", f.Batch)))
		case len(others) < mostOthers:
			others = append(others, line)
		}
	}
	switch {
	case len(about) > 0:
	case !s.Verdict.Done:
		about = []string{"… still checking: none about this batch so far"}
	case len(others) == 0:
		return []string{"No findings"}
	default:
		about = []string{"None about this batch"}
	}
	if len(others) > 0 {
		others = append([]string{s.Theme.Dim.Styled("Others:")}, others...)
	}
	return append(about, others...)
}

// ReadsPanel is a panel with what a batch reads of each partition, with the share that it has in all of them; nil where that
// is not known.
func (g *BatchLoader) ReadsPanel(r BatchRow) *Panel {
	f := g.Facts(r.ID)
	if r.Missing > 0 || f == nil || f.B.Plan == nil || len(f.Ranges) == 0 {
		return nil
	}
	return &Panel{ID: "reads", Title: "Reads of batch " + rowName(r), Rank: 2, Least: 6,
		Text: func(w int) []string { return g.reads(f, w) }}
}

// reads are the ranges of a batch in lines: names, ends, amounts, shares and bars below each other.
func (g *BatchLoader) reads(f *BatchFacts, w int) (lines []string) {
	t := &g.Session.Theme
	var name, from, to, amount int
	full, total := map[string]int64{}, map[string]int64{}
	for i, ranges := range f.Ranges {
		for _, r := range ranges {
			a, b := Ends(r)
			name, from, to = max(name, phrase.Width(PartOf(i, r.Part))), max(from, phrase.Width(a)), max(to, phrase.Width(b))
			amount = max(amount, phrase.Width(phrase.Amount(r)))
			if r.Counted {
				full[r.Unit], total[r.Unit] = max(full[r.Unit], r.Count), total[r.Unit]+max(r.Count, 0)
			}
		}
	}
	name, from, to = min(name, 40), min(from, 30), min(to, 30)
	for i, ranges := range f.Ranges {
		for _, r := range slices.SortedStableFunc(slices.Values(ranges),
			func(a, b source.Range) int { return NaturalPath(a.Part, b.Part) }) {
			a, b := Ends(r)
			line := phrase.Fit(phrase.Middle(PartOf(i, r.Part), name), name) + "  " + phrase.FitRight(a, from) + " → " + phrase.Fit(b, to) +
				"  " + phrase.FitRight(phrase.Amount(r), amount)
			if r.Counted && r.Count > 0 {
				line += "  " + phrase.FitRight(phrase.Share(r.Count, total[r.Unit]), 7) + " "
				line += t.Plot.Styled(widget.Bar(r.Count, full[r.Unit], min(w-phrase.Width(line), widget.MostBar)))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// Stopped is a panel that says why no more batches are read; nil where nothing went wrong.
func (g *BatchLoader) Stopped() *Panel {
	if g.Err == nil {
		return nil
	}
	text := phrase.Sentence(Safe(g.Err.Error())) + g.Session.WithKeys(" %s reads again.", Keys.Reread)
	return &Panel{ID: "stopped", Title: "Reading stopped", Sign: phrase.Sign{Symbol: "?", Role: phrase.Open}, Rank: 1,
		Text: func(w int) []string { return phrase.Wrap(text, w) }, Fold: func(int) string { return "? Reading stopped: " + text }}
}

package kit

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// A batch in facts, as more than one screen shows it.

// BatchFact is a name and what it is, with the place in the files of the batch that records it.
type BatchFact struct {
	Name string
	Text string       // styled
	At   decode.Where // its zero value where no file records it
	Line bool         // the whole line records it, not a value
}

// Places are where the files of a batch record its values, by file and name: "offsets/3 planned".
type Places map[string]decode.Where

// PlacesOf are the places of the values in a file of a log.
func (p Places) PlacesOf(name string, data []byte) {
	for _, l := range checkpoint.Describe(name, data) {
		if _, have := p[name+" "+l.Label]; !have {
			p[name+" "+l.Label] = l.Where
		}
	}
}

// find is where a value is recorded, or else line 2, which has all of them.
func (p Places) find(file, name string) (at decode.Where, line bool) {
	if at, ok := p[file+" "+name]; ok {
		return at, false
	}
	return decode.Where{File: file, Line: 2}, true
}

// Facts are what the files of a batch say of it, but for the ranges of its sources.
func (g *BatchLoader) FactsOf(f *BatchFacts, places Places) []BatchFact {
	s, b := g.Session, f.B
	facts := problems(s, b)
	offsets, commits := fmt.Sprintf("offsets/%d", b.ID), fmt.Sprintf("commits/%d", b.ID)
	if b.Plan == nil {
		facts = append(facts, BatchFact{Name: "started", Text: s.Theme.Bad.Styled("✗") + " " + noFile(s.Checkpoint, b, s.Checkpoint.Offsets.Name)})
	} else {
		at, line := places.find(offsets, "planned")
		facts = append(facts, BatchFact{"started", g.started(f), at, line})
	}
	facts = append(facts, g.committedFact(b, commits))
	if b.Plan == nil {
		return facts
	}
	at, line := places.find(offsets, "watermark")
	facts = append(facts, BatchFact{"watermark", g.watermark(b), at, line})
	if b.Commit != nil && b.Commit.NextWatermark != 0 && b.Commit.NextWatermark != b.Plan.Watermark {
		facts = append(facts, BatchFact{"", "next batch: " + g.Session.Theme.Dim.Styled(g.Session.Clock.Clocked(b.Commit.NextWatermark)), decode.Where{File: commits, Line: 2}, true})
	}
	if b.Plan.Control != "" {
		facts = append(facts, BatchFact{"control", "control batch: " + phrase.Printable(b.Plan.Control), decode.Where{File: offsets, Line: 2}, true})
	}
	if n, ok := s.StateSizes[b.ID+1]; ok {
		facts = append(facts, BatchFact{Name: "state", Text: fmt.Sprintf("writes version %d, %s", b.ID+1, phrase.Bytes(n))})
	} else if len(s.StateSizes) > 0 {
		facts = append(facts, BatchFact{Name: "state", Text: fmt.Sprintf("no file of version %d", b.ID+1)})
	}
	facts = append(facts, g.settings(f, places, offsets)...)
	return facts
}

// problems are what does not parse in the files of a batch, and checksums that do not match.
func problems(s *Session, b *checkpoint.Batch) (facts []BatchFact) {
	warn := s.Theme.Warn.Styled("!") + " "
	for _, e := range b.Problems() {
		facts = append(facts, BatchFact{"broken", warn + Safe(e.Where.String()) + "  " + Safe(e.What) + ": " + Safe(e.Err.Error()), e.Where, true})
	}
	for _, e := range b.Checksums {
		facts = append(facts, BatchFact{"checksum", warn + Safe(e.Error()), e.Where, true})
	}
	return facts
}

// noFile says why there is no file of a batch in a log.
func noFile(c *checkpoint.Checkpoint, b *checkpoint.Batch, log string) string {
	name := fmt.Sprintf("%s/%d", log, b.ID)
	for i := range b.Unread {
		if u := &b.Unread[i]; u.Name == name {
			return fmt.Sprintf("%s could not be read (%s): %s", name, u.Why(), Safe(u.Err.Error()))
		}
	}
	for _, dir := range []*checkpoint.LogDir{&c.Offsets, &c.Commits} {
		if dir.Name == log && dir.Err != nil {
			return log + " could not be listed"
		}
	}
	return name + " is missing"
}

// aged is a time with its age before it.
func (g *BatchLoader) aged(ms int64) string {
	c := g.Session.Clock
	age := c.Age(ms)
	if age == "" {
		return c.Full(ms)
	}
	return age + "  " + g.Session.Theme.Dim.Styled(c.Clocked(ms))
}

func (g *BatchLoader) started(f *BatchFacts) string {
	if f.B.Plan.Timestamp == 0 {
		return "not recorded"
	}
	text := g.aged(f.B.Plan.Timestamp)
	if ms, ok := f.Interval(); ok && ms >= 0 {
		text += "  " + g.Session.Theme.Dim.Styled(fmt.Sprintf("%s after batch %d", phrase.Span(ms), f.Before.ID))
	}
	return text
}

func (g *BatchLoader) committedFact(b *checkpoint.Batch, commits string) BatchFact {
	t := &g.Session.Theme
	switch {
	case b.Commit != nil:
		return BatchFact{"committed", t.Good.Styled("✓ yes"), decode.Where{File: commits, Line: 2}, true}
	case g.Session.Checkpoint.Commits.Err != nil:
		return BatchFact{Name: "committed", Text: t.Unknown.Styled("? unknown") + "  " + noFile(g.Session.Checkpoint, b, g.Session.Checkpoint.Commits.Name)}
	}
	word := "no"
	if g.Waits(b.ID) {
		word = t.Warn.Styled("! no")
	}
	return BatchFact{Name: "committed", Text: word + "  " + noFile(g.Session.Checkpoint, b, g.Session.Checkpoint.Commits.Name)}
}

func (g *BatchLoader) watermark(b *checkpoint.Batch) string {
	switch {
	case b.Plan.Watermark == 0 && !b.Plan.HasMetadata:
		return "unknown"
	case b.Plan.Watermark == 0:
		return "none"
	}
	full := g.Session.Theme.Dim.Styled(g.Session.Clock.Clocked(b.Plan.Watermark))
	switch ms, ok := LagOf(b); {
	case !ok:
		return full
	case ms < 0:
		return phrase.Span(-ms) + " ahead  " + full
	default:
		return phrase.Span(ms) + " behind  " + full
	}
}

// settings are those that differ from the batch before.
func (g *BatchLoader) settings(f *BatchFacts, places Places, offsets string) (facts []BatchFact) {
	p := f.B.Plan
	if !p.HasMetadata {
		return nil
	}
	pinned := phrase.Units(int64(len(p.Conf)), "settings") + " recorded"
	if f.Before == nil || f.Before.Plan == nil || !f.Before.Plan.HasMetadata {
		return []BatchFact{{"settings", pinned, decode.Where{File: offsets, Line: 2}, true}}
	}
	name := "settings"
	for _, c := range page.SettingChanges(f.Before.Plan.Conf, p.Conf) {
		at, line := places.find(offsets, "conf "+c.Name)
		facts = append(facts, BatchFact{name, g.Session.Theme.Warn.Styled("!") + " " + c.Name + "  " + Safe(c.Was) + " → " + Safe(c.Is), at, line})
		name = ""
	}
	if len(facts) == 0 {
		return []BatchFact{{"settings", fmt.Sprintf("as in batch %d", f.Before.ID) + "  " + g.Session.Theme.Dim.Styled(pinned), decode.Where{File: offsets, Line: 2}, true}}
	}
	return facts
}

// ReadsOf is what a batch reads of source i, in a line: one range, or how many parts and how much together.
func ReadsOf(o *source.Offset, ranges []source.Range) string {
	switch {
	case o.None:
		return "no offset yet"
	case len(ranges) == 0:
		return "unknown"
	}
	amount := ""
	var sum phrase.Sum
	for _, r := range ranges {
		sum.Add(r)
	}
	if amount = sum.Short(); amount != "" {
		amount = ", " + amount
	}
	if len(ranges) > 1 {
		return phrase.Units(int64(len(ranges)), "partitions") + amount
	}
	from, to := Ends(ranges[0])
	if from == to {
		return "at " + to + ": nothing new"
	}
	return from + " → " + to + amount
}

// FactLines are facts in lines of w cells, and which fact each line is of.
func (t *Theme) FactLines(facts []BatchFact, w int) (lines []string, of []int) {
	names := 10
	for _, f := range facts {
		names = max(names, min(phrase.Width(f.Name)+1, 20))
	}
	for i, f := range facts {
		for k, l := range t.wrapStyled(f.Text, max(w-names-1, 8)) {
			name := ""
			if k == 0 {
				name = f.Name
			}
			lines = append(lines, t.Dim.Styled(phrase.Fit(name, names))+" "+l)
			of = append(of, i)
		}
	}
	return lines, of
}

// wrapStyled breaks a text with styles into lines of w cells: at two blanks, which are between its parts, else between words.
func (t *Theme) wrapStyled(text string, w int) []string {
	text = t.Plain(text)
	if phrase.Width(text) <= w {
		return []string{text}
	}
	if first, rest, ok := strings.Cut(text, "  "); ok && phrase.Width(first) <= w {
		return append([]string{first}, t.wrapStyled(strings.TrimLeft(rest, " "), w)...)
	}
	return phrase.Wrap(Unstyled(text), w)
}

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
	return &Panel{ID: "about", Title: "Findings", Opens: Keys.Findings, Rank: 2, Least: 1, Text: func(w int) []string { return g.findings(r, w) }}
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
			others = append(others, s.Theme.Dim.Styled(fmt.Sprintf("… %s in all", phrase.Units(int64(len(s.Verdict.Findings)), "findings"))))
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
	return &Panel{ID: "reads", Title: "Reads of batch " + rowName(r), Rank: 2, Least: 6, Text: func(w int) []string { return g.reads(f, w) }}
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
		for _, r := range slices.SortedStableFunc(slices.Values(ranges), func(a, b source.Range) int { return NaturalPath(a.Part, b.Part) }) {
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

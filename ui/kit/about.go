package kit

import (
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// A batch in facts, as more than one screen shows it.

// BatchFact is a name and what it is, with the place in the files of the batch that records it.
type BatchFact struct {
	Name string
	Text string       // styled
	At   decode.Where // its zero value where no file records it
	Line bool         // all of the line records it, not a value
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
		facts = append(facts, BatchFact{Name: "started", Text: s.Theme.Paint(g.DamageRole(b.ID), "✗") + " " +
			noFile(s.Checkpoint, b, s.Checkpoint.Offsets.Name)})
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
		facts = append(facts, BatchFact{"control", "control batch: " + phrase.Printable(b.Plan.Control),
			decode.Where{File: offsets, Line: 2}, true})
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
		facts = append(facts, BatchFact{"damaged", warn + Safe(e.Where.String()) + "  " + Safe(e.What) + ": " + Safe(e.Err.Error()),
			e.Where, true})
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
		return BatchFact{Name: "committed", Text: t.Unknown.Styled("? unknown") + "  " +
			noFile(g.Session.Checkpoint, b, g.Session.Checkpoint.Commits.Name)}
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
		facts = append(facts, BatchFact{name, g.Session.Theme.Warn.Styled("!") + " " + c.Name + "  " + Safe(c.Was) + " → " + Safe(c.Is),
			at, line})
		name = ""
	}
	if len(facts) == 0 {
		return []BatchFact{{"settings", fmt.Sprintf("as in batch %d", f.Before.ID) + "  " + g.Session.Theme.Dim.Styled(pinned),
			decode.Where{File: offsets, Line: 2}, true}}
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

package overview

import (
	"fmt"
	"maps"
	"slices"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// plotSize is how many lines of the timeline a screen of h lines has room for.
func plotSize(h int) int {
	switch {
	case h < 24:
		return 2
	case h < 34:
		return 4
	}
	return kit.MostTimeline
}

// plotLines are the batches as a timeline of n lines, below the words on them.
func (o *model) plotLines(w, n int) []string {
	return kit.Indent(o.plot.Lines(&o.BatchLoader, o.rows, w-3, n, o.Session.AsOf >= 0))
}

// asOf is the whole screen as of one batch.
func (o *model) asOf(w, h int) []string {
	s, id := o.Session, o.Session.AsOf
	facts := o.asOfFacts(w - 4)
	plot := append([]string{o.section("BATCHES", o.Session.FirstKey(kit.Keys.Batches), w), "   " + s.Theme.Dim.Styled(phrase.Fit("batches", 11)) + " " + phrase.Cut(o.batches(), w-16)},
		o.plotLines(w, max(plotSize(h), 4))...)
	about := o.findingsAbout(id, w)
	room := h - len(facts) - len(plot) - len(about) - 4
	if room < 2 { // what was found about the batch comes before a part of what it read
		about = kit.FirstLines(about, max(h-len(facts)-len(plot)-6, 2))
		room = h - len(facts) - len(plot) - len(about) - 2
	}
	head := o.section(fmt.Sprintf("AS OF BATCH %d, %s", id, o.before()), "", w)
	lines := append([]string{head}, kit.Indent(facts)...)
	if f := o.Facts(id); f != nil && f.B.Plan != nil {
		lines = append(lines, kit.Indent(o.readLines(f, w-4, max(room, 1)))...)
	}
	if h < 24 {
		return append(append(lines, about...), plot...)
	}
	return join(lines, about, plot)
}

// before says how far back the batch lies that is looked at.
func (o *model) before() string {
	n := int64(0)
	if len(o.rows) > 0 {
		n = max(o.rows[0].ID-o.Session.AsOf, 0)
	}
	if n == 0 {
		return "THE NEWEST"
	}
	return fmt.Sprintf("%s BEFORE THE NEWEST", phrase.Count(n))
}

// asOfFacts are when a batch was planned, whether it is committed, its watermark, its state and its settings.
func (o *model) asOfFacts(w int) []string {
	s, t, id := o.Session, &o.Session.Theme, o.Session.AsOf
	if !o.There(id) {
		return []string{t.Strong.Styled("╌ there is no file of this batch, neither in offsets nor in commits")}
	}
	f := o.Facts(id)
	if f == nil {
		if o.Err != nil {
			return []string{t.Unknown.Styled("? it was not read: " + kit.Safe(o.Err.Error()))}
		}
		return []string{t.Dim.Styled("… it is being read")}
	}
	var lines []string
	say := func(name, text string) { lines = append(lines, kit.Fact(t, name, text, w)) }
	planned, mark := "✗ no file of its plan", "–"
	if p := f.B.Plan; p != nil {
		planned, mark = s.Clock.Aged(p.Timestamp), watermarkOf(s, f)
		if p.Timestamp == 0 {
			planned = "when is not recorded"
		}
		if a, b := f.Before.Timestamp(), p.Timestamp; a != 0 && b > a {
			planned += fmt.Sprintf(", %s after batch %d", phrase.Span(b-a), id-1)
		}
	}
	for _, u := range f.B.Unread {
		planned = t.Unknown.Styled("? "+kit.Safe(u.Name)+" is "+u.Why()) + "  " + planned
	}
	say("planned", planned)
	switch {
	case s.Checkpoint.Commits.Find(id) != nil:
		say("committed", t.Good.Styled("✓ yes"))
	case s.Checkpoint.Commits.Err != nil:
		say("committed", t.Unknown.Styled("? commits could not be listed"))
	default:
		say("committed", t.Warn.Styled("✗ no"))
	}
	say("watermark", mark)
	if len(s.StateSizes) > 0 {
		text := fmt.Sprintf("version %d", id+1)
		if n, ok := s.StateSizes[id+1]; ok {
			text += ", its files take " + phrase.Bytes(n)
		} else {
			text += ", of which no file is there"
		}
		say("state", text)
	}
	return append(lines, o.settings(f, w)...)
}

// watermarkOf is the watermark of a batch, how far it was behind, and how it moved.
func watermarkOf(s *kit.Session, f *kit.BatchFacts) string {
	mark := f.B.Plan.Watermark
	if mark == 0 {
		return "none"
	}
	text := s.Clock.Full(mark)
	if lag, ok := kit.LagOf(f.B); ok && lag >= 0 {
		text += ", " + phrase.Span(lag) + " behind its batch"
	} else if ok {
		text += ", " + phrase.Span(-lag) + " ahead of its batch"
	}
	if f.Before == nil || f.Before.Plan == nil || f.Before.Plan.Watermark == 0 {
		return text
	}
	switch moved := mark - f.Before.Plan.Watermark; {
	case moved == 0:
		text += ", where it was"
	case moved > 0:
		text += ", moved on by " + phrase.Span(moved)
	default:
		text += ", moved back by " + phrase.Span(-moved)
	}
	return text
}

// settings are those that the batch pins otherwise than the one before it, a few of them.
func (o *model) settings(f *kit.BatchFacts, w int) []string {
	const shown = 4
	if f.B.Plan == nil || f.Before == nil || f.Before.Plan == nil || !f.B.Plan.HasMetadata || !f.Before.Plan.HasMetadata {
		return nil
	}
	t := &o.Session.Theme
	var changed []string
	was, is := f.Before.Plan.Conf, f.B.Plan.Conf
	all := maps.Clone(is)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, was)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a, had := was[name]
		b, has := is[name]
		switch {
		case a == b && had == has:
		case !had:
			changed = append(changed, kit.Safe(name)+" added: "+kit.Safe(b))
		case !has:
			changed = append(changed, kit.Safe(name)+" gone; it was "+kit.Safe(a))
		default:
			changed = append(changed, kit.Safe(name)+" "+kit.Safe(a)+" → "+kit.Safe(b))
		}
	}
	if len(changed) == 0 {
		return []string{kit.Fact(t, "settings", fmt.Sprintf("as in batch %d", f.Before.ID), w)}
	}
	var lines []string
	for i, c := range kit.FirstLines(changed, shown) {
		name := ""
		if i == 0 {
			name = "settings"
		}
		lines = append(lines, kit.Fact(t, name, t.Warn.Styled("! ")+c, w))
	}
	if rest := len(changed) - len(lines); rest > 0 {
		lines = append(lines, kit.Fact(t, "", fmt.Sprintf("… %d more (%s)", rest, o.Session.FirstKey(kit.Keys.Enter)), w))
	}
	return lines
}

// readLines are what a batch read, part by part, in no more than h lines.
func (o *model) readLines(f *kit.BatchFacts, w, h int) []string {
	var all []checks.Range
	for i, ranges := range f.Ranges {
		for _, r := range ranges {
			all = append(all, checks.Range{Source: i, Range: r})
		}
	}
	if len(all) == 0 {
		return []string{kit.Fact(&o.Session.Theme, "read", "no position that could be read", w)}
	}
	return kit.RangesOf(o.Session, all, w, h, false)
}

// findingsAbout are those about one batch.
func (o *model) findingsAbout(id int64, w int) []string {
	lines := []string{o.section(fmt.Sprintf("FINDINGS ABOUT BATCH %d", id), o.Session.FirstKey(kit.Keys.Findings), w)}
	code := 0
	for _, f := range o.Session.Verdict.Findings {
		if f.Batch == id {
			code = max(code, len(f.Code))
		}
	}
	for i := range o.Session.Verdict.Findings {
		if f := &o.Session.Verdict.Findings[i]; f.Batch == id {
			lines = append(lines, o.finding(f, code, w, false))
		}
	}
	if len(lines) > 1 {
		return lines
	}
	word := "none about this batch"
	if !o.Session.Verdict.Done {
		word = "… none so far"
	}
	if n := len(o.Session.Verdict.Findings); n > 0 {
		word += fmt.Sprintf(" · %s in all", phrase.Units(int64(n), "findings"))
	}
	return append(lines, "   "+word)
}

package ui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// The overview as of another batch: what that batch read and left, and nothing about a restart, of which the
// strip above tells as of now.

// step is the batch that has a file after another one (by is 1) or before it (-1), over what is missing.
func (s *session) step(id, by int64) (to int64, ok bool) {
	if s.cp == nil {
		return id, false
	}
	to, ok = id, false
	for _, files := range [][]checkpoint.LogFile{s.cp.Offsets.Files, s.cp.Commits.Files} {
		i, found := slices.BinarySearchFunc(files, id, func(f checkpoint.LogFile, id int64) int { return cmp.Compare(f.ID, id) })
		for ; by > 0 && found && i < len(files) && files[i].ID == id; i++ { // "08" beside "8"
		}
		if by < 0 {
			i--
		}
		if i >= 0 && i < len(files) && (!ok || by > 0 && files[i].ID < to || by < 0 && files[i].ID > to) {
			to, ok = files[i].ID, true
		}
	}
	return to, ok
}

// scrub moves the moment that is looked at to the batch after from (by is 1) or before it (-1), and after the newest
// one to now; false where there is none to go to.
func (s *session) scrub(from, by int64) bool {
	to, ok := s.step(from, by)
	switch {
	case ok:
		s.asOf = to
	case by > 0:
		s.asOf = -1
	default:
		return false
	}
	return true
}

// asOfMark stands behind the crumbs where another batch is looked at than the newest.
func (s *session) asOfMark() string {
	if s.asOf < 0 {
		return ""
	}
	return s.theme.warn.Styled(fmt.Sprintf("   as of batch %d", s.asOf))
}

// detailFor is how much of the plot a screen of h lines has room for.
func detailFor(h int) plotDetail {
	switch {
	case h < 24:
		return plotOne
	case h < 34:
		return plotBrief
	}
	return plotFull
}

// plotLines are the batches as a plot, below the words on them.
func (o *overview) plotLines(w int, d plotDetail) []string {
	if len(o.rows) == 0 {
		return nil
	}
	plot := o.plot.draw(&o.gathered, o.rows, overviewNames, d, o.s.asOf >= 0)
	lines := plot.View(w - 3)
	if d == plotFull {
		lines = append(o.plot.all(o.s, overviewNames), lines...)
	}
	return indent(lines)
}

// asOf is the whole screen as of one batch.
func (o *overview) asOf(w, h int) []string {
	s, id := o.s, o.s.asOf
	facts := o.asOfFacts(w - 4)
	plot := append([]string{o.section("BATCHES", o.s.firstKey(keys.batches), w), "   " + s.theme.dim.Styled(widget.Fit("batches", overviewNames)) + " " + widget.Cut(o.batches(), w-16)},
		o.plotLines(w, max(detailFor(h), plotBrief))...)
	about := o.findingsAbout(id, w)
	room := h - len(facts) - len(plot) - len(about) - 4
	if room < 2 { // what was found about the batch comes before a part of what it read
		about = most(about, max(h-len(facts)-len(plot)-6, 2))
		room = h - len(facts) - len(plot) - len(about) - 2
	}
	head := o.section(fmt.Sprintf("AS OF BATCH %d, %s", id, o.before()), "", w)
	lines := append([]string{head}, indent(facts)...)
	if f := o.facts(id); f != nil && f.b.Plan != nil {
		lines = append(lines, indent(o.readLines(f, w-4, max(room, 1)))...)
	}
	if h < 24 {
		return append(append(lines, about...), plot...)
	}
	return join(lines, about, plot)
}

// before says how far back the batch lies that is looked at.
func (o *overview) before() string {
	n := int64(0)
	if len(o.rows) > 0 {
		n = max(o.rows[0].id-o.s.asOf, 0)
	}
	if n == 0 {
		return "THE NEWEST"
	}
	return fmt.Sprintf("%s BEFORE THE NEWEST", report.Count(n))
}

// asOfFacts are when a batch was planned, whether it is committed, its watermark, its state and its settings.
func (o *overview) asOfFacts(w int) []string {
	s, t, id := o.s, &o.s.theme, o.s.asOf
	if !o.there(id) {
		return []string{t.strong.Styled("╌ there is no file of this batch, neither in offsets nor in commits")}
	}
	f := o.facts(id)
	if f == nil {
		if o.err != nil {
			return []string{t.unknown.Styled("? it was not read: " + safe(o.err.Error()))}
		}
		return []string{t.dim.Styled("… it is being read")}
	}
	var lines []string
	say := func(name, text string) { lines = append(lines, fact(t, name, text, w)) }
	planned, mark := "✗ no file of its plan", "–"
	if p := f.b.Plan; p != nil {
		planned, mark = s.clock.aged(p.Timestamp), watermarkOf(s, f)
		if p.Timestamp == 0 {
			planned = "when is not recorded"
		}
		if a, b := f.before.Timestamp(), p.Timestamp; a != 0 && b > a {
			planned += fmt.Sprintf(", %s after batch %d", span(b-a), id-1)
		}
	}
	for _, u := range f.b.Unread {
		planned = t.unknown.Styled("? "+safe(u.Name)+" is "+u.Why()) + "  " + planned
	}
	say("planned", planned)
	switch {
	case s.cp.Commits.Find(id) != nil:
		say("committed", t.good.Styled("✓ yes"))
	case s.cp.Commits.Err != nil:
		say("committed", t.unknown.Styled("? commits could not be listed"))
	default:
		say("committed", t.warn.Styled("✗ no"))
	}
	say("watermark", mark)
	if len(s.sizes) > 0 {
		text := fmt.Sprintf("version %d", id+1)
		if n, ok := s.sizes[id+1]; ok {
			text += ", its files take " + size(n)
		} else {
			text += ", of which no file is there"
		}
		say("state", text)
	}
	return append(lines, o.settings(f, w)...)
}

// watermarkOf is the watermark of a batch, how far it was behind, and how it moved.
func watermarkOf(s *session, f *batchFacts) string {
	mark := f.b.Plan.Watermark
	if mark == 0 {
		return "none"
	}
	text := s.clock.full(mark)
	if lag, ok := lagOf(f.b); ok && lag >= 0 {
		text += ", " + span(lag) + " behind its batch"
	} else if ok {
		text += ", " + span(-lag) + " ahead of its batch"
	}
	if f.before == nil || f.before.Plan == nil || f.before.Plan.Watermark == 0 {
		return text
	}
	switch moved := mark - f.before.Plan.Watermark; {
	case moved == 0:
		text += ", where it was"
	case moved > 0:
		text += ", moved on by " + span(moved)
	default:
		text += ", moved back by " + span(-moved)
	}
	return text
}

// settings are those that the batch pins otherwise than the one before it, a few of them.
func (o *overview) settings(f *batchFacts, w int) []string {
	const shown = 4
	if f.b.Plan == nil || f.before == nil || f.before.Plan == nil || !f.b.Plan.HasMetadata || !f.before.Plan.HasMetadata {
		return nil
	}
	t := &o.s.theme
	var changed []string
	was, is := f.before.Plan.Conf, f.b.Plan.Conf
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
			changed = append(changed, safe(name)+" added: "+safe(b))
		case !has:
			changed = append(changed, safe(name)+" gone; it was "+safe(a))
		default:
			changed = append(changed, safe(name)+" "+safe(a)+" → "+safe(b))
		}
	}
	if len(changed) == 0 {
		return []string{fact(t, "settings", fmt.Sprintf("as in batch %d", f.before.ID), w)}
	}
	var lines []string
	for i, c := range most(changed, shown) {
		name := ""
		if i == 0 {
			name = "settings"
		}
		lines = append(lines, fact(t, name, t.warn.Styled("! ")+c, w))
	}
	if rest := len(changed) - len(lines); rest > 0 {
		lines = append(lines, fact(t, "", fmt.Sprintf("… %d more (%s)", rest, o.s.firstKey(keys.enter)), w))
	}
	return lines
}

// readLines are what a batch read, part by part, in no more than h lines.
func (o *overview) readLines(f *batchFacts, w, h int) []string {
	var all []checks.Range
	for i, ranges := range f.ranges {
		for _, r := range ranges {
			all = append(all, checks.Range{Source: i, Range: r})
		}
	}
	if len(all) == 0 {
		return []string{fact(&o.s.theme, "read", "no position that could be read", w)}
	}
	return rangesOf(o.s, all, w, h, false)
}

// findingsAbout are those about one batch.
func (o *overview) findingsAbout(id int64, w int) []string {
	lines := []string{o.section(fmt.Sprintf("FINDINGS ABOUT BATCH %d", id), o.s.firstKey(keys.findings), w)}
	code := 0
	for _, f := range o.s.verdict.Findings {
		if f.Batch == id {
			code = max(code, len(f.Code))
		}
	}
	for i := range o.s.verdict.Findings {
		if f := &o.s.verdict.Findings[i]; f.Batch == id {
			lines = append(lines, o.finding(f, code, w, false))
		}
	}
	if len(lines) > 1 {
		return lines
	}
	word := "none about this batch"
	if !o.s.verdict.Done {
		word = "… none so far"
	}
	if n := len(o.s.verdict.Findings); n > 0 {
		word += fmt.Sprintf(" · %s in all", plural(int64(n), "finding"))
	}
	return append(lines, "   "+word)
}

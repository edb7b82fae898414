package overview

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The overview as of another batch: what it read, what was committed, and the findings about it.

const asOfID = "as of"

// asOf is the panels of one batch.
func (o *model) asOf(w, h int) kit.Node {
	t, id := &o.Session.Theme, o.Session.AsOf
	batch := &kit.Panel{ID: whyID, Title: fmt.Sprintf("Batch %d", id), Right: t.Dim.Styled(o.before()), Text: o.asOfFacts}
	reads := &kit.Panel{ID: asOfID, Title: "Reads", Rank: 1, Least: 1, Text: func(w int) []string {
		f := o.Facts(id)
		if f == nil || f.B.Plan == nil {
			return []string{t.Dim.Styled("unknown")}
		}
		return o.reads(rangesOf(f), w, h < roomyBody)
	}}
	var batches *kit.Panel
	if h >= tallBody {
		batches = o.batchesPanel()
	}
	return kit.Stack(row(w, batch, reads), o.findingsAbout(id), o.timelinePanel(), batches)
}

// rangesOf are the ranges that a batch read.
func rangesOf(f *kit.BatchFacts) (all []checks.Range) {
	for i, ranges := range f.Ranges {
		for _, r := range ranges {
			all = append(all, checks.Range{Source: i, Range: r})
		}
	}
	return all
}

// before says how many batches newer there are.
func (o *model) before() string {
	n := int64(0)
	if len(o.rows) > 0 {
		n = max(o.rows[0].ID-o.Session.AsOf, 0)
	}
	if n == 0 {
		return "the newest"
	}
	return phrase.Count(n) + " before the newest"
}

// asOfFacts are when a batch was planned, whether it is committed, its watermark, its state and its settings.
func (o *model) asOfFacts(w int) []string {
	s, t, id := o.Session, &o.Session.Theme, o.Session.AsOf
	if !o.There(id) {
		return phrase.Wrap(t.Signs("╌ no file of this batch, neither in offsets nor in commits"), w)
	}
	b := o.Facts(id)
	if b == nil {
		if o.Err != nil {
			return phrase.Wrap("? not read: "+kit.Safe(o.Err.Error()), w)
		}
		return []string{t.Dim.Styled(t.Signs("… is being read"))}
	}
	var f kit.Facts
	for _, u := range b.B.Unread {
		f.Tell("unread", kit.Safe(u.Name)+" is "+u.Why(), t.Unknown)
	}
	if plan := b.B.Plan; plan == nil {
		f.Tell("planned", fmt.Sprintf("✗ offsets/%d is missing", id), t.Bad)
	} else {
		f.Say("planned", o.planned(b))
	}
	switch {
	case s.Committed(id):
		f.Line("committed", t.Good.Styled(t.Signs("✓ yes")))
	case s.Checkpoint.Commits.Err != nil:
		f.Tell("committed", "? commits could not be listed", t.Unknown)
	default:
		f.Line("committed", t.Warn.Styled("! no"))
	}
	if b.B.Plan != nil {
		f.Say("watermark", watermarkOf(s, b))
	}
	if len(s.StateSizes) > 0 {
		text := fmt.Sprintf("version %d", id+1)
		if n, ok := s.StateSizes[id+1]; ok {
			text += ", " + phrase.Bytes(n) + " of files"
		} else {
			text += ", no file of it exists"
		}
		f.Say("state", text)
	}
	o.settings(&f, b)
	return f.Lines(t, w)
}

// planned is when a batch was planned, and how long after the one before it.
func (o *model) planned(b *kit.BatchFacts) string {
	at := b.B.Timestamp()
	if at == 0 {
		return "time not recorded"
	}
	text := o.Session.Clock.Aged(at)
	if before := b.Before.Timestamp(); before != 0 && at > before {
		text += fmt.Sprintf(", %s after batch %d", phrase.Span(at-before), b.B.ID-1)
	}
	return text
}

// watermarkOf is the watermark of a batch, how far it was behind, and how it moved.
func watermarkOf(s *kit.Session, f *kit.BatchFacts) string {
	mark := f.B.Plan.Watermark
	if mark == 0 {
		return "none"
	}
	text := s.Clock.Full(mark)
	if behind, ok := kit.LagOf(f.B); ok && behind >= 0 {
		text += ", " + phrase.Span(behind) + " behind"
	} else if ok {
		text += ", " + phrase.Span(-behind) + " ahead"
	}
	if f.Before == nil || f.Before.Plan == nil || f.Before.Plan.Watermark == 0 {
		return text
	}
	switch moved := mark - f.Before.Plan.Watermark; {
	case moved == 0:
		text += ", not advanced"
	case moved > 0:
		text += ", advanced by " + phrase.Span(moved)
	default:
		text += ", moved back by " + phrase.Span(-moved)
	}
	return text
}

// settingsShown is how many changed settings are shown.
const settingsShown = 4

// settings are those that the batch records otherwise than the one before it.
func (o *model) settings(f *kit.Facts, b *kit.BatchFacts) {
	if b.B.Plan == nil || b.Before == nil || b.Before.Plan == nil || !b.B.Plan.HasMetadata || !b.Before.Plan.HasMetadata {
		return
	}
	changes := page.SettingChanges(b.Before.Plan.Conf, b.B.Plan.Conf)
	if len(changes) == 0 {
		f.Say("settings", fmt.Sprintf("as in batch %d", b.Before.ID))
		return
	}
	name := "settings"
	for _, c := range changes[:min(len(changes), settingsShown)] {
		f.Tell(name, "! "+c.Name+" "+c.Was+" → "+c.Is, o.Session.Theme.Warn)
		name = ""
	}
	if rest := len(changes) - settingsShown; rest > 0 {
		f.Say("", fmt.Sprintf("… %d more · %s shows them", rest, o.Session.FirstKey(kit.Keys.Enter)))
	}
}

// findingsAbout are the findings about one batch.
func (o *model) findingsAbout(id int64) *kit.Panel {
	s, v := o.Session, &o.Session.Verdict
	p := &kit.Panel{ID: findingsID, Title: fmt.Sprintf("Findings about batch %d", id), Opens: kit.Keys.Findings, Rank: 3}
	var about []*checks.Finding
	for i := range v.Findings {
		if v.Findings[i].Batch == id {
			about = append(about, &v.Findings[i])
		}
	}
	p.Text = func(w int) (lines []string) {
		t := &s.Theme
		for _, f := range about {
			symbol, style := t.Severity(f.Severity)
			cells := findingCells(s, f)
			line := style.Styled(phrase.Fit(t.Signs(symbol)+" "+cells[0], 10)) + "  " + cells[1] + "  "
			lines = append(lines, line+fitting(w-phrase.Width(line), cells[3], kit.Prose(f.Title)))
		}
		if len(about) > 0 {
			return lines
		}
		word := "None about this batch"
		if !v.Done {
			word = "None about this batch so far"
		}
		if n := len(v.Findings); n > 0 {
			word += fmt.Sprintf(" · %s in all", phrase.Units(int64(n), "findings"))
		}
		return []string{word}
	}
	return p
}

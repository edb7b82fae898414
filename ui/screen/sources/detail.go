package sources

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// about is the panel of the selected row.
func (x *model) about() *kit.Panel {
	p := &kit.Panel{ID: "about", Title: "Partition"}
	r, ok := x.selected()
	if !ok {
		p.Text = func(int) []string { return x.s.NothingMatches() }
		return p
	}
	s := &x.times.sources[r.source]
	title, blocks := s.title, x.sourceWords(s)
	if r.part >= 0 {
		part := &s.parts[r.part]
		title, blocks = kit.PartOf(s.index, part.name), x.partWords(s, part)
	}
	if x.err != nil {
		blocks = append(blocks, note(phrase.Open, "The rest could not be read: "+kit.Safe(x.err.Error())))
	}
	p.Title = title
	p.Fold = func(int) string { return title }
	p.Text = func(w int) []string { return x.s.Theme.Draw(min(w, kit.Measure), blocks...) }
	return p
}

// remains is the panel of what the sources still have of what a restart reads.
func (x *model) remains() *kit.Panel {
	v, t := &x.s.Verdict, &x.s.Theme
	p := &kit.Panel{ID: "kept", Title: "What the sources still have", Opens: kit.Keys.Replay}
	if v.Kept != nil {
		p.Text = func(w int) []string { return t.Draw(w, page.Availability(v).Blocks...) }
		return p
	}
	p.Sign = phrase.Tones[phrase.Open]
	blocks := []page.Block{say("Not checked.")}
	if w := x.s.WantedFor(keptFlags); w != nil {
		text := page.Text{{Text: "Not checked: " + w.Brief + ": "}, {Role: phrase.Key, Text: x.s.HowTo(w)}}
		blocks = []page.Block{page.Paragraph{Text: text}}
		p.Fold = func(int) string {
			return t.Unknown.Styled("?") + " Not checked: what the sources still have. " + x.s.HowTo(w)
		}
	}
	p.Text = func(w int) []string { return t.Draw(min(w, kit.Measure), blocks...) }
	return p
}

// keptFlags are the flags by which sources are asked what they still have.
const keptFlags = "--kafka or --positions"

// note is a line that needs a person.
func note(role phrase.Role, text string) page.Paragraph {
	return page.Paragraph{Text: page.Text{{Role: role, Text: phrase.Tones[role].Symbol + " " + text}}}
}

func say(format string, args ...any) page.Paragraph {
	return page.Paragraph{Text: page.Plain(fmt.Sprintf(format, args...))}
}

// newest is the newest batch that is shown.
func (x *model) newest() int64 { return x.times.batches[len(x.times.batches)-1] }

// sourceWords are how much the newest batch reads of a source, how evenly, and which of its parts are idle.
func (x *model) sourceWords(s *sourceTime) []page.Block {
	return append([]page.Block{page.Paragraph{Text: page.Plain(x.readsWords(s))}}, x.idleBlocks(s)...)
}

func (x *model) readsWords(s *sourceTime) string {
	times, fullest := s.skew()
	switch {
	case !s.counted:
		return "What the newest batch reads cannot be counted: its offset file has no counts, or its start offset is unknown."
	case s.total == 0:
		return fmt.Sprintf("Batch %d reads nothing new.", x.newest())
	case fullest == nil:
		return fmt.Sprintf("Batch %d reads %s.", x.newest(), &s.amount)
	}
	text := fmt.Sprintf("Batch %d reads %s of %s", x.newest(), &s.amount, phrase.Units(int64(len(s.parts)), "partitions"))
	if times < unevenFrom {
		return text + ", " + skewWords(times) + "."
	}
	return text + fmt.Sprintf(". %s reads the most, %.1f times the mean.", kit.PartOf(s.index, fullest.name), times)
}

// idleShown is how many parts that are idle are named.
const idleShown = 8

// whyIdle says what it may mean that a part is idle.
const whyIdle = "Either nothing is written there, or the query no longer reads it."

func (x *model) idleBlocks(s *sourceTime) []page.Block {
	var blocks []page.Block
	idle := 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.idle < idleFrom {
			continue
		}
		if idle++; idle <= idleShown {
			text := fmt.Sprintf("%s is idle at %s, %s", kit.PartOf(s.index, p.name), p.position, x.idleWords(p))
			blocks = append(blocks, note(phrase.Warn, text))
		}
	}
	if idle > idleShown {
		more := page.Span{Role: phrase.Dim, Text: fmt.Sprintf("… %d more: filter /idle", idle-idleShown)}
		blocks = append(blocks, page.Paragraph{Text: page.Text{more}})
	}
	if idle > 0 {
		blocks = append(blocks, say(whyIdle+" The checkpoint does not show which."))
	}
	return blocks
}

// idleWords says for how long a part has been idle.
func (x *model) idleWords(p *partTime) string {
	if p.idle >= len(p.reads) {
		return fmt.Sprintf("in all %d batches shown", len(p.reads))
	}
	return fmt.Sprintf("since batch %d", x.times.batches[len(p.reads)-p.idle])
}

// partWords are where a part is, what the newest batch reads of it, and how that compares.
func (x *model) partWords(s *sourceTime, p *partTime) []page.Block {
	var f page.Facts
	fact := func(name, format string, args ...any) {
		f.Rows = append(f.Rows, page.Fact{Name: name, Text: page.Plain(fmt.Sprintf(format, args...))})
	}
	fact("position", "%s after batch %d", p.position, x.newest())
	fact("reads", "%s", p.words(&x.s.Theme))
	if share := s.share(p); share != "–" {
		mean := float64(s.total) / float64(len(s.parts))
		fact("share", "%s of %s, %.1f times the mean of its partitions", share, &s.amount, float64(p.count())/mean)
	}
	if least, most, _ := kit.Extent(p.reads); most >= 0 {
		text := fmt.Sprintf("%s to %s per batch", phrase.Count(least), phrase.Units(most, s.unit))
		if n := len(slices.DeleteFunc(slices.Clone(p.reads), func(v int64) bool { return v >= 0 })); n > 0 {
			text += fmt.Sprintf("; unknown for %s", phrase.Units(int64(n), "batches"))
		}
		fact("over time", "%s", text)
	}
	blocks := []page.Block{f}
	switch {
	case p.gone:
		blocks = append(blocks, note(phrase.Warn, "The newest batch no longer reads it."))
	case p.idle >= idleFrom:
		blocks = append(blocks, note(phrase.Warn, strings.Join([]string{"It is idle, " + x.idleWords(p) + ".", whyIdle}, " ")))
	}
	return blocks
}

package sources

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- layout

// fit gives the columns their widths.
func (x *model) fit() {
	c := x.Table.Columns
	name, position, count := 12, 8, 10
	if x.times != nil {
		for i := range x.times.sources {
			s := &x.times.sources[i]
			for j := range s.parts[:min(len(s.parts), 1000)] {
				p := &s.parts[j]
				name, position = max(name, phrase.Width(kit.PartOf(s.index, p.name))), max(position, phrase.Width(p.position))
				count = max(count, phrase.Width(p.words(&x.s.Theme)))
			}
		}
	}
	w := x.TableWidth()
	c[0].Width, c[1].Width, c[2].Width = min(name, max(w/4, 12)), min(position, max(w/5, 8)), min(count, 20)
	used := 2
	for _, col := range c[:5] {
		used += col.Width + 2
	}
	c[5].Width = max(min(w-used, sourceBatches), 8)
}

// words is how much the newest batch reads of a part, in words.
func (p *partTime) words(t *kit.Theme) string {
	if p.gone {
		return "gone"
	}
	return t.Signs(p.amount)
}

// ---- view

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	switch {
	case x.s.Checkpoint == nil:
		return []string{"", "   … the checkpoint is being opened"}
	case x.times == nil && x.err != nil:
		return []string{"", "   " + t.Unknown.Styled("? The batches were not read: "+kit.Safe(x.err.Error())) + x.s.WithKeys("   %s reads again", kit.Keys.Reread)}
	case x.times == nil:
		return []string{"", "   … the newest batches are being read"}
	case len(x.rows) == 0:
		return t.Nothing(w, page.Text{{Role: phrase.Title, Text: "NO SOURCES"}},
			"No batch that could be read names a source. The plans of batches, in offsets, are where sources and their positions stand.")
	}
	return x.List.View(t, x.head(), x, x.detail)
}

// head says what is shown, or what is looked for.
func (x *model) head() []string {
	t := &x.s.Theme
	switch {
	case x.times == nil || len(x.times.batches) == 0:
		return nil
	case x.Filtering():
		return []string{" " + kit.FilterLine(t, &x.Filter, "in names and the words still, gone")}
	case x.reading:
		return []string{t.Dim.Styled(" … the batches are being read")}
	}
	b := x.times.batches
	text := fmt.Sprintf(" as of batch %d · over time: %d … %d, the newest on the right · blank: not known", b[len(b)-1], b[0], b[len(b)-1])
	return []string{t.Dim.Styled(text)}
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	row, t := x.rows[i], &x.s.Theme
	s := &x.times.sources[row.source]
	if row.part < 0 {
		r.Note, r.Style = s.headline(), t.Strong
		return
	}
	p := &s.parts[row.part]
	r.Cells[0].Text = kit.PartOf(s.index, p.name)
	r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Cells[4].Text = p.position, p.words(&x.s.Theme), "–", "–"
	if p.gone {
		r.Cells[2].Style = t.Warn
	}
	if v := p.count(); s.counted && s.total > 0 && v >= 0 {
		r.Cells[3].Text = phrase.Share(v, s.total)
	}
	if p.still > 0 {
		r.Cells[4].Text = phrase.Count(int64(p.still))
	}
	if p.still >= standsStill {
		r.Cells[4].Text, r.Cells[4].Style = "! "+r.Cells[4].Text, t.Warn
	}
	r.Cells[5].Text, r.Cells[5].Style = columnsOf(p.reads[max(0, len(p.reads)-x.Table.Columns[5].Width):]), t.Info
}

// columnsOf draws values as columns; unknown ones are blank.
func columnsOf(values []int64) string {
	line := widget.PlotLine{Values: values, Signs: make([]widget.Sign, len(values))}
	for i, v := range values {
		if v >= 0 {
			line.Signs[i] = widget.Value
		}
	}
	plot := widget.Plot{At: -1, Lines: []widget.PlotLine{line}}
	return strings.TrimRight(strings.TrimPrefix(plot.View(len(values) + 3)[0], " "), " ")
}

// headline is a source in a line: what the newest batch reads of it, how unevenly, and what stands still.
func (s *sourceTime) headline() string {
	parts := []string{s.title, phrase.Units(int64(len(s.parts)), "parts")}
	if s.still > 0 {
		parts = append(parts, fmt.Sprintf("! %s still", map[bool]string{true: "1 part stands", false: phrase.Count(int64(s.still)) + " parts stand"}[s.still == 1]))
	}
	switch {
	case !s.counted:
	case s.total == 0:
		parts = append(parts, "nothing new")
	default:
		parts = append(parts, "reads "+s.amount.String())
	}
	if times, _ := s.skew(); times > 0 {
		parts = append(parts, skewWords(times))
	}
	return strings.Join(parts, " · ")
}

// unevenFrom is how many times the mean the fullest part reads where parts are called uneven.
const unevenFrom = 1.2

// skewWords says how unevenly a batch reads its parts.
func skewWords(times float64) string {
	if times < unevenFrom {
		return "evenly spread"
	}
	return fmt.Sprintf("the fullest part reads %.1f × the mean", times)
}

// detail are what there is to say of the selected row.
func (x *model) detail(w, h int) []string {
	r, ok := x.selected()
	if !ok {
		return x.s.NothingMatches()
	}
	s := &x.times.sources[r.source]
	title, blocks := s.title, x.sourceWords(s)
	if r.part >= 0 {
		p := &s.parts[r.part]
		title, blocks = kit.PartOf(s.index, p.name), x.partWords(s, p)
	}
	if x.err != nil {
		blocks = append(blocks, note(phrase.Open, "no more is read: "+kit.Safe(x.err.Error())))
	}
	t := &x.s.Theme
	lines := append([]string{t.Strong.Styled(phrase.Middle(title, w))}, t.Draw(w, blocks...)...)
	return kit.Scrolled(lines, x.Scroll, h, x.s, x.Inside)
}

// note is a line that needs a look.
func note(role phrase.Role, text string) page.Paragraph {
	return page.Paragraph{Text: page.Text{{Role: role, Text: phrase.Tones[role].Symbol + " " + text}}}
}

func say(format string, args ...any) page.Paragraph {
	return page.Paragraph{Text: page.Plain(fmt.Sprintf(format, args...))}
}

// newest is the newest batch that is shown.
func (x *model) newest() int64 { return x.times.batches[len(x.times.batches)-1] }

// sourceWords are how much the newest batch reads of a source, how evenly, and which of its parts stand still.
func (x *model) sourceWords(s *sourceTime) []page.Block {
	return append([]page.Block{page.Paragraph{Text: page.Plain(x.readsWords(s))}}, x.stillBlocks(s)...)
}

func (x *model) readsWords(s *sourceTime) string {
	times, fullest := s.skew()
	switch {
	case !s.counted:
		return "What the newest batch reads of it cannot be counted from its plan, or where it began is not known."
	case s.total == 0:
		return fmt.Sprintf("Batch %d reads nothing new.", x.newest())
	case fullest == nil:
		return fmt.Sprintf("Batch %d reads %s.", x.newest(), &s.amount)
	}
	text := fmt.Sprintf("Batch %d reads %s of %s", x.newest(), &s.amount, phrase.Units(int64(len(s.parts)), "parts"))
	if times < unevenFrom {
		return text + ", " + skewWords(times) + "."
	}
	return text + fmt.Sprintf(". %s reads the most, %.1f times the mean.", kit.PartOf(s.index, fullest.name), times)
}

// stillShown is how many parts that stand still are named.
const stillShown = 8

// whyStill says what it may mean that a part stands still.
const whyStill = "Either nothing is written there, or it is not read any more."

func (x *model) stillBlocks(s *sourceTime) []page.Block {
	var blocks []page.Block
	still := 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.still < standsStill {
			continue
		}
		if still == 0 {
			blocks = append(blocks, page.Blank{}, page.Paragraph{Text: page.Text{{Role: phrase.Title, Text: "STANDING STILL"}}})
		}
		if still++; still <= stillShown {
			blocks = append(blocks, say("! %s at %s, %s", kit.PartOf(s.index, p.name), p.position, x.stillWords(p)))
		}
	}
	if still > stillShown {
		blocks = append(blocks, page.Paragraph{Text: page.Text{{Role: phrase.Dim,
			Text: fmt.Sprintf("… %d more (/still)", still-stillShown)}}})
	}
	if still > 0 {
		blocks = append(blocks, say(whyStill+" The checkpoint does not tell which."))
	}
	return blocks
}

// stillWords says for how long a part has stood still.
func (x *model) stillWords(p *partTime) string {
	if p.still >= len(p.reads) {
		return fmt.Sprintf("in all %d batches shown", len(p.reads))
	}
	return fmt.Sprintf("since batch %d", x.times.batches[len(p.reads)-p.still])
}

// partWords are where a part is, what the newest batch reads of it, and how that compares.
func (x *model) partWords(s *sourceTime, p *partTime) []page.Block {
	var f page.Facts
	fact := func(name, format string, args ...any) {
		f.Rows = append(f.Rows, page.Fact{Name: name, Text: page.Plain(fmt.Sprintf(format, args...))})
	}
	fact("position", "%s after batch %d", p.position, x.newest())
	fact("reads", "%s", p.words(&x.s.Theme))
	if s.counted && s.total > 0 && p.count() >= 0 {
		mean := float64(s.total) / float64(len(s.parts))
		fact("share", "%s of %s, %.1f times the mean of its parts", phrase.Share(p.count(), s.total), &s.amount, float64(p.count())/mean)
	}
	if least, most, _ := kit.Extent(p.reads); most >= 0 {
		text := fmt.Sprintf("%s to %s a batch", phrase.Count(least), phrase.Units(most, s.unit))
		if n := len(slices.DeleteFunc(slices.Clone(p.reads), func(v int64) bool { return v >= 0 })); n > 0 {
			text += fmt.Sprintf("; of %s it is not known", phrase.Units(int64(n), "batches"))
		}
		fact("over time", "%s", text)
	}
	blocks := []page.Block{f}
	switch {
	case p.gone:
		blocks = append(blocks, note(phrase.Warn, "The newest batch does not name it any more."))
	case p.still >= standsStill:
		blocks = append(blocks, note(phrase.Warn, "It stands still, "+x.stillWords(p)+". "+whyStill))
	}
	return blocks
}

func (x *model) Place() string {
	if b := x.times; b != nil && len(b.batches) > 0 {
		return fmt.Sprintf("offsets/%d", b.batches[len(b.batches)-1])
	}
	return ""
}

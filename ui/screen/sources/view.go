package sources

import (
	"fmt"
	"slices"
	"strings"

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
				count = max(count, phrase.Width(s.reads(&x.s.Theme, p)))
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

// reads is what the newest batch reads of a part, in words.
func (s *sourceTime) reads(t *kit.Theme, p *partTime) string {
	switch v := p.newest(); {
	case p.gone:
		return "gone"
	case v < 0:
		return "–"
	case v == 0:
		return "nothing new"
	case p.upper:
		return t.UpTo() + phrase.Units(v, s.unit)
	default:
		return phrase.Units(v, s.unit)
	}
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
		text := "No batch that could be read names a source. The plans of batches, in offsets, are where sources and their positions stand."
		return append([]string{"", " " + t.Section.Styled("NO SOURCES")}, kit.Indent(phrase.Wrap(text, w-6))...)
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
	r.Cells[1].Text, r.Cells[2].Text, r.Cells[3].Text, r.Cells[4].Text = p.position, s.reads(&x.s.Theme, p), "–", "–"
	if p.gone {
		r.Cells[2].Style = t.Warn
	}
	if v := p.newest(); s.counted && s.total > 0 && v >= 0 {
		r.Cells[3].Text = fmt.Sprintf("%d %%", v*100/s.total)
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
	parts := []string{s.title, kit.Plural(int64(len(s.parts)), "part")}
	if s.still > 0 {
		parts = append(parts, fmt.Sprintf("! %s still", map[bool]string{true: "1 part stands", false: phrase.Count(int64(s.still)) + " parts stand"}[s.still == 1]))
	}
	switch {
	case !s.counted:
	case s.total == 0:
		parts = append(parts, "nothing new")
	default:
		parts = append(parts, "reads "+s.amount())
	}
	if times, _ := s.skew(); times > 0 {
		parts = append(parts, skewWords(times))
	}
	return strings.Join(parts, " · ")
}

// amount is what the newest batch reads of a source, in words.
func (s *sourceTime) amount() string {
	if slices.ContainsFunc(s.parts, func(p partTime) bool { return p.upper }) {
		return "at most " + phrase.Units(s.total, s.unit)
	}
	return phrase.Units(s.total, s.unit)
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
		return []string{"", x.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
	}
	t, s := &x.s.Theme, &x.times.sources[r.source]
	var lines []string
	if r.part < 0 {
		lines = append(lines, t.Strong.Styled(phrase.Middle(s.title, w)))
		lines = append(lines, x.sourceWords(s, w)...)
	} else {
		lines = append(lines, t.Strong.Styled(phrase.Middle(kit.PartOf(s.index, s.parts[r.part].name), w)))
		lines = append(lines, x.partWords(s, &s.parts[r.part], w)...)
	}
	if x.err != nil {
		lines = append(lines, kit.StyledLines(t.Unknown, phrase.Wrap("? no more is read: "+kit.Safe(x.err.Error()), w))...)
	}
	return kit.Scrolled(lines, x.Scroll, h, x.s, x.Inside)
}

func (x *model) sourceWords(s *sourceTime, w int) []string {
	t, b := &x.s.Theme, x.times.batches
	var lines []string
	text := "What the newest batch reads of it cannot be counted from its plan, or where it began is not known."
	switch times, fullest := s.skew(); {
	case !s.counted:
	case s.total == 0:
		text = fmt.Sprintf("Batch %d reads nothing new.", b[len(b)-1])
	case fullest == nil:
		text = fmt.Sprintf("Batch %d reads %s.", b[len(b)-1], s.amount())
	default:
		text = fmt.Sprintf("Batch %d reads %s of %s parts", b[len(b)-1], s.amount(), phrase.Count(int64(len(s.parts))))
		if times < unevenFrom {
			text += ", " + skewWords(times) + "."
		} else {
			text += fmt.Sprintf(". %s reads the most, %.1f times the mean.", kit.PartOf(s.index, fullest.name), times)
		}
	}
	lines = append(lines, phrase.Wrap(text, w)...)
	still := 0
	for i := range s.parts {
		p := &s.parts[i]
		if p.still < standsStill {
			continue
		}
		if still == 0 {
			lines = append(lines, "", t.Section.Styled("STANDING STILL"))
		}
		if still++; still <= 8 {
			lines = append(lines, phrase.Cut("! "+kit.PartOf(s.index, p.name)+" at "+p.position+", "+x.stillWords(p), w))
		}
	}
	if still > 8 {
		lines = append(lines, t.Dim.Styled(fmt.Sprintf("… %d more (/still)", still-8)))
	}
	if still > 0 {
		lines = append(lines, phrase.Wrap("Either nothing is written there, or it is not read any more. The checkpoint does not tell which.", w)...)
	}
	return lines
}

// stillWords says for how long a part has stood still.
func (x *model) stillWords(p *partTime) string {
	if p.still >= len(p.reads) {
		return fmt.Sprintf("in all %d batches shown", len(p.reads))
	}
	return fmt.Sprintf("since batch %d", x.times.batches[len(p.reads)-p.still])
}

func (x *model) partWords(s *sourceTime, p *partTime, w int) []string {
	t, b := &x.s.Theme, x.times.batches
	lines := kit.Wrapped(t, "position", fmt.Sprintf("%s after batch %d", p.position, b[len(b)-1]), w)
	lines = append(lines, kit.Wrapped(t, "reads", s.reads(&x.s.Theme, p), w)...)
	if s.counted && s.total > 0 && p.newest() >= 0 {
		mean := float64(s.total) / float64(len(s.parts))
		lines = append(lines, kit.Wrapped(t, "share", fmt.Sprintf("%d %% of %s, %.1f times the mean of its parts", p.newest()*100/s.total, s.amount(), float64(p.newest())/mean), w)...)
	}
	if least, most, _ := kit.Extent(p.reads); most >= 0 {
		text := fmt.Sprintf("%s to %s a batch", phrase.Count(least), phrase.Units(most, s.unit))
		if n := len(slices.DeleteFunc(slices.Clone(p.reads), func(v int64) bool { return v >= 0 })); n > 0 {
			text += fmt.Sprintf("; of %s it is not known", kit.Plural(int64(n), "batch"))
		}
		lines = append(lines, kit.Wrapped(t, "over time", text, w)...)
	}
	switch {
	case p.gone:
		lines = append(lines, kit.StyledLines(t.Warn, phrase.Wrap("! The newest batch does not name it any more.", w))...)
	case p.still >= standsStill:
		lines = append(lines, kit.StyledLines(t.Warn, phrase.Wrap("! It stands still, "+x.stillWords(p)+". Either nothing is written there, or it is not read any more.", w))...)
	}
	return lines
}

func (x *model) Place() string {
	if b := x.times; b != nil && len(b.batches) > 0 {
		return fmt.Sprintf("offsets/%d", b.batches[len(b.batches)-1])
	}
	return ""
}

package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The panel of what a restart does: the batch that it starts or re-runs, and what it reads and loads for that.

// does is what Spark does at a restart. brief is for screens with few lines.
func (o *model) does(w int, brief bool) []string {
	s, t, r := o.Session, &o.Session.Theme, &o.Session.Verdict.Restart
	var lines []string
	blank := func() {
		if !brief {
			lines = append(lines, "")
		}
	}
	switch r.Outcome {
	case checks.Rerun:
		head := t.Strong.Styled(fmt.Sprintf("Re-runs batch %d", r.Batch))
		if at := s.Verdict.Standing.Last.Timestamp(); at != 0 && s.Verdict.Standing.LastPlanned == r.Batch {
			head += "  planned " + cmp.Or(s.Clock.Age(at), s.Clock.Full(at)) + ", not committed"
		}
		lines = append(lines, phrase.Cut(head, w))
		blank()
		lines = append(lines, o.reads(r.Ranges, w, brief)...)
		if brief {
			return lines
		}
	case checks.Next:
		if brief { // the banner says it
			break
		}
		lines = append(lines, fmt.Sprintf("Starts batch %d where batch %d ended.", r.Batch, r.Batch-1))
		blank()
	case checks.Fresh:
		lines = append(lines, "Starts batch 0: no batch was planned yet.")
	}
	var f kit.Facts
	if r.Outcome == checks.Next {
		o.starts(&f, brief)
	}
	if r.StateVersion >= 0 && r.Outcome != checks.Fresh {
		f.Say("state", o.loads())
	}
	if r.Watermark != 0 {
		f.Say("watermark", s.Clock.Full(r.Watermark))
	}
	if r.Outcome == checks.Next {
		f.Say("re-reads", "nothing")
	}
	if r.Outcome == checks.Rerun && len(lines) > 0 && len(f.Lines(t, w)) > 0 {
		blank()
	}
	return append(lines, f.Lines(t, w)...)
}

// startsShown is how many partitions of a source are shown with their start offsets.
const startsShown = 4

// starts are the offsets at which the next batch starts, a fact a source.
func (o *model) starts(f *kit.Facts, brief bool) {
	v := &o.Session.Verdict
	for i := range v.Sources {
		src := &v.Sources[i]
		var from []string
		n := 0
		for j := range v.Restart.Ranges {
			r := &v.Restart.Ranges[j]
			if r.Source != src.Index {
				continue
			}
			if n++; n > startsShown {
				continue
			}
			at, _ := phrase.Ends(r.Range)
			if strings.HasSuffix(r.Unit, "entries") {
				at = "entry " + at
			}
			from = append(from, strings.TrimSpace(kit.Safe(r.Part)+" from "+at))
		}
		text := kit.Safe(strings.Join(src.Kinds, " or "))
		switch {
		case len(from) > 1 && brief:
			text = strings.Join(from, ", ")
		case len(from) > 0:
			text += ", " + strings.Join(from, ", ")
		}
		if n > startsShown {
			text += fmt.Sprintf(", … %s more partitions", phrase.Count(int64(n-startsShown)))
		}
		f.Say(sourceName(src), text)
	}
}

func sourceName(src *checks.Source) string {
	if src.Name != "" {
		return kit.Safe(src.Name)
	}
	return fmt.Sprintf("source %d", src.Index)
}

// loads is the state version that a restart loads, and how many of its stores load.
func (o *model) loads() string {
	v := &o.Session.Verdict
	if len(v.Loads) == 0 {
		return fmt.Sprintf("version %d", v.Restart.StateVersion)
	}
	return fmt.Sprintf("version %d, %d of %s load", v.Restart.StateVersion, len(v.Loads)-brokenLoads(v), o.stores())
}

// cannotLoad is how many state stores cannot load the version of a restart.
func (o *model) cannotLoad(n int) string {
	return fmt.Sprintf("%d of %s cannot load version %d", n, o.stores(), o.brokenLoad().Version)
}

// stores is how many state stores a restart loads: "2 partitions", "8 state stores".
func (o *model) stores() string {
	v := &o.Session.Verdict
	unit := "partitions"
	if slices.ContainsFunc(v.Loads, func(l checks.Load) bool { return l.Name != "" && l.Name != "default" }) {
		unit = "state stores"
	}
	return phrase.Units(int64(len(v.Loads)+v.MoreLoads), unit)
}

// Lines and cells of the ranges of a batch.
const (
	rangesShown = 6
	rangeBar    = 8
	inlineShown = 8
)

// reads are the ranges that a batch reads, the largest first: a line each with a bar, or one behind the other.
func (o *model) reads(all []checks.Range, w int, inline bool) []string {
	t, v := &o.Session.Theme, &o.Session.Verdict
	if len(all) == 0 {
		return []string{t.Dim.Styled("reads: unknown")}
	}
	ranges := slices.Clone(all)
	slices.SortStableFunc(ranges, func(a, b checks.Range) int { return cmp.Compare(counted(b.Range), counted(a.Range)) })
	if inline {
		return o.inline(ranges, w)
	}
	shown := ranges[:min(len(ranges), rangesShown)]
	name, from, to, amount := len("partition"), len("from"), len("to"), len("reads")
	for i := range shown {
		a, b := phrase.Ends(shown[i].Range)
		name, from, to = max(name, phrase.Width(page.PartName(v, shown[i].Source, shown[i].Part))), max(from, phrase.Width(a)), max(to, phrase.Width(b))
		amount = max(amount, phrase.Width(t.Signs(phrase.Amount(shown[i].Range))))
	}
	from, to, amount = min(from, w/4), min(to, w/4), min(amount, w/3)
	name = min(name, max(w-from-to-amount-6, 8))
	cells := func(n, a, b, c string) string {
		return phrase.Fit(phrase.Middle(n, name), name) + "  " + phrase.FitRight(a, from) + "  " + phrase.FitRight(b, to) + "  " + phrase.FitRight(c, amount)
	}
	lines := []string{t.Dim.Styled(cells("partition", "from", "to", "reads"))}
	top := counted(ranges[0].Range)
	for i := range shown {
		r := &shown[i]
		a, b := phrase.Ends(r.Range)
		line := cells(page.PartName(v, r.Source, r.Part), a, b, t.Signs(phrase.Amount(r.Range)))
		if bar := widget.Bar(counted(r.Range), top, min(rangeBar, w-phrase.Width(line)-2)); bar != "" && len(ranges) > 1 {
			line += "  " + t.Plot.Styled(bar)
		}
		lines = append(lines, line)
	}
	if more := len(ranges) - len(shown); more > 0 {
		lines = append(lines, t.Dim.Styled(fmt.Sprintf("… %s more · %s shows them", phrase.Count(int64(more)), o.Session.FirstKey(kit.Keys.Replay))))
	}
	if total := totalOf(all); total != "" && len(all) > 1 {
		lines = append(lines, total)
	}
	return lines
}

// inline are ranges one behind the other, in two lines at most.
func (o *model) inline(ranges []checks.Range, w int) []string {
	v := &o.Session.Verdict
	var parts []string
	for i := range ranges[:min(len(ranges), inlineShown)] {
		a, b := phrase.Ends(ranges[i].Range)
		parts = append(parts, page.PartName(v, ranges[i].Source, ranges[i].Part)+" "+a+" → "+b)
	}
	lines := []string{""}
	for i, text := range parts {
		last := len(lines) - 1
		switch line := lines[last] + "   " + text; {
		case lines[last] == "":
			lines[last] = text
		case phrase.Width(line) <= w-12:
			lines[last] = line
		case len(lines) < 2:
			lines = append(lines, text)
		default:
			lines[last] += fmt.Sprintf("   … %d more", len(ranges)-i)
			return lines
		}
	}
	if total := totalOf(ranges); total != "" {
		lines = append(lines, total)
	}
	return lines
}

// totalOf is how much ranges hold together; "" where that cannot be counted.
func totalOf(all []checks.Range) string {
	plain := make([]source.Range, len(all))
	for i := range all {
		plain[i] = all[i].Range
	}
	return phrase.Total(plain)
}

// counted is how much a range holds, or 0.
func counted(r source.Range) int64 {
	if !r.Counted {
		return 0
	}
	return r.Count
}

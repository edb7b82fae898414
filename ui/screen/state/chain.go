package state

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The chain of a version: the files that rebuild it, drawn in one line and listed one by one.
//
//	110.zip ─ 111 ─ 112 ─ … ─ 118 ─ [119 missing] ─ 120

// link is one file of a chain, or a run of versions whose files are missing.
type link struct {
	from, to int64       // versions
	file     *state.File // nil where none is there
	bad      string      // what is wrong with it, in a word; "" for nothing
	passed   bool        // it does not load and an older one stands in for it
}

// linksOf are the links of the version that a restart loads; of a store that it does not load all files.
func (x *model) linksOf(r *storeRow) []link {
	if r.load == nil {
		if r.store == nil {
			return nil
		}
		return x.fileLinks(r, r.store.Files, false)
	}
	c := r.load.Chain()
	links := append(x.fileLinks(r, c.Files, false), x.fileLinks(r, c.Passed, true)...)
	for _, m := range c.Missing {
		links = append(links, link{from: m.From, to: m.To, bad: "missing"})
	}
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.from, b.from) })
	return links
}

func (x *model) fileLinks(r *storeRow, files []state.File, passed bool) []link {
	flawed := map[string]string{}
	for _, f := range x.flaws[r.dir] {
		if f.file != r.dir {
			flawed[f.file] = flawWord(f.Code)
		}
	}
	links := make([]link, 0, len(files))
	for i := range files {
		f := &files[i]
		l := link{from: f.Version, to: f.Version, file: f, passed: passed}
		if len(flawed) > 0 {
			l.bad = flawed[path.Join(r.dir, f.Name())]
		}
		if f.Size == 0 {
			l.bad = "empty"
		}
		links = append(links, l)
	}
	return links
}

// flawWord is the code of a finding as a word or two.
func flawWord(code string) string {
	code = strings.TrimPrefix(strings.TrimPrefix(code, "state-"), "file-")
	return strings.ReplaceAll(code, "-", " ")
}

// versions are the versions that a link stands for.
func (l *link) versions() string {
	if l.from == l.to {
		return fmt.Sprint(l.from)
	}
	return fmt.Sprintf("%d…%d", l.from, l.to)
}

// Short is a link in a line; the first and every whole version are named by their files.
func (l *link) Short(first bool) string {
	name := l.versions()
	if l.file != nil && (first || l.file.Role.Whole()) {
		name += "." + l.file.Role.String()
	}
	if l.bad != "" {
		return "[" + name + " " + l.bad + "]"
	}
	return name
}

// drawChain draws a chain in one line of no more than w cells. What is wrong comes first, then both
// ends, then what stands beside what is wrong, then as much from the start as fits.
func drawChain(links []link, w int, bad widget.Style) string {
	if len(links) == 0 {
		return ""
	}
	const enough = 16 // links in a line
	var kept []int
	keep := func(i int, must bool) bool {
		at, have := slices.BinarySearch(kept, i)
		if i < 0 || i >= len(links) || have {
			return true
		}
		kept = slices.Insert(kept, at, i)
		if !must && phrase.Width(line(links, kept, widget.Style{})) > w {
			kept = slices.Delete(kept, at, at+1)
			return false
		}
		return true
	}
	var wrong []int
	for i := range links {
		if links[i].bad != "" && len(wrong) < enough {
			wrong = append(wrong, i)
		}
	}
	if len(wrong) > 0 {
		keep(wrong[0], true)
	}
	keep(0, len(wrong) == 0)
	keep(len(links)-1, false)
	for _, i := range wrong {
		keep(i, false)
	}
	for _, i := range wrong {
		keep(i-1, false)
		keep(i+1, false)
	}
	for i := 1; i < enough && keep(i, false); i++ {
	}
	return phrase.Cut(line(links, kept, bad), w)
}

// line draws some of the links, with an ellipsis for those between.
func line(links []link, kept []int, bad widget.Style) string {
	var b strings.Builder
	before := -1
	for _, i := range kept {
		if before >= 0 {
			b.WriteString(" ─ ")
		}
		if i > before+1 {
			b.WriteString("… ─ ")
		}
		text := links[i].Short(i == 0)
		if links[i].bad != "" {
			text = bad.Styled(text)
		}
		b.WriteString(text)
		before = i
	}
	if before < len(links)-1 {
		b.WriteString(" ─ …")
	}
	return b.String()
}

// chainRows lists the links of a chain in a table.
type chainRows struct{ x *model }

func (c chainRows) Len() int { return len(c.x.chain) }

func (c chainRows) Row(i int, r *widget.Row) {
	x, l := c.x, &c.x.chain[i]
	if l.bad != "" {
		r.Style = x.s.Theme.Bad
	}
	if l.file == nil {
		r.Note = "✗ " + l.versions() + " missing: no file is there"
		return
	}
	r.Cells[0].Text = kit.Safe(l.file.Name())
	switch {
	case l.passed:
		r.Cells[0].Text += "  passed over"
	case l.bad != "":
		r.Cells[0].Text += "  ✗ " + l.bad
	}
	r.Cells[1].Text = phrase.Bytes(l.file.Size)
	r.Cells[2].Text = x.s.Clock.Full(l.file.Modified)
}

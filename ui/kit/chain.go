package kit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// The chain of a state version: the files that rebuild it, in one line. What is broken is in brackets, long chains are folded.
//
//	22.snapshot ─ 23 … 118 ─ [119] ─ 120

// Link is one file of a chain, or a run of versions whose files are missing.
type Link struct {
	From, To int64       // versions, both included
	File     *state.File // nil if it is missing
	Bad      string      // what is wrong with it, in a word; "" for nothing
	Passed   bool        // it does not load and an older one is used instead
}

// Missing is Link.Bad of files that do not exist.
const Missing = "missing"

// LinksOf are the links of the version that a restart loads. flaws has what is wrong with a file, in a word, by its path.
func LinksOf(l *checks.Load, flaws map[string]string) []Link {
	c := l.Chain()
	links := append(FileLinks(l.Dir, c.Files, flaws), FileLinks(l.Dir, c.Passed, flaws)...)
	for i := len(c.Files); i < len(links); i++ {
		links[i].Passed = true
	}
	for _, m := range c.Missing {
		links = append(links, Link{From: m.From, To: m.To, Bad: Missing})
	}
	slices.SortStableFunc(links, func(a, b Link) int { return cmp.Compare(a.From, b.From) })
	return links
}

// FileLinks are the links of files in a folder, in their order.
func FileLinks(dir string, files []state.File, flaws map[string]string) []Link {
	links := make([]Link, 0, len(files))
	for i := range files {
		f := &files[i]
		l := Link{From: f.Version, To: f.Version, File: f}
		if len(flaws) > 0 {
			l.Bad = flaws[path.Join(dir, f.Name())]
		}
		if f.Size == 0 {
			l.Bad = "empty"
		}
		links = append(links, l)
	}
	return links
}

// FlawWord is the code of a finding about a file of state in a word or two.
func FlawWord(code string) string {
	code = strings.TrimPrefix(strings.TrimPrefix(code, "state-"), "file-")
	return strings.ReplaceAll(code, "-", " ")
}

// Versions are the versions of a link: "24", "24–26".
func (l *Link) Versions() string {
	if l.From == l.To {
		return fmt.Sprint(l.From)
	}
	return fmt.Sprintf("%d–%d", l.From, l.To)
}

// short is a link in a line; the first one and each snapshot have the names of their files.
func (l *Link) short(first bool) string {
	name := l.Versions()
	if l.File != nil && (first || l.File.Role.Whole()) {
		name += "." + l.File.Role.String()
	}
	switch l.Bad {
	case "":
		return name
	case Missing:
		return "[" + name + "]"
	}
	return "[" + name + " " + l.Bad + "]"
}

// DrawChain draws a chain in one line of w cells at most. What is wrong comes first, then both ends, then what is next to
// what is wrong, then as much from the start as fits.
func DrawChain(links []Link, w int, bad widget.Style) string {
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
		if !must && phrase.Width(chainLine(links, kept, widget.Style{})) > w {
			kept = slices.Delete(kept, at, at+1)
			return false
		}
		return true
	}
	var wrong []int
	for i := range links {
		if links[i].Bad != "" && len(wrong) < enough {
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
	return phrase.Cut(chainLine(links, kept, bad), w)
}

// chainLine draws some of the links, with an ellipsis for those between them.
func chainLine(links []Link, kept []int, bad widget.Style) string {
	var b strings.Builder
	before := -1
	for _, i := range kept {
		switch {
		case i > before+1:
			b.WriteString(" … ")
		case before >= 0:
			b.WriteString(" ─ ")
		}
		text := links[i].short(i == 0)
		if links[i].Bad != "" {
			text = bad.Styled(text)
		}
		b.WriteString(text)
		before = i
	}
	if before < len(links)-1 {
		b.WriteString(" …")
	}
	return strings.TrimPrefix(b.String(), " ")
}

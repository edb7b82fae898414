package kit

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// StatePanel is a panel with the files of the state versions around the one that a batch writes, a line a store, those that a
// restart cannot load first; nil if the query has no state.
func (g *BatchLoader) StatePanel(r BatchRow) *Panel {
	if len(g.Session.Verdict.Operators) == 0 {
		return nil
	}
	return &Panel{ID: "state", Title: "State versions", Opens: Keys.State, Rank: 3, Least: 3,
		Text: func(w int) []string { return g.versions(r.ID, w) }}
}

const (
	mostStores   = 8 // lines of stores
	mostVersions = 21
)

// stateLine is a store, and what a restart loads of it.
type stateLine struct {
	name  string
	store *statestore.Store
	load  *checks.Load // nil where it is not loaded
}

// stores are the stores to show, how many more there are, and how many loads they were chosen by.
type stores struct {
	lines    []stateLine
	more, of int
}

// missing reports whether a restart needs a version that has no file.
func (l *stateLine) missing(version int64) bool {
	return l.load != nil && slices.ContainsFunc(l.load.Missing, func(s state.Span) bool { return version >= s.From && version <= s.To })
}

// stateLines are the stores to show, and how many more there are.
func (s *Session) stateLines() (lines []stateLine, more int) {
	loads := map[string]*checks.Load{}
	for i := range s.Verdict.Loads {
		loads[s.Verdict.Loads[i].Dir] = &s.Verdict.Loads[i]
	}
	var broken, others []stateLine
	for i := range s.Verdict.Operators {
		op := &s.Verdict.Operators[i]
		for j := range op.Partitions {
			for k := range op.Partitions[j].Stores {
				store := &op.Partitions[j].Stores[k]
				line := stateLine{strings.TrimPrefix(store.Dir, "state/"), store, loads[store.Dir]}
				switch {
				case line.load != nil && len(line.load.Missing) > 0 && len(broken) < mostStores:
					broken = append(broken, line)
				case len(others) < mostStores:
					others = append(others, line)
				default:
					more++
				}
			}
		}
	}
	lines = append(broken, others...)
	if n := len(lines) - mostStores; n > 0 {
		lines, more = lines[:mostStores], more+n
	}
	return lines, more
}

// versions are the lines of the panel.
func (g *BatchLoader) versions(id int64, w int) []string {
	s, t := g.Session, &g.Session.Theme
	if n := len(s.Verdict.Loads); g.stores.lines == nil || g.stores.of != n {
		g.stores.lines, g.stores.more = s.stateLines()
		g.stores.of = n
	}
	stores, more := g.stores.lines, g.stores.more
	names := len("version")
	for _, l := range stores {
		names = max(names, min(phrase.Width(Safe(l.name)), 24))
	}
	newest := max(s.Verdict.Batches.LastPlanned, id) + 1
	cell := max(len(fmt.Sprint(newest))+2, 4)
	n := int64(max(min((w-names)/cell, mostVersions), 1))
	from := max(min(id+1-n/2, newest-n+1), 1)
	head := t.Dim.Styled(phrase.Fit("version", names))
	for v := from; v < from+n && v <= newest; v++ {
		text := phrase.FitRight(fmt.Sprint(v), cell)
		if v == id+1 {
			text = t.Accent.Styled(text)
		}
		head += text
	}
	lines := []string{head}
	for i := range stores {
		line := phrase.Fit(phrase.Middle(Safe(stores[i].name), names), names)
		signs := stores[i].signs(t, from, n)
		for v := from; v < from+n && v <= newest; v++ {
			line += phrase.Blanks(cell-1) + signs[v-from]
		}
		lines = append(lines, line)
	}
	if more > 0 {
		lines = append(lines, t.Dim.Styled("… "+phrase.Units(int64(more), "more stores")))
	}
	legend := t.Plot.Styled("◆") + " snapshot  " + t.Plot.Styled("▪") + " delta or changelog  " + t.Bad.Styled("✗") + " missing"
	lines = append(lines, t.wrapStyled(legend, w)...)
	words := fmt.Sprintf("Batch %d writes version %d.", id, id+1)
	if loads := s.Verdict.Loads; len(loads) > 0 {
		words += fmt.Sprintf(" A restart loads version %d.", loads[0].Version)
	}
	return append(lines, phrase.Wrap(words, w)...)
}

// signs are what n versions from one on have: a snapshot, only what a batch changed, nothing, or a file too few.
func (l *stateLine) signs(t *Theme, from, n int64) []string {
	signs := make([]string, n)
	for i := range signs {
		if signs[i] = t.Dim.Styled("·"); l.missing(from + int64(i)) {
			signs[i] = t.Bad.Styled("✗")
		}
	}
	at, _ := slices.BinarySearchFunc(l.store.Files, from, func(f state.File, v int64) int { return int(min(max(f.Version-v, -1), 1)) })
	for _, f := range l.store.Files[at:] {
		switch i := f.Version - from; {
		case i >= n:
			return signs
		case f.Role.Whole():
			signs[i] = t.Plot.Styled("◆")
		case signs[i] == t.Dim.Styled("·"):
			signs[i] = t.Plot.Styled("▪")
		}
	}
	return signs
}

package overview

import (
	"cmp"
	"fmt"
	"slices"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// statePanel is the state that a restart loads: its stores, those that do not load first.
func (o *model) statePanel() *kit.Panel {
	s, v := o.Session, &o.Session.Verdict
	p := &kit.Panel{ID: stateID, Title: "State a restart loads", Opens: kit.Keys.State, Rank: 7, Least: 4}
	if brokenLoads(v) > 0 {
		p.Sign = phrase.Tones[phrase.Bad]
	}
	p.Text = func(w int) []string {
		switch {
		case len(v.Loads) == 0 && len(v.Operators) == 0:
			return []string{"No state: this query has no state folder."}
		case len(v.Loads) == 0:
			return s.StateWords
		}
		if c := &o.state; c.of != &v.Loads[0] || c.done != v.Done {
			*c = stateLines{&v.Loads[0], v.Done, o.loadLines()}
		}
		return o.state.lines
	}
	return p
}

// stateLines are the lines of the panel, kept: they cost a look at every file of the state.
type stateLines struct {
	of    *checks.Load // the first of those that they are about
	done  bool
	lines []string
}

// loadLines are a line a state store, and the files of the first one that does not load.
func (o *model) loadLines() []string {
	t, v := &o.Session.Theme, &o.Session.Verdict
	loads := make([]*checks.Load, len(v.Loads))
	for i := range loads {
		loads[i] = &v.Loads[i]
	}
	slices.SortStableFunc(loads, func(a, b *checks.Load) int { return cmp.Compare(a.Loadable-a.Version, b.Loadable-b.Version) })
	lines := []string{t.Dim.Styled(fmt.Sprintf("  %-24s %9s %9s %9s", "store", "version", "loads", "size"))}
	for _, l := range loads {
		sign, style := phrase.Tones[phrase.Good], t.Good
		if l.Loadable < l.Version {
			sign, style = phrase.Tones[phrase.Bad], t.Bad
		}
		name := kit.StoreKey{Operator: l.Operator, Partition: l.Partition, Name: l.Name}.String()
		line := phrase.Fit(name, 24) + fmt.Sprintf(" %9d %9d %9s", l.Version, l.Loadable, phrase.Bytes(sizeOf(l)))
		if l.Loadable < l.Version {
			line = style.Styled(line)
		}
		lines = append(lines, style.Styled(t.Signs(sign.Symbol))+" "+line)
	}
	worst := loads[0]
	if worst.Loadable >= worst.Version {
		return lines
	}
	lines = append(lines, "", t.Dim.Styled("files of "+worst.Dir))
	for _, l := range kit.LinksOf(worst, flawsIn(v, worst.Dir)) {
		switch {
		case l.Bad != "":
			lines = append(lines, t.Bad.Styled(fmt.Sprintf("  %-16s %10s", l.Versions(), l.Bad)))
		case l.File != nil:
			lines = append(lines, fmt.Sprintf("  %-16s %10s", kit.Safe(l.File.Name()), phrase.Bytes(l.File.Size)))
		}
	}
	return lines
}

// sizeOf is how large the files of a state store are together.
func sizeOf(l *checks.Load) (n int64) {
	if l.Store == nil {
		return 0
	}
	for i := range l.Store.Files {
		n += l.Store.Files[i].Size
	}
	return n
}

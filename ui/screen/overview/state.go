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
	s, t, v := o.Session, &o.Session.Theme, &o.Session.Verdict
	p := &kit.Panel{ID: stateID, Title: "State a restart loads", Opens: kit.Keys.State, Rank: 7, Grow: true}
	if brokenLoads(v) > 0 {
		p.Sign = phrase.Tones[phrase.Bad]
	}
	p.Text = func(w int) []string {
		if len(v.Loads) == 0 {
			if len(v.Operators) == 0 {
				return []string{"No state: this query has no state folder."}
			}
			return s.StateWords
		}
		loads := make([]*checks.Load, len(v.Loads))
		for i := range loads {
			loads[i] = &v.Loads[i]
		}
		slices.SortStableFunc(loads, func(a, b *checks.Load) int { return cmp.Compare(a.Loadable-a.Version, b.Loadable-b.Version) })
		lines := []string{t.Dim.Styled(fmt.Sprintf("  %-24s %9s %9s %9s", "store", "version", "loads", "size"))}
		for _, l := range loads {
			name := kit.StoreKey{Operator: l.Operator, Partition: l.Partition, Name: l.Name}.String()
			sign, style, size := phrase.Tones[phrase.Good].Symbol, t.Good, int64(0)
			if l.Loadable < l.Version {
				sign, style = phrase.Tones[phrase.Bad].Symbol, t.Bad
			}
			if l.Store != nil {
				for i := range l.Store.Files {
					size += l.Store.Files[i].Size
				}
			}
			line := phrase.Fit(name, 24) + " " + fmt.Sprintf("%9d %9d %9s", l.Version, l.Loadable, phrase.Bytes(size))
			if l.Loadable < l.Version {
				line = style.Styled(line)
			}
			lines = append(lines, style.Styled(t.Signs(sign))+" "+line)
		}
		if worst := loads[0]; worst.Loadable < worst.Version {
			lines = append(lines, "", t.Dim.Styled("files of "+worst.Dir))
			for _, l := range kit.LinksOf(worst, flawsIn(v, worst.Dir)) {
				switch {
				case l.Bad != "":
					lines = append(lines, t.Bad.Styled(fmt.Sprintf("  %-16s %s", l.Versions(), l.Bad)))
				case l.File != nil:
					lines = append(lines, fmt.Sprintf("  %-16s %10s", kit.Safe(l.File.Name()), phrase.Bytes(l.File.Size)))
				}
			}
		}
		return lines
	}
	return p
}

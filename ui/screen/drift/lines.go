package drift

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

// ---- drift

func (d *model) Command() string {
	field := ""
	if x := d.selected(); x != nil && d.Table.At > 0 {
		field = kit.Quote(x.Field)
	}
	return kit.LineOf(d.Filter.Typed(), "drift", field)
}

func (d *model) Set(w *kit.Words) (tea.Cmd, error) {
	field := w.Next()
	if !d.open && slices.ContainsFunc(d.equal, func(x *checks.Drift) bool { return x.Field == field }) {
		d.open = true
		d.gather()
	}
	for i := range d.len() {
		if at := d.Table.Order.Row(i); at < len(d.rows) && d.rows[at].Field == field {
			d.Table.Go(i, d.len())
			return nil, nil
		}
	}
	if !d.s.Verdict.Done {
		return nil, kit.ErrNotYet
	}
	return nil, fmt.Errorf("no field %q was compared", field)
}

func (d *model) SetFilter(pattern string) {
	d.Filter.Set(pattern)
	d.arrange()
}

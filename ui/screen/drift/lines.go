package drift

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

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
	for i := range d.len() {
		if d.rows[d.Table.Order.Row(i)].Field == field {
			d.Table.Go(i, d.len())
			return nil, nil
		}
	}
	if !d.s.Verdict.Done {
		return nil, kit.ErrNotYet
	}
	return nil, fmt.Errorf("nothing is said of %q here", field)
}

func (d *model) SetFilter(pattern string) {
	d.Filter.Set(pattern)
	d.arrange()
}

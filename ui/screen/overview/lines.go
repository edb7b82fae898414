package overview

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

func (o *model) Command() string {
	if o.Session.AsOf >= 0 {
		return fmt.Sprintf("overview %d", o.Session.AsOf)
	}
	return kit.LineOf(o.findings.filter.Typed(), "overview")
}

// Set goes to the moment of a batch.
func (o *model) Set(w *kit.Words) (tea.Cmd, error) {
	id, err := kit.BatchNumber(w.Next())
	if err != nil {
		return nil, err
	}
	if len(o.rows) == 0 || id < o.rows[len(o.rows)-1].ID || id > o.rows[0].ID {
		return nil, fmt.Errorf("batch %d is not among the batches that have files", id)
	}
	o.Session.AsOf = id
	o.point()
	return o.readOn(), nil
}

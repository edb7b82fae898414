package batches

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- batches

func (t *model) Command() string {
	id := ""
	if (t.table.At > 0 || t.Session.AsOf >= 0) && t.table.At < t.len() {
		id = strconv.FormatInt(t.rows[t.table.Order.Row(t.table.At)].ID, 10)
	}
	return kit.LineOf(t.filter.Typed(), "batches", id)
}

func (t *model) Set(w *kit.Words) (tea.Cmd, error) {
	id, err := kit.BatchNumber(w.Next())
	if err != nil {
		return nil, err
	}
	for i := range t.len() {
		if r := t.rows[t.table.Order.Row(i)]; id >= r.ID && id < r.ID+max(r.Missing, 1) {
			t.table.Go(i, t.len())
			t.point()
			return t.readOn(), nil
		}
	}
	return nil, fmt.Errorf("batch %d is not among the batches shown", id)
}

func (t *model) SetFilter(pattern string) {
	t.filter.Set(pattern)
	t.arrange()
}

package batches

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- batches

func (t *model) Command() string {
	id := ""
	if r, ok := t.row(); ok && (t.Table.At > 0 || t.Session.AsOf >= 0) {
		id = idOf(r.ID)
	}
	sort := ""
	if t.order.by != colBatch {
		sort = "sort " + orderNames()[t.order.by]
	}
	return kit.LineOf(t.Filter.Typed(), "batches", id, sort)
}

func (t *model) Set(w *kit.Words) (tea.Cmd, error) {
	id := int64(-1)
	if text := w.Peek(); text != "" && text != "sort" {
		var err error
		if id, err = kit.BatchNumber(w.Next()); err != nil {
			return nil, err
		}
	}
	by := t.order.by
	if err := kit.TakeSort(w, &by, orderNames()); err != nil {
		return nil, err
	}
	if by != t.order.by {
		t.order = order{by: by}
		t.arrange()
	}
	if t.goal = id; id < 0 {
		return t.readOn(), nil
	}
	for i := range t.len() {
		if r := t.rows[t.Table.Order.Row(i)]; id >= r.ID && id < r.ID+max(r.Missing, 1) {
			t.Table.Go(i, t.len())
			t.point()
			return t.readOn(), nil
		}
	}
	return nil, fmt.Errorf("batch %d is not among the batches shown", id)
}

func (t *model) SetFilter(pattern string) {
	t.Filter.Set(pattern)
	t.arrange()
}

// check checks the words of a line before the screen is opened.
func check(w *kit.Words) error {
	if w.Peek() == "sort" {
		return nil
	}
	return kit.CheckBatch(w)
}

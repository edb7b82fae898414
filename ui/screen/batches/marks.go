package batches

import "slices"

// mark marks the batch under the cursor, or takes its mark away. Of three marks the oldest is dropped.
func (t *model) mark() {
	r, ok := t.row()
	if !ok || r.Missing > 0 {
		return
	}
	if i := slices.Index(t.marked, r.ID); i >= 0 {
		t.marked = slices.Delete(t.marked, i, i+1)
		return
	}
	t.marked = append(t.marked[max(len(t.marked)-1, 0):], r.ID)
}

// pair is which batches are compared: the two marked ones; with one marked that one and the batch under the cursor; with
// none the one before it and the batch under the cursor. ok is false for fewer than two.
func (t *model) pair() (a, b int64, ok bool) {
	if len(t.marked) == 2 {
		return t.marked[0], t.marked[1], true
	}
	r, ok := t.row()
	switch {
	case !ok || r.Missing > 0:
		return 0, 0, false
	case len(t.marked) == 1 && t.marked[0] != r.ID:
		return t.marked[0], r.ID, true
	}
	a, ok = t.Session.Step(r.ID, -1)
	return a, r.ID, ok
}

package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ---- state and rows

func (x *stateScreen) command() string {
	at := ""
	if x.moved && x.kept.operator >= 0 {
		at = x.kept.String()
	}
	return lineOf(x.filter.Typed(), "state", at, x.s.moment(), sortWord(x.order, stateOrders[x.order].name))
}

func stateOrderNames() (names []string) {
	for _, o := range stateOrders {
		names = append(names, sortName(o.name))
	}
	return names
}

func (x *stateScreen) set(w *words) (tea.Cmd, error) {
	var want *storeKey
	if len(w.list) > 0 && w.peek() != "sort" {
		k, err := parseStore(w.next())
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(x.rows, func(r storeRow) bool { return k.names(r.storeKey) })
		if i < 0 {
			return nil, fmt.Errorf("there is no store %s", k)
		}
		want = &x.rows[i].storeKey
	}
	if err := takeSort(w, &x.order, stateOrderNames()); err != nil {
		return nil, err
	}
	if want != nil {
		x.kept, x.moved = *want, true
	}
	x.arrange()
	return nil, nil
}

func (x *stateScreen) sift(pattern string) {
	x.filter.Set(pattern)
	x.arrange()
}

func (x *rowsScreen) command() string { return lineOf(x.filter.Typed(), x.want.line()) }

// line is the line that opens these rows.
func (q *rowsWanted) line() string {
	parts := []string{"rows", storeKey{q.operator, q.partition, ""}.String()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name, value)
		}
	}
	if q.store != "" && q.store != "default" {
		add("store", quote(q.store))
	}
	if q.view != "" {
		add("view", quote(q.view))
	}
	add("batch", strconv.FormatInt(q.batch, 10))
	if q.compare {
		add("since", strconv.FormatInt(q.before, 10))
	}
	add("key", q.key)
	return strings.Join(parts, " ")
}

func (x *rowsScreen) sift(pattern string) {
	x.filter.Set(pattern)
	x.arrange()
}

// takeRows reads what rows are wanted; latest is the newest batch that there is state of.
func takeRows(s *session, w *words) (want rowsWanted, latest int64, err error) {
	k, err := parseStore(w.next())
	if err != nil {
		return want, 0, err
	}
	want = rowsWanted{operator: k.operator, partition: k.partition, store: k.name, batch: -1}
	for len(w.list) > 0 {
		name := w.next()
		if len(w.list) == 0 && name == "key" {
			want.nothing = true
			break
		}
		if len(w.list) == 0 {
			return want, 0, fmt.Errorf("%q says nothing without a value after it", name)
		}
		switch value := w.nextWord(); name {
		case "store":
			want.store = value.text
		case "view":
			want.view = value.text
		case "key":
			want.key = value.raw
		case "batch":
			want.batch, err = batchNumber(value.text)
		case "since":
			want.compare = true
			want.before, err = batchNumber(value.text)
		default:
			return want, 0, fmt.Errorf("%q is not known here: rows OPERATOR/PARTITION takes store, view, batch, since and key", name)
		}
		if err != nil {
			return want, 0, err
		}
	}
	latest, err = want.fit(s)
	return want, latest, err
}

// fit fills in what a line left out, and says what there is no state of. latest is the newest batch that there is
// state of.
func (w *rowsWanted) fit(s *session) (latest int64, err error) {
	k, newest, err := s.findStore(storeKey{w.operator, w.partition, w.store})
	if err != nil {
		return 0, err
	}
	usual := s.batchOfRows(k, newest)
	if w.store == "" {
		w.store = k.name
	}
	if w.batch < 0 {
		w.batch = usual
	}
	latest = max(newest-1, usual)
	switch {
	case w.batch > latest:
		return 0, fmt.Errorf("no state is there after batch %d", latest)
	case w.compare && w.before >= w.batch:
		return 0, fmt.Errorf("batch %d is not before batch %d", w.before, w.batch)
	}
	return latest, nil
}

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
		at = storePath(x.kept.operator, x.kept.partition, x.kept.name)
	}
	return lineOf(x.filter.Typed(), "state", at, x.s.moment(), sortWord(x.order, stateOrders[x.order].name))
}

// storePath is how a line names a store: operator/partition/name; a partition of -1 is the operator.
func storePath(operator, partition int, name string) string {
	switch {
	case partition < 0:
		return strconv.Itoa(operator)
	case name == "" || name == "default":
		return fmt.Sprintf("%d/%d", operator, partition)
	}
	return quote(fmt.Sprintf("%d/%d/%s", operator, partition, name))
}

// parseStore reads what storePath writes.
func parseStore(text string) (storeKey, error) {
	k := storeKey{partition: -1}
	parts := strings.SplitN(text, "/", 3)
	var err error
	if k.operator, err = strconv.Atoi(parts[0]); err != nil || k.operator < 0 {
		return k, fmt.Errorf("%q is no operator: its number is asked for, or operator/partition, such as 0/3", text)
	}
	if len(parts) > 1 {
		if k.partition, err = strconv.Atoi(parts[1]); err != nil || k.partition < 0 {
			return k, fmt.Errorf("%q is no partition of operator %d: its number is asked for", parts[1], k.operator)
		}
	}
	if len(parts) > 2 {
		k.name = parts[2]
	}
	return k, nil
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
			return nil, fmt.Errorf("there is no store %s", storePath(k.operator, k.partition, k.name))
		}
		want = &x.rows[i].storeKey
	}
	if err := takeSort(w, &x.order, sortNames(len(stateOrders), stateOrder)); err != nil {
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

// names reports whether k, as a line has it, means this store: without a name it is any of its partition.
func (k storeKey) names(of storeKey) bool {
	return k.operator == of.operator && k.partition == of.partition && (k.name == of.name || k.name == "" || k.name == "default" && of.name == "")
}

func (x *rowsScreen) command() string {
	q := &x.want
	parts := []string{"rows", storePath(q.operator, q.partition, "")}
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
	return lineOf(x.filter.Typed(), parts...)
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
	latest, err = s.fitRows(&want)
	return want, latest, err
}

// fitRows fills in what a line left out, and says what there is no state of.
func (s *session) fitRows(want *rowsWanted) (latest int64, err error) {
	row, err := s.storeRow(want.operator, want.partition, want.store)
	if err != nil {
		return 0, err
	}
	usual := wantedOf(s, row)
	if want.store == "" {
		want.store = usual.store
	}
	if want.batch < 0 {
		want.batch = usual.batch
	}
	latest = max(row.newest-1, usual.batch)
	switch {
	case want.batch > latest:
		return 0, fmt.Errorf("no state is there after batch %d", latest)
	case want.compare && want.before >= want.batch:
		return 0, fmt.Errorf("batch %d is not before batch %d", want.before, want.batch)
	}
	return latest, nil
}

// storeRow is the row of the screen of state for a store; without a name the only one of its partition.
func (s *session) storeRow(operator, partition int, name string) (*storeRow, error) {
	x := newState(s)
	x.build()
	k := storeKey{operator, partition, name}
	if partition < 0 {
		k.name = ""
	}
	if x.operator(operator) == nil {
		return nil, fmt.Errorf("there is no operator %d among the state", operator)
	}
	if i := slices.IndexFunc(x.rows, func(r storeRow) bool { return k.names(r.storeKey) }); i >= 0 {
		return &x.rows[i], nil
	}
	return nil, fmt.Errorf("there is no store %s", storePath(operator, partition, name))
}

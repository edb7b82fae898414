package rows

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/ui/kit"
)

func (x *model) Command() string { return kit.LineOf(x.Filter.Typed(), x.want.line()) }

// line is the line that opens these rows.
func (q *rowsWanted) line() string {
	parts := []string{"rows", kit.StoreKey{Operator: q.operator, Partition: q.partition, Name: ""}.String()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name, value)
		}
	}
	if q.store != "" && q.store != "default" {
		add("store", kit.Quote(q.store))
	}
	if q.view != "" {
		add("view", kit.Quote(q.view))
	}
	add("batch", strconv.FormatInt(q.batch, 10))
	if q.compare {
		add("since", strconv.FormatInt(q.before, 10))
	}
	add("key", q.key)
	return strings.Join(parts, " ")
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.arrange()
}

// takeRows reads what rows are wanted; latest is the newest batch that there is state of.
func takeRows(s *kit.Session, w *kit.Words) (want rowsWanted, latest int64, err error) {
	k, err := kit.ParseStore(w.Next())
	if err != nil {
		return want, 0, err
	}
	want = rowsWanted{operator: k.Operator, partition: k.Partition, store: k.Name, batch: -1}
	for len(w.List) > 0 {
		name := w.Next()
		if len(w.List) == 0 && name == "key" {
			want.nothing = true
			break
		}
		if len(w.List) == 0 {
			return want, 0, fmt.Errorf("%q needs a value after it", name)
		}
		switch value := w.NextWord(); name {
		case "store":
			want.store = value.Text
		case "view":
			want.view = value.Text
		case "key":
			want.key = value.Raw
		case "batch":
			want.batch, err = kit.BatchNumber(value.Text)
		case "since":
			want.compare = true
			want.before, err = kit.BatchNumber(value.Text)
		default:
			return want, 0, fmt.Errorf("%q is unknown: rows OPERATOR/PARTITION takes store, view, batch, since and key", name)
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
func (w *rowsWanted) fit(s *kit.Session) (latest int64, err error) {
	k, newest, err := s.FindStore(kit.StoreKey{Operator: w.operator, Partition: w.partition, Name: w.store})
	if err != nil {
		return 0, err
	}
	usual := s.BatchOfRows(k, newest)
	if w.store == "" {
		w.store = k.Name
	}
	if w.batch < 0 {
		w.batch = usual
	}
	latest = max(newest-1, usual)
	switch {
	case w.batch > latest:
		return 0, fmt.Errorf("no state exists after batch %d", latest)
	case w.compare && w.before >= w.batch:
		return 0, fmt.Errorf("batch %d is not before batch %d", w.before, w.batch)
	}
	return latest, nil
}

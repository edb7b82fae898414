package state

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- state and rows

func (x *model) Command() string {
	at := ""
	if x.moved && x.kept.Operator >= 0 {
		at = x.kept.String()
	}
	return kit.LineOf(x.Filter.Typed(), "state", at, x.s.Moment(), kit.SortWord(x.order, orders[x.order].name))
}

func orderNames() (names []string) {
	for _, o := range orders {
		names = append(names, kit.SortName(o.name))
	}
	return names
}

func (x *model) Set(w *kit.Words) (tea.Cmd, error) {
	var want *kit.StoreKey
	if len(w.List) > 0 && w.Peek() != "sort" {
		k, err := kit.ParseStore(w.Next())
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(x.rows, func(r storeRow) bool { return k.Names(r.StoreKey) })
		if i < 0 {
			return nil, fmt.Errorf("there is no store %s", k)
		}
		want = &x.rows[i].StoreKey
	}
	if err := kit.TakeSort(w, &x.order, orderNames()); err != nil {
		return nil, err
	}
	if want != nil {
		x.kept, x.moved = *want, true
	}
	x.arrange()
	return nil, nil
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.arrange()
}

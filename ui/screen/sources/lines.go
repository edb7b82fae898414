package sources

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- sources

func (x *model) Command() string {
	source, part := "", ""
	if x.moved {
		source = strconv.Itoa(x.kept.Source)
		if name, ok := strings.CutPrefix(x.kept.Name, "/"); ok {
			part = kit.Quote(name)
		}
	}
	return kit.LineOf(x.Filter.Typed(), "sources", source, part, x.s.Moment(), kit.SortWord(x.order, orders[x.order].name))
}

func orderNames() (names []string) {
	for _, o := range orders {
		names = append(names, kit.SortName(o.name))
	}
	return names
}

// Set chooses a source, or a part of one; what there is may still be read.
func (x *model) Set(w *kit.Words) (tea.Cmd, error) {
	if len(w.List) > 0 && w.Peek() != "sort" {
		number := w.Next()
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 {
			return nil, fmt.Errorf("%q is no source: give its number, then the name of a partition", number)
		}
		x.kept, x.moved = kit.PartColumn{Source: i}, true
		if len(w.List) > 0 && w.Peek() != "sort" {
			x.kept.Name = "/" + w.Next()
		}
	}
	if err := kit.TakeSort(w, &x.order, orderNames()); err != nil {
		return nil, err
	}
	if x.times != nil {
		x.arrange()
	}
	return nil, nil
}

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	if x.times != nil {
		x.arrange()
	}
}

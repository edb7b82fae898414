package findings

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- findings

// Command names the selected finding by its code, and where it is not the first of that code, by its number.
func (f *model) Command() string {
	head := "findings"
	switch found, not, gone := f.selected(); {
	case !f.moved:
	case found != nil:
		head = kit.FindingLine(&f.s.Verdict, f.Table.Order.Row(f.Table.At))
	case gone != nil:
		head = "finding " + kit.Quote(gone.Code)
	case not != nil && len(not.codes) > 0:
		head = "finding " + kit.Quote(not.codes[0])
	}
	return kit.LineOf(f.Filter.Typed(), head, kit.SortWord(f.order, orders[f.order].name))
}

// findingAt is the row of the nth finding of a code, or else of what did not run.
func (f *model) findingAt(code string, nth int) (int, error) {
	v := &f.s.Verdict
	n := 0
	for i := range v.Findings {
		if v.Findings[i].Code == code {
			if n++; n == nth {
				return i, nil
			}
		}
	}
	i := slices.IndexFunc(f.skipped, func(x skipped) bool { return slices.Contains(x.codes, code) })
	switch {
	case i >= 0 && n == 0:
		return len(v.Findings) + i, nil
	case !v.Done:
		return 0, kit.ErrNotYet
	case n == 0:
		return 0, fmt.Errorf("no finding %q here", code)
	}
	return 0, fmt.Errorf("no finding %s number %d here, only %d", code, nth, n)
}

func orderNames() (names []string) {
	for _, o := range orders {
		names = append(names, kit.SortName(o.name))
	}
	return names
}

func (f *model) Set(w *kit.Words) (tea.Cmd, error) {
	at := -1
	if w.Peek() != "sort" && len(w.List) > 0 {
		code, nth := w.Next(), 1
		if n, err := strconv.Atoi(w.Peek()); err == nil {
			nth = n
			w.Next()
		}
		var err error
		if at, err = f.findingAt(code, nth); err != nil {
			return nil, err
		}
	}
	order := f.order
	if err := kit.TakeSort(w, &order, orderNames()); err != nil {
		return nil, err
	}
	if at >= 0 {
		f.choose(at)
	}
	if f.order != order {
		f.order, f.back = order, false
	}
	f.follow()
	return nil, nil
}

func (f *model) SetFilter(pattern string) {
	f.Filter.Set(pattern)
	f.follow()
}

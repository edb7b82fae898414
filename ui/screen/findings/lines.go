package findings

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

// ---- findings

// Command names the selected finding by its code, and where it is not the first of that code, by its number.
func (f *model) Command() string {
	head := "findings"
	switch x, skipped := f.selected(); {
	case !f.moved:
	case x != nil:
		head = "finding " + kit.Quote(x.Code)
		if i := f.Table.Order.Row(f.Table.At); i < len(f.s.Verdict.Findings) { // not one that is gone
			head = kit.FindingLine(&f.s.Verdict, i)
		}
	case skipped != nil:
		head = "finding " + kit.Quote(skipped.Code)
	}
	return kit.LineOf(f.Filter.Typed(), head, kit.SortWord(f.order, orders[f.order].name))
}

// findingAt is the place of the nth finding of a code in the verdict, or else of what did not run.
func findingAt(s *kit.Session, code string, nth int) (int, error) {
	n := 0
	for i := range s.Verdict.Findings {
		if s.Verdict.Findings[i].Code == code {
			if n++; n == nth {
				return i, nil
			}
		}
	}
	i := slices.IndexFunc(s.Verdict.NotRun, func(x checks.NotRun) bool { return x.Code == code })
	switch {
	case i >= 0 && n == 0:
		return len(s.Verdict.Findings) + i, nil
	case !s.Verdict.Done:
		return 0, kit.ErrNotYet
	case n == 0:
		return 0, fmt.Errorf("there is no finding %q here", code)
	}
	return 0, fmt.Errorf("there is no finding %s number %d, only %d", code, nth, n)
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
		if at, err = findingAt(f.s, code, nth); err != nil {
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
	f.order = order
	f.follow()
	return nil, nil
}

func (f *model) SetFilter(pattern string) {
	f.Filter.Set(pattern)
	f.follow()
}

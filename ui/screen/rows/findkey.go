package rows

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/ui/kit"
)

// ":key KEY": the rows of a key, in the first operator whose key it fits. Which it fits is known only when
// the schemas of the operators have been read, so the line waits for that.

// findKey takes a key, and before it the operator where one is named.
func findKey(s *kit.Session, w *kit.Words) (func(ctx context.Context) (string, error), error) {
	operator := -1
	if n, err := strconv.Atoi(w.Peek()); err == nil && len(w.List) > 1 {
		operator = n
		w.Next()
	}
	var typed []string
	for len(w.List) > 0 {
		typed = append(typed, w.NextWord().Raw)
	}
	var wants []rowsWanted
	for i := range s.Verdict.Operators {
		if op := &s.Verdict.Operators[i]; operator < 0 || op.ID == operator {
			k, newest, err := s.FindStore(kit.StoreKey{Operator: op.ID, Partition: -1, Name: ""})
			if err != nil {
				return nil, err
			}
			wants = append(wants, rowsWanted{operator: op.ID, partition: -1, batch: s.BatchOfRows(k, newest)})
		}
	}
	switch {
	case len(wants) == 0 && operator >= 0:
		return nil, fmt.Errorf("state has no operator %d", operator)
	case len(wants) == 0:
		return nil, errors.New("no state, so no key to find")
	}
	cp, key := s.Checkpoint, strings.Join(typed, " ")
	return func(ctx context.Context) (string, error) {
		want, err := fitKey(ctx, cp, wants, key)
		return want.line(), err
	}, nil
}

// fitKey is the first of wants whose key typed is.
func fitKey(ctx context.Context, cp *checkpoint.Checkpoint, wants []rowsWanted, typed string) (rowsWanted, error) {
	var why []string
	for _, want := range wants {
		at, err := statestore.At(ctx, cp, want.operator, want.batch)
		if err == nil && len(at.Views) == 0 {
			err = errors.Join(at.Problem, errors.New("no schema is recorded"))
		}
		for i := 0; err == nil && i < len(at.Views); i++ {
			from := &rowsSource{cp: cp, state: at, view: &at.Views[i]}
			if key, kerr := keyOf(from, typed); kerr == nil {
				want.view, want.key = from.view.Name, key
				return want, nil
			} else if i == len(at.Views)-1 {
				err = kerr
			}
		}
		why = append(why, fmt.Sprintf("operator %d: %v", want.operator, err))
	}
	return rowsWanted{}, errors.New(strings.Join(why, " · "))
}

package statestore

import (
	"context"
	"errors"
	"iter"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
)

// room is the memory of one row, used again for the next.
type room struct{ key, value row.Memory }

// decode makes rows of one key with its value: one, or one for each element of a list. What does not
// decode is an error in the place of its row. A row is in m, and good until the next.
func (s *State) decode(v *View, p pair, m *room) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if v.guess != nil {
			yield(v.guess.decode(p))
			return
		}
		m.key.Reset()
		m.value.Reset()
		key := p.key
		if v.Family != "" && s.Operator.Provider == "rocksdb" {
			_, rest, err := row.Family(key)
			if err != nil {
				yield(Row{}, in(p, err))
				return
			}
			key = rest
		}
		k, err := v.keys.DecodeIn(&m.key, key)
		if err != nil {
			yield(Row{}, in(p, err))
			return
		}
		if !v.several {
			value, err := v.values.DecodeIn(&m.value, p.value)
			yield(Row{Key: k, Value: value}, in(p, err))
			return
		}
		for e, err := range row.Elements(p.value, p.comma) {
			var value row.Value
			if err == nil {
				m.value.Reset()
				value, err = v.values.DecodeIn(&m.value, e.Block)
			}
			if !yield(Row{Key: k, Value: value}, in(p, err)) {
				return
			}
		}
	}
}

// in is an error of a key or a value, at the place in a file where its record stands: where it stands
// within the record is of no use without it.
func in(p pair, err error) error {
	if e, ok := errors.AsType[*decode.Error](err); ok {
		moved := *e
		moved.Where = p.where
		return &moved
	}
	return err
}

// encoding is how the rows of the operator are put into bytes.
func (s *State) encoding() row.Encoding {
	switch {
	case s.Operator.Provider != "rocksdb":
		return row.Plain
	case s.avro && strings.HasPrefix(s.Operator.Name, "transformWithState"):
		return row.Avro
	}
	return row.Unsafe
}

// joinCounts is how many rows of one side of a join each key has: those whose index is lower count.
type joinCounts map[string]int64

// counts reads them, for a view that is a side of a join; nil for another.
func (s *State) counts(ctx context.Context, v *View, partition int, held *allowance) (joinCounts, error) {
	if v.counts == nil {
		return nil, nil
	}
	counts := joinCounts{}
	pairs, _, err := s.open(ctx, ctx, v.counts, partition, held)
	if err != nil {
		return nil, err
	}
	var m room
	for p, err := range pairs {
		if err != nil {
			return nil, err
		}
		for r, err := range s.decode(v.counts, p, &m) {
			if err != nil {
				return nil, err
			}
			if len(r.Value.Items) == 1 {
				key := string(r.Key.AppendJSON(nil))
				if err := held.take(len(key) + heldKey); err != nil {
					return nil, err
				}
				counts[key] = r.Value.Items[0].Int
			}
		}
	}
	return counts, nil
}

// has reports whether a row, with its index last in its key, counts.
func (c joinCounts) has(r Row) bool {
	n := len(r.Key.Items)
	if n == 0 {
		return false
	}
	index := r.Key.Items[n-1].Int
	// Not StructOf, which gives names to the fields anew: partitions are counted side by side.
	key := cut(r.Key, &row.Type{Kind: row.Struct, Name: "struct", Fields: r.Key.Type.Fields[:n-1]})
	return index < c[string(key.AppendJSON(nil))]
}

package statestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/storage"
)

// Releases before 3.1 record no schema, and a schema file can be lost. What the rows themselves tell is
// then shown as a guess: see row.Guess.

// guess is how the rows of a store without a schema are read.
type guess struct {
	key, value row.Guess
	stored     [2]*row.Type // of a key, and of a value
	rocks      bool         // rows are blocks: a version byte, then the row
}

func (s *State) newGuess() *guess { return &guess{rocks: s.Operator.Provider == "rocksdb"} }

const (
	sampledRows  = 256     // of one store that a guess is made from
	sampledOfOne = 64      // of one partition
	sampledBytes = 8 << 20 // of all of them
)

// guessViews adds views of the stores for which nothing records a schema, from some of their rows.
func (s *State) guessViews(ctx context.Context) error {
	if m := s.Operator.Metadata; m != nil && m.Version >= 2 {
		return nil // their keys begin with the id of a column family, and only the schema says how they go on
	}
	if p := s.Operator.Partition(0); p != nil && (p.Err != nil ||
		slices.ContainsFunc(p.Stores, func(st Store) bool { return st.Err != nil })) {
		return nil // there may be a schema that was not seen
	}
	if len(s.Views) == 0 {
		dir := s.c.List(ctx, s.Operator.Dir)
		if dir.Err != nil {
			return fmt.Errorf("%s: %w", dir.Name, dir.Err)
		}
		if dir.Find("_stateSchema") != nil {
			s.Problem = fmt.Errorf("%s contains schema files, and nothing in %s shows which one counts", path.Join(dir.Name, "_stateSchema"), path.Join(dir.Name, "_metadata"))
			return nil
		}
	}
	for _, name := range s.Operator.StoreNames() {
		if slices.ContainsFunc(s.Views, func(v View) bool { return v.Store == name }) {
			continue
		}
		v, err := s.guessed(ctx, name)
		if err != nil {
			return err
		}
		s.Views = append(s.Views, v)
	}
	s.guessJoin()
	s.usualFirst()
	return nil
}

// guessed is the view of one store.
func (s *State) guessed(ctx context.Context, name string) (View, error) {
	v := View{Name: name, Store: name, ValueName: "value", Guessed: true}
	g := s.newGuess()
	keys, values, err := s.sample(ctx, &v)
	if err != nil {
		return v, err
	}
	g.key, g.value = g.columns(keys), g.columns(values)
	v.guess = g
	v.guessedTypes(g.key.Type(), g.value.Type())
	return v, nil
}

// guessedTypes gives a view of a store without a schema the columns of its keys and values.
func (v *View) guessedTypes(key, value *row.Type) {
	v.Key, v.Value, v.guess.stored = key, value, [2]*row.Type{key, value}
}

// sample are some keys of a store with their values, of the first partitions that have any. What is wrong with
// a partition is told where its rows are asked for.
func (s *State) sample(ctx context.Context, v *View) (keys, values [][]byte, err error) {
	ids, err := s.wanted(-1)
	if err != nil {
		return nil, nil, err
	}
	taken := 0
	add := func(some []pair) (enough bool) {
		for _, p := range some {
			keys, values = append(keys, p.key), append(values, p.value)
			taken += len(p.key) + len(p.value)
		}
		return len(keys) >= sampledRows || taken > sampledBytes
	}
	var large []int // partitions that take more memory than several may have at once
	type part struct {
		id    int
		pairs []pair
		err   error
	}
	for p, err := range storage.ParallelMap(ctx, partitionsAhead, slices.Values(ids), func(ctx context.Context, id int) (part, error) {
		pairs, err := s.sampleOne(ctx, v, id, heldAhead)
		return part{id, pairs, err}, nil
	}) {
		if err != nil {
			return nil, nil, err
		}
		if _, held := errors.AsType[*heldError](p.err); held {
			large = append(large, p.id)
		}
		if add(p.pairs) {
			break
		}
	}
	for i := 0; i < len(large) && len(keys) == 0; i++ {
		pairs, _ := s.sampleOne(ctx, v, large[i], heldAlone)
		add(pairs)
	}
	return keys, values, ctx.Err()
}

// sampleOne are some pairs of one partition.
func (s *State) sampleOne(ctx context.Context, v *View, id int, held int64) (some []pair, err error) {
	pairs, _, err := s.open(ctx, ctx, v, id, newAllowance(held))
	if err != nil {
		return nil, err
	}
	size := 0
	for p, err := range pairs {
		if err != nil {
			break
		}
		some = append(some, pair{key: bytes.Clone(p.key), value: bytes.Clone(p.value)})
		if size += len(p.key) + len(p.value); len(some) == sampledOfOne || size > sampledBytes/partitionsAhead {
			break
		}
	}
	return some, nil
}

// columns are those of stored keys or values: of their bytes as a whole where some do not begin as a block
// does, as keys with a prefix do not.
func (g *guess) columns(stored [][]byte) row.Guess {
	var rows [][]byte
	for _, data := range stored {
		r, ok := g.row(data)
		if !ok {
			return row.WholeBytes()
		}
		rows = append(rows, r)
	}
	return row.GuessColumns(rows)
}

// row is the UnsafeRow in a stored key or value; ok is false where it does not begin as one.
func (g *guess) row(data []byte) (row []byte, ok bool) {
	if !g.rocks {
		return data, true
	}
	if len(data) == 0 || data[0] != 0 {
		return nil, false
	}
	return data[1:], true
}

// decode makes a row of one key with its value.
func (g *guess) decode(p pair) (r Row, err error) {
	if r.Key, err = g.part(g.key, g.stored[0], p.key); err == nil {
		r.Value, err = g.part(g.value, g.stored[1], p.value)
	}
	return r, in(p, err)
}

func (g *guess) part(columns row.Guess, t *row.Type, data []byte) (row.Value, error) {
	if r, ok := g.row(data); ok && !columns.Whole() {
		data = r
	} else if !columns.Whole() {
		return row.Value{Type: t}, &decode.Error{Flaw: decode.Malformed, What: "row", Err: errors.New("it does not begin like the others, and no schema shows its format")}
	}
	return columns.Decode(t, data)
}

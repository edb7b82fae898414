package statestore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// Rebuilding is a whole state file and older files that make the same version.
type Rebuilding struct {
	Operator *Operator
	Store    *Store
	Whole    state.File
	From     state.Chain // of the version of Whole; Whole is not in it. Without files, the rows of Whole are only counted
}

// Rebuilt is what came of holding the two against each other, key by key as they are stored.
type Rebuilt struct {
	Rebuilding
	Rows     int64 // keys of the whole file
	FromRows int64 // keys that the older files make
	Same     bool  // both have the same keys with the same values

	// Where they are not the same, and Apart is set: keys that only the older files make, that only the whole file
	// has, and that both have with other values. Apart is not set where there are too many rows to tell them apart.
	Apart                bool
	Missing, More, Other int64

	Err error // why they were not compared; nil where they were
}

const (
	rebuiltAhead = partitionsAhead // comparisons at once
	rebuiltApart = 1 << 18         // rows of a whole file up to which those that differ are counted by kind: 16 bytes are kept of each
)

// Rebuild holds whole state files against the older files that make the same version, several at once, in the order
// of all. Both are read to their end; in memory are the changes of the deltas or changelogs, and some bytes of each row.
// conf is what a plan pins. Its error means that nothing more will be read.
//
// HDFSBackedStateStoreProvider and RocksDB load the newest whole file at or below a version and trust it.
func Rebuild(ctx context.Context, c *checkpoint.Checkpoint, conf map[string]string, all iter.Seq[Rebuilding]) iter.Seq2[Rebuilt, error] {
	seed := maphash.MakeSeed() // anew in every run: no checkpoint can be made for rows to look the same
	alone := make(chan struct{}, 1)
	return storage.ParallelMap(ctx, rebuiltAhead, all, func(ctx context.Context, r Rebuilding) (Rebuilt, error) {
		near, err := prefetch(ctx, c, &r)
		if err != nil {
			return Rebuilt{Rebuilding: r}, err
		}
		s := &State{Operator: *r.Operator, Version: r.Whole.Version, Conf: conf, c: near}
		s.applyConf()
		out := Rebuilt{Rebuilding: r}
		err = out.compare(ctx, s, seed, heldAhead)
		if _, held := errors.AsType[*heldError](err); held {
			select {
			case alone <- struct{}{}:
				defer func() { <-alone }()
				out = Rebuilt{Rebuilding: r}
				err = out.compare(ctx, s, seed, heldAlone)
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if out.Err = err; checkpoint.Stopped(err) {
			return out, err
		}
		return out, nil
	})
}

// fetchedFiles is a store some files of which are in memory.
type fetchedFiles struct {
	storage.Store
	files map[string][]byte
}

func (f *fetchedFiles) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	data, ok := f.files[name]
	if !ok {
		return f.Store.Open(ctx, name, offset, length)
	}
	data = data[min(offset, int64(len(data))):]
	if length >= 0 {
		data = data[:min(length, int64(len(data)))]
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// prefetch reads the files of a comparison side by side where they are short: from far away that is one wait and not one for
// each. What could not be had is left to the comparison. Its error means that nothing more will be read.
func prefetch(ctx context.Context, c *checkpoint.Checkpoint, r *Rebuilding) (*checkpoint.Checkpoint, error) {
	files := append([]state.File{r.Whole}, r.From.Files...)
	if r.From.Bytes()+r.Whole.Size > prefetched || len(files) > checkpoint.ReadsAhead {
		return c, nil
	}
	f := &fetchedFiles{Store: c.Store(), files: map[string][]byte{}}
	i := 0
	for data, err := range storage.ParallelMap(ctx, len(files), slices.Values(files),
		func(ctx context.Context, file state.File) ([]byte, error) {
			data, err := c.Read(ctx, r.Store.Path(file), prefetched)
			if err != nil && !checkpoint.Stopped(err) {
				return nil, nil
			}
			return data, err
		}) {
		if err != nil {
			return nil, err
		}
		if data != nil {
			f.files[r.Store.Path(files[i])] = data
		}
		i++
	}
	return c.With(f), ctx.Err()
}

// sums stand for a set of rows, whatever their order.
type sums struct {
	rows int64
	sum  uint64
}

// compare reads both sides: the whole file first, which is the smaller one as a rule.
func (r *Rebuilt) compare(ctx context.Context, s *State, seed maphash.Seed, memory int64) error {
	apart := map[uint64]uint64{} // of the whole file: key → row; nil once there are too many
	var whole, from sums
	err := s.eachStored(ctx, &r.Rebuilding, state.Chain{Version: r.Whole.Version, Files: []state.File{r.Whole}}, memory,
		func(key, value []byte) {
			k, row := digests(seed, key, value)
			whole.rows, whole.sum = whole.rows+1, whole.sum+row
			if apart != nil {
				if apart[k] = row; len(apart) > rebuiltApart {
					apart = nil
				}
			}
		})
	if r.Rows, r.Same = whole.rows, true; err != nil || len(r.From.Files) == 0 {
		return err
	}
	err = s.eachStored(ctx, &r.Rebuilding, r.From, memory, func(key, value []byte) {
		k, row := digests(seed, key, value)
		from.rows, from.sum = from.rows+1, from.sum+row
		if apart == nil {
			return
		}
		switch was, there := apart[k]; {
		case !there:
			r.Missing++
		case was != row:
			r.Other++
		}
		delete(apart, k)
	})
	if err != nil {
		return err
	}
	r.Rows, r.FromRows, r.Same = whole.rows, from.rows, whole == from
	r.Apart, r.More = apart != nil, int64(len(apart))
	return nil
}

// digests are those of a key, and of the key with its value.
func digests(seed maphash.Seed, key, value []byte) (k, row uint64) {
	var h maphash.Hash
	h.SetSeed(seed)
	h.Write(key)
	k = h.Sum64()
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(key)))
	h.Write(length[:])
	h.Write(value)
	return k, h.Sum64()
}

// eachStored goes over the rows of a chain of one store, whatever column family they are of.
func (s *State) eachStored(ctx context.Context, r *Rebuilding, chain state.Chain, memory int64, row func(key, value []byte)) error {
	pairs, _, err := s.rebuild(ctx, ctx, &View{Store: r.Store.Name}, r.Store, chain, newAllowance(memory))
	if err != nil {
		return err
	}
	n := 0
	for p, err := range pairs {
		if err != nil {
			return err
		}
		if n++; n%rowsUnasked == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !r.Whole.Role.RocksDB() {
			p.value = p.value[:len(p.value)&^7] // Spark passes over what is not a whole word as it loads the file
		}
		row(p.key, p.value)
	}
	return nil
}

// rowsUnasked is how many rows are gone over before it is asked again whether to go on.
const rowsUnasked = 4096

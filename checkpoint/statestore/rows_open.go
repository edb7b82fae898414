package statestore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/sst"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// prefetched is how many bytes of the whole file below the changes are read at once for one partition;
// what is longer is read as its rows are ranged over.
const prefetched = 4 << 20

// prefetchedOne is the same for a table of which only one key is wanted: reading it in ranges takes two
// requests more and a few blocks.
const prefetchedOne = 256 << 10

// errNoFamilies is that a column family is not known by its number.
var errNoFamilies = errors.New("only a snapshot shows the column family")

// noPairs is an empty store.
func noPairs(func(pair, error) bool) {}

// open rebuilds the version of one store of one partition: the changes of its chain are read under
// ahead, and what lies below them streams under ctx. A whole file that is found damaged while it is
// prefetched is passed over where older files stand in for it; passed says so.
func (s *State) open(ahead, ctx context.Context, v *View, id int, held *allowance) (pairs iter.Seq2[pair, error], passed []error, err error) {
	p := s.Operator.Partition(id)
	if p == nil {
		return nil, nil, &MissingError{Version: s.Version, Files: []string{s.storeDir(id, "")}}
	}
	if p.Err != nil {
		return nil, nil, p.Err
	}
	store := p.Store(v.Store)
	if store == nil {
		store = &Store{Name: v.Store, Dir: s.storeDir(id, v.Store)}
	}
	if store.Err != nil {
		return nil, nil, store.Err
	}
	var broken []state.File
	for {
		chain, err := s.chain(ahead, id, store, broken)
		if err != nil && len(passed) > 0 {
			return nil, nil, passed[0].(*PassedError).Err // nothing stands in for it
		}
		if err != nil {
			return nil, nil, err
		}
		pairs, base, err := s.rebuild(ahead, ctx, v, store, chain, held)
		again := base != nil && slices.Contains(broken, *base)
		if len(passed) > 0 && (again || errors.Is(err, errNoFamilies)) {
			return nil, nil, passed[0].(*PassedError).Err // nothing stands in for it
		}
		if err == nil || base == nil || !unloadable(err) {
			return pairs, passed, err
		}
		passed = append(passed, &PassedError{store.Path(*base), err})
		broken = append(broken, *base)
	}
}

// rebuild reads the files of a chain. base is the whole file among them, where the error is about it.
func (s *State) rebuild(ahead, ctx context.Context, v *View, store *Store, chain state.Chain, held *allowance) (pairs iter.Seq2[pair, error], base *state.File, err error) {
	files := chain.Files
	top := &overlay{comma: s.comma, prefix: v.only, whole: v.whole, held: held}
	below := iter.Seq2[pair, error](noPairs)
	if len(files) > 0 && files[0].Role.Whole() {
		base, files = &files[0], files[1:]
		if base.Role == state.Zip {
			below, err = s.openZip(ahead, ctx, v, store, *base, top)
		} else {
			below, err = s.openSnapshot(ahead, ctx, store.Path(*base), base.Size)
		}
		if err != nil {
			return nil, base, err
		}
	} else if v.Family != "" && len(files) > 0 {
		return nil, nil, fmt.Errorf("version %d has no snapshot below it, and %w is %q", s.Version, errNoFamilies, v.Family)
	}
	for _, f := range files {
		if err := s.addChanges(ahead, store.Path(f), f.Role, top); err != nil {
			return nil, nil, err
		}
	}
	return top.over(below, s.Operator.Provider == "rocksdb"), nil, nil
}

// addChanges puts the changes of a delta or a changelog on top. A damaged file counts for nothing: what
// its lost records changed cannot be told.
func (s *State) addChanges(ctx context.Context, name string, role state.Role, top *overlay) error {
	r, err := s.c.Store().Open(ctx, name, 0, -1)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	for ch, err := range s.changesOf(name, role, r) {
		if err == nil {
			err = top.add(ch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// located is a change with the name of what it stands in: "state/0/0/7.delta!lz4".
type located struct {
	state.Change
	file string
}

func (c located) where() decode.Where { return decode.Where{File: c.file, Offset: c.At} }

// changesOf are the records of a delta, a snapshot or a changelog, without their row checksums, which
// are compared. What is loose at the end of the file is no concern of its rows.
func (s *State) changesOf(name string, role state.Role, r io.Reader) iter.Seq2[located, error] {
	return func(yield func(located, error) bool) {
		inflated, codec, err := state.Inflate(name, r)
		if err != nil {
			yield(located{}, err)
			return
		}
		inner := codec.In(name)
		all := state.Changes(inner, inflated)
		if role == state.Changelog {
			log, err := state.OpenChangelog(inner, inflated)
			if log == nil {
				yield(located{}, err)
				return
			}
			all = log.Changes()
		}
		for ch, err := range state.RowSumsOf(role).TrimFile(inner, all, s.summed) {
			if _, loose := errors.AsType[*state.Loose](err); loose {
				return
			}
			if !yield(located{ch, inner}, err) {
				return
			}
		}
	}
}

// openSnapshot streams a snapshot of the HDFS-backed provider. It is gone through for damage first, so that
// another chain can be tried: a short one, which is read at once, and a long one that ends as if it was
// cut. To read every long one twice would cost more than it is worth; what is found in it later is told
// with the rows that it spoils.
func (s *State) openSnapshot(ahead, ctx context.Context, name string, size int64) (iter.Seq2[pair, error], error) {
	open := func(ctx context.Context) (io.ReadCloser, error) { return s.c.Store().Open(ctx, name, 0, -1) }
	first := size <= prefetched
	var err error
	if first {
		data, err := s.c.Read(ahead, name, prefetched)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		open = func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	} else if first, err = state.EndsShort(s.c.Reader(ahead, name), size); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	pairs := func(ctx context.Context) iter.Seq2[pair, error] {
		return func(yield func(pair, error) bool) {
			r, err := open(ctx)
			if err != nil {
				yield(pair{}, fmt.Errorf("%s: %w", name, err))
				return
			}
			defer r.Close()
			for ch, err := range s.changesOf(name, state.Snapshot, r) {
				if err != nil && !first && unloadable(err) {
					err = fmt.Errorf("%w; the rows before this are from the damaged file, which is too long to read completely first", err)
				}
				if !yield(pair{key: ch.Key, value: ch.Value, where: ch.where()}, err) {
					return
				}
			}
		}
	}
	if first {
		for _, err := range pairs(ahead) {
			if err != nil {
				return nil, err
			}
		}
	}
	return pairs(ctx), nil
}

// openZip streams the tables of a RocksDB snapshot, merged. It tells top which keys are wanted and how
// elements of a list are joined.
func (s *State) openZip(ahead, ctx context.Context, v *View, store *Store, f state.File, top *overlay) (iter.Seq2[pair, error], error) {
	name := store.Path(f)
	r, _, err := s.readerOf(ahead, ctx, name, f.Size, prefetched)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	zip, err := state.OpenZip(name, r, f.Size)
	if err != nil {
		return nil, err
	}
	if len(zip.Problems) > 0 {
		return nil, zip.Problems[0]
	}
	if zip.MergeOperator > 0 {
		top.comma = zip.MergeOperator == 1
	}
	if v.Family != "" {
		id, ok := zip.Families[v.Family]
		if !ok {
			top.none = true // it was made later, or is gone
			return noPairs, nil
		}
		top.prefix = append(binary.LittleEndian.AppendUint16(nil, uint16(id)), v.only...)
	}
	left, tableMemory := int64(prefetched), 0
	var tables []*sst.Table
	for _, file := range zip.SSTs {
		limit := left
		if v.only != nil {
			limit = min(left, prefetchedOne)
		}
		table, used, err := s.openTable(ahead, ctx, name, path.Join(store.Dir, "SSTs", file.Name), file.Size, limit)
		if err != nil {
			return nil, err
		}
		if tableMemory += table.Memory(); tableMemory > heldTables {
			before := table.Memory()
			if err := table.Rest(top.prefix, top.whole); err != nil {
				return nil, fmt.Errorf("%s: %w", table.File, err)
			}
			tableMemory -= before - table.Memory()
		}
		if err := top.held.take(int(used) + table.Memory()); err != nil {
			return nil, err
		}
		left -= used
		tables = append(tables, table)
	}
	merged := sst.MergePrefix
	if top.whole {
		merged = sst.MergeKey
	}
	return func(yield func(pair, error) bool) {
		for live, err := range merged(top.prefix, tables...) {
			p, trimmed := s.stored(name, live, top)
			if err == nil {
				err = trimmed
			}
			if !yield(p, err) {
				return
			}
		}
	}, nil
}

// stored is what the tables of a snapshot have of one key: its value with what was added to it, without
// row checksums, which are compared.
func (s *State) stored(zip string, live sst.Live, top *overlay) (pair, error) {
	p := pair{key: live.Key, where: decode.Where{File: zip}}
	var err error
	trim := func(value []byte) []byte {
		value, problem := state.RocksDBRowSums.TrimStored(zip, live.Key, value, s.summed)
		if problem != nil && err == nil {
			err = problem
		}
		return value
	}
	if live.Value != nil {
		p.value = trim(live.Value)
	}
	own := false
	for i, operand := range live.Operands {
		if i == 0 && live.Value == nil {
			p.value = trim(operand)
			continue
		}
		if !own {
			p.value, own = slices.Clip(p.value), true // what follows it in memory is not of this key
		}
		p.value = top.join(p.value, trim(operand))
	}
	return p, err
}

// readerOf reads a file at once where it has no more than limit bytes, else in ranges; used is how much
// was read.
func (s *State) readerOf(ahead, ctx context.Context, name string, size, limit int64) (r io.ReaderAt, used int64, err error) {
	if size > limit {
		return s.c.Reader(ctx, name), 0, nil
	}
	data, err := s.c.Read(ahead, name, size)
	if _, longer := errors.AsType[*storage.TooLargeError](err); longer {
		data, err = append(data, 0), nil
	}
	return bytes.NewReader(data), size, err
}

// openTable opens a table that a zip names.
func (s *State) openTable(ahead, ctx context.Context, zip, name string, size, limit int64) (*sst.Table, int64, error) {
	r, used, err := s.readerOf(ahead, ctx, name, size, limit)
	if err == nil {
		var last [2]byte
		n, rerr := r.ReadAt(last[:], max(size-1, 0))
		switch {
		case rerr != nil && !errors.Is(rerr, io.EOF):
			err = rerr
		case n != 1:
			return nil, 0, &decode.Error{Where: decode.Where{File: name}, Flaw: decode.Value, What: "RocksDB table",
				Err: fmt.Errorf("its size differs from the %d bytes in %s", size, zip)}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, &MissingError{Version: s.Version, Files: []string{name}}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	table, err := sst.Open(name, r, size)
	return table, used, err
}

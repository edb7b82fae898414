package delta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// State is what a checkpoint says of transactions and of the table: the columns txn and metaData, and nothing
// of the files.
//
//	txn        struct<appId: string, version: long, lastUpdated: long>
//	metaData   struct<id: string, schemaString: string, configuration: map<string,string>, …>
//
// A row of a checkpoint is one action: in all others these columns are null. Parts of a multi-part checkpoint
// and sidecars of a V2 one have the same columns; sidecars hold files only.
type State struct {
	Txns     []Txn
	Metadata *Metadata // nil where none was found
}

// columnLimit bounds one column of one row group, packed and unpacked: a table with a million transactions has
// some 50 MB of them.
const (
	columnLimit = 256 << 20 // bytes
	cellCost    = 32        // bytes that a value takes beside its text
)

// ReadCheckpoint reads the transactions and the metadata of a checkpoint: of Parquet the footer, and the columns
// that hold something.
func (l *Log) ReadCheckpoint(ctx context.Context, c *Checkpoint) (*State, error) {
	s := &State{}
	for _, f := range c.Files {
		var err error
		if strings.HasSuffix(f.Name, ".json") {
			err = l.checkpointJSON(ctx, f.Name, s)
		} else {
			err = l.checkpointParquet(ctx, f, s)
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (l *Log) checkpointJSON(ctx context.Context, base string, s *State) error {
	for a, err := range l.Actions(ctx, base) {
		if err != nil {
			return err
		}
		switch a.Name {
		case "txn":
			t, err := a.Txn()
			if err != nil {
				return err
			}
			s.Txns = append(s.Txns, t)
		case "metaData":
			if s.Metadata, err = a.Metadata(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Log) checkpointParquet(ctx context.Context, f tablelog.File, s *State) (err error) {
	where := l.Where(f.Name)
	fail := func(err error) error {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return &decode.Error{Where: where, Flaw: decode.Malformed, What: "delta checkpoint", Err: err}
	}
	// The library panics over some bytes that are no Parquet, and a checkpoint is read as it lies there.
	defer func() {
		if p := recover(); p != nil {
			err = fail(fmt.Errorf("the Parquet library failed: %v", p))
		}
	}()
	in := &failing{ReaderAt: tablelog.ReaderAt(ctx, l.files, l.Name(f.Name), f.Size)}
	file, err := parquet.OpenFile(in, f.Size, parquet.SkipMagicBytes(true), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err == nil {
		err = readState(file, where, s)
	}
	switch {
	case in.err != nil:
		return in.err
	case err != nil:
		return fail(err)
	}
	return nil
}

// failing keeps the error with which the bytes could not be had, apart from what the library makes of it.
type failing struct {
	io.ReaderAt
	err error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.err = err
	}
	return n, err
}

// readState reads the columns of one file, row group by row group.
func readState(file *parquet.File, where decode.Where, s *State) error {
	index := map[string]int{}
	for i, path := range file.Schema().Columns() {
		index[strings.Join(path, ".")] = i
	}
	for g, group := range file.RowGroups() {
		column := func(name string) ([]cell, error) {
			i, ok := index[name]
			if !ok {
				return nil, nil
			}
			cells, err := cells(file, group, g, i)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", name, err)
			}
			return cells, nil
		}
		if err := s.txns(column, where); err != nil {
			return err
		}
		if err := s.metadata(column, where); err != nil {
			return err
		}
	}
	return nil
}

// txns adds those of one row group: the three columns have a value in the same rows.
func (s *State) txns(column func(string) ([]cell, error), where decode.Where) error {
	ids, err := column("txn.appId")
	if err != nil || len(ids) == 0 {
		return err
	}
	versions, err := column("txn.version")
	if err != nil {
		return err
	}
	updated, err := column("txn.lastUpdated")
	if err != nil {
		return err
	}
	version, at := byRow(versions), byRow(updated)
	for _, id := range ids {
		v, ok := version[id.row]
		if !ok {
			return fmt.Errorf("row %d: the transaction of %q has no version", id.row, id.text)
		}
		s.Txns = append(s.Txns, Txn{AppID: id.text, Version: v, Updated: at[id.row], Where: where})
	}
	return nil
}

// metadata adds the one row of it, where it is in this row group. The keys and values of its settings stand in
// the same order.
func (s *State) metadata(column func(string) ([]cell, error), where decode.Where) error {
	ids, err := column("metaData.id")
	if err != nil || len(ids) == 0 {
		return err
	}
	schema, err := column("metaData.schemaString")
	if err != nil {
		return err
	}
	m := &Metadata{ID: ids[0].text, Configuration: map[string]string{}, Where: where}
	if len(schema) > 0 {
		m.Schema = schema[0].text
	}
	keys, err := column("metaData.configuration.key_value.key")
	if err != nil {
		return err
	}
	values, err := column("metaData.configuration.key_value.value")
	if err != nil {
		return err
	}
	if len(keys) == len(values) { // else a value is null, and which one is not told
		for i := range keys {
			m.Configuration[keys[i].text] = values[i].text
		}
	}
	s.Metadata = m
	return nil
}

// cell is one value that is not null.
type cell struct {
	row    int64 // within the row group; of a column that repeats, the number of the value
	text   string
	number int64
}

func byRow(cells []cell) map[int64]int64 {
	all := make(map[int64]int64, len(cells))
	for _, c := range cells {
		all[c.row] = c.number
	}
	return all
}

// cells are the values of one column of one row group that are not null. A column that its statistics call
// empty is not read.
func cells(file *parquet.File, group parquet.RowGroup, g, i int) (all []cell, err error) {
	m := &file.Metadata().RowGroups[g].Columns[i].MetaData
	if m.TotalCompressedSize > columnLimit || m.TotalUncompressedSize > columnLimit {
		return nil, fmt.Errorf("it has %d bytes in one row group; tidemark reads at most %d", m.TotalUncompressedSize, columnLimit)
	}
	if n := m.Statistics.NullCount; n > 0 && n == m.NumValues {
		return nil, nil
	}
	pages := group.ColumnChunks()[i].Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	row, size := int64(0), 0
	buf := make([]parquet.Value, 256)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		for values := page.Values(); ; {
			n, err := values.ReadValues(buf)
			for _, v := range buf[:n] {
				if !v.IsNull() {
					size += cellCost + len(v.Bytes())
				}
				switch {
				case size > columnLimit: // one that repeats takes next to nothing in the file
					return all, fmt.Errorf("its values need more than %d bytes in one row group, too many to read", columnLimit)
				case v.IsNull():
				case v.Kind() == parquet.Int64:
					all = append(all, cell{row: row, number: v.Int64()})
				case v.Kind() == parquet.ByteArray:
					all = append(all, cell{row: row, text: string(v.ByteArray())})
				default:
					return all, fmt.Errorf("a value of kind %s", v.Kind())
				}
				row++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return all, err
			}
			if n == 0 {
				return all, io.ErrNoProgress
			}
		}
		parquet.Release(page)
	}
}

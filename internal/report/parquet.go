package report

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

// A row group is written when it has this many rows or, about, this many bytes before compression. Only
// the group at hand is in memory, and some hundred bytes a column of each group before it.
const (
	groupRows  = 128 << 10
	groupBytes = 16 << 20
)

// What a schema may ask for: readers follow no deeper, and each column has a buffer.
const (
	parquetDepth   = 100
	parquetColumns = 10_000
)

// Parquet writes the rows of a view, or changes of them, as one Parquet file. Its columns are those of
// AppendJSON: partition_id, key, user_map_key where there is one, and the value by its name; of a change
// change, partition_id, key, user_map_key, before, after. How each type is written stands in
// parquet_types.go. A column is required where the schema says NOT NULL.
type Parquet struct {
	out     *parquet.GenericWriter[any]
	columns []*parquet.ColumnWriter
	root    part
	values  [][]parquet.Value // of the row at hand, by column
	items   []row.Value       // of the row at hand: partition_id, key, …

	written    int64 // rows
	rows, size int64 // in the row group at hand; size in bytes
}

// UnfitError is a row that the file cannot hold, because a value is not what its schema says.
type UnfitError struct {
	Partition int
	Column    string // "value.total"
	Err       error
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("partition %d: %s: %v", e.Partition, e.Column, e.Err)
}

func (e *UnfitError) Unwrap() error { return e.Err }

// NewParquet begins a file of the rows of a view. An error is about the schema: it has more columns, or
// nests deeper, than can be written.
func NewParquet(w io.Writer, v *statestore.View) (*Parquet, error) { return newParquet(w, rowType(v)) }

// NewParquetChanges begins a file of the changes between two states, in which the same rows are was and is.
func NewParquetChanges(w io.Writer, was, is *statestore.View) (*Parquet, error) {
	if was.Key.DDL() != is.Key.DDL() {
		return nil, fmt.Errorf("a key was %s and is now %s", was.Key.DDL(), is.Key.DDL())
	}
	fields := append([]row.Field{{Name: "change", Type: &row.Type{Kind: row.String, Name: "string"}}}, keyFields(is)...)
	fields = append(fields, row.Field{Name: "before", Type: was.Value, Nullable: true}, row.Field{Name: "after", Type: is.Value, Nullable: true})
	return newParquet(w, row.StructOf(fields...))
}

// newParquet begins a file whose rows are a struct.
func newParquet(w io.Writer, all *row.Type) (*Parquet, error) {
	s := &shredder{}
	root, node, err := s.part(all, "", false, levels{})
	if err != nil {
		return nil, err
	}
	spark, err := json.Marshal(sparkType(all))
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{
		parquet.NewSchema("spark_schema", node),
		// These every release of Spark reads.
		parquet.Compression(&parquet.Snappy),
		parquet.DataPageVersion(1),
		parquet.DefaultEncoding(&parquet.Plain),
		// What each page holds stands in the page index, and for a row group in the footer.
		parquet.DataPageStatistics(false),
		parquet.PageBufferSize(s.pageSize()),
		parquet.KeyValueMetadata(sparkSchema, string(spark)),
		parquet.KeyValueMetadata(sparkVersion, sparkCalendar),
	}
	for _, path := range s.unbounded {
		options = append(options, parquet.SkipPageBounds(path...))
	}
	p := &Parquet{out: parquet.NewGenericWriter[any](w, options...), root: root, values: make([][]parquet.Value, s.columns)}
	p.columns = p.out.ColumnWriters()
	return p, nil
}

// rowType is a row of the view as one struct.
func rowType(v *statestore.View) *row.Type {
	return row.StructOf(append(keyFields(v), row.Field{Name: v.ValueName, Type: v.Value, Nullable: true})...)
}

// keyFields are the columns that say which row it is.
func keyFields(v *statestore.View) []row.Field {
	fields := []row.Field{
		{Name: "partition_id", Type: &row.Type{Kind: row.Integer, Name: "integer"}},
		{Name: "key", Type: v.Key, Nullable: true},
	}
	if v.MapKey != nil {
		fields = append(fields, row.Field{Name: "user_map_key", Type: v.MapKey, Nullable: true})
	}
	return fields
}

// Write writes one row. After an *UnfitError, of which nothing is written, the next rows can be written;
// any other error is about the file, and ends it.
func (p *Parquet) Write(r *statestore.Row) error {
	p.items = p.items[:0]
	p.addKey(r)
	p.items = append(p.items, r.Value)
	return p.write(r.Partition)
}

// WriteChange writes one change. Errors are as those of Write.
func (p *Parquet) WriteChange(c *statestore.RowChange) error {
	p.items = append(p.items[:0], row.Value{Type: p.root.parts[0].typ, Bytes: []byte(c.Kind())})
	p.addKey(c.Row())
	p.items = append(p.items, c.Before.Value, c.After.Value)
	return p.write(c.Partition)
}

// addKey adds the values of keyFields.
func (p *Parquet) addKey(r *statestore.Row) {
	p.items = append(p.items, row.Value{Type: p.root.parts[len(p.items)].typ, Int: int64(r.Partition)}, r.Key)
	if r.View.MapKey != nil {
		p.items = append(p.items, r.MapKey)
	}
}

// write writes the row that items are.
func (p *Parquet) write(partition int) error {
	for i := range p.values {
		p.values[i] = p.values[i][:0]
	}
	if err := p.put(&p.root, row.Value{Type: p.root.typ, Items: p.items}, 0, 0); err != nil {
		err.Partition = partition
		return err
	}
	for i, values := range p.values {
		for j := range values {
			p.size += valueSize(values[j])
		}
		if _, err := p.columns[i].WriteRowValues(values); err != nil {
			return err
		}
	}
	p.written++
	if p.rows++; p.rows < groupRows && p.size < groupBytes {
		return nil
	}
	p.rows, p.size = 0, 0
	return p.out.Flush()
}

// valueSize is about how many bytes a value takes before compression.
func valueSize(v parquet.Value) int64 {
	if k := v.Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
		return int64(len(v.ByteArray())) + 6
	}
	return 8
}

// Rows is how many rows were written.
func (p *Parquet) Rows() int64 { return p.written }

// Close writes what is left and the footer. Without it the file is none: no reader takes it.
func (p *Parquet) Close() error { return p.out.Close() }

// put adds a value to the columns of a part; see part for the levels.
func (p *Parquet) put(at *part, v row.Value, repetition, definition int) *UnfitError {
	if v.Null || v.Type == nil {
		if !at.optional {
			return &UnfitError{Column: at.path, Err: errNullHere}
		}
		p.nulls(at, repetition, definition)
		return nil
	}
	if at.optional {
		definition++
	}
	switch at.shape {
	case groupShape:
		for i := range at.parts {
			item := row.Value{Null: true} // a value of an older schema may have fewer
			if i < len(v.Items) {
				item = v.Items[i]
			}
			if err := p.put(&at.parts[i], item, repetition, definition); err != nil {
				return err
			}
		}
		return nil
	case repeatedShape:
		if len(v.Items) == 0 {
			p.nulls(at, repetition, definition)
		}
		for i, item := range v.Items {
			if err := p.put(&at.parts[i%len(at.parts)], item, repetition, definition+1); err != nil {
				return err
			}
			if (i+1)%len(at.parts) == 0 {
				repetition = at.repetition
			}
		}
		return nil
	case variantShape:
		n := int(binary.LittleEndian.Uint32(v.Bytes)) // it was checked when the row was decoded
		p.add(at.first, parquet.ByteArrayValue(v.Bytes[4:4+n]), repetition, definition)
		p.add(at.first+1, parquet.ByteArrayValue(v.Bytes[4+n:]), repetition, definition)
		return nil
	}
	value, err := at.value(v)
	if err != nil {
		return &UnfitError{Column: at.path, Err: err}
	}
	p.add(at.first, value, repetition, definition)
	return nil
}

// nulls adds to every column of a part that there is nothing from this level on.
func (p *Parquet) nulls(at *part, repetition, definition int) {
	for column := at.first; column < at.end; column++ {
		p.add(column, parquet.NullValue(), repetition, definition)
	}
}

func (p *Parquet) add(column int, v parquet.Value, repetition, definition int) {
	p.values[column] = append(p.values[column], v.Level(repetition, definition, column))
}

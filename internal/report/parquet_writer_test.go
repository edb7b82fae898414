package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

// What a value of its schema cannot be is told with its place, and the rows around it are written.
func TestParquetLeavesOutWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x7f", 12)
	for spark, c := range map[string]struct {
		value row.Value
		want  string
	}{
		"integer":       {row.Value{Int: 1 << 40}, "partition 1: value.c: 1099511627776 is not of type integer"},
		"byte":          {row.Value{Int: 128}, "partition 1: value.c: 128 is not of type byte"},
		"decimal(9,2)":  {row.Value{Int: 1 << 31}, "partition 1: value.c: 2147483648 is not of type decimal(9,2)"},
		"decimal(20,0)": {row.Value{Bytes: []byte(long)}, "partition 1: value.c: 39458731918868905389725810559 has more digits than a decimal(20,0)"},
		"time(6)":       {row.Value{Int: 1_500}, "partition 1: value.c: 00:00:00.0000015 is more precise than a time(6)"},
		"long":          {row.Value{Null: true}, "partition 1: value.c: null, but the schema says NOT NULL"},
		`{"type":"array","elementType":"byte","containsNull":false}`: {items(row.Value{Int: 1}, row.Value{Null: true}), "partition 1: value.c[]: null, but the schema says NOT NULL"},
		`{"type":"map","keyType":"byte","valueType":"byte","valueContainsNull":true}`: {
			items(row.Value{Int: 1}, row.Value{Int: 300}), "partition 1: value.c.value: 300 is not of type byte"},
	} {
		v := viewOf(t, spark, false)
		var b bytes.Buffer
		p, err := NewParquet(&b, v)
		if err != nil {
			t.Fatal(err)
		}
		good := row.Value{Bytes: []byte{1}}
		if err := p.Write(rowOf(v, good)); err != nil {
			t.Fatal(err)
		}
		err = p.Write(rowOf(v, c.value))
		if _, ok := errors.AsType[*UnfitError](err); !ok || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", spark, err, c.want)
		}
		if err := errors.Join(p.Write(rowOf(v, good)), p.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || f.NumRows() != 2 || p.Rows() != 2 {
			t.Errorf("%s: %d rows in the file, %d written, want 2: %v", spark, f.NumRows(), p.Rows(), err)
		}
	}
}

// A value that was written with an older schema has fewer fields: the others are null.
func TestParquetOfAnOlderSchema(t *testing.T) {
	t.Parallel()
	v := &statestore.View{Key: mustType(`{"type":"struct","fields":[{"name":"k","type":"long","nullable":false}]}`),
		Value: mustType(`{"type":"struct","fields":[{"name":"a","type":"long","nullable":false},{"name":"b","type":"long","nullable":true}]}`), ValueName: "value"}
	r := &statestore.Row{View: v, Key: typed(v.Key, items(row.Value{Int: 1})), Value: typed(v.Value, items(row.Value{Int: 7}))}
	file := written(t, v, func(yield func(*statestore.Row) bool) { yield(r) })
	compare(t, "older", v, [][]byte{[]byte(`{"partition_id":0,"key":{"k":1},"value":{"a":7,"b":null}}`)}, file)
}

// counter is where a file goes; it keeps nothing but the number of bytes.
type counter struct{ bytes int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return len(p), nil
}

// TestParquetIsStreamed counts what arrives while rows are written: no more waits than one row group.
func TestParquetIsStreamed(t *testing.T) {
	t.Parallel()
	v := viewOf(t, "binary", true)
	var c counter
	p, err := NewParquet(&c, v)
	if err != nil {
		t.Fatal(err)
	}
	random, r := rand.NewChaCha8([32]byte{}), rowOf(v, row.Value{})
	const size, n = 100_000, 400 // 40 MB that does not compress
	blob := make([]byte, size)
	for i := range n {
		if _, err := random.Read(blob); err != nil {
			t.Fatal(err)
		}
		r.Value.Items[0].Bytes = blob
		if err := p.Write(r); err != nil {
			t.Fatal(err)
		}
		if waiting := int64(i+1)*size - c.bytes; waiting > groupBytes+size {
			t.Fatalf("after %d rows %d bytes wait to be written", i+1, waiting)
		}
	}
	before := c.bytes
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if groups := int64(n)*size/groupBytes + 1; c.bytes-before > groupBytes+groups*1000 {
		t.Errorf("the end has %d bytes: long values are kept until then", c.bytes-before)
	}
}

// Row groups end by their number of rows too.
func TestParquetRowGroups(t *testing.T) {
	t.Parallel()
	v := viewOf(t, "boolean", true)
	r := rowOf(v, row.Value{Null: true})
	const n = 2*groupRows + 5
	file := written(t, v, func(yield func(*statestore.Row) bool) {
		for range n {
			if !yield(r) {
				return
			}
		}
	})
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, g := range f.RowGroups() {
		got = append(got, g.NumRows())
	}
	if fmt.Sprint(got) != fmt.Sprint([]int64{groupRows, groupRows, 5}) {
		t.Errorf("row groups of %v rows", got)
	}
}

// What the library orders otherwise than readers do, or keeps at length, has no bounds in the footer, and
// bounds that hold for every value in the page index.
func TestParquetBounds(t *testing.T) {
	t.Parallel()
	minus, plus := row.Value{Bytes: []byte{0xFE}}, row.Value{Bytes: []byte{2}}
	for spark, values := range map[string][]row.Value{
		"decimal(20,0)": {minus, plus}, "decimal(38,0)": {plus, minus}, "string": texts("a", "\xee\xff"), "binary": texts("", "\xff\xff"),
		"double": ints(int64(math.Float64bits(math.NaN())), int64(math.Float64bits(-1))), "float": ints(1, 2),
	} {
		v := viewOf(t, spark, true)
		file := written(t, v, func(yield func(*statestore.Row) bool) {
			for _, value := range values {
				yield(rowOf(v, value))
			}
		})
		f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		last := len(f.Metadata().RowGroups[0].Columns) - 1
		if s := f.Metadata().RowGroups[0].Columns[last].MetaData.Statistics; s.MinValue != nil || s.MaxValue != nil || s.Min != nil || s.Max != nil {
			t.Errorf("%s: bounds %x and %x", spark, s.MinValue, s.MaxValue)
		}
		x := f.ColumnIndexes()[last]
		low, high := x.MinValues[0], x.MaxValues[0]
		if bytes.Equal(low, high) {
			t.Errorf("%s: the page index has bounds %x and %x", spark, low, high)
		}
		if strings.HasPrefix(spark, "decimal") && (low[0] != 0x80 || high[0] != 0x7F || len(low) != len(high)) {
			t.Errorf("%s: the page index has bounds %x and %x", spark, low, high)
		}
		// Whole numbers keep theirs.
		if s := f.Metadata().RowGroups[0].Columns[0].MetaData.Statistics; len(s.MinValue) != 4 || s.MinValue[0] != 1 {
			t.Errorf("partition_id has a smallest value of %x", s.MinValue)
		}
	}
	// A page of nulls has no bounds.
	v := viewOf(t, "string", true)
	file := written(t, v, func(yield func(*statestore.Row) bool) { yield(rowOf(v, row.Value{Null: true})) })
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if x := f.ColumnIndexes()[2]; !x.NullPages[0] || x.NullCounts[0] != 1 || len(x.MaxValues[0]) != 0 {
		t.Errorf("a page of nulls: %+v", x)
	}
}

// The footer names the types for Spark, which else reads intervals as numbers.
func TestParquetNamesSparksTypes(t *testing.T) {
	t.Parallel()
	v := viewOf(t, `{"type":"map","keyType":"interval day to second","valueType":{"type":"array","elementType":"interval year","containsNull":true},"valueContainsNull":false}`, true)
	v.Value.Fields = append(v.Value.Fields, row.Field{Name: "void", Label: "void", Type: mustType("void"), Nullable: true},
		row.Field{Name: "d", Label: "d#2", Type: mustType("decimal(5,2)")}, row.Field{Name: "e", Label: "e", Type: mustType(`{"type":"struct","fields":[]}`)},
		row.Field{Name: "v", Label: "v", Type: mustType("variant")}, row.Field{Name: "s", Label: "s", Type: mustType("string collate UNICODE")})
	file := written(t, v, func(func(*statestore.Row) bool) {})
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := f.Lookup("org.apache.spark.sql.parquet.row.metadata")
	const want = `{"type":"struct","fields":[{"name":"partition_id","type":"integer","nullable":false,"metadata":{}},` +
		`{"name":"key","type":{"type":"struct","fields":[{"name":"k","type":"long","nullable":false,"metadata":{}}]},"nullable":true,"metadata":{}},` +
		`{"name":"value","type":{"type":"struct","fields":[{"name":"c","type":{"type":"map","keyType":"interval day to second","valueType":` +
		`{"type":"array","elementType":"interval year","containsNull":true},"valueContainsNull":false},"nullable":true,"metadata":{}},` +
		`{"name":"void","type":"string","nullable":true,"metadata":{}},{"name":"d#2","type":"decimal(5,2)","nullable":false,"metadata":{}},` +
		`{"name":"e","type":"string","nullable":false,"metadata":{}},{"name":"v","type":"variant","nullable":false,"metadata":{}},` +
		`{"name":"s","type":"string","nullable":false,"metadata":{}}]},"nullable":true,"metadata":{}}]}`
	if got != want || !json.Valid([]byte(got)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if version, _ := f.Lookup("org.apache.spark.version"); version != "3.1.0" {
		t.Errorf("version %q", version)
	}
	if f.NumRows() != 0 {
		t.Errorf("%d rows", f.NumRows())
	}
}

// A schema comes from a file: it may ask for more than there can be.
func TestParquetRefusesEndlessSchemas(t *testing.T) {
	t.Parallel()
	deep := mustType("long")
	for range 200 {
		deep = &row.Type{Kind: row.Array, Name: "array", Fields: []row.Field{{Type: deep}}}
	}
	wide := row.StructOf(slices.Repeat([]row.Field{{Name: "a", Type: mustType("long")}}, 10_001)...)
	for want, value := range map[string]*row.Type{"types nest deeper than 100": deep, "more than 10000 columns": wide} {
		_, err := NewParquet(&counter{}, &statestore.View{Key: row.StructOf(), Value: value, ValueName: "value"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

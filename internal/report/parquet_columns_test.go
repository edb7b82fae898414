package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

// A column is a type with the values that it is given, and how they stand in the file.
var parquetColumnCases = []struct {
	spark  string // the type, in Spark's JSON
	schema string // its column, as the file has it
	values []row.Value
	stored string // each value, with its levels where it is repeated
}{
	{"boolean", "optional boolean c", ints(1, 0), "true false null"},
	{"byte", "optional int32 c (INT(8,true))", ints(-128, 127), "-128 127 null"},
	{"short", "optional int32 c (INT(16,true))", ints(-32768, 32767), "-32768 32767 null"},
	{"integer", "optional int32 c (INT(32,true))", ints(math.MinInt32, math.MaxInt32), "-2147483648 2147483647 null"},
	{"long", "optional int64 c (INT(64,true))", ints(math.MinInt64, math.MaxInt64), "-9223372036854775808 9223372036854775807 null"},
	{"float", "optional float c", ints(int64(math.Float32bits(-1.5)), int64(int32(math.Float32bits(float32(math.NaN()))))), "-1.5 NaN null"},
	{"double", "optional double c", ints(int64(math.Float64bits(0.1)), int64(math.Float64bits(math.Inf(-1)))), "0.1 -Inf null"},
	{"date", "optional int32 c (DATE)", ints(-719162, 20000), "-719162 20000 null"},
	{"timestamp", "optional int64 c (TIMESTAMP(isAdjustedToUTC=true,unit=MICROS))", ints(-62135596800000000, 1), "-62135596800000000 1 null"},
	{"timestamp_ntz", "optional int64 c (TIMESTAMP(isAdjustedToUTC=false,unit=MICROS))", ints(7), "7 null"},
	{"time(6)", "optional int64 c (TIME(isAdjustedToUTC=false,unit=MICROS))", ints(86399999999000), "86399999999 null"},
	{"time(9)", "optional int64 c (TIME(isAdjustedToUTC=false,unit=NANOS))", ints(86399999999999), "86399999999999 null"},
	{"string", "optional binary c (STRING)", texts("", "héllo", "\xff"), "0x 0x68c3a96c6c6f 0xff null"},
	{"varchar(10)", "optional binary c (STRING)", texts("a"), "0x61 null"},
	{"binary", "optional binary c", texts("", "\x00\xff"), "0x 0x00ff null"},
	{"geometry(4326)", "optional binary c", texts("\x01"), "0x01 null"},
	{"decimal(9,2)", "optional int32 c (DECIMAL(9,2))", ints(-999999999), "-999999999 null"},
	{"decimal(10,2)", "optional int64 c (DECIMAL(10,2))", ints(-1), "-1 null"},
	{"decimal(18,0)", "optional int64 c (DECIMAL(18,0))", ints(999999999999999999), "999999999999999999 null"},
	{"decimal(19,0)", "optional fixed_len_byte_array(9) c (DECIMAL(19,0))", texts("\x05", "\xfb", "\x00\xff", "\xff\x00", "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
		"0x000000000000000005 0xfffffffffffffffffb 0x0000000000000000ff 0xffffffffffffffff00 ! null"},
	{"decimal(20,2)", "optional fixed_len_byte_array(9) c (DECIMAL(20,2))", texts("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe"), "0xfffffffffffffffffe null"},
	{"decimal(38,18)", "optional fixed_len_byte_array(16) c (DECIMAL(38,18))", texts("\xb4\xc4\xb3\x57\xa5\x79\x3b\x85\xf6\x75\xdd\xc0\x00\x00\x00\x01"), "0xb4c4b357a5793b85f675ddc000000001 null"},
	{"decimal(5,-2)", "optional binary c (STRING)", ints(-3), "0x2d333030 null"}, // -300
	{"interval year to month", "optional int32 c (INT(32,true))", ints(-14), "-14 null"},
	{"interval day to second", "optional int64 c (INT(64,true))", ints(-93784500000), "-93784500000 null"},
	{"interval", "optional binary c (STRING)", texts("\x03" + strings.Repeat("\x00", 15)), "0x33206d6f6e746873 null"}, // 3 months
	{"void", "optional binary c (STRING)", nil, "null"},
	{`{"type":"struct","fields":[]}`, "optional binary c (STRING)", []row.Value{{}}, "0x7b7d null"}, // {}
	{"variant", "optional group c {required binary value;required binary metadata;}", texts("\x02\x00\x00\x00\x0c\x05\x01\x00\x00"),
		"0x0c05 null | 0x010000 null"},
	{`{"type":"struct","fields":[{"name":"a,b","type":"long","nullable":true},{"name":"x.y","type":"date","nullable":false}]}`,
		"optional group c {optional int64 a,b (INT(64,true));required int32 x.y (DATE);}",
		[]row.Value{items(row.Value{Null: true}, row.Value{Int: 1}), items(row.Value{Int: 2}, row.Value{Int: 3})}, "null 2 null | 1 3 null"},
	// Levels are repetition:definition. The column's own struct and the column itself are 2.
	{`{"type":"array","elementType":"long","containsNull":true}`, "optional group c (LIST) {repeated group list {optional int64 element (INT(64,true));}}",
		[]row.Value{items(row.Value{Int: 1}, row.Value{Null: true}, row.Value{Int: 3}), {}}, "1@0:4 null@1:3 3@1:4 null@0:2 null@0:1"},
	{`{"type":"array","elementType":{"type":"array","elementType":"byte","containsNull":false},"containsNull":false}`,
		"optional group c (LIST) {repeated group list {required group element (LIST) {repeated group list {required int32 element (INT(8,true));}}}}",
		[]row.Value{items(items(row.Value{Int: 1}, row.Value{Int: 2}), row.Value{}, items(row.Value{Int: 3}))}, "1@0:4 2@2:4 null@1:3 3@1:4 null@0:1"},
	{`{"type":"map","keyType":"string","valueType":"integer","valueContainsNull":true}`,
		"optional group c (MAP) {repeated group key_value {required binary key (STRING);optional int32 value (INT(32,true));}}",
		[]row.Value{items(row.Value{Bytes: []byte("x")}, row.Value{Int: 1}, row.Value{Bytes: []byte("y")}, row.Value{Null: true}), {}},
		"0x78@0:3 0x79@1:3 null@0:2 null@0:1 | 1@0:4 null@1:3 null@0:2 null@0:1"},
}

func ints(all ...int64) (values []row.Value) {
	for _, n := range all {
		values = append(values, row.Value{Int: n})
	}
	return values
}

func texts(all ...string) (values []row.Value) {
	for _, s := range all {
		values = append(values, row.Value{Bytes: []byte(s)})
	}
	return values
}

func items(all ...row.Value) row.Value { return row.Value{Items: all} }

// typed gives a value, and all in it, their types.
func typed(t *row.Type, v row.Value) row.Value {
	v.Type = t
	items := slices.Clone(v.Items)
	for i := range items {
		switch t.Kind {
		case row.Struct:
			items[i] = typed(t.Fields[i].Type, items[i])
		default:
			items[i] = typed(t.Fields[i%len(t.Fields)].Type, items[i])
		}
	}
	v.Items = items
	return v
}

// viewOf is a view whose value has one column.
func viewOf(t *testing.T, spark string, nullable bool) *statestore.View {
	t.Helper()
	typ, err := row.ParseType(spark)
	if err != nil {
		t.Fatal(err)
	}
	return &statestore.View{Name: spark, Key: row.StructOf(row.Field{Name: "k", Type: &row.Type{Kind: row.Long, Name: "long"}}),
		Value: row.StructOf(row.Field{Name: "c", Type: typ, Nullable: nullable}), ValueName: "value"}
}

func rowOf(v *statestore.View, c row.Value) *statestore.Row {
	return &statestore.Row{Partition: 1, View: v, Key: typed(v.Key, items(row.Value{Int: 1})), Value: typed(v.Value, items(c))}
}

// TestParquetColumns holds each type to its column and to the bytes in it, each value beside a null. A value
// that its type cannot have is "!", and no row.
func TestParquetColumns(t *testing.T) {
	t.Parallel()
	for _, c := range parquetColumnCases {
		t.Run(c.spark, func(t *testing.T) {
			v := viewOf(t, c.spark, true)
			var b bytes.Buffer
			p, err := NewParquet(&b, v)
			if err != nil {
				t.Fatal(err)
			}
			unfit := []int{}
			for i, value := range append(c.values, row.Value{Null: true}) {
				if err := p.Write(rowOf(v, value)); err != nil {
					unfit = append(unfit, i)
				}
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if got := oneLine(f.Schema().String()); !strings.Contains(got, "optional group value {"+c.schema) {
				t.Errorf("schema %s, want %s", got, c.schema)
			}
			got := storedValues(t, f)
			for _, i := range unfit {
				fields := strings.Fields(got)
				got = strings.Join(slices.Insert(fields, i, "!"), " ")
			}
			if got != c.stored {
				t.Errorf("got  %s\nwant %s", got, c.stored)
			}
		})
	}
}

// oneLine is a schema without its line ends and indents.
func oneLine(schema string) string {
	var b strings.Builder
	for line := range strings.Lines(schema) {
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

// storedValues are the values of the columns of value.c, with their levels where they are repeated.
func storedValues(t *testing.T, f *parquet.File) string {
	t.Helper()
	var all []string
	for i, chunk := range f.RowGroups()[0].ColumnChunks() {
		if i < 2 {
			continue // partition_id, key.k
		}
		pages, column := chunk.Pages(), []string{}
		for page, err := pages.ReadPage(); !errors.Is(err, io.EOF); page, err = pages.ReadPage() {
			if err != nil {
				t.Fatal(err)
			}
			values := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(values); err != nil && !errors.Is(err, io.EOF) || n != len(values) {
				t.Fatalf("%d of %d values, %v", n, len(values), err)
			}
			for _, v := range values {
				text := v.String()
				switch {
				case v.IsNull():
					text = "null"
				case v.Kind() == parquet.ByteArray || v.Kind() == parquet.FixedLenByteArray:
					text = fmt.Sprintf("0x%x", v.ByteArray())
				}
				if page.RepetitionLevels() != nil {
					text += fmt.Sprintf("@%d:%d", v.RepetitionLevel(), v.DefinitionLevel())
				}
				column = append(column, text)
			}
		}
		_ = pages.Close()
		all = append(all, strings.Join(column, " "))
	}
	return strings.Join(all, " | ")
}

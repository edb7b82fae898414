package report

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tidemark/checkpoint/row"
)

// How Spark's types stand in a Parquet file. Spark's own writer has them so, and its reader, which finds
// the names of the types beside them in the footer, gives each of them back:
//
//	boolean, float, double    the same
//	byte, short               INT32 as INT(8), INT(16)
//	integer, long             INT32, INT64
//	date                      INT32 as DATE
//	timestamp, timestamp_ntz  INT64 as TIMESTAMP(MICROS), in UTC and of no zone
//	time(p)                   INT64 as TIME(MICROS) of no zone; TIME(NANOS) for more than 6 digits
//	decimal(p,s)              INT32 to 9 digits, INT64 to 18, then as few bytes of two's complement as p takes
//	string, char, varchar     BYTE_ARRAY as STRING: the bytes as they are, which need not be UTF-8
//	binary                    BYTE_ARRAY
//	year-month intervals      INT32, months
//	day-time intervals        INT64, microseconds
//	variant                   a group of two BYTE_ARRAY: value, metadata
//	struct                    a group
//	array                     a LIST: list, element
//	map                       a MAP: key_value, key, value
//
// What Parquet or Spark's reader has no type for is text, as AppendJSON writes it: calendar intervals, void
// (always null), structs without fields ("{}"), decimals whose scale is below 0 or above their precision.
// Geometry and geography are the bytes that Spark keeps, as binary.
//
// Written by ParquetWriteSupport, SparkToParquetSchemaConverter.

// leaf is a type that is one column.
type leaf struct {
	node  parquet.Node
	spark string // its name in Spark's JSON
	value func(row.Value) (parquet.Value, error)
}

// leaves are the types that are one column and have no parameters.
var leaves = map[row.Kind]leaf{
	row.Boolean:      {parquet.Leaf(parquet.BooleanType), "boolean", boolean},
	row.Byte:         {parquet.Int(8), "byte", whole(8)},
	row.Short:        {parquet.Int(16), "short", whole(16)},
	row.Integer:      {parquet.Leaf(parquet.Int32Type), "integer", whole(32)},
	row.Long:         {parquet.Leaf(parquet.Int64Type), "long", whole(64)},
	row.Float:        {parquet.Leaf(unbounded{parquet.FloatType}), "float", float},
	row.Double:       {parquet.Leaf(unbounded{parquet.DoubleType}), "double", double},
	row.Date:         {parquet.Date(), "date", whole(32)},
	row.Timestamp:    {parquet.Timestamp(parquet.Microsecond), "timestamp", whole(64)},
	row.TimestampNTZ: {parquet.TimestampAdjusted(parquet.Microsecond, false), "timestamp_ntz", whole(64)},
	row.YearMonth:    {parquet.Leaf(parquet.Int32Type), "", whole(32)},
	row.DayTime:      {parquet.Leaf(parquet.Int64Type), "", whole(64)},
	row.String:       {stringNode, "string", plainBytes},
	row.Binary:       {parquet.Leaf(unbounded{parquet.ByteArrayType}), "binary", plainBytes},
	row.Geo:          {parquet.Leaf(unbounded{parquet.ByteArrayType}), "binary", plainBytes},
}

var stringNode = parquet.Leaf(unbounded{parquet.String().Type()})

// asText is for what has no type of its own.
var asText = leaf{stringNode, "string", func(v row.Value) (parquet.Value, error) {
	return parquet.ByteArrayValue([]byte(v.Text())), nil
}}

// leafOf is how a type that is no variant, no array, no map and no struct with fields is written.
func leafOf(t *row.Type) leaf {
	switch t.Kind {
	case row.Decimal:
		return decimal(t)
	case row.Time:
		return clock(t)
	}
	l, ok := leaves[t.Kind]
	if !ok {
		return asText
	}
	if l.spark == "" {
		l.spark = t.Name
	}
	return l
}

// decimal is a decimal by how many digits it has.
func decimal(t *row.Type) leaf {
	if t.Scale < 0 || t.Scale > t.Precision {
		return asText
	}
	l := leaf{spark: fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)}
	switch {
	case t.Precision <= 9:
		l.node, l.value = parquet.Decimal(t.Scale, t.Precision, parquet.Int32Type), whole(32)
	case t.Precision <= 18:
		l.node, l.value = parquet.Decimal(t.Scale, t.Precision, parquet.Int64Type), whole(64)
	default:
		size := decimalBytes(t.Precision)
		l.node = parquet.Decimal(t.Scale, t.Precision, unbounded{parquet.FixedLenByteArrayType(size)})
		l.value = func(v row.Value) (parquet.Value, error) { return wide(v, size) }
	}
	return l
}

// decimalBytes is how many bytes hold every number of so many digits, with its sign.
func decimalBytes(precision int) int {
	return int(math.Ceil((float64(precision)*math.Log2(10) + 1) / 8))
}

// wide is a decimal in exactly size bytes: the sign is repeated before it, or left out where it is.
func wide(v row.Value, size int) (parquet.Value, error) {
	b, sign := v.Bytes, byte(0)
	if len(b) > 0 && b[0] >= 0x80 {
		sign = 0xFF
	}
	for len(b) > size && b[0] == sign && b[1]&0x80 == sign&0x80 {
		b = b[1:]
	}
	if len(b) > size {
		return parquet.Value{}, fmt.Errorf("%s has more digits than a %s", v.Text(), v.Type.Name)
	}
	out := make([]byte, size)
	for i := range size - len(b) {
		out[i] = sign
	}
	copy(out[size-len(b):], b)
	return parquet.FixedLenByteArrayValue(out), nil
}

// clock is a time of day by how many digits a second has: "time(6)".
func clock(t *row.Type) leaf {
	digits, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(t.Name, "time("), ")"))
	if err != nil || digits > 6 {
		return leaf{parquet.TimeAdjusted(parquet.Nanosecond, false), t.Name, whole(64)}
	}
	return leaf{parquet.TimeAdjusted(parquet.Microsecond, false), t.Name, func(v row.Value) (parquet.Value, error) {
		if v.Int%1000 != 0 {
			return parquet.Value{}, fmt.Errorf("%s is more precise than a %s", v.Text(), v.Type.Name)
		}
		return parquet.Int64Value(v.Int / 1000), nil
	}}
}

func boolean(v row.Value) (parquet.Value, error) { return parquet.BooleanValue(v.Int != 0), nil }

func float(v row.Value) (parquet.Value, error) {
	return parquet.FloatValue(math.Float32frombits(uint32(v.Int))), nil
}

func double(v row.Value) (parquet.Value, error) {
	return parquet.DoubleValue(math.Float64frombits(uint64(v.Int))), nil
}

func plainBytes(v row.Value) (parquet.Value, error) { return parquet.ByteArrayValue(v.Bytes), nil }

// whole is a whole number of so many bits. An Avro value is not bound to the width of its type.
func whole(bits int) func(row.Value) (parquet.Value, error) {
	low, high := int64(-1)<<(bits-1), int64(math.MaxInt64)>>(64-bits)
	return func(v row.Value) (parquet.Value, error) {
		switch {
		case v.Int < low || v.Int > high:
			return parquet.Value{}, fmt.Errorf("%s is not of type %s", strconv.FormatInt(v.Int, 10), v.Type.Name)
		case bits > 32:
			return parquet.Int64Value(v.Int), nil
		}
		return parquet.Int32Value(int32(v.Int)), nil
	}
}

// unbounded is a type whose columns record no smallest and largest value. A reader skips what those
// exclude, and here they would mislead it or cost too much: the library orders long decimals by their bytes
// as if they had no sign, leaves NaN out, which to Spark is the largest number, and keeps the bounds of
// all row groups in memory, however long they are.
//
// The page index must have bounds, so it has the widest: they exclude nothing.
type unbounded struct{ parquet.Type }

func (t unbounded) NewColumnIndexer(int) parquet.ColumnIndexer {
	low, high := widest(t.Type)
	return &widestBounds{low: low, high: high}
}

// widest are bounds of all values that a type can have, as a file has them.
func widest(t parquet.Type) (low, high []byte) {
	switch t.Kind() {
	case parquet.Float:
		inf := parquet.FloatValue(float32(math.Inf(1)))
		return parquet.FloatValue(float32(math.Inf(-1))).Bytes(), inf.Bytes()
	case parquet.Double:
		return parquet.DoubleValue(math.Inf(-1)).Bytes(), parquet.DoubleValue(math.Inf(1)).Bytes()
	case parquet.FixedLenByteArray: // a decimal: two's complement
		low, high = make([]byte, t.Length()), make([]byte, t.Length())
		for i := range high {
			high[i] = 0xFF
		}
		low[0], high[0] = 0x80, 0x7F
		return low, high
	}
	high = make([]byte, 64) // nothing that is UTF-8 begins like this
	for i := range high {
		high[i] = 0xFF
	}
	return []byte{}, high
}

// widestBounds is the index of the pages of one column in one row group.
type widestBounds struct {
	low, high []byte
	nulls     []int64 // of each page
	empty     []bool  // whether there is nothing but nulls in it
}

func (x *widestBounds) Reset() { x.nulls, x.empty = x.nulls[:0], x.empty[:0] }

func (x *widestBounds) IndexPage(values, nulls int64, _, _ parquet.Value) {
	x.nulls, x.empty = append(x.nulls, nulls), append(x.empty, values == nulls)
}

// ColumnIndex has copies: the writer keeps it until the file ends.
func (x *widestBounds) ColumnIndex() format.ColumnIndex {
	index := format.ColumnIndex{BoundaryOrder: format.Unordered}
	for i, empty := range x.empty {
		low, high := x.low, x.high
		if empty {
			low, high = []byte{}, []byte{}
		}
		index.MinValues, index.MaxValues = append(index.MinValues, low), append(index.MaxValues, high)
		index.NullPages, index.NullCounts = append(index.NullPages, empty), append(index.NullCounts, x.nulls[i])
	}
	return index
}

// group is a struct: its fields keep their order, which those of parquet.Group do not.
type group struct {
	parquet.Group // empty: for what all groups answer alike
	fields        []parquet.Field
}

func (g group) Fields() []parquet.Field { return g.fields }

// GoType is not asked for in writing columns; that of a Group refuses names with a comma.
func (g group) GoType() reflect.Type { return reflect.TypeFor[struct{}]() }

// field is a named node of a group.
type field struct {
	parquet.Node
	name string
}

func (f field) Name() string { return f.name }

// Value is not asked for in writing columns.
func (f field) Value(reflect.Value) reflect.Value { return reflect.Value{} }

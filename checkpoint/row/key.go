package row

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"tidemark/checkpoint/decode"
)

// A key in RocksDB is i16 LE column family id, if the operator uses column families, and then, by the
// encoder of the family:
//
//	NoPrefix             block of all columns
//	PrefixKeyScan        i32 LE size | block of the first columns, of that size | block of the others
//	RangeKeyScan         i32 LE size | block of the ordering columns, of that size | block of the others
//	TimestampAsPrefix    i64 BE time, its sign bit turned | block of the other columns
//	TimestampAsPostfix   block of the other columns | i64 BE time, its sign bit turned
//
// An ordering column is a binary, so that bytes sort as values do: a marker 00 (negative), 01 (not) or
// 02 (null, zeros follow) and the value big-endian at its own width; of a negative float or double all
// bits are turned. In Avro marker and value are two binaries. With RangeKeyScan over all columns nothing
// may follow.
//
// Written by NoPrefixKeyStateEncoder and its like in RocksDBStateEncoder; the spec in schema files is
// KeyStateEncoderSpec.json.

// KeyForm is which encoder writes the keys of a column family.
type KeyForm byte

// The key encoders, by their names in schema files.
const (
	NoPrefix           KeyForm = iota // NoPrefixKeyStateEncoderSpec
	PrefixScan                        // PrefixKeyScanStateEncoderSpec
	RangeScan                         // RangeKeyScanStateEncoderSpec, 4.0
	TimestampAsPrefix                 // TimestampAsPrefixKeyStateEncoderSpec, 4.2
	TimestampAsPostfix                // TimestampAsPostfixKeyStateEncoderSpec, 4.2
)

// KeyEncoder is an encoder with its settings.
type KeyEncoder struct {
	Form     KeyForm
	Prefix   int   // columns of the prefix, with PrefixScan
	Ordinals []int // ordering columns, with RangeScan, from 0
}

// ParseKeyEncoder reads the encoder of a column family as a schema file has it; "" is NoPrefix, which is
// also the zero value.
//
//	{"keyStateEncoderType":"PrefixKeyScanStateEncoderSpec","numColsPrefixKey":1}
//	{"keyStateEncoderType":"RangeKeyScanStateEncoderSpec","orderingOrdinals":[0]}
func ParseKeyEncoder(text string) (KeyEncoder, error) {
	var e KeyEncoder
	if text == "" {
		return e, nil
	}
	v, err := decode.ParseJSON([]byte(text))
	if err != nil {
		return e, err
	}
	kind, _ := v.Get("keyStateEncoderType")
	switch kind.Text {
	case "NoPrefixKeyStateEncoderSpec":
	case "PrefixKeyScanStateEncoderSpec":
		e.Form = PrefixScan
		n, _ := v.Get("numColsPrefixKey")
		count, ok := n.Int()
		if !ok || count < 0 || count > math.MaxInt32 {
			return e, fmt.Errorf("%.40q does not give the number of prefix columns", text)
		}
		e.Prefix = int(count)
	case "RangeKeyScanStateEncoderSpec":
		e.Form = RangeScan
		list, _ := v.Get("orderingOrdinals")
		for _, item := range list.Items {
			n, ok := item.Int()
			if !ok || n < 0 || n > math.MaxInt32 {
				return e, fmt.Errorf("%q is not a column number", item.Text)
			}
			e.Ordinals = append(e.Ordinals, int(n))
		}
	case "TimestampAsPrefixKeyStateEncoderSpec":
		e.Form = TimestampAsPrefix
	case "TimestampAsPostfixKeyStateEncoderSpec":
		e.Form = TimestampAsPostfix
	default:
		return e, fmt.Errorf("unknown key encoder %.60q", kind.Text)
	}
	return e, nil
}

// Family cuts the id of the column family off a key that has one.
func Family(key []byte) (id int16, rest []byte, err error) {
	if len(key) < 2 {
		return 0, nil, flaw(0, decode.Cut, "a key of %d bytes; its column family ID needs 2", len(key))
	}
	return int16(binary.LittleEndian.Uint16(key)), key[2:], nil
}

// Keys is how the keys of one column family are written.
type Keys struct {
	Type    *Type // all columns
	form    KeyForm
	values  Values
	columns []int // of each column in the order of the bytes, its place in Type; those of the prefix first
	first   *Type // the columns before the others, as they stand in the bytes
	rest    *Type // the others
	split   int   // how many of columns are in first
}

// NewKeys is how keys of the columns t are written by e. In Avro the key columns of a family never
// change, so that t stands for every schema id.
func NewKeys(t *Type, e KeyEncoder, encoding Encoding) (*Keys, error) {
	k := &Keys{Type: t, form: e.Form, values: Values{Type: t, Encoding: encoding}}
	n := len(t.Fields)
	switch e.Form {
	case PrefixScan:
		if e.Prefix > n {
			return nil, fmt.Errorf("a prefix of %d columns in a key of %d", e.Prefix, n)
		}
		for i := range e.Prefix {
			k.columns = append(k.columns, i)
		}
	case RangeScan:
		for _, i := range e.Ordinals {
			if i >= n || slices.Contains(k.columns, i) {
				return nil, fmt.Errorf("ordering column %d in a key of %d", i, n)
			}
			if kind := t.Fields[i].Type.Kind; kind < Boolean || kind > Double {
				return nil, fmt.Errorf("ordering column %d is %s, which has no fixed width", i, t.Fields[i].Type.DDL())
			}
			k.columns = append(k.columns, i)
		}
	case TimestampAsPrefix, TimestampAsPostfix:
		if n == 0 || t.Fields[n-1].Type.variable() || t.Fields[n-1].Type.width() != 8 {
			return nil, errors.New("the last column of the key is not a time")
		}
		k.columns = append(k.columns, n-1)
	}
	k.split = len(k.columns)
	for i := range n {
		if !slices.Contains(k.columns[:k.split], i) {
			k.columns = append(k.columns, i)
		}
	}
	k.first, k.rest = k.part(k.columns[:k.split]), k.part(k.columns[k.split:])
	if e.Form == RangeScan {
		k.first = ordering(k.split, encoding)
	}
	return k, nil
}

// part is a struct of some of the columns.
func (k *Keys) part(columns []int) *Type {
	fields := make([]Field, len(columns))
	for i, c := range columns {
		fields[i] = k.Type.Fields[c]
	}
	return StructOf(fields...)
}

// ordering is the struct of n ordering columns as they stand in the bytes.
func ordering(n int, encoding Encoding) *Type {
	if encoding == Avro {
		n *= 2
	}
	fields := make([]Field, n)
	for i := range fields {
		fields[i] = Field{Type: &Type{Kind: Binary, Name: "binary"}, Nullable: true}
	}
	return StructOf(fields...)
}

// Decode reads a key, without its column family id, as one row of all its columns in schema order.
// Errors are as those of Decode. Where only a part of a key does not decode, no column of it is given.
func (k *Keys) Decode(data []byte) (Value, error) { return k.DecodeIn(nil, data) }

// DecodeIn is Decode with the values in m.
func (k *Keys) DecodeIn(m *Memory, data []byte) (Value, error) {
	switch k.form {
	case PrefixScan, RangeScan:
		return k.scan(m, data)
	case TimestampAsPrefix, TimestampAsPostfix:
		return k.timed(m, data)
	}
	return k.values.DecodeIn(m, data)
}

// scan reads a key of two blocks.
func (k *Keys) scan(m *Memory, data []byte) (Value, error) {
	v := Value{Type: k.Type}
	if k.values.Encoding == Plain {
		return decodeIn(m, k.Type, data)
	}
	if len(data) < 4 {
		return v, flaw(0, decode.Cut, "a key of %d bytes", len(data))
	}
	size := int(int32(binary.LittleEndian.Uint32(data)))
	if size < 0 || size > len(data)-4 {
		return v, flaw(0, decode.Value, "a prefix of %d bytes in a key of %d", size, len(data))
	}
	first, err := k.values.decode(m, k.first, data[4:4+size], false)
	if err != nil {
		return v, shift(err, 4)
	}
	if k.form == RangeScan {
		if first, err = k.unorder(m, first, 4); err != nil {
			return v, err
		}
	}
	rest := Value{Type: k.rest}
	if behind := data[4+size:]; len(k.rest.Fields) > 0 || len(behind) > 1 {
		if rest, err = k.values.decode(m, k.rest, behind, true); err != nil {
			return v, shift(err, 4+size)
		}
	}
	return k.join(m, first.Items, rest.Items), nil
}

// join puts columns back where the schema has them.
func (k *Keys) join(m *Memory, first, rest []Value) Value {
	items := m.take(len(k.columns))
	for i, c := range k.columns {
		if i < k.split {
			items[c] = first[i]
		} else {
			items[c] = rest[i-k.split]
		}
	}
	return Value{Type: k.Type, Items: items}
}

// unorder reads the ordering columns; at is where their block begins.
func (k *Keys) unorder(m *Memory, first Value, at int) (Value, error) {
	items := m.take(k.split)
	for i := range items {
		t := k.Type.Fields[k.columns[i]].Type
		var marker, value []byte
		if k.values.Encoding == Avro {
			marker, value = first.Items[2*i].Bytes, first.Items[2*i+1].Bytes
		} else if b := first.Items[i].Bytes; len(b) > 0 {
			marker, value = b[:1], b[1:]
		}
		if len(marker) != 1 || marker[0] > 2 || marker[0] < 2 && len(value) != t.width() {
			return first, flaw(at, decode.Value, "ordering column %d is %x %x, which is not a %s", i, marker, value, t.DDL())
		}
		if items[i] = (Value{Type: t, Null: marker[0] == 2}); marker[0] < 2 {
			items[i].Int = unordered(t, marker[0] == 0, value)
		}
	}
	return Value{Type: k.first, Items: items}, nil
}

// unordered is an ordering column's value.
func unordered(t *Type, negative bool, b []byte) int64 {
	var wide [8]byte
	copy(wide[8-len(b):], b)
	bits := binary.BigEndian.Uint64(wide[:])
	if negative && (t.Kind == Float || t.Kind == Double) {
		bits = ^bits
	}
	shift := 64 - 8*len(b)
	return int64(bits<<shift) >> shift
}

// timed reads a key with a time before or behind its other columns.
func (k *Keys) timed(m *Memory, data []byte) (Value, error) {
	v := Value{Type: k.Type}
	if k.values.Encoding == Plain {
		return decodeIn(m, k.Type, data)
	}
	if len(data) < 8 {
		return v, flaw(0, decode.Cut, "a key of %d bytes; its time needs 8", len(data))
	}
	time, block, at := data[:8], data[8:], 8
	if k.form == TimestampAsPostfix {
		block, time, at = data[:len(data)-8], data[len(data)-8:], 0
	}
	rest, err := k.values.decode(m, k.rest, block, true)
	if err != nil {
		return v, shift(err, at)
	}
	stamp := Value{Type: k.Type.Fields[len(k.Type.Fields)-1].Type, Int: int64(binary.BigEndian.Uint64(time) ^ 1<<63)}
	return k.join(m, []Value{stamp}, rest.Items), nil
}

// Encode writes a key as Spark does, without a column family id, so that it can be looked up. Keys of
// RangeScan and those in Avro are not written: nothing looks them up.
func (k *Keys) Encode(v Value) ([]byte, error) {
	if len(v.Items) != len(k.columns) {
		return nil, fmt.Errorf("%d values for a key of %d columns", len(v.Items), len(k.columns))
	}
	if k.values.Encoding == Plain || k.form == NoPrefix {
		return k.values.encode(Value{Type: k.Type, Items: v.Items})
	}
	if k.form == RangeScan {
		return nil, errors.New("tidemark does not encode a key ordered by columns")
	}
	parts := make([]Value, 0, len(v.Items))
	for _, c := range k.columns {
		parts = append(parts, v.Items[c])
	}
	rest, err := k.values.encode(Value{Type: k.rest, Items: parts[k.split:]})
	if err != nil {
		return nil, err
	}
	if k.form == PrefixScan {
		first, err := k.Prefix(parts[:k.split])
		return append(first, rest...), err
	}
	if parts[0].Null {
		return nil, errors.New("a key without its time")
	}
	time := binary.BigEndian.AppendUint64(nil, uint64(parts[0].Int)^1<<63)
	if k.form == TimestampAsPrefix {
		return append(time, rest...), nil
	}
	return append(rest, time...), nil
}

// Prefix is how every key begins whose first columns, as many as the prefix of PrefixScan has, are these.
func (k *Keys) Prefix(columns []Value) ([]byte, error) {
	if k.form != PrefixScan || len(columns) != k.split {
		return nil, fmt.Errorf("%d columns are not a prefix of this key", len(columns))
	}
	block, err := k.values.encode(Value{Type: k.first, Items: columns})
	if err != nil {
		return nil, err
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(block))), block...), nil
}

// Begin is how every key begins that is one row, whose first columns are these and whose others are not
// null: the null bits and the slots of these columns. Of values of variable length it has the size and the
// place, and not the bytes, so that other keys begin like it, too.
func (k *Keys) Begin(columns []Value) ([]byte, error) {
	if k.form != NoPrefix && k.values.Encoding != Plain {
		return nil, errors.New("a key of two parts does not begin with its first columns")
	}
	if len(columns) > len(k.Type.Fields) {
		return nil, fmt.Errorf("%d columns of a key with %d", len(columns), len(k.Type.Fields))
	}
	items := slices.Clone(columns)
	for _, f := range k.Type.Fields[len(columns):] {
		items = append(items, Value{Type: f.Type})
	}
	data, err := k.values.encode(Value{Type: k.Type, Items: items})
	if err != nil {
		return nil, err
	}
	size := bitset(len(items)) + 8*len(columns)
	if k.values.Encoding != Plain {
		size++ // the version
	}
	return data[:size], nil
}

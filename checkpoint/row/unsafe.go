package row

import (
	"encoding/binary"
	"fmt"
	"math"

	"tidemark/checkpoint/decode"
)

// An UnsafeRow is a struct as Spark lays it out in memory. All words are little-endian.
//
//	null bits    8 bytes for every 64 fields begun; bit i%8 of byte i/8 is set where field i is null
//	slots        8 bytes a field; the value itself, in the first bytes of its own width, or
//	             u32 size | u32 offset of a value of variable length, from the first byte of the row
//	values       each padded with zeros to 8 bytes
//
// The number of fields is not stored. An array is
//
//	i64 count | null bits as above | elements, packed at their own width, padded to 8 bytes | values
//
// and a map is i64 size of the key array | key array | value array. Structs in either begin their
// offsets anew. One row, of a column k STRING holding "key0":
//
//	00 00 00 00 00 00 00 00   no nulls
//	04 00 00 00 10 00 00 00   size 4, offset 16
//	6b 65 79 30 00 00 00 00   "key0" and padding
//
// Written by UnsafeRowWriter, UnsafeArrayWriter; read by UnsafeRow, UnsafeArrayData, UnsafeMapData.

// rowWhat is what errors of these bytes call them.
const rowWhat = "row"

// valuesLimit is how many values one row may have, at every depth together. A row where arrays share
// their bytes could otherwise grow without end.
const valuesLimit = 1 << 20

// Decode reads an UnsafeRow of the struct t. Bytes past the last multiple of 8 are left alone, as Spark
// does: releases before 2.3 wrote four too many. The value keeps slices of data.
//
// The error, if any, is a *decode.Error whose Where has only the Offset within data set. What was read
// before it comes back beside it: the fields before the broken one.
func Decode(t *Type, data []byte) (Value, error) { return decodeIn(nil, t, data) }

func decodeIn(m *Memory, t *Type, data []byte) (Value, error) {
	d := decoder{data: data, memory: m, left: min(len(data)+1+len(t.Fields), valuesLimit)}
	return d.row(t, 0, len(data)&^7)
}

// Memory is room for the values of rows, to be used again: most of the time that decoding takes would
// else go into memory for one row after the other. A nil *Memory is new room for each.
type Memory struct{ values []Value }

// Reset gives the room free. What was decoded in it is no longer good.
func (m *Memory) Reset() { m.values = m.values[:0] }

// take is room for n values, of which the caller sets each.
func (m *Memory) take(n int) []Value {
	if m == nil {
		return make([]Value, n)
	}
	at := len(m.values)
	if at+n > cap(m.values) {
		m.values, at = make([]Value, 0, max(16, 2*cap(m.values), n)), 0 // rows in the room before stay good
	}
	m.values = m.values[:at+n]
	return m.values[at : at+n : at+n]
}

// decoder goes through one row and what is nested in it. Places are from the first byte of data.
type decoder struct {
	data   []byte
	memory *Memory
	left   int // values that may still be made
}

func flaw(at int, f decode.Flaw, format string, args ...any) error {
	return &decode.Error{Where: decode.Where{Offset: int64(at)}, Flaw: f, What: rowWhat, Err: fmt.Errorf(format, args...)}
}

func (d *decoder) word(at int) uint64 { return binary.LittleEndian.Uint64(d.data[at:]) }

// values makes room for n values.
func (d *decoder) values(at, n int) ([]Value, error) {
	if n > d.left {
		return nil, flaw(at, decode.TooLarge, "more values than %d bytes can contain", len(d.data))
	}
	d.left -= n
	return d.memory.take(n), nil
}

// row reads the struct t from size bytes at at.
func (d *decoder) row(t *Type, at, size int) (Value, error) {
	v := Value{Type: t}
	n := len(t.Fields)
	slots := at + bitset(n)
	fixed := bitset(n) + 8*n
	if fixed > size {
		return v, flaw(at, decode.Cut, "%d columns need %d bytes, and the row has %d", n, fixed, size)
	}
	items, err := d.values(at, n)
	if err != nil {
		return v, err
	}
	for i := range items {
		if d.null(at, i) {
			items[i] = Value{Type: t.Fields[i].Type, Null: true}
			continue
		}
		if items[i], err = d.slot(t.Fields[i].Type, slots+8*i, at, fixed, size); err != nil {
			v.Items = items[:i]
			return v, err
		}
	}
	v.Items = items
	return v, nil
}

// bitset is how many bytes n null bits take.
func bitset(n int) int { return (n + 63) / 64 * 8 }

func (d *decoder) null(bits, i int) bool { return d.data[bits+i/8]>>(i%8)&1 == 1 }

// width is how many bytes a value takes in an array; in a row each takes 8, of which these are the first.
func (t *Type) width() int {
	switch t.Kind {
	case Boolean, Byte:
		return 1
	case Short:
		return 2
	case Integer, Float, Date, YearMonth:
		return 4
	}
	return 8
}

// variable reports whether a slot holds a size and an offset.
func (t *Type) variable() bool {
	switch t.Kind {
	case String, Binary, Interval, Variant, Geo, Struct, Array, Map:
		return true
	case Decimal:
		return t.Precision > wideDigits
	}
	return false
}

// slot reads the value whose slot is at at. It belongs to a row or array at base, of size bytes, whose
// values of variable length begin fixed bytes in.
func (d *decoder) slot(t *Type, at, base, fixed, size int) (Value, error) {
	v := Value{Type: t}
	if !t.variable() {
		return d.fixed(v, at)
	}
	word := d.word(at)
	n, offset := int(uint32(word)), int(word>>32)
	if offset%8 != 0 || offset < fixed || offset > size || n < 0 || n > size-offset {
		return v, flaw(at, decode.Value, "%d bytes at %d are not between %d and %d", n, offset, fixed, size)
	}
	start := base + offset
	switch t.Kind {
	case Struct:
		return d.row(t, start, n)
	case Array:
		return d.array(t, start, n)
	case Map:
		return d.mapped(t, start, n)
	case Decimal:
		if n == 0 || n > 16 {
			return v, flaw(at, decode.Value, "a decimal of %d bytes", n)
		}
	case Interval:
		if n != 16 {
			return v, flaw(at, decode.Value, "an interval of %d bytes", n)
		}
	case Variant:
		if _, err := variantJSON(nil, d.data[start:start+n]); err != nil {
			return v, flaw(start, decode.Malformed, "%w", err)
		}
	}
	v.Bytes = d.data[start : start+n : start+n]
	return v, nil
}

// fixed reads a value that stands in its slot.
func (d *decoder) fixed(v Value, at int) (Value, error) {
	b := d.data[at:]
	switch v.Type.width() {
	case 1:
		v.Int = int64(int8(b[0]))
	case 2:
		v.Int = int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		v.Int = int64(int32(binary.LittleEndian.Uint32(b)))
	default:
		v.Int = int64(binary.LittleEndian.Uint64(b))
	}
	switch v.Type.Kind {
	case Void:
		return v, flaw(at, decode.Value, "a value in a column that can only be null")
	case Boolean:
		if v.Int != 0 {
			v.Int = 1
		}
	}
	return v, nil
}

// array reads size bytes at at.
func (d *decoder) array(t *Type, at, size int) (Value, error) {
	v := Value{Type: t}
	if size < 8 {
		return v, flaw(at, decode.Cut, "an array of %d bytes", size)
	}
	element := t.Fields[0].Type
	width := element.width()
	count := d.word(at)
	if count > uint64(size) || count > math.MaxInt32 {
		return v, flaw(at, decode.Value, "an array of %d bytes with %d elements", size, int64(count))
	}
	n := int(count)
	slots := 8 + bitset(n)
	fixed := slots + (n*width+7)&^7
	if fixed > size {
		return v, flaw(at, decode.Cut, "%d elements need %d bytes, and the array has %d", n, fixed, size)
	}
	items, err := d.values(at, n)
	if err != nil {
		return v, err
	}
	for i := range items {
		if d.null(at+8, i) {
			items[i] = Value{Type: element, Null: true}
			continue
		}
		if items[i], err = d.slot(element, at+slots+i*width, at, fixed, size); err != nil {
			v.Items = items[:i]
			return v, err
		}
	}
	v.Items = items
	return v, nil
}

// mapped reads size bytes at at: two arrays.
func (d *decoder) mapped(t *Type, at, size int) (Value, error) {
	v := Value{Type: t}
	if size < 8 {
		return v, flaw(at, decode.Cut, "a map of %d bytes", size)
	}
	split := d.word(at)
	if split%8 != 0 || split > uint64(size-8) {
		return v, flaw(at, decode.Value, "%d bytes of keys in a map of %d", int64(split), size)
	}
	keys, err := d.array(&Type{Kind: Array, Fields: t.Fields[:1]}, at+8, int(split))
	if err != nil {
		return v, err
	}
	values, err := d.array(&Type{Kind: Array, Fields: t.Fields[1:]}, at+8+int(split), size-8-int(split))
	if err != nil {
		return v, err
	}
	if len(keys.Items) != len(values.Items) {
		return v, flaw(at, decode.Value, "a map of %d keys and %d values", len(keys.Items), len(values.Items))
	}
	v.Items = make([]Value, 0, 2*len(keys.Items))
	for i, key := range keys.Items {
		v.Items = append(v.Items, key, values.Items[i])
	}
	return v, nil
}

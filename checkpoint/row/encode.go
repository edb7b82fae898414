package row

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Encode lays a struct out as an UnsafeRow, byte for byte as Spark does: the place of a value in a row
// follows its field, padding is zero, and decimals of more than 18 digits and intervals keep 16 bytes
// even where they are null. It is the inverse of Decode, so that a key can be looked up.
func Encode(v Value) ([]byte, error) {
	if v.Type == nil || v.Type.Kind != Struct {
		return nil, errors.New("only a struct is a row")
	}
	return appendRow(nil, v)
}

// appendRow lays a struct out behind dst; offsets count from where it begins.
func appendRow(dst []byte, v Value) ([]byte, error) {
	n := len(v.Type.Fields)
	if len(v.Items) != n {
		return dst, fmt.Errorf("%d values for %d columns", len(v.Items), n)
	}
	base := len(dst)
	slots := base + bitset(n)
	dst = append(dst, make([]byte, bitset(n)+8*n)...)
	var err error
	for i, item := range v.Items {
		t, slot := v.Type.Fields[i].Type, slots+8*i
		if item.Null {
			dst[base+i/8] |= 1 << (i % 8)
			dst = reserve(dst, t, slot, base)
			continue
		}
		if dst, err = appendValue(dst, item, t, slot, base, 16); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// reserve keeps the room of a null that Spark may update in place later.
func reserve(dst []byte, t *Type, slot, base int) []byte {
	size := 0
	switch {
	case t.Kind == Interval:
		size = 16
	case t.Kind != Decimal || t.Precision <= wideDigits:
		return dst
	}
	point(dst, slot, len(dst)-base, size)
	return append(dst, make([]byte, 16)...)
}

// point writes where a value of variable length stands.
func point(dst []byte, slot, offset, size int) {
	binary.LittleEndian.PutUint64(dst[slot:], uint64(offset)<<32|uint64(uint32(size)))
}

// appendValue writes a value into its slot, or behind dst with its place in the slot. A decimal of
// more than 18 digits takes decimal bytes in a row, and only what it needs in an array.
func appendValue(dst []byte, v Value, t *Type, slot, base, decimal int) ([]byte, error) {
	if !t.variable() {
		return dst, putFixed(dst[slot:], t, v.Int)
	}
	start := len(dst)
	var err error
	switch t.Kind {
	case Struct:
		dst, err = appendRow(dst, v)
	case Array:
		dst, err = appendArray(dst, t.Fields[0].Type, v.Items, 1)
	case Map:
		dst = append(dst, make([]byte, 8)...)
		keys := len(dst)
		if dst, err = appendArray(dst, t.Fields[0].Type, v.Items, 2); err == nil {
			binary.LittleEndian.PutUint64(dst[start:], uint64(len(dst)-keys))
			if len(v.Items) > 0 {
				v.Items = v.Items[1:]
			}
			dst, err = appendArray(dst, t.Fields[1].Type, v.Items, 2)
		}
	default:
		dst = append(dst, v.Bytes...)
	}
	point(dst, slot, start-base, len(dst)-start)
	if t.Kind == Decimal {
		if len(v.Bytes) == 0 || len(v.Bytes) > 16 {
			return dst, fmt.Errorf("a decimal of %d bytes", len(v.Bytes))
		}
		dst = append(dst, make([]byte, max(decimal-len(v.Bytes), 0))...)
	}
	return append(dst, make([]byte, -(len(dst)-start)&7)...), err
}

// putFixed writes a value that stands in its slot, in its own width.
func putFixed(b []byte, t *Type, n int64) error {
	switch t.width() {
	case 1:
		b[0] = byte(n)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(n))
	default:
		binary.LittleEndian.PutUint64(b, uint64(n))
	}
	if t.Kind == Void {
		return errors.New("a value in a column that can only be null")
	}
	return nil
}

// appendArray lays every step-th of items out as an array; a map is two of them.
func appendArray(dst []byte, element *Type, items []Value, step int) ([]byte, error) {
	n := (len(items) + step - 1) / step
	base := len(dst)
	slots := base + 8 + bitset(n)
	width := element.width()
	dst = append(dst, make([]byte, 8+bitset(n)+(n*width+7)&^7)...)
	binary.LittleEndian.PutUint64(dst[base:], uint64(n))
	var err error
	for i := range n {
		item := items[i*step]
		if item.Null {
			dst[base+8+i/8] |= 1 << (i % 8)
			continue
		}
		if dst, err = appendValue(dst, item, element, slots+i*width, base, 0); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// OneForm reports whether Spark can have written a key in one way only: whether Encode gives the bytes of
// every stored key that shows as this one does, in AppendJSON with floats as Grouping has them. Spark's
// UnsafeRowWriter writes zeros where nothing stands, numbers and times at their own width, and decimals
// at the scale of their type, as short as can be. Other bytes are possible for:
//
//   - zero and NaN: aggregations and joins know one of each, but dropDuplicates and groupByKey keep -0.0,
//     and a NaN with the bits that it came with;
//   - text with U+FFFD, which also stands for bytes that are no UTF-8;
//   - arrays and maps, which are copied as whatever function made them laid them out;
//   - a null interval of months, days and microseconds, whose room is not cleared.
func OneForm(v Value) bool {
	if v.Type == nil {
		return false
	}
	switch v.Type.Kind {
	case Interval:
		return false
	case Array, Map:
		return v.Null
	case Float, Double:
		return v.Null || v.Float() != 0 && !math.IsNaN(v.Float())
	case String:
		return !Replaced(v)
	}
	return !slices.ContainsFunc(v.Items, func(item Value) bool { return !OneForm(item) })
}

// Replaced reports whether there is text with U+FFFD: what it stands for is not known, so neither is the hash.
func Replaced(v Value) bool {
	text := v.Type != nil && v.Type.Kind == String
	return text && bytes.ContainsRune(v.Bytes, utf8.RuneError) || slices.ContainsFunc(v.Items, Replaced)
}

// Grouping is a key with its floats as aggregations group by them: one NaN, and no -0.0.
func Grouping(v Value) Value {
	switch {
	case v.Null || v.Type == nil:
	case v.Type.Kind == Float, v.Type.Kind == Double:
		return canonical(v)
	case len(v.Items) > 0:
		v.Items = slices.Clone(v.Items)
		for i, item := range v.Items {
			v.Items[i] = Grouping(item)
		}
	}
	return v
}

// canonical is a float or double as Spark has it in grouping keys: one NaN, and no -0.0.
func canonical(v Value) Value {
	switch f := v.Float(); {
	case f == 0:
		v.Int = 0
	case math.IsNaN(f) && v.Type.Kind == Float:
		v.Int = 0x7FC00000
	case math.IsNaN(f):
		v.Int = 0x7FF8000000000000
	}
	return v
}

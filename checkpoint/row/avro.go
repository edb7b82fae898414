package row

import (
	"encoding/binary"
	"math"
	"slices"

	"tidemark/checkpoint/decode"
)

// Avro as Spark derives it from a struct for state: a record of the fields in order, and every field,
// whatever its schema says of nulls, a union of null and its type:
//
//	union        varint branch: 0 null, 1 the value
//	boolean      1 byte
//	byte to long, dates and times   zigzag varint
//	float, double   4, 8 bytes LE
//	string, binary  varint size | bytes
//	decimal      big-endian two's complement, in as many bytes as its precision needs
//	array        blocks: varint count, elements; a negative count is followed by the size in bytes; 0 ends it
//	map          the same, each entry a string and a value
//	void         nothing
//
// Within an array or map, structs, arrays and maps are such unions, and plain values are not. The last
// column of {"x":1,"s":"a"}, a string, is thus 02 02 61.
//
// Written by AvroStateEncoder; the schema is SchemaConverters.toAvroTypeWithDefaults.

type avroReader struct {
	data []byte
	at   int
	left int // values that may still be made
}

// decodeAvro reads a record of the struct t that fills data.
func decodeAvro(t *Type, data []byte) (Value, error) {
	r := &avroReader{data: data, left: min(len(data)+1+len(t.Fields), valuesLimit)}
	v, err := r.record(t)
	if err == nil && r.at < len(data) {
		err = flaw(r.at, decode.Malformed, "%d bytes follow the last column", len(data)-r.at)
	}
	return v, err
}

func (r *avroReader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.data)-r.at {
		return nil, flaw(r.at, decode.Cut, "%d bytes are needed and %d are left", n, len(r.data)-r.at)
	}
	b := r.data[r.at : r.at+n : r.at+n]
	r.at += n
	return b, nil
}

func (r *avroReader) varint() (int64, error) {
	n, size := binary.Varint(r.data[r.at:])
	if size <= 0 {
		return 0, flaw(r.at, decode.Cut, "a number has no end")
	}
	r.at += size
	return n, nil
}

// sized reads a size and that many bytes.
func (r *avroReader) sized() ([]byte, error) {
	n, err := r.varint()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > int64(len(r.data)-r.at) {
		return nil, flaw(r.at, decode.Value, "a length of %d bytes, and %d are left", n, len(r.data)-r.at)
	}
	return r.take(int(n))
}

func (r *avroReader) spend(n int) error {
	if r.left -= n; r.left < 0 {
		return flaw(r.at, decode.TooLarge, "more values than %d bytes can contain", len(r.data))
	}
	return nil
}

func (r *avroReader) record(t *Type) (Value, error) {
	v := Value{Type: t}
	if err := r.spend(len(t.Fields)); err != nil {
		return v, err
	}
	items := make([]Value, len(t.Fields))
	for i, f := range t.Fields {
		var err error
		if items[i], err = r.union(f.Type); err != nil {
			v.Items = items[:i]
			return v, err
		}
	}
	v.Items = items
	return v, nil
}

// union reads null or a value.
func (r *avroReader) union(t *Type) (Value, error) {
	v := Value{Type: t, Null: true}
	if t.Kind == Void {
		return v, nil
	}
	at := r.at
	switch branch, err := r.varint(); {
	case err != nil:
		return v, err
	case branch == 0:
		return v, nil
	case branch != 1:
		return v, flaw(at, decode.Value, "branch %d of a union of null and %s", branch, t.DDL())
	}
	return r.value(t)
}

func (r *avroReader) value(t *Type) (Value, error) {
	v := Value{Type: t}
	var err error
	switch t.Kind {
	case Struct:
		return r.record(t)
	case Array, Map:
		return r.repeated(t)
	case Boolean, Float, Double:
		width := t.width()
		var b []byte
		if b, err = r.take(width); err != nil {
			return v, err
		}
		var wide [8]byte
		copy(wide[8-width:], b)
		v.Int = int64(binary.LittleEndian.Uint64(wide[:])) >> (64 - 8*width)
	case Decimal:
		return r.decimal(t)
	case Byte, Short, Integer, Long, Date, Timestamp, TimestampNTZ, YearMonth, DayTime, Time:
		v.Int, err = r.varint()
	case String, Binary:
		v.Bytes, err = r.sized()
	default:
		err = flaw(r.at, decode.Value, "%s, a type Avro state does not use", t.DDL())
	}
	return v, err
}

func (r *avroReader) decimal(t *Type) (Value, error) {
	v := Value{Type: t}
	b, err := r.take(decimalBytes(t.Precision))
	if err != nil {
		return v, err
	}
	if t.Precision > wideDigits {
		v.Bytes = b
		return v, nil
	}
	v.Int = signed(b).Int64()
	return v, nil
}

// decimalBytes is how many bytes hold every number of so many digits, with its sign.
func decimalBytes(precision int) int {
	n := signed([]byte{1})
	ten := signed([]byte{10})
	for range precision {
		n.Mul(n, ten)
	}
	return n.Sub(n, signed([]byte{1})).BitLen()/8 + 1
}

// repeated reads the blocks of an array or a map.
func (r *avroReader) repeated(t *Type) (Value, error) {
	v := Value{Type: t}
	for {
		at := r.at
		count, err := r.varint()
		if err != nil || count == 0 {
			return v, err
		}
		if count < 0 {
			count = -count
			if _, err := r.varint(); err != nil {
				return v, err
			}
		}
		if count < 0 || count > int64(r.left) {
			return v, flaw(at, decode.Value, "%d elements, and %d bytes are left", count, len(r.data)-r.at)
		}
		for range count {
			if err := r.spend(len(t.Fields)); err != nil {
				return v, err
			}
			if t.Kind == Map {
				key := Value{Type: t.Fields[0].Type}
				if key.Bytes, err = r.sized(); err != nil {
					return v, err
				}
				v.Items = append(v.Items, key)
			}
			item, err := r.within(t.Fields[len(t.Fields)-1].Type)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	}
}

// within reads an element of an array or map: only what is nested further can be null.
func (r *avroReader) within(t *Type) (Value, error) {
	switch t.Kind {
	case Struct, Array, Map, Void:
		return r.union(t)
	}
	return r.value(t)
}

// resolve is a value of an older schema as the type t has it, which is how Spark reads it: fields by
// name, null where the older one lacks a field, and narrow numbers widened.
func resolve(v Value, t *Type) Value {
	was := v.Type
	v.Type = t
	if v.Null {
		return v
	}
	switch {
	case t.Kind == Struct && was.Kind == Struct:
		items := make([]Value, len(t.Fields))
		for i, f := range t.Fields {
			items[i] = Value{Type: f.Type, Null: true}
			at := slices.IndexFunc(was.Fields, func(w Field) bool { return w.Name == f.Name })
			if at >= 0 && at < len(v.Items) {
				items[i] = resolve(v.Items[at], f.Type)
			}
		}
		v.Items = items
	case t.Kind == was.Kind && len(t.Fields) > 0:
		items := make([]Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = resolve(item, t.Fields[i%len(t.Fields)].Type)
		}
		v.Items = items
	case (t.Kind == Float || t.Kind == Double) && was.Kind != t.Kind:
		f := float64(v.Int)
		if was.Kind == Float {
			f = Value{Type: was, Int: v.Int}.Float()
		}
		if v.Int = int64(math.Float64bits(f)); t.Kind == Float {
			v.Int = int64(int32(math.Float32bits(float32(f))))
		}
	}
	return v
}

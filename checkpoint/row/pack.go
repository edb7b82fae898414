package row

import "encoding/binary"

// What of a value is there, in the first byte of a packed one.
const (
	packedNull  = 1 << iota // nothing follows
	packedInt               // then Int, zigzag varint
	packedBytes             // then Bytes: length as uvarint, and they
	packedItems             // then Items: how many as uvarint, and each, packed
)

// Pack writes a value without its type, in a form that is only of use in memory: a decoded value takes
// some ten times as much. Equal bytes of one type are equal values.
func Pack(dst []byte, v Value) []byte {
	if v.Null {
		return append(dst, packedNull)
	}
	var has byte
	if v.Int != 0 {
		has |= packedInt
	}
	if v.Bytes != nil {
		has |= packedBytes
	}
	if v.Items != nil {
		has |= packedItems
	}
	dst = append(dst, has)
	if v.Int != 0 {
		dst = binary.AppendVarint(dst, v.Int)
	}
	if v.Bytes != nil {
		dst = append(binary.AppendUvarint(dst, uint64(len(v.Bytes))), v.Bytes...)
	}
	if v.Items != nil {
		dst = binary.AppendUvarint(dst, uint64(len(v.Items)))
		for _, item := range v.Items {
			dst = Pack(dst, item)
		}
	}
	return dst
}

// Unpack reads what Pack wrote of a value of type t, and gives what follows it. The value shares the
// bytes of data.
func Unpack(t *Type, data []byte) (v Value, rest []byte) {
	v = Value{Type: t}
	has, rest := data[0], data[1:]
	if has&packedNull != 0 {
		v.Null = true
		return v, rest
	}
	if has&packedInt != 0 {
		n, size := binary.Varint(rest)
		v.Int, rest = n, rest[size:]
	}
	if has&packedBytes != 0 {
		n, size := binary.Uvarint(rest)
		v.Bytes, rest = rest[size:size+int(n):size+int(n)], rest[size+int(n):]
	}
	if has&packedItems != 0 {
		n, size := binary.Uvarint(rest)
		v.Items, rest = make([]Value, n), rest[size:]
		for i := range v.Items {
			v.Items[i], rest = Unpack(t.item(i), rest)
		}
	}
	return v, rest
}

// item is the type of an item of a value: a field, an element, a key or a value in turn.
func (t *Type) item(i int) *Type {
	switch t.Kind {
	case Array:
		return t.Fields[0].Type
	case Map:
		return t.Fields[i%2].Type
	}
	return t.Fields[i].Type
}

package row

import (
	"encoding/binary"
	"errors"

	"tidemark/checkpoint/decode"
)

// Encoding is how a store puts a row into bytes.
type Encoding byte

// The encodings of rows. A block begins with a version byte, which is 0.
const (
	Plain  Encoding = iota // an UnsafeRow: the HDFS-backed provider
	Unsafe                 // 00 | UnsafeRow: RocksDB
	Avro                   // 00 | i16 LE schema id | Avro: RocksDB with encodingFormat=avro, for transformWithState
)

// Values is how the values of one column family are written: each value, or each element of a list.
type Values struct {
	Type     *Type
	Encoding Encoding
	Schemas  map[int16]*Type // of Avro, the type behind each schema id; where there is none, Type is tried
}

// Decode reads one value. Errors are as those of Decode.
func (f Values) Decode(data []byte) (Value, error) { return f.DecodeIn(nil, data) }

// DecodeIn is Decode with the values in m.
func (f Values) DecodeIn(m *Memory, data []byte) (Value, error) {
	return f.decode(m, f.Type, data, true)
}

// decode reads one row of the type t; the rows before others in an Avro key have no schema id.
func (f Values) decode(m *Memory, t *Type, data []byte, identified bool) (Value, error) {
	if f.Encoding == Plain {
		return decodeIn(m, t, data)
	}
	if len(data) == 0 {
		return Value{Type: t}, flaw(0, decode.Cut, "an empty block")
	}
	if data[0] != 0 {
		return Value{Type: t}, flaw(0, decode.VersionUnknown, "unknown block version %d (known: 0)", data[0])
	}
	at, current := 1, t
	if f.Encoding == Avro && identified {
		if len(data) < 3 {
			return Value{Type: t}, flaw(len(data), decode.Cut, "the block ends inside its schema ID")
		}
		id := int16(binary.LittleEndian.Uint16(data[1:]))
		at = 3
		if written, ok := f.Schemas[id]; ok {
			t = written
		} else if len(f.Schemas) > 0 {
			return Value{Type: t}, flaw(1, decode.Value, "no schema file has schema ID %d", id)
		}
	}
	if f.Encoding == Avro {
		v, err := decodeAvro(t, data[at:])
		if err == nil && t != current {
			v = resolve(v, current)
		}
		return v, shift(err, at)
	}
	v, err := decodeIn(m, t, data[at:])
	return v, shift(err, at)
}

// shift is an error of bytes that begin n bytes further on.
func shift(err error, n int) error {
	if e, ok := errors.AsType[*decode.Error](err); ok && n > 0 {
		moved := *e
		moved.Where = e.In(n)
		return &moved
	}
	return err
}

// encode writes one row; only what holds an UnsafeRow can be written.
func (f Values) encode(v Value) ([]byte, error) {
	data, err := Encode(v)
	if err != nil || f.Encoding == Plain {
		return data, err
	}
	if f.Encoding == Avro {
		return nil, errors.New("tidemark does not encode a key in Avro")
	}
	return append([]byte{0}, data...), nil
}

package row

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"

	"tidemark/checkpoint/decode"
)

// everything is a struct of every type.
func everything(t testing.TB) *Type {
	var columns []Column
	for _, typ := range []string{"boolean", "byte", "short", "integer", "long", "float", "double", "date", "timestamp", "timestamp_ntz", "time(6)", "string", "binary",
		"decimal(10,2)", "decimal(38,18)", "interval", "interval year to month", "interval day to second", "void", "variant", "geometry(0)",
		`{"type":"array","elementType":{"type":"array","elementType":"boolean"}}`, `{"type":"map","keyType":"string","valueType":"decimal(20,0)"}`,
		`{"type":"struct","fields":[{"name":"a","type":{"type":"array","elementType":{"type":"struct","fields":[]}}}]}`} {
		columns = append(columns, Column{Name: "c", Type: typ})
	}
	return columnsOf(t, columns...)
}

// FuzzBytes gives anything to every decoder: each answers with a value that is JSON, or with an error
// that has its place within the bytes.
func FuzzBytes(f *testing.F) {
	typ := everything(f)
	items := make([]Value, len(typ.Fields))
	for i, c := range typ.Fields {
		items[i] = Value{Type: c.Type, Null: true}
	}
	row, err := Encode(Value{Type: typ, Items: items})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(row)
	for i, c := range typ.Fields { // a row with something in every column
		items[i] = Value{Type: c.Type}
		switch c.Type.Kind {
		case Void:
			items[i].Null = true
		case Variant:
			items[i].Bytes = variantOf(f, `02 03 000102 00020d13  0c01  03 03 00010205 04 00 09 6869  20 02 96000000`, names)
		case Interval:
			items[i].Bytes = interval(1, 2, 3)
		case Array:
			inner := c.Type.Fields[0].Type
			items[i].Items = []Value{{Type: inner, Items: []Value{{Type: inner.Fields[0].Type, Int: 1}}}, {Type: inner, Null: true}}
		case Map:
			items[i].Items = []Value{{Type: c.Type.Fields[0].Type, Bytes: []byte("k")}, {Type: c.Type.Fields[1].Type, Bytes: []byte{1}}}
		case Struct:
			items[i].Items = []Value{{Type: c.Type.Fields[0].Type, Items: []Value{{Type: c.Type.Fields[0].Type.Fields[0].Type}}}}
		default:
			items[i].Bytes = []byte("text")
		}
	}
	if row, err = Encode(Value{Type: typ, Items: items}); err != nil {
		f.Fatal(err)
	}
	if _, err := Decode(typ, row); err != nil {
		f.Fatal(err)
	}
	f.Add(row)
	f.Add(variantOf(f, `02 03 000102 00020d13  0c01  03 03 00010205 04 00 09 6869  20 02 96000000`, names))
	f.Add(bytesOf(f, `0e000000 00 02 02 01 02 10 000001a22825b902 00 0000 02 02 06 616e6e`))
	f.Add(bytesOf(f, `19000000 00 0000000000000000 0300000010000000 616e6e0000000000 00 0000000000000000 00e33e89f34b0600`))
	f.Add([]byte(`{"k":"ann"}`))
	f.Add(append([]byte{0}, row...))
	f.Add(make([]byte, 24))
	keys := []*Keys{
		keysOf(f, byPrefix, Unsafe, Column{Name: "k", Type: "string"}, Column{Name: "l", Type: "long"}),
		keysOf(f, byRange+`[1]}`, Unsafe, Column{Name: "k", Type: "string"}, Column{Name: "l", Type: "long"}),
		keysOf(f, byRange+`[1]}`, Avro, Column{Name: "k", Type: "string"}, Column{Name: "l", Type: "long"}),
		keysOf(f, byTime, Unsafe, Column{Name: "k", Type: "string"}, Column{Name: "l", Type: "long"}),
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(v Value, err error) {
			if e, ok := errors.AsType[*decode.Error](err); err != nil && (!ok || e.Offset < 0 || e.Offset > int64(len(data))) {
				t.Fatalf("%v does not lie in %d bytes", err, len(data))
			}
			if text := v.AppendJSON(nil); !json.Valid(text) {
				t.Fatalf("%q is no JSON", text)
			}
		}
		check(Decode(typ, data))
		check(decodeAvro(typ, data))
		for _, k := range keys {
			check(k.Decode(data))
		}
		for _, encoding := range []Encoding{Unsafe, Avro} {
			all, err := Values{Type: typ, Encoding: encoding}.List(data, len(data)%2 == 0)
			check(Value{}, err)
			for _, v := range all {
				check(v, nil)
			}
		}
		if text, err := variantJSON(nil, data); err == nil && !json.Valid(text) {
			t.Fatalf("variant %q is no JSON", text)
		}
		if v, err := ParseValue(typ, data); err == nil {
			if _, err := Encode(v); err != nil && !v.Null {
				t.Fatal(err)
			}
		}
	})
}

// TestSharedBytesDoNotGrow gives a row of arrays in arrays whose elements all lie in the same bytes: read
// naively, 4 kB are more values than there is memory.
func TestSharedBytesDoNotGrow(t *testing.T) {
	t.Parallel()
	const elements, depth = 32, 12
	const head = 8 + 8 + 8*elements // count, null bits, one slot an element
	text := `"long"`
	for range depth {
		text = `{"type":"array","elementType":` + text + `}`
	}
	slot := func(dst []byte, offset, size int) []byte {
		return binary.LittleEndian.AppendUint64(dst, uint64(offset)<<32|uint64(size))
	}
	data := slot(make([]byte, 8), 16, head*depth)
	for level := range depth {
		data = binary.LittleEndian.AppendUint64(data, elements)
		data = append(data, make([]byte, 8)...)
		for range elements {
			data = slot(data, head, head*(depth-1-level)) // the next level, whole
		}
	}
	_, err := Decode(one(t, text), data)
	if e, ok := errors.AsType[*decode.Error](err); !ok || e.Flaw != decode.TooLarge {
		t.Errorf("%v", err)
	}
}

func BenchmarkDecode(b *testing.B) {
	typ := columnsOf(b, Column{Name: "count", Type: "long"}, Column{Name: "sum", Type: "double"}, Column{Name: "max", Type: "timestamp"}, Column{Name: "name", Type: "string"})
	data := bytesOf(b, `0000000000000000 0200000000000000 0000000000001240 408f6111d70d0600 0500000028000000 68656c6c6f000000`)
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		v, err := Decode(typ, data)
		if err != nil {
			b.Fatal(err)
		}
		out = v.AppendJSON(out[:0])
	}
}

package row

import (
	"bytes"
	"reflect"
	"testing"
)

// TestPack packs values of every kind, one after the other, and gets the same ones back.
func TestPack(t *testing.T) {
	t.Parallel()
	typ := everything(t)
	whole := Value{Type: typ}
	for _, f := range typ.Fields {
		whole.Items = append(whole.Items, Value{Type: f.Type, Null: true}, something(f.Type))
	}
	var packed []byte
	var values []Value
	for i := range whole.Items {
		values = append(values, whole.Items[i])
		packed = Pack(packed, whole.Items[i])
	}
	if len(values) < 40 {
		t.Fatalf("only %d values", len(values))
	}
	rest := packed
	for i, want := range values {
		var got Value
		if got, rest = Unpack(want.Type, rest); !reflect.DeepEqual(got, want) {
			t.Errorf("value %d: %+v, want %+v", i, got, want)
		}
		if !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) {
			t.Errorf("value %d reads another way", i)
		}
	}
	if len(rest) > 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
}

// something is a value of a type in which every part that its kind has is set.
func something(t *Type) Value {
	v := Value{Type: t}
	switch t.Kind {
	case Void:
		v.Null = true
	case Array:
		v.Items = []Value{something(t.Fields[0].Type), {Type: t.Fields[0].Type, Null: true}, something(t.Fields[0].Type)}
	case Map:
		v.Items = []Value{something(t.Fields[0].Type), something(t.Fields[1].Type), something(t.Fields[0].Type), {Type: t.Fields[1].Type, Null: true}}
	case Struct:
		v.Items = []Value{}
		for _, f := range t.Fields {
			v.Items = append(v.Items, something(f.Type))
		}
	case String, Binary:
		v.Bytes = []byte("not UTF-8: \xff, and \x00")
	case Interval:
		v.Bytes = make([]byte, 16)
	case Variant, Geo:
		v.Bytes = []byte{}
	case Decimal:
		if v.Int = -12; t.Precision > wideDigits {
			v.Int, v.Bytes = 0, []byte{0x80, 1}
		}
	default:
		v.Int = -1
	}
	return v
}

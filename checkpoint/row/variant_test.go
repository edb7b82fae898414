package row

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// names are the metadata a, b, c.
const names = `01 03 00 01 02 03 616263`

func variantOf(t testing.TB, value, metadata string) []byte {
	t.Helper()
	v := bytesOf(t, value)
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(v))), v, bytesOf(t, metadata))
}

func TestVariants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ value, want string }{
		{`02 03 000102 00020d13  0c01  03 03 00010205 04 00 09 6869  20 02 96000000`, `{"a":1,"b":[true,null,"hi"],"c":1.50}`},
		{`42 01000000 01 0001 08`, `{"b":false}`}, // a count of 4 bytes
		{`13 00000000 00`, `[]`},
		{`10 fe ff`, `-2`},
		{`14 ffffff7f`, `2147483647`},
		{`18 0000000000000080`, `-9223372036854775808`},
		{`1c 000000000000f87f`, `"NaN"`},
		{`1c 0000000000001240`, `4.5`},
		{`38 cdcccc3d`, `0.1`},
		{`24 03 ffffffffffffffff`, `-0.001`},
		{`28 00 01000000000000000000000000000000`, `1`},
		{`2c ffffffff`, `"1969-12-31"`},
		{`30 ffffffffffffffff`, `"1969-12-31T23:59:59.999999Z"`},
		{`34 0000000000000000`, `"1970-01-01T00:00:00.000000"`},
		{`3c 02000000 00ff`, `"AP8="`},
		{`40 03000000 e697a5`, `"日"`},
		{`50 00112233445566778899aabbccddeeff`, `"00112233-4455-6677-8899-aabbccddeeff"`},
	} {
		data := variantOf(t, test.value, names)
		typ := one(t, "variant")
		row, err := Encode(Value{Type: typ, Items: []Value{{Type: typ.Fields[0].Type, Bytes: data}}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := Decode(typ, row)
		if got := string(v.AppendJSON(nil)); err != nil || got != `{"c":`+test.want+`}` {
			t.Errorf("%s: %s, %v; want %s", test.value, got, err, test.want)
		}
		for n := range len(data) - len(bytesOf(t, names)) {
			if text, err := variantJSON(nil, data[:n]); err == nil {
				t.Errorf("%s, cut at %d: %s", test.value, n, text)
			}
		}
	}
}

func TestVariantsThatAreNone(t *testing.T) {
	t.Parallel()
	deep := bytesOf(t, strings.Repeat("03 01 00ff", 600)+"00") // arrays of one element, their ends not looked at
	for _, test := range []struct{ value, metadata, want string }{
		{`54`, names, "type 21"},
		{`00`, `02 00 00`, "version 2"},
		{`02 01 07 0001 00`, names, "field name 7 of 3"},
		{`20 27 96000000`, names, "scale 39"},
		{`03 ff 00`, names, "too early"},
	} {
		_, err := variantJSON(nil, variantOf(t, test.value, test.metadata))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.value, err, test.want)
		}
	}
	if _, err := variantJSON(nil, slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(deep))), deep, bytesOf(t, names))); err == nil {
		t.Error("600 arrays in each other: no error")
	}
}

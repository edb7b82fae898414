package row

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

func keysOf(t testing.TB, encoder string, encoding Encoding, columns ...Column) *Keys {
	t.Helper()
	e, err := ParseKeyEncoder(encoder)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKeys(columnsOf(t, columns...), e, encoding)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const (
	byRange  = `{"keyStateEncoderType":"RangeKeyScanStateEncoderSpec","orderingOrdinals":`
	byPrefix = `{"keyStateEncoderType":"PrefixKeyScanStateEncoderSpec","numColsPrefixKey":1}`
	byTime   = `{"keyStateEncoderType":"TimestampAsPrefixKeyStateEncoderSpec"}`
)

// TestRangeKeys reads keys whose columns sort as bytes: negative numbers, floats and nulls, ordering
// columns that are not the first, and keys that are nothing but ordering columns.
func TestRangeKeys(t *testing.T) {
	t.Parallel()
	block := func(columns ...[]byte) []byte { // of binaries, as Spark lays the ordering columns out
		typ := ordering(len(columns), Unsafe)
		v := Value{Type: typ}
		for _, c := range columns {
			v.Items = append(v.Items, Value{Type: typ.Fields[0].Type, Bytes: c})
		}
		data, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		data = append([]byte{0}, data...)
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
	}
	big := binary.BigEndian.AppendUint64
	name := bytesOf(t, `00 0000000000000000 0400000010000000 6b65793000000000`)
	for _, test := range []struct {
		story, encoder string
		columns        []Column
		data           []byte
		want           string
	}{
		{"a time to live", byRange + `[0]}`, []Column{{Name: "ms", Type: "long"}, {Name: "k", Type: "string"}},
			slices.Concat(block(big([]byte{1}, 1795969836994)), name), `{"ms":1795969836994,"k":"key0"}`},
		{"before 1970", byRange + `[0]}`, []Column{{Name: "ms", Type: "long"}, {Name: "k", Type: "string"}},
			slices.Concat(block(big([]byte{0}, math.MaxUint64)), name), `{"ms":-1,"k":"key0"}`},
		{"a null", byRange + `[0]}`, []Column{{Name: "ms", Type: "integer"}, {Name: "k", Type: "string"}},
			slices.Concat(block([]byte{2, 0, 0, 0, 0}), name), `{"ms":null,"k":"key0"}`},
		{"ordering columns behind another", byRange + `[2,1]}`, []Column{{Name: "k", Type: "string"}, {Name: "d", Type: "double"}, {Name: "b", Type: "byte"}},
			slices.Concat(block([]byte{0, 0xFE}, big([]byte{0}, ^math.Float64bits(-2.5))), name), `{"k":"key0","d":-2.5,"b":-2}`},
		{"only ordering columns", byRange + `[0]}`, []Column{{Name: "f", Type: "float"}},
			block(binary.BigEndian.AppendUint32([]byte{0}, ^math.Float32bits(-0.1))), `{"f":-0.1}`},
		{"only ordering columns and an empty row", byRange + `[0]}`, []Column{{Name: "f", Type: "short"}},
			append(block([]byte{1, 1, 0}), 0), `{"f":256}`},
	} {
		k := keysOf(t, test.encoder, Unsafe, test.columns...)
		v, err := k.Decode(test.data)
		if got := string(v.AppendJSON(nil)); err != nil || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.story, got, err, test.want)
		}
		// A row of no columns may be there or not, so that such a key may end before it.
		for n := range len(test.data) - 1 {
			if _, err := k.Decode(test.data[:n]); err == nil {
				t.Errorf("%s, cut at %d: no error", test.story, n)
			}
		}
	}
}

func TestAvroKey(t *testing.T) {
	t.Parallel()
	// $ttl_ of a value: expirationMs by range, elementKey {value}.
	k := keysOf(t, byRange+`[0]}`, Avro, Column{Name: "expirationMs", Type: "long"},
		Column{Name: "elementKey", Type: `{"type":"struct","fields":[{"name":"value","type":"string"}]}`})
	data := bytesOf(t, `0e000000 00 02 02 01 02 10 000001a22825b902 00 0000 02 02 06 616e6e`)
	v, err := k.Decode(data)
	if got := string(v.AppendJSON(nil)); err != nil || got != `{"expirationMs":1795969890562,"elementKey":{"value":"ann"}}` {
		t.Errorf("%s, %v", got, err)
	}
	for n := range len(data) {
		if _, err := k.Decode(data[:n]); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
}

// TestAvroTypes reads every type that Avro state has.
func TestAvroTypes(t *testing.T) {
	t.Parallel()
	typ := columnsOf(t, Column{Name: "b", Type: "boolean"}, Column{Name: "i", Type: "integer"}, Column{Name: "f", Type: "float"}, Column{Name: "d", Type: "double"},
		Column{Name: "s", Type: "string"}, Column{Name: "n", Type: "string"}, Column{Name: "v", Type: "void"}, Column{Name: "dec", Type: "decimal(10,2)"},
		Column{Name: "big", Type: "decimal(38,18)"}, Column{Name: "a", Type: `{"type":"array","elementType":"long"}`},
		Column{Name: "m", Type: `{"type":"map","keyType":"string","valueType":{"type":"struct","fields":[{"name":"x","type":"date"}]}}`})
	f := Values{Type: typ, Encoding: Avro}
	data := bytesOf(t, `00 0300
		02 01  02 05  02 00000040  02 0000000000001240  02 04 6869  00
		02 ffffffff9c  02 00000000000000000000000000000001
		02 04 02 04 01 02 03 00  02 02 02 6b 02 02 01 00`)
	v, err := f.Decode(data)
	const want = `{"b":true,"i":-3,"f":2.0,"d":4.5,"s":"hi","n":null,"v":null,"dec":"-1.00","big":"0.000000000000000001","a":[1,2,-2],"m":{"k":{"x":"1969-12-31"}}}`
	if got := string(v.AppendJSON(nil)); err != nil || got != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	for n := range len(data) {
		if _, err := f.Decode(data[:n]); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
	if _, err := f.Decode(append(data, 0)); err == nil {
		t.Error("a byte too many: no error")
	}

	// A value of an older schema is shown as Spark reads it, in the newer one.
	newer := columnsOf(t, Column{Name: "d", Type: "double"}, Column{Name: "i", Type: "double"}, Column{Name: "new", Type: "long"}, Column{Name: "f", Type: "double"})
	f = Values{Type: newer, Encoding: Avro, Schemas: map[int16]*Type{3: typ, 4: newer}}
	v, err = f.Decode(data)
	if got := string(v.AppendJSON(nil)); err != nil || got != `{"d":4.5,"i":-3.0,"new":null,"f":2.0}` {
		t.Errorf("%s, %v", got, err)
	}
	data[1] = 5
	if _, err := f.Decode(data); err == nil || !strings.Contains(err.Error(), "schema ID 5") {
		t.Errorf("a schema id that is not known: %v", err)
	}
}

// TestTypedKeys writes keys as a person types them.
func TestTypedKeys(t *testing.T) {
	t.Parallel()
	columns := []Column{{Name: "k", Type: "string"}, {Name: "at", Type: "timestamp"}}
	const key = `{"k":"ann","at":"2026-03-01T10:00:12Z"}`
	const ann = `0000000000000000 0300000010000000 616e6e0000000000`
	const at = `0000000000000000 00e33e89f34b0600`
	for _, test := range []struct {
		story, encoder string
		encoding       Encoding
		want           string
	}{
		{"a plain row", "", Plain, `0000000000000000 0300000018000000 00e33e89f34b0600 616e6e0000000000`},
		{"a block", "", Unsafe, `00 0000000000000000 0300000018000000 00e33e89f34b0600 616e6e0000000000`},
		{"by prefix", byPrefix, Unsafe, `19000000 00` + ann + `00` + at},
		{"a plain row whatever the encoder", byPrefix, Plain, `0000000000000000 0300000018000000 00e33e89f34b0600 616e6e0000000000`},
		{"by time", byTime, Unsafe, `80064bf3893ee300 00` + ann},
	} {
		k := keysOf(t, test.encoder, test.encoding, columns...)
		v, err := ParseValue(k.Type, []byte(key))
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Encode(v)
		if want := bytesOf(t, test.want); err != nil || string(got) != string(want) {
			t.Errorf("%s: %x, %v\nwant %x", test.story, got, err, want)
		}
		back, err := k.Decode(got)
		if text := string(back.AppendJSON(nil)); err != nil || text != `{"k":"ann","at":"2026-03-01T10:00:12.000000Z"}` {
			t.Errorf("%s: %s, %v", test.story, text, err)
		}
	}
}

// TestWhatCannotBeTyped holds errors to say which column is meant and what belongs there.
func TestWhatCannotBeTyped(t *testing.T) {
	t.Parallel()
	typ := columnsOf(t, Column{Name: "s", Type: "string"}, Column{Name: "c", Type: "byte"})
	for _, test := range []struct {
		typ        *Type
		text, want string
	}{
		{typ, `{"s":"x"}`, `"c" is missing (TINYINT)`},
		{typ, `{"s":"x","c":200}`, `"c": "200" is not a value of type TINYINT`},
		{typ, `{"s":7,"c":1}`, `"s": "7" is not a value of type STRING`},
		{typ, `{"s":"x","c":1,"d":2}`, `"d" is not one of "s", "c"`},
		{typ, `[1]`, `a list is not a value of type STRUCT<s: STRING, c: TINYINT>`},
		{typ, `{"s":`, "ends inside"},
		{one(t, "decimal(4,2)"), `"1.234"`, `is not a value of type DECIMAL(4,2)`},
		{one(t, "decimal(4,2)"), `123`, `is not a value of type DECIMAL(4,2)`},
		{one(t, "decimal(4,2)"), `"1e1"`, `is not a value of type DECIMAL(4,2)`},
		{one(t, "timestamp"), `1700000000`, `"1700000000" is not a value of type TIMESTAMP`},
		{one(t, "timestamp"), `"yesterday"`, `"yesterday" is not a value of type TIMESTAMP`},
		{one(t, "date"), `"2026-02-30"`, `is not a value of type DATE`},
		{one(t, "binary"), `"*"`, `is not a value of type BINARY`},
		{one(t, "double"), `"1.5"`, `is not a value of type DOUBLE`},
		{one(t, "interval"), `"1 day"`, `cannot be entered`},
	} {
		_, err := ParseValue(test.typ, []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
	for text, want := range map[string]string{`"1.50"`: `{"c":"1.50"}`, `-12.5`: `{"c":"-12.50"}`, `"0"`: `{"c":"0.00"}`, `null`: `{"c":null}`} {
		v, err := ParseValue(one(t, "decimal(4,2)"), []byte(text))
		if got := string(v.AppendJSON(nil)); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	v, err := ParseValue(one(t, "double"), []byte(`-0.0`))
	if got := string(v.AppendJSON(nil)); err != nil || got != `{"c":0.0}` {
		t.Errorf("-0.0: %s, %v", got, err)
	}
}

// TestOneForm: of which keys Spark can have written other bytes than Encode gives.
func TestOneForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ, text string
		want      bool
	}{
		{"string", `"ann"`, true},
		{"string", `""`, true},
		{"string", `null`, true},
		{"string", `"a\ufffdb"`, false},
		{"binary", `"//79"`, true},
		{"long", `0`, true},
		{"boolean", `false`, true},
		{"timestamp", `"2026-03-01T10:00:12Z"`, true},
		{"decimal(38,2)", `"0"`, true},
		{"decimal(38,2)", `null`, true},
		{"double", `1.5`, true},
		{"double", `null`, true},
		{"double", `0`, false},
		{"float", `-0.0`, false},
		{"float", `"NaN"`, false},
		{"float", `"Infinity"`, true},
		{"interval", `null`, false},
		{`{"type":"array","elementType":"long","containsNull":true}`, `[1]`, false},
		{`{"type":"array","elementType":"long","containsNull":true}`, `null`, true},
		{`{"type":"struct","fields":[{"name":"a","type":"double","nullable":true,"metadata":{}}]}`, `{"a":2.5}`, true},
		{`{"type":"struct","fields":[{"name":"a","type":"double","nullable":true,"metadata":{}}]}`, `{"a":0.0}`, false},
	} {
		v, err := ParseValue(one(t, test.typ), []byte(`{"c":`+test.text+`}`))
		if got := OneForm(v); err != nil || got != test.want {
			t.Errorf("%s %s: %v, %v", test.typ, test.text, got, err)
		}
	}
}

func TestEncodersThatAreNone(t *testing.T) {
	t.Parallel()
	columns := columnsOf(t, Column{Name: "k", Type: "string"})
	for _, text := range []string{`{}`, `{`, `{"keyStateEncoderType":"New"}`, `{"keyStateEncoderType":"PrefixKeyScanStateEncoderSpec"}`, byRange + `["a"]}`,
		byRange + `[0]}`, byRange + `[7]}`, byTime, strings.Replace(byPrefix, ":1", ":2", 1)} {
		e, err := ParseKeyEncoder(text)
		if err == nil {
			_, err = NewKeys(columns, e, Unsafe)
		}
		if err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// TestLists takes lists apart with and without commas; a size may have a comma's byte in it.
func TestLists(t *testing.T) {
	t.Parallel()
	f := Values{Type: one(t, "string"), Encoding: Unsafe}
	short := bytesOf(t, `19000000 00 0000000000000000 0100000010000000 6100000000000000`)
	long := bytesOf(t, `31000000 00 0000000000000000 2000000010000000`+strings.Repeat("2c", 32))
	for _, comma := range []bool{false, true} {
		data := slices.Clone(short)
		if comma {
			data = append(data, ',')
		}
		data = append(data, long...)
		all, err := f.List(data, comma)
		if err != nil || len(all) != 2 || string(all[1].AppendJSON(nil)) != `{"c":"`+strings.Repeat(",", 32)+`"}` {
			t.Errorf("comma %t: %d elements, %v", comma, len(all), err)
		}
		for n := 1; n < len(data); n++ {
			all, err := f.List(data[:n], comma)
			if n != len(short) && err == nil && !(comma && n == len(short)+1) {
				t.Errorf("comma %t, cut at %d: no error", comma, n)
			}
			if n > len(short) && len(all) != 1 {
				t.Errorf("comma %t, cut at %d: %d elements before the cut", comma, n, len(all))
			}
		}
		if _, err := f.List(data, !comma); err == nil {
			t.Errorf("comma %t read as the other: no error", comma)
		}
	}
}

// TestHash is the example of Spark's documentation: SELECT hash('Spark', array(123), 2).
func TestHash(t *testing.T) {
	t.Parallel()
	list := one(t, `{"type":"array","elementType":"integer"}`).Fields[0].Type
	number := list.Fields[0].Type
	h := uint32(hashSeed)
	for _, v := range []Value{{Type: &Type{Kind: String}, Bytes: []byte("Spark")}, {Type: list, Items: []Value{{Type: number, Int: 123}}}, {Type: number, Int: 2}} {
		h = hashValue(v, h)
	}
	if int32(h) != -1321691492 {
		t.Errorf("%d", int32(h))
	}
	if Partition(nil, 0) != 0 || Partition(nil, 5) != 42%5 {
		t.Error("no columns hash to the seed")
	}
}

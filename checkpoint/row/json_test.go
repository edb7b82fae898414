package row

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// one is a struct of one column of that type.
func one(t testing.TB, typ string) *Type { return columnsOf(t, Column{Name: "c", Type: typ}) }

func floatBits(f float64) int64  { return int64(math.Float64bits(f)) }
func singleBits(f float32) int64 { return int64(int32(math.Float32bits(f))) }
func interval(m, d int32, us int64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(m))
	b = binary.LittleEndian.AppendUint32(b, uint32(d))
	return binary.LittleEndian.AppendUint64(b, uint64(us))
}

// TestEveryTypeAsJSON lays a value of every type out as a row, reads it back and shows it.
func TestEveryTypeAsJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ   string
		value Value // without its type
		want  string
	}{
		{"boolean", Value{Int: 1}, `true`},
		{"byte", Value{Int: -128}, `-128`},
		{"short", Value{Int: -2}, `-2`},
		{"integer", Value{Int: math.MinInt32}, `-2147483648`},
		{"long", Value{Int: math.MinInt64}, `-9223372036854775808`},
		{"float", Value{Int: singleBits(0.1)}, `0.1`},
		{"float", Value{Int: singleBits(16777216)}, `1.6777216e+07`},
		{"double", Value{Int: floatBits(3)}, `3.0`},
		{"double", Value{Int: floatBits(math.Copysign(0, -1))}, `-0.0`},
		{"double", Value{Int: floatBits(5e-324)}, `5e-324`},
		{"double", Value{Int: floatBits(math.NaN())}, `"NaN"`},
		{"float", Value{Int: singleBits(float32(math.Inf(-1)))}, `"-Infinity"`},
		{"date", Value{Int: -1}, `"1969-12-31"`},
		{"date", Value{Int: 2932897}, `"+10000-01-01"`},
		{"date", Value{Int: -719529}, `"-0001-12-31"`},
		{"timestamp", Value{Int: -1}, `"1969-12-31T23:59:59.999999Z"`},
		{"timestamp", Value{Int: math.MaxInt64}, `"+294247-01-10T04:00:54.775807Z"`},
		{"timestamp_ntz", Value{Int: 1}, `"1970-01-01T00:00:00.000001"`},
		{"time(6)", Value{Int: 36_007_500_000_000}, `"10:00:07.5"`},
		{"time(6)", Value{Int: 60_000_000_000}, `"00:01:00"`},
		{"string", Value{Bytes: []byte("a\"\\\n\x1b[31m\u202e\u00e9🙂\xff")}, `"a\"\\\n\u001b[31m\u202eé🙂` + "\uFFFD" + `"`},
		{"string collate UNICODE", Value{Bytes: []byte("x")}, `"x"`},
		{"string", Value{Bytes: []byte("\U000E0041")}, `"\udb40\udc41"`},
		{"binary", Value{Bytes: []byte{0, 1, 2, 255}}, `"AAEC/w=="`},
		{"decimal(10,2)", Value{Int: -400}, `"-4.00"`},
		{"decimal(10,2)", Value{Int: -4}, `"-0.04"`},
		{"decimal(18,18)", Value{Int: math.MinInt64}, `"-9.223372036854775808"`},
		{"decimal(5,-2)", Value{Int: 12}, `"1200"`},
		{"decimal(5,-2)", Value{}, `"0"`},
		{"decimal(38,18)", Value{Bytes: []byte{0xFF}}, `"-0.000000000000000001"`},
		{"decimal(38,0)", Value{Bytes: []byte{0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}}, `"2361183241434822606847"`},
		{"interval", Value{Bytes: interval(14, 3, 3_723_500_000)}, `"1 years 2 months 3 days 1 hours 2 minutes 3.5 seconds"`},
		{"interval", Value{Bytes: interval(0, 0, -500_000)}, `"-0.5 seconds"`},
		{"interval", Value{Bytes: interval(0, 0, 0)}, `"0 seconds"`},
		{"interval year to month", Value{Int: -14}, `"INTERVAL '-1-2' YEAR TO MONTH"`},
		{"interval month", Value{Int: 14}, `"INTERVAL '14' MONTH"`},
		{"interval day to second", Value{Int: 93_784_000_005}, `"INTERVAL '1 02:03:04.000005' DAY TO SECOND"`},
		{"interval day to second", Value{Int: math.MinInt64}, `"INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND"`},
		{"interval hour to minute", Value{Int: 93_784_000_000}, `"INTERVAL '26:03' HOUR TO MINUTE"`},
		{"interval second", Value{Int: 1_500_000}, `"INTERVAL '01.5' SECOND"`},
		{"geometry(4326)", Value{Bytes: []byte{0xE6, 0x10, 0, 0}}, `"5hAAAA=="`},
		{"void", Value{Null: true}, `null`},
		{"long", Value{Null: true}, `null`},
		{"decimal(38,18)", Value{Null: true}, `null`},
		{"interval", Value{Null: true}, `null`},
	} {
		typ := one(t, test.typ)
		test.value.Type = typ.Fields[0].Type
		data, err := Encode(Value{Type: typ, Items: []Value{test.value}})
		if err != nil {
			t.Errorf("%s: %v", test.typ, err)
			continue
		}
		v, err := Decode(typ, data)
		if got := string(v.AppendJSON(nil)); err != nil || got != `{"c":`+test.want+`}` {
			t.Errorf("%s: %s, %v; want %s", test.typ, got, err, test.want)
		}
		if got := v.Items[0].Text(); test.want != `"`+got+`"` && test.want != got && !strings.HasPrefix(test.typ, "string") {
			t.Errorf("%s: text %s, want %s", test.typ, got, test.want)
		}
	}
}

// TestNullsKeepTheirRoom lays nulls out as Spark does, which updates wide decimals and intervals in place.
func TestNullsKeepTheirRoom(t *testing.T) {
	t.Parallel()
	typ := columnsOf(t, Column{Name: "a", Type: "decimal(38,18)"}, Column{Name: "b", Type: "string"}, Column{Name: "c", Type: "interval"})
	items := make([]Value, 3)
	for i, f := range typ.Fields {
		items[i] = Value{Type: f.Type, Null: true}
	}
	items[1] = Value{Type: typ.Fields[1].Type, Bytes: []byte("x")}
	got, err := Encode(Value{Type: typ, Items: items})
	want := bytesOf(t, `0500000000000000 0000000020000000 0100000030000000 1000000038000000
		0000000000000000 0000000000000000 7800000000000000 0000000000000000 0000000000000000`)
	if err != nil || string(got) != string(want) {
		t.Errorf("%x, %v\nwant %x", got, err, want)
	}
}

func TestNestedTypes(t *testing.T) {
	t.Parallel()
	typ := columnsOf(t, Column{Name: "m", Type: `{"type":"map","keyType":"date","valueType":{"type":"array","elementType":"short","containsNull":true},"valueContainsNull":true}`},
		Column{Name: "s", Type: `{"type":"struct","fields":[{"name":"sum","type":"long"},{"name":"sum","type":"double"},{"name":"sum#2","type":"boolean"},{"name":"sum","type":"void"}]}`})
	if got, want := typ.DDL(), "STRUCT<m: MAP<DATE, ARRAY<SMALLINT>>, s: STRUCT<sum: BIGINT, sum: DOUBLE, sum#2: BOOLEAN, sum: VOID>>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m, s := typ.Fields[0].Type, typ.Fields[1].Type
	list := m.Fields[1].Type
	short := func(n int64) Value { return Value{Type: list.Fields[0].Type, Int: n} }
	v := Value{Type: typ, Items: []Value{
		{Type: m, Items: []Value{
			{Type: m.Fields[0].Type, Int: 1}, {Type: list, Items: []Value{short(1), {Type: list.Fields[0].Type, Null: true}, short(-3)}},
			{Type: m.Fields[0].Type, Int: 2}, {Type: list, Null: true}}},
		{Type: s, Items: []Value{{Type: s.Fields[0].Type, Int: 5}, {Type: s.Fields[1].Type, Null: true}, {Type: s.Fields[2].Type, Int: 1}, {Type: s.Fields[3].Type, Null: true}}},
	}}
	data, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(typ, data)
	const want = `{"m":{"1970-01-02":[1,null,-3],"1970-01-03":null},"s":{"sum":5,"sum#3":null,"sum#2":true,"sum#4":null}}`
	if text := string(got.AppendJSON(nil)); err != nil || text != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
	for n := 0; n < len(data); n++ {
		if _, err := Decode(typ, data[:n]); err == nil {
			t.Errorf("cut at %d of %d: no error", n, len(data))
		}
	}
}

func TestTypesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `lng`, `decimal(39,2)`, `decimal(x)`, `{"type":"struct"}`, `{"type":"array"}`, `{"type":"map","keyType":"long"}`, `{"type":"foo"}`, `{`, `"`,
		`{"type":"array","elementType":{"type":"udt"}}`, strings.Repeat(`{"type":"array","elementType":`, 300)} {
		if typ, err := ParseType(text); err == nil {
			t.Errorf("%q is %+v", text, typ)
		}
	}
	for text, want := range map[string]string{`{"type":"udt","class":"a.B","sqlType":"long"}`: "BIGINT", `null`: "VOID", `"byte"`: "TINYINT", "varchar(10)": "VARCHAR(10)"} {
		if typ, err := ParseType(text); err != nil || typ.DDL() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

package decode

import (
	"errors"
	"strings"
	"testing"
)

func TestParseJSONKnowsPlaces(t *testing.T) {
	t.Parallel()
	text := `{"orders" : {"0":1042, "1":998}, "x":["a\u0062", null, true]}`
	v, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	orders, _ := v.Get("orders")
	one, _ := orders.Get("1")
	if n, ok := one.Int(); !ok || n != 998 || text[one.At:one.End] != "998" {
		t.Errorf("partition 1: %+v, its text %q", one, text[one.At:one.End])
	}
	x, _ := v.Get("x")
	if got := text[x.Items[0].At:x.Items[0].End]; got != `"a\u0062"` || x.Items[0].Text != "ab" {
		t.Errorf("first item: %q, %q", got, x.Items[0].Text)
	}
}

func TestParseJSONSaysWhereItBreaks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		at   int64
		flaw Flaw
	}{
		{``, 0, Blank},
		{"\t ", 0, Blank},
		{`{"a":1`, 6, Cut},
		{`{"a":"x`, 7, Cut},
		{`{"a":1}}`, 7, Trailing},
		{`{"a":1} x`, 8, Trailing},
		{"{\"a\":1}\x00", 7, Trailing},
		{`{a:1}`, 1, Malformed},
		{`nonsense`, 1, Malformed},
		{strings.Repeat(`[`, 200), 100, Malformed},
	} {
		_, err := ParseJSON([]byte(c.text))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Offset != c.at || e.Flaw != c.flaw {
			t.Errorf("%q: %v (%+v), want offset %d, %s", c.text, err, e, c.at, c.flaw)
		}
	}
}

func TestParseFieldsStaysOutside(t *testing.T) {
	t.Parallel()
	text := `{"n":1,"conf":{"a":"b","c":[1]},"z":"x"}`
	v, err := ParseFields([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	conf, _ := v.Get("conf")
	if got := text[conf.At:conf.End]; got != `{"a":"b","c":[1]}` || conf.Kind != Object || conf.Fields != nil {
		t.Errorf("conf: %q, %+v", got, conf)
	}
	if z, _ := v.Get("z"); z.Text != "x" {
		t.Errorf("z: %+v", z)
	}
	if _, err := ParseFields([]byte(`{"conf":{"a":}}`)); err == nil {
		t.Error("no error for a broken value within")
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`{"orders":{"0":1042,"1":998},"a":[1,-2.5e3,"x",null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON(text)
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("%v is no *Error", err)
			}
			return
		}
		if v.At < 0 || v.End > len(text) || v.At >= v.End {
			t.Fatalf("%q: value at %d..%d", text, v.At, v.End)
		}
	})
}

// TestLong holds what json4s of Spark 3.5.9 and 4.3.0 made of these where a 64-bit integer belongs.
func TestLong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		n         int64
		exact, ok bool
	}{
		`7`: {7, true, true}, `-1`: {-1, true, true},
		`5.5`: {5, false, true}, `1e3`: {1000, false, true}, `1.0`: {1, false, true},
		`9223372036854775808`: {-9223372036854775808, false, true}, `99999999999999999999999`: {200376420520689663, false, true},
		`1e99`: {9223372036854775807, false, true}, `-1e999`: {-9223372036854775808, false, true},
		`"5"`: {}, `null`: {}, `true`: {}, `[]`: {},
	} {
		v, err := ParseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if n, exact, ok := v.Long(); n != want.n || exact != want.exact || ok != want.ok {
			t.Errorf("%s: %d, %t, %t, want %+v", text, n, exact, ok, want)
		}
	}
}

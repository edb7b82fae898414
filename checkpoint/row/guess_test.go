package row

import (
	"fmt"
	"strings"
	"testing"
)

// guessRow is a row of these values: a number, a text, nil, or a wide decimal or null one.
func guessRow(t *testing.T, values ...any) []byte {
	t.Helper()
	v := Value{}
	var fields []Field
	for _, value := range values {
		item := Value{Type: &Type{Kind: Long, Name: "long"}}
		switch value := value.(type) {
		case nil:
			item.Null = true
		case int:
			item.Int = int64(value)
		case string:
			item = Value{Type: &Type{Kind: String, Name: "string"}, Bytes: []byte(value)}
		case []byte:
			item = Value{Type: &Type{Kind: Decimal, Precision: 38}, Bytes: value, Null: value == nil}
		}
		fields = append(fields, Field{Type: item.Type})
		v.Items = append(v.Items, item)
	}
	v.Type = StructOf(fields...)
	data, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func many(n int, last any) []any { return append(make([]any, n), last) }

func TestGuess(t *testing.T) {
	t.Parallel()
	wide := []byte(nil) // a null decimal of more than 18 digits
	for _, c := range []struct {
		story string
		rows  [][]any
		want  string // the type, then the rows
	}{
		{"no rows", nil, "STRUCT<>"},
		{"rows of no columns", [][]any{{}}, "STRUCT<> {}"},
		{"a number", [][]any{{7}, {-7}}, `STRUCT<column1: 8 BYTES> {"column1":7} {"column1":-7}`},
		{"a text", [][]any{{"key0"}}, `STRUCT<column1: BYTES> {"column1":"key0"}`},
		{"no characters", [][]any{{""}}, `STRUCT<column1: BYTES> {"column1":""}`},
		{"texts and none", [][]any{{"a", 1}, {nil, 2}, {"", 3}}, `STRUCT<column1: BYTES, column2: 8 BYTES> {"column1":"a","column2":1} {"column1":null,"column2":2} {"column1":"","column2":3}`},
		{"always null", [][]any{{nil}, {nil}}, `STRUCT<column1: BYTES> {"column1":null} {"column1":null}`},
		{"what does not print", [][]any{{"a\n"}, {"\x00\xff"}, {"käse"}}, `STRUCT<column1: BYTES> {"column1":"0x610a (2 bytes)"} {"column1":"0x00ff (2 bytes)"} {"column1":"käse"}`},
		{"short decimals keep 16 bytes", [][]any{{[]byte{1}, "a"}, {[]byte{1, 2, 3}, "bb"}}, `STRUCT<column1: BYTES, column2: BYTES> {"column1":"0x01 (1 bytes)","column2":"a"} {"column1":"0x010203 (3 bytes)","column2":"bb"}`},
		{"a null decimal keeps them too", [][]any{{wide, "a"}, {[]byte{1}, "b"}}, `STRUCT<column1: BYTES, column2: BYTES> {"column1":null,"column2":"a"} {"column1":"0x01 (1 bytes)","column2":"b"}`},
		{"a decimal behind all else", [][]any{{5, []byte{1}}}, `STRUCT<column1: 8 BYTES, column2: BYTES> {"column1":5,"column2":"0x01 (1 bytes)"}`},
		{"more than 64 columns", [][]any{many(70, "z")}, "STRUCT<" + strings.Repeat("BYTES, ", 70) + "BYTES> z"},
	} {
		var rows [][]byte
		for _, row := range c.rows {
			rows = append(rows, guessRow(t, row...))
		}
		g := GuessColumns(rows)
		typ := g.Type()
		got := typ.DDL()
		for _, row := range rows {
			v, err := g.Decode(typ, row)
			if err != nil {
				t.Errorf("%s: %v", c.story, err)
			}
			if len(v.Items) > 64 {
				for i := range v.Items {
					got = strings.Replace(got, fmt.Sprintf("column%d: ", i+1), "", 1)
				}
				got += " " + v.Items[len(v.Items)-1].Text()
				continue
			}
			got += " " + string(v.AppendJSON(nil))
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.story, got, c.want)
		}
	}
}

// A row that does not fit what others show is told, and costs no other row.
func TestGuessOfOtherRows(t *testing.T) {
	t.Parallel()
	g := GuessColumns([][]byte{guessRow(t, "a", 1), guessRow(t, "bb", 2)})
	for _, row := range [][]byte{guessRow(t, 1), guessRow(t, "a", 1, 2), guessRow(t, "a", "b"), {1, 2, 3}, nil} {
		if v, err := g.Decode(g.Type(), row); err == nil {
			t.Errorf("%x became %s", row, v.AppendJSON(nil))
		}
	}
	// Nor do rows that nothing fits, or too many columns, make up any.
	huge := make([]byte, 8*2*guessedColumns)
	for _, rows := range [][][]byte{{huge}, {guessRow(t, 1)[:8]}, {[]byte("12345678")}} {
		g := GuessColumns(rows)
		v, err := g.Decode(g.Type(), rows[0])
		if !g.Whole() || g.Columns != 1 || err != nil || !strings.HasSuffix(v.Items[0].Text(), fmt.Sprintf("(%d bytes)", len(rows[0]))) || len(v.Items[0].Bytes) > 3*hexShown {
			t.Errorf("%d bytes: %d columns, %v", len(rows[0]), g.Columns, err)
		}
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x10\x00\x00\x00key0\x00\x00\x00\x00"), []byte{})
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), []byte("\x00"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		g := GuessColumns([][]byte{a, b})
		typ := g.Type()
		fits := 0
		for _, row := range [][]byte{a, b} {
			if v, err := g.Decode(typ, row); err == nil {
				fits++
				if len(v.Items) != g.Columns {
					t.Errorf("%d values for %d columns", len(v.Items), g.Columns)
				}
			}
		}
		if fits == 0 {
			t.Errorf("a guess of %d columns fits neither %x nor %x", g.Columns, a, b)
		}
	})
}

// A column that one store has only as null is what another store shows of it; what both show stays.
func TestGuessesThatAreAlike(t *testing.T) {
	t.Parallel()
	null, word := GuessColumns([][]byte{guessRow(t, nil, 1)}), GuessColumns([][]byte{guessRow(t, 7, 2, 3)})
	text := GuessColumns([][]byte{guessRow(t, "a", 1)})
	kinds := func(g Guess) (kinds string) {
		for i := range g.Columns {
			kinds += map[bool]string{true: "w", false: "-"}[g.IsWord(i)]
		}
		return kinds
	}
	for _, test := range []struct {
		g, other Guess
		want     string
	}{{null, null, "-w"}, {null, word, "ww"}, {word, null, "www"}, {null, text, "-w"}, {text, word, "-w"}, {Guess{}, word, ""}} {
		before := kinds(test.g)
		if got := kinds(test.g.Alike(test.other)); got != test.want || kinds(test.g) != before {
			t.Errorf("%s, want %s; was %s and is %s", got, test.want, before, kinds(test.g))
		}
	}
}

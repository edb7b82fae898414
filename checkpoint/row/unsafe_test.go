package row

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// bytesOf reads hex with white space anywhere.
func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// typeOf is the struct of columns written as "name type, …"; nested types as Spark's JSON.
func columnsOf(t testing.TB, columns ...Column) *Type {
	t.Helper()
	typ, err := Columns(columns)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// TestSparkRows decodes rows that Spark wrote.
func TestSparkRows(t *testing.T) {
	t.Parallel()
	tests := []struct {
		story   string
		columns []Column
		bytes   string
		want    string
	}{
		{"a key of one string", []Column{{Name: "k", Type: "string"}}, `
			0000000000000000 0400000010000000 6b65793000000000`, `{"k":"key0"}`},
		{"an aggregation with a collect_list buffer", []Column{{Name: "count", Type: "long"}, {Name: "sum", Type: "double"}, {Name: "max", Type: "timestamp"}, {Name: "buf", Type: "binary"}}, `
			0000000000000000 0200000000000000 0000000000001240 408f6111d70d0600 3000000028000000
			0000000000000000 2000000010000000 0200000000000000 0000000000000000 0000000000000000 0300000000000000`,
			`{"count":2,"sum":4.5,"max":"2024-01-01T00:00:21.000000Z","buf":"AAAAAAAAAAAgAAAAEAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAAAAAAAA"}`},
		{"what that buffer holds", []Column{{Name: "list", Type: `{"type":"array","elementType":"long","containsNull":true}`}}, `
			0000000000000000 2000000010000000 0200000000000000 0000000000000000 0000000000000000 0300000000000000`, `{"list":[0,3]}`},
		{"deduplication", []Column{{Name: "__dummy__", Type: "void"}}, `0100000000000000 0000000000000000`, `{"__dummy__":null}`},
		{"an aggregation over everything", nil, ``, `{}`},
	}
	for _, test := range tests {
		typ := columnsOf(t, test.columns...)
		data := bytesOf(t, test.bytes)
		v, err := Decode(typ, data)
		if got := string(v.AppendJSON(nil)); err != nil || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.story, got, err, test.want)
		}
		for n := range len(data) {
			_, err := Decode(typ, data[:n])
			if e, ok := errors.AsType[*decode.Error](err); !ok || e.Offset > int64(n) {
				t.Errorf("%s, cut at %d: %v", test.story, n, err)
			}
		}
	}
}

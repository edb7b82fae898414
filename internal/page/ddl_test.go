package page

import "testing"

func TestTypesAsDDL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"long":          "BIGINT",
		"string":        "STRING",
		"decimal(10,2)": "DECIMAL(10,2)",
		`{"type":"array","elementType":"integer","containsNull":true}`:                                                            "ARRAY<INT>",
		`{"type":"map","keyType":"string","valueType":{"type":"struct","fields":[{"name":"a","type":"double","nullable":true}]}}`: "MAP<STRING, STRUCT<a: DOUBLE>>",
		`{"type":`: `{"type":`,
	} {
		if got := typeDDL(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

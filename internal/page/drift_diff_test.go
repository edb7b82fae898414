package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/internal/checks"
)

func TestDiffOf(t *testing.T) {
	same, other := func(s string) DiffItem { return DiffItem{Text: s} }, func(s string) DiffItem { return DiffItem{Text: s, Other: true} }
	for _, c := range []struct {
		name string
		of   checks.Drift
		want Diff
	}{
		{"a column is added", checks.Drift{Field: "operators[0].key", Recorded: "user STRING, ts TIMESTAMP", Declared: "user STRING, shop STRING, ts TIMESTAMP"},
			Diff{Recorded: []DiffItem{same("user STRING"), same("ts TIMESTAMP")}, Declared: []DiffItem{same("user STRING"), other("shop STRING"), same("ts TIMESTAMP")}, Columns: true}},
		{"a type changed within brackets", checks.Drift{Field: "operators[0].key", Recorded: "w STRUCT<a: INT, b: INT>, s STRING", Declared: "w STRUCT<a: INT, b: LONG>, s STRING"},
			Diff{Recorded: []DiffItem{other("w STRUCT<a: INT, b: INT>"), same("s STRING")}, Declared: []DiffItem{other("w STRUCT<a: INT, b: LONG>"), same("s STRING")}, Columns: true}},
		{"columns changed places", checks.Drift{Field: "operators[0].value", Recorded: "a INT, b INT", Declared: "b INT, a INT"},
			Diff{Recorded: []DiffItem{other("a INT"), same("b INT")}, Declared: []DiffItem{same("b INT"), other("a INT")}, Columns: true}},
		{"one value", checks.Drift{Field: "conf.a", Recorded: "2", Declared: "400"}, Diff{Recorded: []DiffItem{other("2")}, Declared: []DiffItem{other("400")}}},
		{"nothing is recorded", checks.Drift{Field: "watermark", Declared: "10 minutes"}, Diff{Declared: []DiffItem{other("10 minutes")}}},
		{"what drives a terminal is escaped", checks.Drift{Field: "sources[0].topics", Recorded: "a\x07, b", Declared: "b"},
			Diff{Recorded: []DiffItem{other(`a\x07`), same("b")}, Declared: []DiffItem{same("b")}}},
	} {
		if diff := cmp.Diff(c.want, DiffOf(&c.of)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFieldName(t *testing.T) {
	for field, want := range map[string]string{"operators[0].key": "operator 0 · key", "sources[12]": "source 12", "conf.spark.sql.shuffle.partitions": "shuffle.partitions",
		"conf.spark.sql.streaming.stateStore.providerClass": "stateStore.providerClass", "output_mode": "output mode", "conf.other": "other", "conf.a\x1b": `a\x1b`} {
		if got := FieldName(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}

// TestShortKeepsWhatDiffers: a long beginning that both values have is left out, and nothing else.
func TestShortKeepsWhatDiffers(t *testing.T) {
	for _, c := range [][4]string{
		{"s3://lake/orders/v1", "s3://lake/orders/v2", "…v1", "…v2"}, {"a/b", "a/c", "a/b", "a/c"}, {"s3://lake/orders", "s3://lake/orders/x", "…orders", "…orders/x"},
		{"org.apache.A", "org.apache.B", "…A", "…B"}, {"2", "400", "2", "400"},
	} {
		d := DiffOf(&checks.Drift{Recorded: c[0], Declared: c[1]})
		if a, b := d.Short(); a != c[2] || b != c[3] {
			t.Errorf("%s and %s are %s and %s", c[0], c[1], a, b)
		}
	}
}

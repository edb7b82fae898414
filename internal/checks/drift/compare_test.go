package drift

import (
	"testing"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/restart"
)

func TestClash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored, is string
		fits       bool
	}{
		{"a STRING", "b STRING", true},
		{"a STRING", "a STRING NOT NULL", true},
		{"a STRING NOT NULL", "a STRING", true}, // DDL without NOT NULL does not say it
		{"a STRING NOT NULL", `{"type":"struct","fields":[{"name":"a","type":"string","nullable":true,"metadata":{}}]}`, false},
		{"a STRING NOT NULL", `{"type":"struct","fields":[{"name":"a","type":"string","nullable":false,"metadata":{}}]}`, true},
		{"a STRING", "a BIGINT", false},
		{"a STRING", "a VARCHAR(20)", true},
		{"a DECIMAL(10,2)", "a DECIMAL(12,2)", false},
		{"a STRING, b INT", "a STRING", false},
		{"w STRUCT<s: TIMESTAMP, e: TIMESTAMP>", "w STRUCT<from: TIMESTAMP, to: TIMESTAMP>", true},
		{"w STRUCT<s: TIMESTAMP NOT NULL>", "w STRUCT<s: TIMESTAMP>", true},
		{"w STRUCT<s: TIMESTAMP NOT NULL>", `{"type":"struct","fields":[{"name":"w","type":{"type":"struct","fields":[{"name":"s","type":"timestamp","nullable":true,"metadata":{}}]},"nullable":true,"metadata":{}}]}`, false},
		{`{"type":"struct","fields":[{"name":"l","type":{"type":"array","elementType":"string","containsNull":false},"nullable":true,"metadata":{}}]}`, "l ARRAY<STRING>", true},
		{"w STRUCT<s: TIMESTAMP>", "w STRUCT<s: TIMESTAMP, e: TIMESTAMP>", false},
		{"l ARRAY<INT>", "l ARRAY<BIGINT>", false},
		{"m MAP<STRING, INT>", "m MAP<STRING, INT>", true},
	} {
		if clash := restart.ClashOf(schemaOf(t, c.stored), schemaOf(t, c.is), ""); (clash == "") != c.fits {
			t.Errorf("%s → %s: %q", c.stored, c.is, clash)
		}
	}
}

// TestClashIn31 is the same in 3.1, which has the recorded and the declared type the other way round.
func TestClashIn31(t *testing.T) {
	t.Parallel()
	nullable := `{"type":"struct","fields":[{"name":"a","type":"string","nullable":true,"metadata":{}}]}`
	required := `{"type":"struct","fields":[{"name":"a","type":"string","nullable":false,"metadata":{}}]}`
	for _, c := range []struct {
		stored, is     string
		fits31, fits32 bool
	}{
		{nullable, nullable, true, true},
		{nullable, required, false, true},
		{required, nullable, true, false},
		{required, "a STRING", true, true}, // does not say it
		{nullable, "a BIGINT", false, false},
	} {
		stored, is := schemaOf(t, c.stored), schemaOf(t, c.is)
		for minor, fits := range map[int]bool{1: c.fits31, 2: c.fits32} {
			on := comparer{Start: &basics.Start{Pass: &checks.Pass{Spark: spark.Version{Major: 3, Minor: minor}}}}
			if clash := on.clashOf(stored, is); (clash == "") != fits {
				t.Errorf("3.%d: %s → %s: %q", minor, c.stored, c.is, clash)
			}
		}
	}
}

// TestRowsFit is what the validation of a row finds that was written with one schema and is read with another.
func TestRowsFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored, is string
		fits       bool
	}{
		{"a STRING", "a STRING, b BIGINT", false},
		{"a BIGINT", "a BIGINT, b BIGINT", false},
		{"a STRING, b BIGINT", "a STRING", true},
		{"a STRING", "a BIGINT", true},
		{"a BIGINT", "a STRING", false},
	} {
		if got := rowsFit(schemaOf(t, c.stored), schemaOf(t, c.is)); got != c.fits {
			t.Errorf("%s → %s: %v", c.stored, c.is, got)
		}
	}
}

func schemaOf(t *testing.T, ddl string) *row.Type {
	t.Helper()
	s, err := row.ParseSchema(ddl)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

package drift

import (
	"testing"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

// TestAvroClash is what Avro reads of what was stored with another type: columns by name, and only wider numbers.
func TestAvroClash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored, is string
		reads      bool
	}{
		{"a BIGINT", "a BIGINT", true},
		{"a BIGINT", "b STRING", true}, // null
		{"a INT, b STRING", "b STRING, a BIGINT, c DOUBLE", true},
		{"a INT", "a BIGINT", true},
		{"a SMALLINT", "a INT", true},
		{"a BIGINT", "a INT", false},
		{"a BIGINT", "a DOUBLE", true},
		{"a DOUBLE", "a FLOAT", false},
		{"a BIGINT", "a STRING", false},
		{"a STRING", "a BINARY", true},
		{"a BOOLEAN", "a INT", false},
		{"a TIMESTAMP", "a BIGINT", true},
		{"a DECIMAL(10,2)", "a DECIMAL(10,2)", true},
		{"a DECIMAL(10,2)", "a DECIMAL(20,2)", false},
		{"a ARRAY<INT>", "a ARRAY<BIGINT>", true},
		{"a ARRAY<BIGINT>", "a ARRAY<INT>", false},
		{"a MAP<STRING, BIGINT>", "a MAP<STRING, STRING>", false},
		{"a STRUCT<x: INT, y: INT>", "a STRUCT<y: BIGINT>", true},
		{"a STRUCT<x: INT>", "a STRUCT<x: STRING>", false},
		{"a STRUCT<x: INT>", "a INT", false},
	} {
		if clash := avroClash(schemaOf(t, c.stored), schemaOf(t, c.is), ""); (clash == "") != c.reads {
			t.Errorf("%s → %s: %q", c.stored, c.is, clash)
		}
	}
}

// TestFormatsOfGroups turns the value of a group from one format into the other.
func TestFormatsOfGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ one, two string }{
		{"n BIGINT, last STRING", "groupState STRUCT<n: BIGINT, last: STRING>"},
		{"n BIGINT, timeoutTimestamp INT", "groupState STRUCT<n: BIGINT>, timeoutTimestamp BIGINT"},
	} {
		one, two := schemaOf(t, c.one), schemaOf(t, c.two)
		for _, turned := range []struct{ got, want *row.Type }{
			{nested(one.Fields), two}, {flat(two.Fields), one}, {nested(two.Fields), two}, {flat(one.Fields), one},
		} {
			if columnsDDL(turned.got) != columnsDDL(turned.want) {
				t.Errorf("%s: got %s, want %s", c.one, columnsDDL(turned.got), columnsDDL(turned.want))
			}
		}
	}
}

// TestProcessorOfAnything reads properties that are not what Spark writes: what is not known is left out.
func TestProcessorOfAnything(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string]int{
		``: 0, `{`: 0, `[]`: 0, `5`: 0, `{"stateVariables":5}`: 0, `{"stateVariables":[5,[],{}]}`: 0,
		`{"timeMode":["None"],"stateVariables":[{"stateName":5,"stateVariableType":"ValueState"},{"stateName":"a","stateVariableType":"SetState"}]}`: 1,
		`{"stateVariables":[{"stateName":"a","stateVariableType":"ValueState"},{"stateName":"a","stateVariableType":"ListState"}]}`:                  1,
	} {
		p, _ := processorOf(&statestore.Operator{Metadata: &log.OperatorMetadata{File: "f", Properties: properties}})
		if len(p.variables) != want || p.timeMode != "" {
			t.Errorf("%s: %+v", properties, p)
		}
	}
}

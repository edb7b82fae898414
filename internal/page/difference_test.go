package page

import (
	"errors"
	"strings"
	"testing"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// operator is operator 0 with one store of one value schema, as metadata of a version tell it.
func operator(metadata int, value ...string) statestore.Operator {
	fields := make([]state.Field, len(value))
	for i, name := range value {
		fields[i] = state.Field{Name: name, Type: "long"}
	}
	return statestore.Operator{
		Metadata: &log.OperatorMetadata{Version: metadata},
		Schemas:  []*state.Schema{{Families: []state.Family{{Name: "sums", Key: []state.Field{{Name: "shop", Type: "string"}}, Value: fields}}}},
	}
}

// TestStateOfTwoBatches holds what is said of state that two batches may have had different schemas of.
func TestStateOfTwoBatches(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name        string
		left, right []statestore.Operator
		want        string
	}{
		{"a column came", []statestore.Operator{operator(2, "a")}, []statestore.Operator{operator(2, "a", "b")}, "0         sums value  a BIGINT  a BIGINT, b BIGINT"},
		{"the same", []statestore.Operator{operator(2, "a")}, []statestore.Operator{operator(2, "a")}, "Operator 0 has the same schemas in both."},
		{"one schema for all", []statestore.Operator{operator(1, "a")}, []statestore.Operator{operator(1, "a")}, "a difference between two batches is not recorded"},
		{"no schema", []statestore.Operator{{}}, []statestore.Operator{{}}, "Operator 0 has no recorded schema, so a difference between two batches is not recorded."},
		{"unread", []statestore.Operator{operator(2, "a")}, []statestore.Operator{{Err: errors.New("nothing there")}}, "Operator 0 could not be read: nothing there"},
		{"no state", nil, nil, ""},
	} {
		d := NewDifference("batch 7", "batch 9")
		d.stateOf(x.left, x.right, 7, 9)
		text := strings.Join(Layout{Width: 200, Indent: 2}.Lines(d.Page), "\n")
		if !strings.Contains(text, x.want) || x.want == "" && text != "" {
			t.Errorf("%s:\n%s\nwant %q", x.name, text, x.want)
		}
	}
}

// TestOperatorsWithoutSchemas holds that nothing is called the same that no file records.
func TestOperatorsWithoutSchemas(t *testing.T) {
	t.Parallel()
	none, dedupe := statestore.Operator{}, statestore.Operator{Name: "dedupe", Guessed: true, Schemas: operator(1, "a").Schemas}
	for _, x := range []struct {
		left, right statestore.Operator
		want        []string
	}{
		{none, none, []string{"names, providers and partitions. Their schemas are not all recorded."}},
		{dedupe, dedupe, []string{"names, providers, partitions and schemas."}},
		{none, dedupe, []string{"name   not recorded  dedupe", "key    not recorded  shop STRING", "value  not recorded  a BIGINT"}},
	} {
		d := NewDifference("A", "B")
		d.Operators([]statestore.Operator{x.left}, []statestore.Operator{x.right})
		text := strings.Join(Layout{Width: 200, Indent: 2}.Lines(d.Page), "\n")
		for _, want := range x.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nwant %q", text, want)
			}
		}
	}
}

// TestSchemaFileOfAnOldDeduplication holds that the schema file of 3.1 is told apart from the rows.
func TestSchemaFileOfAnOldDeduplication(t *testing.T) {
	t.Parallel()
	old := statestore.Operator{Name: "dedupe", Guessed: true, InputRow: []state.Field{{Name: "k", Type: "string"}}}
	told := func(o *statestore.Operator) bool {
		for _, f := range Operator(o).Rows {
			if f.Name == "schema file" {
				return true
			}
		}
		return false
	}
	if !told(&old) || told(&statestore.Operator{Name: "dedupe"}) {
		t.Error("the schema file with the input row is not told, or one is told of that is right")
	}
}

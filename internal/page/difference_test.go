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

package drift

import (
	"cmp"
	"fmt"
	"slices"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks/basics"
	"tidemark/internal/spec"
)

// asRecordedFormat is a declared value in the format that the state of the operator has. Spark keeps the recorded format, whatever
// the session asks for, so a value that was declared in another one is planned in that.
//
// In format 1 of an aggregation the value repeats the key (StreamingAggregationStateManagerImplV1 and V2). In format 1 of
// flatMapGroupsWithState the columns of its state are those of the value, in format 2 they are in a struct (StateManagerImplV1 and V2).
func (c *comparer) asRecordedFormat(value *row.Type, d *spec.Operator, op *statestore.Operator, kept recordedRow) *row.Type {
	setting := stateFormats[op.Name]
	recorded, ok := c.taken(setting)
	declared := c.Spec.Conf[setting]
	if d.StateFormat > 0 {
		declared = fmt.Sprint(d.StateFormat)
	}
	fields := value.Fields
	turn := declared + ">" + recorded
	switch {
	case !ok:
	case op.Name == "stateStoreSave" && turn == "1>2":
		return row.StructOf(withoutKey(fields, cmp.Or(d.Key, kept.key))...)
	case op.Name == "stateStoreSave" && turn == "2>1":
		return row.StructOf(slices.Concat(kept.key.Fields, withoutKey(fields, cmp.Or(d.Key, kept.key)))...)
	case setting == basics.ConfGroup && turn == "1>2":
		return nested(fields)
	case setting == basics.ConfGroup && turn == "2>1":
		return flat(fields)
	}
	return value
}

// withoutKey are the columns of a value behind those of the key, where it begins with them.
func withoutKey(fields []row.Field, key *row.Type) []row.Field {
	n := len(key.Fields)
	same := func(a, b row.Field) bool { return a.Name == b.Name }
	if len(fields) < n || !slices.EqualFunc(fields[:n], key.Fields, same) {
		return fields
	}
	return slices.Clone(fields[n:])
}

// groupState is the name of the column that has the state of a group, in format 2.
const groupState = "groupState"

// nested is the value of a group with its state in one column, as format 2 has it.
func nested(fields []row.Field) *row.Type {
	if len(fields) > 0 && fields[0].Name == groupState {
		return row.StructOf(slices.Clone(fields)...)
	}
	inner, timeout := splitTimeout(fields, &row.Type{Kind: row.Long, Name: "long"})
	return row.StructOf(append([]row.Field{{Name: groupState, Label: groupState, Type: row.StructOf(inner...), Nullable: true}}, timeout...)...)
}

// flat is the value of a group with a column for each of its state, as format 1 has it.
func flat(fields []row.Field) *row.Type {
	inner, timeout := splitTimeout(fields, &row.Type{Kind: row.Integer, Name: "integer"})
	if len(inner) == 1 && inner[0].Name == groupState && inner[0].Type.Kind == row.Struct {
		inner = inner[0].Type.Fields
	}
	return row.StructOf(slices.Concat(inner, timeout)...)
}

// splitTimeout takes the timeout of a group from behind its state, and gives it the type that a format has.
func splitTimeout(fields []row.Field, as *row.Type) (inner, timeout []row.Field) {
	if n := len(fields); n > 0 && fields[n-1].Name == state.Timeout {
		last := fields[n-1]
		last.Type = as
		return slices.Clone(fields[:n-1]), []row.Field{last}
	}
	return slices.Clone(fields), nil
}

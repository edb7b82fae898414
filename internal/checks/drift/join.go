package drift

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/spec"
)

// joinName is the name that Spark records for a stream-stream join, and sessionName that for an aggregation by session windows.
const (
	joinName    = "symmetricHashJoin"
	sessionName = "sessionWindowStateStoreSaveExec"
)

// joinOf compares the type of a join and what its sides keep.
func (c *comparer) joinOf(field string, d *spec.Operator, op *statestore.Operator) {
	c.joinType(field+".join", d)
	for _, s := range []struct {
		name     string
		declared *row.Type
	}{{"left", d.Left}, {"right", d.Right}} {
		if s.declared == nil {
			continue
		}
		recorded, file, why := keptSide(op, s.name)
		if why != "" {
			c.skip(field+"."+s.name, "%s", why)
			continue
		}
		c.side(sideOf{"value", " of the " + s.name + " side", field + "." + s.name, d.At, op, decode.Where{File: file}}, unmatched(s.declared), recorded)
	}
}

// keptSide is what one side of a join keeps, without the column matched that Spark adds (SymmetricHashJoinStateManager), and the
// file that records it.
func keptSide(op *statestore.Operator, side string) (kept *row.Type, file, why string) {
	for _, s := range slices.Concat(op.Schemas, op.Current) {
		if len(s.Problems) > 0 {
			continue
		}
		store := path.Base(strings.TrimSuffix(s.File, "/_metadata/schema"))
		for i := range s.Families {
			name := s.Families[i].Name
			if name == "" || name == "default" {
				name = store
			}
			if name != side+"-keyWithIndexToValue" && name != side+"-keyWithTsToValues" {
				continue
			}
			t, err := row.Columns(s.Families[i].Value)
			if err != nil {
				return nil, "", fmt.Sprintf("%s: %v", s.File, err)
			}
			return unmatched(t), s.File, ""
		}
	}
	return nil, "", fmt.Sprintf("no readable schema of the %s side is recorded in %s", side, op.Dir)
}

// unmatched are the columns of a side without the last one where that is Spark's own.
func unmatched(t *row.Type) *row.Type {
	if n := len(t.Fields); n > 0 && t.Fields[n-1].Name == "matched" && t.Fields[n-1].Type.Kind == row.Boolean {
		return row.StructOf(slices.Clone(t.Fields[:n-1])...)
	}
	return t
}

// joinType holds the type of a join against the format of its state, the only thing that decides about it: format 1 is for inner
// joins alone (SPARK-26154, StreamingSymmetricHashJoinExec, 3.0 on). In the later formats all types keep the same, and
// nothing records which one wrote it.
func (c *comparer) joinType(field string, d *spec.Operator) {
	if d.Join == "" {
		return
	}
	format, _ := c.taken(basics.ConfJoin)
	if d.Join == "inner" || format != "1" || !c.OnSpark(3, 0) {
		c.skip(field, "a checkpoint does not record the join type, and Spark does not compare it")
		return
	}
	c.differ(checks.Drift{Field: field, Declared: d.Join, Recorded: "state format 1", Effect: checks.RefusesDrift, Stage: checks.WhenOperators,
		Error: "with state format version 1 - correctness issue is discovered", Where: c.confWhere(), Place: d.At,
		Meaning: `The join has state format 1, which gives wrong rows for every join but an inner one. Spark 3.0 and later refuse such a
join (SPARK-26154).`})
}

// watermarkOffJoin is a join whose watermarks were taken off, and reports whether Spark refuses it. Before 4.0 a column that the
// join filters for nulls is recorded as NOT NULL where its filter stays behind the columns that the query names. A filter of other
// columns moves before them; that of a column with a watermark cannot (PushPredicateThroughNonJoin), until the watermark is gone. Then
// the column may be null, and the schema check refuses that (seen on 3.5.9). 4.0 and later record all columns as nullable.
func (c *comparer) watermarkOffJoin() bool {
	if c.OnSpark(4, 0) || !c.OnSpark(3, 1) || c.isOff(confSchemaCheck) {
		return false
	}
	ops := c.operators()
	if len(ops) != len(c.Spec.Operators) {
		return false
	}
	pairs, _ := pairOperators(c.Spec.Operators, ops)
	for i, op := range pairs {
		if op.Name != joinName {
			continue
		}
		d := &c.Spec.Operators[i]
		for _, side := range []string{"left", "right"} {
			column, file := heldTime(op, side)
			if column == "" || side == "left" && d.Left != nil || side == "right" && d.Right != nil {
				continue // what is declared was compared itself
			}
			c.differ(checks.Drift{Field: "watermark", Recorded: "a watermark on the column " + column, Where: decode.Where{File: file}, Effect: checks.RefusesDrift,
				Stage: checks.WhenSchemas, Error: schemaClash3, Meaning: fmt.Sprintf(`The %s side of the join stores %s as NOT NULL: the watermark keeps its filter for nulls
behind it. Without the watermark the column may be null. The task of partition 0 compares the columns in the first batch and
fails.`, side, column), NextStep: `Declare the watermarks of the join again, or start a new checkpoint.`})
			return true
		}
	}
	return false
}

// heldTime is the column with a watermark that one side of a join stores as NOT NULL, next to a key that may be null: the filter of
// the key moved away, that of the column did not. "" for none.
func heldTime(op *statestore.Operator, side string) (column, file string) {
	for _, s := range op.Schemas {
		if len(s.Problems) > 0 || len(s.Families) != 1 || path.Base(strings.TrimSuffix(s.File, "/_metadata/schema")) != side+"-keyWithIndexToValue" {
			continue
		}
		keyTypes := map[string]bool{}
		for _, k := range s.Families[0].Key {
			keyTypes[k.Type] = k.Name != "index"
		}
		moved := false
		for _, v := range s.Families[0].Value {
			switch {
			case v.Timed && !v.Nullable:
				column = v.Name
			case keyTypes[v.Type] && !v.Nullable:
				return "", ""
			case keyTypes[v.Type]:
				moved = true
			}
		}
		if moved && column != "" {
			return column, s.File
		}
	}
	return "", ""
}

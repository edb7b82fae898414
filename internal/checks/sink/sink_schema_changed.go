package sink

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

var SinkSchemaChanged = &checks.Check{
	Code:     "sink-schema-changed",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "the declared sink columns do not match the table",
	Meaning: `The columns in the spec differ from those of the table. A table format compares them by name when it writes a batch. A column
missing in the table stops the batch, unless the schema may evolve. Delta allows that with mergeSchema, Iceberg with accept-any-schema. A
type that does not match also stops it. The restart itself runs up to the first batch that writes.`,
	NextStep: `Change the table or the query so that they match, before the restart. Otherwise Spark has planned the batch that stops, and
its offsets cannot change.`,
	Needs: NeedsSink,
	Run:   runSinkSchemaChanged,
}

func runSinkSchemaChanged(_ context.Context, p *checks.Pass) error {
	if p.Spec == nil || p.Spec.Sink == nil || p.Spec.Sink.Schema == nil || p.Sink.Schema == nil {
		return nil
	}
	misfits := misfitColumns(p.Spec.Sink.Schema, p.Sink.Schema)
	if output.Named(p.Sink.Kind).FitsColumns && mayAddColumns(p.Spec) {
		added := columnsWithoutPlace(p.Spec.Sink.Schema, p.Sink.Schema)
		misfits = slices.DeleteFunc(misfits, func(text string) bool { return slices.Contains(added, text) })
	}
	if len(misfits) > 0 {
		p.Report(checks.Finding{Severity: checks.High, Batch: -1, Where: decode.Where{File: p.Sink.Location},
			Evidence: phrase.List(misfits, 3)})
	}
	return nil
}

// misfitColumns are the columns of a query that a table does not take, each in words. Columns that only the
// table has are left null, unless it forbids that.
func misfitColumns(query, table *row.Type) []string {
	var all []string
	for _, f := range query.Fields {
		switch i := columnOf(table, f.Name); {
		case i < 0:
			all = append(all, noPlace(f))
		case !takes(table.Fields[i].Type, f.Type):
			all = append(all, otherType(f, table.Fields[i]))
		}
	}
	for _, f := range table.Fields {
		if !f.Nullable && columnOf(query, f.Name) < 0 {
			all = append(all, fmt.Sprintf("the table needs a value of %s %s, and the query writes none", f.Name, f.Type.DDL()))
		}
	}
	return all
}

// columnsWithoutPlace are the columns of a query that a table does not have.
func columnsWithoutPlace(query, table *row.Type) (all []string) {
	for _, f := range query.Fields {
		if columnOf(table, f.Name) < 0 {
			all = append(all, noPlace(f))
		}
	}
	return all
}

func noPlace(f row.Field) string {
	return fmt.Sprintf("the query writes %s %s, and the table has no such column", f.Name, f.Type.DDL())
}

func otherType(query, table row.Field) string {
	return fmt.Sprintf("the query writes %s as %s, and the table has it as %s", query.Name, query.Type.DDL(), table.Type.DDL())
}

// columnOf returns the index of a column, whose name is compared without regard to case; -1 where there is none.
func columnOf(in *row.Type, name string) int {
	return slices.IndexFunc(in.Fields, func(f row.Field) bool { return strings.EqualFold(f.Name, name) })
}

// wider are the types that take the values of another one without loss.
var wider = map[row.Kind][]row.Kind{
	row.Byte:  {row.Short, row.Integer, row.Long},
	row.Short: {row.Integer, row.Long}, row.Integer: {row.Long}, row.Float: {row.Double},
}

// takes reports whether a column of a table takes values of a type. Structs are compared field by field by
// their names, and whether a null may stand in them is left aside.
func takes(column, value *row.Type) bool {
	if column.Kind != value.Kind {
		return slices.Contains(wider[value.Kind], column.Kind)
	}
	switch column.Kind {
	case row.Struct:
		return len(misfitColumns(value, column)) == 0
	case row.Array, row.Map:
		for i := range column.Fields {
			if !takes(column.Fields[i].Type, value.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return column.DDL() == value.DDL() || column.Kind == row.String
}

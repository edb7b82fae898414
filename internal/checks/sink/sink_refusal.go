package sink

import (
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// autoMerge is the setting with which Delta adds new columns to a table. The option mergeSchema does the same, and no checkpoint or spec
// has it.
const autoMerge = "spark.databricks.delta.schema.autoMerge.enabled"

// mayAddColumns reports whether the session lets Delta add columns.
func mayAddColumns(s *spec.Spec) bool {
	return s != nil && strings.EqualFold(s.Conf[autoMerge], "true")
}

// refusal is what Delta does with columns that it cannot take, whatever their values are (DeltaSink.addBatch calls
// ImplicitMetadataOperation.updateMetadata, Delta 3.3). Other tables, and types that a cast can make fit, are left aside.
func refusal(s *spec.Spec, held *output.Held) *checks.Refusal {
	if s == nil || s.Sink == nil || s.Sink.Schema == nil || held.Schema == nil || !output.Named(held.Kind).FitsColumns {
		return nil
	}
	if all := unmergeable(s.Sink.Schema, held.Schema); len(all) > 0 {
		return &checks.Refusal{Error: "DELTA_FAILED_TO_MERGE_FIELDS", Because: phrase.List(all, 3)}
	}
	if all := columnsWithoutPlace(s.Sink.Schema, held.Schema); len(all) > 0 && !mayAddColumns(s) {
		return &checks.Refusal{Error: "A schema mismatch detected when writing to the Delta table",
			Because: phrase.List(all, 3) + "; the default of mergeSchema is assumed: false"}
	}
	return nil
}

// unmergeable are columns of which one side is a struct, an array or a map, and the other is not.
func unmergeable(query, table *row.Type) (all []string) {
	for _, f := range query.Fields {
		if i := columnOf(table, f.Name); i >= 0 && table.Fields[i].Type.Kind != f.Type.Kind && (nested(f.Type) || nested(table.Fields[i].Type)) {
			all = append(all, otherType(f, table.Fields[i]))
		}
	}
	return all
}

func nested(t *row.Type) bool {
	return t.Kind == row.Struct || t.Kind == row.Array || t.Kind == row.Map
}

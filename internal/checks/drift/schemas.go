package drift

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/stores"
	"tidemark/internal/spec"
)

// schemas compares the key and the value of an operator with the schema file of its state, as Spark does
// from 3.1 on: field by field by position, types through all depths, names left aside
// (StateSchemaCompatibilityChecker, DataType.equalsIgnoreNameAndCompatibleNullability).
func (c *comparer) schemas(field string, d *spec.Operator, op *statestore.Operator) {
	value := ownValue(d, op)
	if d.Key == nil && value == nil {
		return
	}
	kept, file, why := keptSchema(op)
	if why != "" {
		c.skip(field+".key", "%s", why)
		return
	}
	where := decode.Where{File: file}
	if d.Key != nil {
		c.side(sideOf{"key", "", field + ".key", d.At, op, where}, d.Key, kept.key)
	}
	switch {
	case value == nil:
	case kept.value == nil:
		c.skip(field+".value", "%s stores several values: declare %s", checks.OrNothing(op.Name), severalKeys(op))
	case cmp.Or(d.Name, op.Name) == "dedupe":
		c.skip(field+".value", "Spark does not compare the values of dropDuplicates")
	default:
		c.side(sideOf{"value", "", field + ".value", d.At, op, where}, c.asRecordedFormat(value, d, op, kept), kept.value)
	}
}

// ownValue is the declared value of an operator, or the one that Spark itself gives it where it is another operator now
// (StreamingDeduplicateWithinWatermarkExec).
func ownValue(d *spec.Operator, op *statestore.Operator) *row.Type {
	if d.Value == nil && d.Name == "dedupeWithinWatermark" && op.Name == "dedupe" {
		return row.StructOf(row.Field{Name: "expiresAtMicros", Label: "expiresAtMicros", Type: &row.Type{Kind: row.Long, Name: "long"}, Nullable: true})
	}
	return d.Value
}

// severalKeys are the keys of the form for an operator that stores several values.
func severalKeys(op *statestore.Operator) string {
	if op.Name == joinName {
		return "left and right"
	}
	return "variables"
}

// recordedRow is what the schema file of an operator says; value is nil where it keeps several.
type recordedRow struct{ key, value *row.Type }

// keptSchema is the schema of the keys and values of an operator, and the file that has it.
func keptSchema(op *statestore.Operator) (k recordedRow, file, why string) {
	for _, s := range slices.Concat(op.Schemas, op.Current) {
		if len(s.Problems) > 0 {
			continue
		}
		store := path.Base(strings.TrimSuffix(s.File, "/_metadata/schema"))
		for i := range s.Families {
			f := &s.Families[i]
			columns, single, ok := keyOf(op.Name, cmp.Or(f.Name, "default"), store, f.Key)
			if !ok {
				continue
			}
			key, err := row.Columns(columns)
			value, err2 := row.Columns(f.Value)
			if err = cmp.Or(err, err2); err != nil {
				return k, "", fmt.Sprintf("%s: %v", s.File, err)
			}
			if !single {
				value = nil
			}
			return recordedRow{key, value}, s.File, ""
		}
	}
	if p, why := processorOf(op); why == "" && p.grouping != nil {
		return recordedRow{key: p.grouping}, p.schemas.File, ""
	}
	return k, "", fmt.Sprintf("no readable schema is recorded in %s", op.Dir)
}

// keyOf are the columns of the operator's key, where a column family, or before there were families a store,
// has them; single is whether its value is all that the operator keeps. A join has its key in several, with
// an index or a time behind it in some; transformWithState keeps each variable in one of its own, and in the
// family default the grouping key.
func keyOf(operator, family, store string, columns []row.Column) (key []row.Column, single, ok bool) {
	switch {
	case operator == joinName && (strings.HasSuffix(family, "keyToNumValues") || strings.HasSuffix(store, "keyToNumValues")):
		return columns, false, true
	case operator == joinName && strings.HasSuffix(family, "keyWithTsToValues") && len(columns) > 0:
		return columns[:len(columns)-1], false, true
	case operator == joinName:
		return nil, false, false
	case strings.HasPrefix(operator, "transformWithState"):
		return columns, false, family == "default"
	}
	return columns, true, true
}

// sideOf is one side of the rows of an operator that is compared.
type sideOf struct {
	what  string // "key" or "value"
	of    string // " of the left side", " of variable seen"; "" where the operator has one of each
	field string
	at    spec.Pos
	op    *statestore.Operator
	where decode.Where
}

// side compares one side. declared and recorded are structs.
func (c *comparer) side(s sideOf, declared, recorded *row.Type) {
	declared = asSparkDecides(s, declared, recorded)
	diff := checks.Drift{Field: s.field, Declared: columnsDDL(declared), Recorded: columnsDDL(recorded), Where: s.where, Place: s.at}
	if clash := c.clashOf(recorded, declared); clash != "" {
		c.clash(s, diff, clash, declared, recorded)
		return
	}
	if name := unsaid(recorded, declared); name != "" {
		c.skip(s.field+" NOT NULL", "recorded for %s; a DDL schema without NOT NULL does not show whether a column is nullable (a JSON schema does)", name)
	}
	switch names := otherNames(s, declared, recorded); names {
	case sameNames:
		c.agree(s.field, true)
		return
	case movedNames:
		diff.Effect = checks.Misreads
		diff.Meaning = fmt.Sprintf(`The %s%s has the same columns in a different order, and their types match. Spark compares positions, not
names, and starts. Each column then gets the values of another column.`, s.what, s.of)
		diff.NextStep = `Put the columns back in the order the checkpoint records. ` + driftWords[checks.Misreads].next
	case otherAggregate:
		diff.Effect = checks.Misreads
		diff.Meaning = `A different aggregate wrote the value, and its type matches. Spark compares positions and types, not names, and
starts. The new aggregate continues from the values of the old one.`
	case otherGrouping:
		diff.Effect = checks.Misreads
		diff.Meaning = `The query now groups by an expression, and the checkpoint has groups of a column. The types match, so Spark starts.
The stored groups have the values of the column. The results are right only if the expression gives the same values.`
	case renamed:
		diff.Effect = checks.Allowed
		diff.Meaning = fmt.Sprintf(`The types match, and Spark does not compare names: it starts. If the column was only renamed, the
results are right. If the %s%s is now built from another column of the same type, old rows keep the old meaning. Nothing reports it. The
files do not show which applies.`, s.what, s.of)
		diff.NextStep = `Check the code change: a renamed column is harmless, a different column is not.`
	}
	c.differ(diff)
}

// confSchemaCheck switches the comparison of state schemas on, which is the default (3.1 on).
const confSchemaCheck = "spark.sql.streaming.stateStore.stateSchemaCheck"

// schemaClash3 is what releases from 3.1 and before 4.0 say of a schema that does not fit.
const schemaClash3 = "StateSchemaNotCompatible: Provided schema doesn't match to the schema for existing state"

// clash is a schema that Spark does not take, or that it would not take if it looked.
func (c *comparer) clash(s sideOf, diff checks.Drift, clash string, declared, recorded *row.Type) {
	checked := !c.isOff(confSchemaCheck)
	rows := !rowsFit(recorded, declared) && !c.isOff("spark.sql.streaming.stateStore.formatValidation.enabled") && c.OnSpark(3, 1)
	hdfs := stores.Provider(c.Pass, s.op) == "hdfs"
	diff.Effect, diff.Meaning = checks.RefusesDrift, fmt.Sprintf("The state %s%s changed: %s.", s.what, s.of, clash)
	diff.Avoid = `Do not turn stateSchemaCheck off (spark.sql.streaming.stateStore.stateSchemaCheck): Spark would read one column as
another.`
	upper := strings.ToUpper(s.what)
	switch {
	case checked && c.OnSpark(4, 0):
		diff.Stage, diff.Error = checks.WhenSchemas, "STATE_STORE_"+upper+"_SCHEMA_NOT_COMPATIBLE"
		diff.Meaning += " Spark compares it before the first batch and fails."
	case checked && c.OnSpark(3, 1):
		diff.Stage, diff.Error = checks.WhenSchemas, schemaClash3
		diff.Meaning += " The task of partition 0 compares it in the first batch and fails."
		if hdfs && rows {
			diff.Error += "; or, where a task of another partition is first, InvalidUnsafeRowException: state format invalidation"
			diff.Meaning += " A task of another partition may fail first, on a row with the old shape."
		}
	case rows && (hdfs || s.what == "value"):
		diff.Stage = checks.WhenLoaded
		diff.Error = c.Since(4, 0, "STATE_STORE_"+upper+"_ROW_FORMAT_VALIDATION_FAILURE", "state format invalidation")
		if hdfs && c.OnSpark(4, 1) {
			diff.Error = "CANNOT_LOAD_STATE_STORE." + upper + "_ROW_FORMAT_VALIDATION_FAILURE"
		}
		diff.Meaning += " The schema check is off. The batch fails on the first row it reads, because the row has the old shape."
	default:
		diff.Effect, diff.Stage = checks.Misreads, 0
		diff.Meaning += ` Nothing compares it`
		switch {
		case !checked:
			diff.Meaning += `, because the schema check is off`
		case !c.OnSpark(3, 1):
			diff.Meaning += ` in Spark ` + c.Spark.String()
		}
		diff.Meaning += `. The query starts, and then misses its rows or misreads their bytes.`
	}
	if onlyNulls(recorded, declared) {
		diff.Meaning += ` Only NOT NULL differs.`
	}
	c.differ(diff)
}

// clashOf says where a declared type does not fit the recorded one, as the release compares them; "" where it fits.
func (c *comparer) clashOf(recorded, declared *row.Type) string {
	if c.OnSpark(3, 1) && !c.OnSpark(3, 2) {
		return restart.ClashOf31(recorded, declared, "")
	}
	return restart.ClashOf(recorded, declared, "")
}

// isOff reports whether the query sets a switch to false.
func (c *comparer) isOff(key string) bool {
	return strings.EqualFold(strings.TrimSpace(c.Spec.Conf[key]), "false")
}

// onlyNulls reports whether two types are the same but for what may be null.
func onlyNulls(stored, is *row.Type) bool { return restart.ClashOf(nullable(stored), is, "") == "" }

// nullable is a type of which everything may be null.
func nullable(t *row.Type) *row.Type {
	n := *t
	n.Fields = slices.Clone(t.Fields)
	for i := range n.Fields {
		n.Fields[i].Nullable, n.Fields[i].Type = true, nullable(n.Fields[i].Type)
	}
	return &n
}

// unsaid is the first column that is recorded as NOT NULL and of which the declared type does not say whether it may be
// null; "" for none.
func unsaid(recorded, declared *row.Type) string {
	for i := range min(len(recorded.Fields), len(declared.Fields)) {
		was, now := &recorded.Fields[i], &declared.Fields[i]
		name := checks.OrNothing(cmp.Or(now.Name, was.Name))
		if !was.Nullable && now.Unsaid {
			return name
		}
		if within := unsaid(was.Type, now.Type); within != "" {
			return name
		}
	}
	return ""
}

// asSparkDecides is a declared type with NOT NULL, or without it, where Spark itself decides that and a person seldom
// writes it: at windows, and at the buffers of an aggregate.
func asSparkDecides(s sideOf, declared, recorded *row.Type) *row.Type {
	t := *declared
	t.Fields = slices.Clone(declared.Fields)
	for i := range min(len(t.Fields), len(recorded.Fields)) {
		f, was := &t.Fields[i], recorded.Fields[i]
		window := f.Type.Kind == row.Struct && len(f.Type.Fields) == 2 && f.Type.Fields[0].Name == "start" && f.Type.Fields[1].Name == "end"
		switch {
		case f.Name == was.Name && (window || aggregates(s.op.Name) && slices.Contains(buffers, f.Name)):
			f.Nullable = f.Nullable && was.Nullable
			f.Unsaid = f.Unsaid && f.Nullable
		case s.what == "value" && s.op.Name == "stateStoreSave" && slices.Contains(nullBuffers, f.Name):
			f.Unsaid = false
		}
	}
	return &t
}

// rowsFit reports whether rows of a stored type look whole to a reader of another one
// (UnsafeRowUtils.validateStructuralIntegrity): a longer fixed part runs into what follows it, and a number
// is no place and length of a text.
func rowsFit(stored, is *row.Type) bool {
	if len(is.Fields) > len(stored.Fields) {
		return false
	}
	for i := range is.Fields {
		if varying(is.Fields[i].Type) && !varying(stored.Fields[i].Type) {
			return false
		}
	}
	return true
}

// varying reports whether values of a type lie behind the fixed part of a row.
func varying(t *row.Type) bool {
	switch t.Kind {
	case row.String, row.Binary, row.Struct, row.Array, row.Map, row.Variant, row.Interval, row.Geo:
		return true
	case row.Decimal:
		return t.Precision > 18
	}
	return false
}

// namesDiffer is what the names of columns tell whose types fit.
type namesDiffer byte

const (
	sameNames      namesDiffer = iota
	renamed                    // some name is another one
	movedNames                 // the same names at other places
	otherAggregate             // the names that Spark gives to the buffers of other aggregates
	otherGrouping              // the name that Spark gives to an expression, in the place of a column
)

// groupingExpression is the name that Spark gives to a key that is no plain column (PullOutGroupingExpressions, 3.2 on).
const groupingExpression = "_groupingexpression"

// groupsOtherwise reports whether an expression is in the place of a column of the key. One that is never null, in the place of
// a column that may be, is left out: it gives nulls another value, and the others stay (coalesce).
func groupsOtherwise(s sideOf, declared, recorded *row.Type) bool {
	if s.what != "key" || !aggregates(s.op.Name) {
		return false
	}
	for i, now := range declared.Fields {
		was := recorded.Fields[i]
		if now.Name == groupingExpression && was.Name != groupingExpression && now.Nullable == was.Nullable {
			return true
		}
	}
	return false
}

// aggregates reports whether an operator with this name keeps the buffers of aggregates.
func aggregates(name string) bool { return name == "stateStoreSave" || name == sessionName }

// buffers are the names that Spark gives to the values of aggregates, whatever the query calls its columns.
var buffers = []string{"count", "sum", "max", "min", "first", "last", "valueSet", "avg", "isEmpty", "buf", "n", "m2", "m3", "m4",
	"bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "max_by", "min_by"}

// nullBuffers are those of them that may always be null, whatever the query aggregates.
var nullBuffers = []string{"sum", "max", "min"}

func otherNames(s sideOf, declared, recorded *row.Type) namesDiffer {
	name := func(f row.Field) string { return f.Name }
	is, was := names(declared.Fields, name), names(recorded.Fields, name)
	if s.op.Name == joinName && s.what == "key" || slices.EqualFunc(is, was, strings.EqualFold) {
		return sameNames // a join numbers its keys: field0
	}
	if slices.Equal(slices.Sorted(slices.Values(is)), slices.Sorted(slices.Values(was))) {
		return movedNames
	}
	if groupsOtherwise(s, declared, recorded) {
		return otherGrouping
	}
	if s.what == "value" && aggregates(s.op.Name) {
		for i := range is {
			if is[i] != was[i] && slices.Contains(buffers, is[i]) && slices.Contains(buffers, was[i]) {
				return otherAggregate
			}
		}
	}
	return renamed
}

func names(fields []row.Field, name func(row.Field) string) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = name(f)
	}
	return all
}

// columnsDDL are the columns of a struct as Spark's DDL writes them.
func columnsDDL(t *row.Type) string {
	all := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		all[i] = f.Name + " " + f.Type.DDL()
		if !f.Nullable {
			all[i] += " NOT NULL"
		}
	}
	if len(all) == 0 {
		return "no column"
	}
	return strings.Join(all, ", ")
}

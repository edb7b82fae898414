package drift

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/restart"
	"tidemark/internal/spec"
)

// confEncoding is the encoding of state rows (4.0 on). Only with avro may the values of a state variable evolve.
const confEncoding = "spark.sql.streaming.stateStore.encodingFormat"

// recordedProcessor is what transformWithState records of itself (TransformWithStateOperatorProperties, and a schema for each of
// its column families).
type recordedProcessor struct {
	file      string        // of the properties
	schemas   *state.Schema // nil where none can be read
	timeMode  string        // as a spec has it; "" where it is none that is known
	variables []recordedVariable
	grouping  *row.Type // the columns of the grouping key; nil where no schema says them
}

// recordedVariable is one state variable. Its types are nil where no schema says them.
type recordedVariable struct {
	name, kind string // as a spec has the kind
	ttl        bool
	key, value *row.Type // the key of a map, and the value without the expiry that a TTL adds
	older      []*row.Type
}

// processorOf is what an operator records of its processor; why is why it has nothing.
func processorOf(op *statestore.Operator) (p recordedProcessor, why string) {
	if op.Metadata == nil || op.Metadata.Properties == "" {
		return p, fmt.Sprintf("%s does not record it: only transformWithState does", op.Dir)
	}
	p.file = op.Metadata.File
	v, err := decode.ParseJSON([]byte(op.Metadata.Properties))
	if err != nil {
		return p, fmt.Sprintf("%s cannot be read: %v", p.file, err)
	}
	for _, s := range op.Current {
		if len(s.Problems) == 0 {
			p.schemas = s
		}
	}
	mode, _ := v.Get("timeMode")
	p.timeMode = map[string]string{"None": "none", "ProcessingTime": "processing_time", "EventTime": "event_time"}[mode.Text]
	list, _ := v.Get("stateVariables")
	for _, item := range list.Items {
		name, _ := item.Get("stateName")
		kind, _ := item.Get("stateVariableType")
		ttl, _ := item.Get("ttlEnabled")
		r := recordedVariable{name: name.Text, ttl: ttl.Text == "true"}
		r.kind = map[string]string{"ValueState": "value", "ListState": "list", "MapState": "map"}[kind.Text]
		if r.kind != "" && r.name != "" {
			p.read(&r, op)
			p.variables = append(p.variables, r)
		} else if p.grouping == nil { // timers
			p.grouping = partOf(p.family(name.Text, p.schemas), 0)
		}
	}
	slices.SortStableFunc(p.variables, func(a, b recordedVariable) int { return strings.Compare(a.name, b.name) })
	p.variables = slices.CompactFunc(p.variables, func(a, b recordedVariable) bool { return a.name == b.name })
	return p, ""
}

// read takes the types of a variable from its column family.
func (p *recordedProcessor) read(r *recordedVariable, op *statestore.Operator) {
	f := p.family(r.name, p.schemas)
	if f == nil {
		return
	}
	if r.value = p.plain(f, r.ttl); r.value == nil {
		return
	}
	for _, s := range op.Older {
		if old := p.plain(p.family(r.name, s), r.ttl); old != nil {
			r.older = append(r.older, old)
		}
	}
	key, err := row.Columns(f.Key)
	if r.kind == "map" {
		r.key, key = partOf(f, 1), partOf(f, 0)
	}
	if err == nil && p.grouping == nil {
		p.grouping = key
	}
}

func (p *recordedProcessor) family(name string, in *state.Schema) *state.Family {
	if in == nil {
		return nil
	}
	for i := range in.Families {
		if in.Families[i].Name == name {
			return &in.Families[i]
		}
	}
	return nil
}

// plain is the value of a family, without the expiry that a TTL puts next to it: value STRUCT<…>, ttlExpirationMs BIGINT
// (TransformWithStateKeyValueRowSchemaUtils.getValueSchemaWithTTL).
func (p *recordedProcessor) plain(f *state.Family, ttl bool) *row.Type {
	if f == nil {
		return nil
	}
	t, err := row.Columns(f.Value)
	if err != nil {
		return nil
	}
	if ttl && len(t.Fields) == 2 && t.Fields[0].Type.Kind == row.Struct {
		return t.Fields[0].Type
	}
	return t
}

// partOf is a part of a key of two: grouping key and user key, or grouping key and expiry.
func partOf(f *state.Family, i int) *row.Type {
	if f == nil {
		return nil
	}
	key, err := row.Columns(f.Key)
	if err != nil || len(key.Fields) != 2 || key.Fields[i].Type.Kind != row.Struct {
		return nil
	}
	return key.Fields[i].Type
}

// processor compares the time mode and the state variables of transformWithState, in Spark's order: the schemas, the time mode,
// the kinds (StateSchemaCompatibilityChecker, TransformWithStateOperatorProperties.validateOperatorProperties).
func (c *comparer) processor(field string, d *spec.Operator, op *statestore.Operator) {
	if d.TimeMode == "" && d.Variables == nil {
		return
	}
	p, why := processorOf(op)
	if why != "" {
		c.skip(field+".variables", "%s", why)
		return
	}
	var kinds []checks.Drift
	for i := range d.Variables {
		v := &d.Variables[i]
		at := slices.IndexFunc(p.variables, func(r recordedVariable) bool { return r.name == v.Name })
		if at < 0 {
			c.differ(checks.Drift{Field: variableField(field, v.Name), Declared: kindOf(v), Effect: checks.Allowed, Where: decode.Where{File: p.file}, Place: v.At,
				Meaning: `The variable is new. Spark starts, and the variable is empty for each key.`})
			continue
		}
		kinds = append(kinds, c.variable(variableField(field, v.Name), v, &p.variables[at], &p, op)...)
	}
	c.timeMode(field+".time_mode", d, &p)
	for _, k := range kinds {
		c.differ(k)
	}
	for _, r := range p.variables {
		if d.Variables != nil && !slices.ContainsFunc(d.Variables, func(v spec.Variable) bool { return v.Name == r.name }) {
			c.differ(checks.Drift{Field: variableField(field, r.name), Recorded: r.kind, Effect: checks.Allowed, Where: decode.Where{File: p.file}, Place: d.At,
				Meaning: `The query no longer declares this variable. Spark starts, and does not read its values. If the variable was
renamed, it is empty under its new name.`})
		}
	}
}

func variableField(field, name string) string { return field + ".variables." + name }

func kindOf(v *spec.Variable) string {
	if v.Kind == "" {
		return "a new variable"
	}
	return v.Kind
}

// timeMode compares the time mode, which never may change.
func (c *comparer) timeMode(field string, d *spec.Operator, p *recordedProcessor) {
	switch {
	case d.TimeMode == "":
	case p.timeMode == "":
		c.skip(field, "%s records no known time mode", p.file)
	case d.TimeMode == p.timeMode:
		c.agree(field, false)
	default:
		c.differ(checks.Drift{Field: field, Declared: d.TimeMode, Recorded: p.timeMode, Effect: checks.RefusesDrift, Stage: checks.WhenSchemas,
			Error: "STATE_STORE_INVALID_CONFIG_AFTER_RESTART", Where: decode.Where{File: p.file}, Place: d.At,
			Meaning: `transformWithState records its first time mode, and fails to start in a different mode.`})
	}
}

// variable compares the columns of a state variable, and returns what its kind comes to.
func (c *comparer) variable(field string, d *spec.Variable, r *recordedVariable, p *recordedProcessor, op *statestore.Operator) (kind []checks.Drift) {
	where := decode.Where{File: p.file}
	if p.schemas != nil {
		where.File = p.schemas.File
	}
	of := " of variable " + r.name
	checked := !c.isOff(confSchemaCheck)
	moved := d.Kind != "" && (d.Kind == "map") != (r.kind == "map")
	switch {
	case moved && checked:
		c.differ(checks.Drift{Field: field + ".kind", Declared: d.Kind, Recorded: r.kind, Effect: checks.RefusesDrift, Stage: checks.WhenSchemas,
			Error: "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", Where: where, Place: d.At,
			Meaning: `Only a map has key columns next to the grouping key. Spark compares the keys before the first batch and fails.`})
		return nil
	case r.value == nil:
		c.skip(field, "no readable schema of this variable is recorded in %s", op.Dir)
	case !moved:
		if d.Key != nil && r.key != nil {
			c.side(sideOf{"key", of, field + ".key", d.At, op, where}, d.Key, r.key)
		}
		c.variableValue(sideOf{"value", of, field + ".value", d.At, op, where}, field, d, r)
	}
	switch {
	case d.Kind == "":
	case d.Kind == r.kind:
		c.agree(field+".kind", true)
	default:
		return []checks.Drift{{Field: field + ".kind", Declared: d.Kind, Recorded: r.kind, Effect: checks.RefusesDrift, Stage: checks.WhenSchemas,
			Error: "STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE", Where: decode.Where{File: p.file}, Place: d.At,
			Meaning: `transformWithState records the kind of each variable, and fails to start if the kind of a variable changed.`}}
	}
	return nil
}

// variableValue compares the value of a state variable, and whether it expires: a TTL adds a column to the value.
func (c *comparer) variableValue(s sideOf, field string, d *spec.Variable, r *recordedVariable) {
	encoding, _ := c.taken(confEncoding)
	avro := encoding == "avro"
	if d.TTL != nil && (*d.TTL != "") != r.ttl {
		c.otherTTL(s, field+".ttl", d, r, avro)
		return
	}
	if d.TTL != nil && *d.TTL == "" {
		c.agree(field+".ttl", false)
	} else if d.TTL != nil {
		c.skip(field+".ttl", "a checkpoint does not record the duration; Spark accepts a change, and stored values keep their expiry time")
	}
	switch {
	case d.Value == nil:
	case avro:
		c.evolved(s, d.Value, r)
	default:
		c.side(s, d.Value, r.value)
	}
}

// otherTTL is a TTL that a variable gets or loses.
func (c *comparer) otherTTL(s sideOf, field string, d *spec.Variable, r *recordedVariable, avro bool) {
	diff := checks.Drift{Field: field, Declared: *d.TTL, Recorded: "no TTL", Where: s.where, Place: d.At, Effect: checks.RefusesDrift, Stage: checks.WhenSchemas,
		Error: "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", Meaning: `A TTL adds the expiry time to each value.`}
	if r.ttl {
		diff.Declared, diff.Recorded = "no TTL", "a TTL"
	}
	switch {
	case avro:
		diff.Effect, diff.Stage, diff.Error = checks.Misreads, 0, ""
		diff.Meaning += ` With Avro, Spark starts. Stored values have none of the new columns, and Spark reads them as null.`
	case c.isOff(confSchemaCheck):
		diff.Effect, diff.Stage, diff.Error = checks.Misreads, 0, ""
		diff.Meaning += ` The schema check is off, so nothing compares the values. Spark misreads the bytes of stored values.`
	default:
		diff.Meaning += ` Spark compares the value columns before the first batch and fails.`
	}
	c.differ(diff)
}

// evolved compares the value of a variable that Avro encodes: Spark starts where the new type can read all that were recorded
// (StateSchemaCompatibilityChecker.check, SchemaConverters.toAvroTypeWithDefaults: a column that a row lacks is null).
func (c *comparer) evolved(s sideOf, declared *row.Type, r *recordedVariable) {
	diff := checks.Drift{Field: s.field, Declared: columnsDDL(declared), Recorded: columnsDDL(r.value), Where: s.where, Place: s.at}
	for _, old := range append([]*row.Type{r.value}, r.older...) {
		if clash := avroClash(old, declared, ""); clash != "" {
			diff.Effect, diff.Stage, diff.Error = checks.RefusesDrift, checks.WhenSchemas, "STATE_STORE_INVALID_VALUE_SCHEMA_EVOLUTION"
			diff.Meaning = fmt.Sprintf(`The state value%s changed: %s. Avro cannot read the stored values with the new columns. Spark compares
them before the first batch and fails.`, s.of, clash)
			if c.isOff(confSchemaCheck) {
				diff.Effect, diff.Stage, diff.Error = checks.Misreads, 0, ""
				diff.Meaning = fmt.Sprintf(`The state value%s changed: %s. The schema check is off, so nothing compares it. Avro cannot read the stored
values with the new columns.`, s.of, clash)
			}
			c.differ(diff)
			return
		}
	}
	name := func(f row.Field) string { return f.Name }
	is, was := names(declared.Fields, name), names(r.value.Fields, name)
	shared := slices.ContainsFunc(is, func(n string) bool { return slices.Contains(was, n) })
	switch {
	case restart.ClashOf(r.value, declared, "") == "" && slices.Equal(is, was), len(was) == 1 && was[0] == "value" && len(is) == 1: // Scala's name for a value that is no struct
		c.agree(s.field, true)
		return
	case !shared && len(was) > 0:
		diff.Effect = checks.Misreads
		diff.Meaning = `Avro finds columns by name, and no name is the same. Spark starts, and reads each stored value as null.`
	default:
		diff.Effect = checks.Allowed
		diff.Meaning = `Avro can read the stored values with the new columns, so Spark starts. A column without a stored value is null, and
the values of a removed column are not read.`
	}
	c.differ(diff)
}

// avroClash says where Avro cannot read a stored type as a new one; "" where it can (SchemaValidatorBuilder.canReadStrategy). at is
// the column, for words. Columns of a struct are found by name, and a missing one is null.
func avroClash(stored, is *row.Type, at string) string {
	if stored.Kind == row.Struct && is.Kind == row.Struct {
		for _, now := range is.Fields {
			was := slices.IndexFunc(stored.Fields, func(f row.Field) bool { return f.Name == now.Name })
			if was < 0 {
				continue
			}
			if clash := avroClash(stored.Fields[was].Type, now.Type, now.Name); clash != "" {
				return clash
			}
		}
		return ""
	}
	if stored.Kind == is.Kind && (is.Kind == row.Array || is.Kind == row.Map) {
		last := len(is.Fields) - 1 // the element, or the value of a map: its keys are texts
		return avroClash(stored.Fields[last].Type, is.Fields[last].Type, at)
	}
	if stored.DDL() == is.DDL() || slices.Contains(avroReads[avroType(is)], avroType(stored)) {
		return ""
	}
	return fmt.Sprintf("column %s is %s and was %s", at, is.DDL(), stored.DDL())
}

// avroReads are the stored types that Avro reads as each type, itself among them.
var avroReads = map[string][]string{
	"boolean": {"boolean"}, "int": {"int"}, "long": {"long", "int"}, "float": {"float", "int", "long"}, "double": {"double", "int", "long", "float"},
	"string": {"string", "bytes"}, "bytes": {"bytes", "string"}, "null": {"null"},
}

// avroType is the type of Avro that Spark gives to a type; "" for those that Avro reads as themselves alone.
func avroType(t *row.Type) string {
	switch t.Kind {
	case row.Boolean:
		return "boolean"
	case row.Byte, row.Short, row.Integer, row.Date, row.YearMonth:
		return "int"
	case row.Long, row.Timestamp, row.TimestampNTZ, row.DayTime:
		return "long"
	case row.Float:
		return "float"
	case row.Double:
		return "double"
	case row.String:
		return "string"
	case row.Binary:
		return "bytes"
	case row.Void:
		return "null"
	}
	return ""
}

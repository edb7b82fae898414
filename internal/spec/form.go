package spec

import (
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/output"
)

// key is one key of the form: its words, what may stand there, and where it goes. The parser and the JSON Schema
// are both made from the lists below, so neither knows a key that the other does not.
type key[T any] struct {
	name  string
	about string // one sentence, for the JSON Schema
	value shape
	read  func(*parser, node, *T)
}

// shape is what may stand at a key, as JSON Schema says it.
type shape map[string]any

func (s shape) with(name string, value any) shape {
	out := shape{name: value}
	for k, v := range s {
		out[k] = v
	}
	return out
}

// The shapes of single values.
var (
	aText  = shape{"type": "string"}
	aWord  = shape{"type": "string", "minLength": 1}
	aBool  = shape{"type": "boolean"}
	scalar = shape{"type": []string{"string", "number", "boolean"}}
)

func oneOf(words []string) shape { return shape{"type": "string", "enum": words} }

func listOf(item shape) shape { return shape{"type": "array", "items": item} }

// schemaShape is a schema of columns: Spark's DDL, or its JSON as a text.
var schemaShape = aWord.with("examples", []string{"shop_id STRING NOT NULL, count BIGINT"})

var (
	outputModes = []string{"append", "update", "complete"}
	replays     = []string{"ignored", "merged", "duplicated"}
	triggers    = []string{"available-now", "once", "continuous", "real-time"}
	providers   = []string{"rocksdb", "hdfs"}

	joinTypes     = []string{"inner", "left_outer", "right_outer", "full_outer", "left_semi"} // those between two streams
	timeModes     = []string{"none", "processing_time", "event_time"}
	variableKinds = []string{"value", "list", "map"}
)

// sourceKinds are the sources that are known here, by all their names.
func sourceKinds() []string {
	var all []string
	for _, k := range source.Kinds {
		for _, name := range append([]string{k.Name}, k.Aliases...) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// specKeys are the keys of a spec, in the order in which one is written.
var specKeys = []key[Spec]{
	{"spec", "The version of this form.", shape{"const": 1}, func(p *parser, n node, _ *Spec) { p.version(n) }},
	{"query", "The name its owner gives the query; it is never compared.", aWord, func(p *parser, n node, s *Spec) { s.Query = p.word(n) }},
	{"spark", "The Spark release it will run on.", shape{"type": []string{"string", "number"}, "examples": []string{"4.1"}}, func(p *parser, n node, s *Spec) { s.Spark = p.release(n) }},
	{"sources", "The sources, in offset log order; an empty list if the query reads none.", listOf(object(sourceKeys)), func(p *parser, n node, s *Spec) {
		s.Sources = readList(p, n, "sources", func(n node) Source {
			x := Source{At: n.place()}
			readObject(p, n, "a source", sourceKeys, &x)
			if told := x.subscriptions(); len(told) > 1 {
				p.problem(n, "expected %s, not %s", either([]string{"topics", "pattern", "assign"}), strings.Join(told, " and "))
			}
			return x
		})
	}},
	{"operators", "The stateful operators, in plan order; an empty list if the query is stateless.", listOf(object(operatorKeys)), func(p *parser, n node, s *Spec) {
		s.Operators = readList(p, n, "operators", func(n node) Operator {
			x := Operator{At: n.place()}
			readObject(p, n, "an operator", operatorKeys, &x)
			return x
		})
	}},
	{"conf", "Session settings, by their full names.", shape{"type": "object", "additionalProperties": scalar}, func(p *parser, n node, s *Spec) { s.Conf = p.conf(n) }},
	{"sink", "The sink of the query.", object(sinkKeys), func(p *parser, n node, s *Spec) {
		s.Sink = &Sink{At: n.place()}
		readObject(p, n, "a sink", sinkKeys, s.Sink)
	}},
	{"output_mode", "The output mode.", oneOf(outputModes), func(p *parser, n node, s *Spec) { s.OutputMode = p.choice(n, outputModes) }},
	{"watermark", "The watermark delay as an interval; an empty text for none.", aText.with("examples", []string{"10 minutes"}), func(p *parser, n node, s *Spec) { s.Watermark = p.interval(n) }},
	{"async_progress", "Whether asynchronous progress tracking is on.", aBool, func(p *parser, n node, s *Spec) { s.AsyncProgress = p.truth(n) }},
	{"trigger", "An interval, or one of " + strings.Join(triggers, ", ") + ".", aWord.with("examples", append([]string{"1 minute"}, triggers...)), func(p *parser, n node, s *Spec) { s.Trigger = p.trigger(n) }},
	{"owner", "The owner of the query; never compared.", aText, func(p *parser, n node, s *Spec) { s.Owner = p.text(n) }},
}

// sourceKeys are the keys of a source.
var sourceKeys = []key[Source]{
	{"kind", "Kafka, file, delta, iceberg, kinesis, event-hubs, rate …; a format or class name for other kinds.", aWord.with("examples", sourceKinds()), func(p *parser, n node, s *Source) { s.Kind = p.kind(n, sourceKinds()) }},
	{"name", "The name of a named source (Spark 4.2 and later).", aText, func(p *parser, n node, s *Source) { s.Name = p.text(n) }},
	{"topics", "The topics the source reads.", listOf(aWord).with("minItems", 1), func(p *parser, n node, s *Source) { s.Topics = p.names(n) }},
	{"pattern", "A topic pattern, instead of topics.", aWord, func(p *parser, n node, s *Source) { s.Pattern = p.word(n) }},
	{"assign", "The partitions of each topic that the source reads, instead of topics.", shape{"type": "object", "minProperties": 1,
		"additionalProperties": listOf(shape{"type": "integer", "minimum": 0}).with("minItems", 1)}, func(p *parser, n node, s *Source) { s.Assign = p.assigned(n) }},
	{"table_id", "The ID of the table the source reads.", aWord, func(p *parser, n node, s *Source) { s.TableID = p.word(n) }},
	{"location", "The folder or table the source reads.", aWord, func(p *parser, n node, s *Source) { s.Location = p.word(n) }},
	{"options", "The options of the source, such as failOnDataLoss; those that do not decide a restart are not compared.", shape{"type": "object",
		"additionalProperties": scalar}, func(p *parser, n node, s *Source) { s.Options = p.options(n) }},
}

// subscriptions are the keys that say which topics a source reads, of those that are declared.
func (s *Source) subscriptions() (told []string) {
	if s.Topics != nil {
		told = append(told, "topics")
	}
	if s.Pattern != "" {
		told = append(told, "pattern")
	}
	if s.Assign != nil {
		told = append(told, "assign")
	}
	return told
}

// operatorKeys are the keys of an operator.
var operatorKeys = []key[Operator]{
	{"name", "The name Spark records, such as stateStoreSave, dedupe or symmetricHashJoin.", aWord, func(p *parser, n node, o *Operator) { o.Name = p.word(n) }},
	{"key", "The key columns of its state: Spark's DDL, or a schema as Spark prints it in JSON. DDL without NOT NULL does not show whether a column may be null.", schemaShape, func(p *parser, n node, o *Operator) { o.Key = p.schema(n) }},
	{"value", "The value columns of its state, in the same form.", schemaShape, func(p *parser, n node, o *Operator) { o.Value = p.schema(n) }},
	{"provider", "The state store provider: rocksdb, hdfs, or a class name.", aWord.with("examples", providers), func(p *parser, n node, o *Operator) { o.Provider = p.provider(n) }},
	{"state_format", "The version of its state format.", shape{"type": "integer", "minimum": 1, "maximum": 99}, func(p *parser, n node, o *Operator) { o.StateFormat = p.number(n, 1, 99) }},
	{"join", "The type of a stream-stream join.", oneOf(joinTypes), func(p *parser, n node, o *Operator) { o.Join = p.choice(n, joinTypes) }},
	{"left", "The columns that the left side of a join keeps, in the form of key.", schemaShape, func(p *parser, n node, o *Operator) { o.Left = p.schema(n) }},
	{"right", "The columns that its right side keeps.", schemaShape, func(p *parser, n node, o *Operator) { o.Right = p.schema(n) }},
	{"time_mode", "The time mode of transformWithState.", oneOf(timeModes), func(p *parser, n node, o *Operator) { o.TimeMode = p.choice(n, timeModes) }},
	{"variables", "The state variables of transformWithState by name; an empty mapping if it declares none.", shape{"type": "object",
		"additionalProperties": object(variableKeys)}, func(p *parser, n node, o *Operator) { o.Variables = p.variables(n) }},
}

// variableKeys are the keys of a state variable of transformWithState.
var variableKeys = []key[Variable]{
	{"kind", "The kind of the variable.", oneOf(variableKinds), func(p *parser, n node, v *Variable) { v.Kind = p.choice(n, variableKinds) }},
	{"key", "The key columns of a map, in the form of the key of an operator; only a map has them.", schemaShape, func(p *parser, n node, v *Variable) {
		v.Key = p.schema(n)
	}},
	{"value", "The columns of a value, of each list element or of each map value.", schemaShape, func(p *parser, n node, v *Variable) { v.Value = p.schema(n) }},
	{"ttl", "How long a value lives, as an interval; an empty text for no TTL.", aText.with("examples", []string{"1 hour"}), func(p *parser, n node, v *Variable) {
		v.TTL = p.interval(n)
	}},
}

// sinkKeys are the keys of the sink.
var sinkKeys = []key[Sink]{
	{"kind", "Delta, file, iceberg, kafka, foreach-batch …; a format or class name for other kinds.", aWord.with("examples", output.Names()), func(p *parser, n node, s *Sink) { s.Kind = p.kind(n, output.Names()) }},
	{"location", "The table or folder the sink writes.", aWord, func(p *parser, n node, s *Sink) { s.Location = p.word(n) }},
	{"schema", "The columns the sink writes: Spark's DDL, or a schema as Spark prints it in JSON.", schemaShape, func(p *parser, n node, s *Sink) { s.Schema = p.schema(n) }},
	{"replay", "What the sink does with a repeated batch.", oneOf(replays), func(p *parser, n node, s *Sink) { s.Replay = p.choice(n, replays) }},
}

// object is the shape of a mapping that knows these keys and no others.
func object[T any](keys []key[T]) shape {
	properties := shape{}
	for _, k := range keys {
		properties[k.name] = k.value.with("description", k.about)
	}
	return shape{"type": "object", "properties": properties, "additionalProperties": false}
}

func names[T any](keys []key[T]) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = k.name
	}
	return all
}

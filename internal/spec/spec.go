package spec

import (
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
)

// Spec is one query. What is absent was not said, and is not compared.
type Spec struct {
	From string // what it was read from, for words: "orders.spec.yaml"

	Query         string        // the name that its owner gives it
	Spark         spark.Version // the release that it will run on; zero where absent
	Sources       []Source      // in plan order; nil where absent, empty where the query reads none
	Operators     []Operator    // stateful ones, in plan order; nil where absent, empty where the query keeps no state
	Conf          map[string]string
	Sink          *Sink   // nil where absent
	OutputMode    string  // "append", "update", "complete"; "" where absent
	Watermark     *string // the delay as Spark's interval text: "10 minutes"; "" for none; nil where absent
	AsyncProgress *bool   // nil where absent
	Trigger       string  // an interval, or "available-now", "once", "continuous", "real-time"; "" where absent
	Owner         string  // never compared
}

// Source is one source of a query.
type Source struct {
	At       Pos
	Kind     string            // as package source names kinds: "kafka", "file", "delta"; "" where absent
	Name     string            // of a named source (4.2 on); "" where absent
	Topics   []string          // nil where absent
	Pattern  string            // of topics; "" where absent
	Assign   []TopicPartitions // by topic; nil where absent
	TableID  string            // "" where absent
	Location string            // "" where absent
	// Options are those of the source that are declared, by their names as written; nil where absent. Read them with Option.
	Options map[string]string
}

// TopicPartitions are the partitions of one topic that a query assigns itself.
type TopicPartitions struct {
	Topic      string
	Partitions []int64 // from 0, as declared; never empty
}

// Option returns a declared option of the source. Its name is compared as Spark compares it, without regard to case (CaseInsensitiveMap).
// declared is false where the spec does not say it: then the default of the source counts.
func (s *Source) Option(name string) (value string, declared bool) {
	if s == nil {
		return "", false
	}
	for key, value := range s.Options {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// Operator is one stateful operator.
type Operator struct {
	At          Pos
	Name        string    // that Spark records: "stateStoreSave"; "" where absent
	Key, Value  *row.Type // structs of the columns; nil where absent
	Provider    string    // "rocksdb", "hdfs", or a class name; "" where absent
	StateFormat int       // 0 where absent

	Join        string     // of a stream-stream join: one of joinTypes; "" where absent
	Left, Right *row.Type  // structs of the columns that each side of a join keeps; nil where absent
	TimeMode    string     // of transformWithState: one of timeModes; "" where absent
	Variables   []Variable // of transformWithState, in the order of the file; nil where absent, empty where it declares none
}

// Variable is one state variable of transformWithState.
type Variable struct {
	At         Pos
	Name       string
	Kind       string    // one of variableKinds; "" where absent
	Key, Value *row.Type // structs of the columns; nil where absent. Only a map has a key, its own: not the grouping key
	TTL        *string   // as Spark's interval text: "1 hour"; "" for none; nil where absent
}

// Sink is what the query writes to.
type Sink struct {
	At       Pos
	Kind     string    // "delta", "file", "kafka", "foreach-batch"; "" where absent
	Location string    // "" where absent
	Schema   *row.Type // a struct of the columns that are written; nil where absent
	Replay   string    // what a repeated batch does there: "ignored", "merged", "duplicated"; "" where absent
}

// Pos is where something stands in the file of a spec. Line and Column count from 1; both are 0 for what
// was not read from a text.
type Pos struct{ Line, Column int }

package statestore

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
)

// View is one way to look at an operator's state: a store, a column family, one side of a join, a
// variable of transformWithState. The columns are as Spark's own reader shows them.
type View struct {
	Name      string    // what --store takes: "default", "left", "left-keyToNumValues", "total", "timers"
	Store     string    // the store whose files hold it: "default", "left-keyToNumValues"
	Family    string    // the column family within the store; "" where the operator uses none
	Key       *row.Type // of a shown key; a struct
	MapKey    *row.Type // of the user's key in a map of transformWithState; nil elsewhere
	Value     *row.Type // of a shown value
	ValueName string    // "value", "list_element", "user_map_value", "expiration_timestamp_ms"
	// Raw says that it shows how Spark keeps something that another view shows as it is meant.
	Raw bool
	// Guessed says that no schema is recorded: how many columns there are is a guess from the rows, and their
	// types are not known.
	Guessed bool

	keys    *row.Keys  // how stored keys are written
	values  row.Values // how stored values are, or each element of one
	several bool       // a stored value is a list, of which each element is a row
	shape   shape      // how a row is made of a stored one
	guess   *guess     // how they are read where no schema is recorded
	counts  *View      // side of a join before format 4: how many rows each key has
	only    []byte     // of a look-up: how the stored keys begin that are wanted, after a column family's id
	whole   bool       // only is all of the one key that is wanted
}

// shape is how a shown row comes out of a stored one.
type shape byte

const (
	plain      shape = iota
	ofJoin           // key without its index, value without `matched`
	ofTimeJoin       // value without `matched`
	ofMap            // the key is the user's key beside the grouping key
	ofTimer          // the key is a time beside the grouping key, and there is no value
)

const mapKeyName = "user_map_key"

// View is the view with a name. "" is the only one, where there is only one that is not raw. Where a schema
// did not read, others may be lacking, and "" is none.
func (s *State) View(name string) (*View, error) {
	var known []string
	usual := -1
	for i := range s.Views {
		v := &s.Views[i]
		if v.Name == name {
			return v, nil
		}
		known = append(known, v.Name)
		if !v.Raw && usual < 0 {
			usual = i
		} else if !v.Raw {
			usual = len(s.Views)
		}
	}
	switch {
	case len(known) == 0:
		return nil, s.Problem
	case name == "" && s.Problem != nil:
		return nil, fmt.Errorf("%w (choose one of: %s)", s.Problem, strings.Join(known, ", "))
	case s.Problem != nil:
		return nil, fmt.Errorf("%v: %w", &NoSuchError{"store", name, known}, s.Problem)
	case name == "" && usual >= 0 && usual < len(s.Views):
		return &s.Views[usual], nil
	}
	return nil, &NoSuchError{"store", name, known}
}

// makeViews makes the views of the schemas that there are.
func (s *State) makeViews() error {
	for _, schema := range s.Operator.Schemas {
		store := s.storeOf(schema)
		for _, f := range schema.Families {
			family := f.Name
			if !s.usesFamilies(schema) {
				family = ""
			}
			v, err := s.newView(store, family, f)
			if err != nil {
				return &decode.Error{Where: decode.Where{File: schema.File}, Flaw: decode.Value, What: state.SchemaWhat, Err: err}
			}
			s.Views = append(s.Views, v)
		}
	}
	s.joinViews()
	s.variableViews()
	s.usualFirst()
	return nil
}

// usualFirst puts the views that are not raw before the others.
func (s *State) usualFirst() {
	slices.SortStableFunc(s.Views, func(a, b View) int {
		switch {
		case a.Raw == b.Raw:
			return 0
		case b.Raw:
			return -1
		}
		return 1
	})
}

// usesFamilies reports whether keys begin with the id of a column family: operators do that keep their
// schema beside the partitions.
func (s *State) usesFamilies(schema *state.Schema) bool {
	return strings.HasPrefix(schema.File, s.Operator.Dir+"/_stateSchema/")
}

// storeOf is the name of the store that a schema file is about.
func (s *State) storeOf(schema *state.Schema) string {
	if s.usesFamilies(schema) {
		return path.Base(path.Dir(schema.File))
	}
	for _, p := range s.Operator.Partitions[:min(1, len(s.Operator.Partitions))] {
		for _, st := range p.Stores {
			if schema.File == path.Join(st.Dir, "_metadata", "schema") {
				return st.Name
			}
		}
	}
	return "default"
}

// newView is a store or a column family as it is.
func (s *State) newView(store, family string, f state.Family) (View, error) {
	v := View{Name: store, Store: store, Family: family, ValueName: "value"}
	if family != "" {
		v.Name = family
	}
	var err error
	if v.Key, err = row.Columns(f.Key); err != nil {
		return v, fmt.Errorf("key of %s: %w", v.Name, err)
	}
	if v.Value, err = row.Columns(f.Value); err != nil {
		return v, fmt.Errorf("value of %s: %w", v.Name, err)
	}
	if s.Operator.Name == "flatMapGroupsWithState" || s.Operator.Name == "applyInPandasWithState" {
		widenTimeout(v.Value)
	}
	encoder, err := row.ParseKeyEncoder(f.Encoder)
	if f.Encoder == "" && s.Operator.Name == "sessionWindowStateStoreSaveExec" {
		// Before version 3 the schema file does not say: session windows look keys up by their grouping
		// columns, which are all but the last.
		encoder = row.KeyEncoder{Form: row.PrefixScan, Prefix: max(len(f.Key)-1, 0)}
	}
	if err == nil {
		v.keys, err = row.NewKeys(v.Key, encoder, s.encoding())
	}
	if err != nil {
		return v, fmt.Errorf("keys of %s: %w", v.Name, err)
	}
	v.values = row.Values{Type: v.Value, Encoding: s.encoding(), Schemas: s.schemas[v.Name]}
	v.Raw = strings.HasPrefix(v.Name, "$")
	v.several = family != "" && (strings.HasSuffix(family, "-keyWithTsToValues") || strings.HasSuffix(family, "-tsWithKey"))
	return v, nil
}

// widenTimeout makes the timeout of a group what it is: milliseconds since the epoch, -1 for none. Format
// 1 of flatMapGroupsWithState, which 2.2 and 2.3 write and a setting can pin, declares it an integer and
// writes a long into its slot; Spark's own reader shows the lower half of it.
//
// See StateManagerImplV1 in FlatMapGroupsWithStateExecHelper.scala.
func widenTimeout(value *row.Type) {
	if n := len(value.Fields); n > 0 && value.Fields[n-1].Name == state.Timeout && value.Fields[n-1].Type.Kind == row.Integer {
		value.Fields[n-1].Type = &row.Type{Kind: row.Long, Name: "long"}
	}
}

// joinViews adds the sides of a stream-stream join: their rows as joinSide of Spark's reader gives them.
func (s *State) joinViews() {
	for _, side := range []string{"left", "right"} {
		if s.find(side) != nil {
			continue
		}
		if v := s.find(side + "-keyWithTsToValues"); v != nil {
			w := *v
			w.Name, w.shape, w.Value = side, ofTimeJoin, without(v.Value, "matched")
			s.raw(side+"-keyWithTsToValues", side+"-tsWithKey", "default")
			s.Views = append(s.Views, w)
		}
		v, counts := s.find(side+"-keyWithIndexToValue"), s.find(side+"-keyToNumValues")
		if v != nil && counts != nil && v.Guessed == counts.Guessed && (!v.Guessed || sameKeys(v, counts)) {
			w, n := *v, *counts
			w.Name, w.shape, w.counts = side, ofJoin, &n
			w.Key = without(v.Key, "index")
			if s.Conf[confJoin] != "1" { // format 1 keeps the input row alone, which may have a column of this name
				w.Value = without(v.Value, "matched")
			}
			s.raw(v.Name, counts.Name, "default")
			s.Views = append(s.Views, w)
		}
	}
}

func (s *State) find(name string) *View {
	for i := range s.Views {
		if s.Views[i].Name == name {
			return &s.Views[i]
		}
	}
	return nil
}

func (s *State) raw(names ...string) {
	for _, name := range names {
		if v := s.find(name); v != nil {
			v.Raw = true
		}
	}
}

// without is a struct without its last field, where that has this name.
func without(t *row.Type, last string) *row.Type {
	if n := len(t.Fields); n > 0 && t.Fields[n-1].Name == last {
		return row.StructOf(slices.Clone(t.Fields[:n-1])...)
	}
	return t
}

// variableViews shapes the column families of transformWithState as the variables that they hold. The
// operator metadata lists them:
//
//	{"timeMode":"EventTime",…,"stateVariables":[{"stateName":"total","stateVariableType":"ValueState","ttlEnabled":false},…]}
func (s *State) variableViews() {
	if s.Operator.Metadata == nil || s.Operator.Metadata.Properties == "" {
		return
	}
	properties, err := decode.ParseJSON([]byte(s.Operator.Metadata.Properties))
	if err != nil {
		return
	}
	variables, ok := properties.Get("stateVariables")
	if !ok {
		return
	}
	s.raw("default")
	for _, variable := range variables.Items {
		name, _ := variable.Get("stateName")
		kind, _ := variable.Get("stateVariableType")
		v := s.find(name.Text)
		if v == nil {
			continue
		}
		switch kind.Text {
		case "ListState":
			v.several, v.ValueName = true, "list_element"
		case "MapState":
			if len(v.keys.Type.Fields) == 2 {
				v.shape, v.ValueName = ofMap, "user_map_value"
				v.Key, v.MapKey = v.keys.Type.Fields[0].Type, v.keys.Type.Fields[1].Type
			}
		case "TimerState":
			if len(v.keys.Type.Fields) == 2 {
				w := *v
				w.Name, w.shape, w.ValueName, w.Raw = "timers", ofTimer, "expiration_timestamp_ms", false
				w.Key, w.Value = v.keys.Type.Fields[0].Type, v.keys.Type.Fields[1].Type
				s.Views = append(s.Views, w)
			}
		}
	}
}

// shaped makes the row that is shown out of a stored one.
func (v *View) shaped(r Row) Row {
	if v.shape == plain || r.Key.Type == nil {
		return r
	}
	if v.shape == ofMap || v.shape == ofTimer {
		if len(r.Key.Items) == 2 {
			first, second := r.Key.Items[0], r.Key.Items[1]
			if r.Key = first; v.shape == ofTimer {
				r.Value = second
			} else {
				r.MapKey = second
			}
		}
		return r
	}
	r.Key, r.Value = cut(r.Key, v.Key), cut(r.Value, v.Value)
	return r
}

// cut is a struct with only the first fields of it, those that t has.
func cut(v row.Value, t *row.Type) row.Value {
	if len(v.Items) > len(t.Fields) {
		v.Items = v.Items[:len(t.Fields)]
	}
	if v.Type != nil {
		v.Type = t
	}
	return v
}

package report

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/row"
)

// errNullHere is a null in a column that cannot have one.
var errNullHere = errors.New("null, but the schema says NOT NULL")

// shape is how the columns of a part come together.
type shape byte

const (
	leafShape     shape = iota // one column
	groupShape                 // a part for each field
	repeatedShape              // of an array the element, of a map the key and the value
	variantShape               // two columns: value, metadata
)

// part is one type in the schema of a file, with the columns that it becomes. Beside each value of a column
// stand two levels: of the optional and repeated nodes above it, the definition level is how many are
// there, and the repetition level says which of the repeated ones has begun anew (0: the row).
type part struct {
	typ        *row.Type
	path       string // "value.total"; "" for the whole row
	optional   bool
	shape      shape
	parts      []part
	first, end int                                    // its columns; end is excluded
	repetition int                                    // level of a second element and those after it
	value      func(row.Value) (parquet.Value, error) // of a leaf
}

// shredder makes the parts of a schema.
type shredder struct {
	columns   int
	unbounded [][]string // paths of the columns without bounds
}

// levels is where in a schema a part stands.
type levels struct {
	depth, repetition int
	path              []string // as the file has it
}

func (l levels) below(names ...string) levels {
	return levels{l.depth + 1, l.repetition, append(l.path[:len(l.path):len(l.path)], names...)}
}

// part makes the part of a type, and its node in the schema of the file.
func (s *shredder) part(t *row.Type, path string, nullable bool, at levels) (part, parquet.Node, error) {
	if at.depth > parquetDepth {
		return part{}, nil, fmt.Errorf("%s: types nest deeper than %d", path, parquetDepth)
	}
	p := part{typ: t, path: path, optional: nullable, first: s.columns}
	var node parquet.Node
	var err error
	switch {
	case t.Kind == row.Struct && len(t.Fields) > 0:
		node, err = s.group(&p, at)
	case t.Kind == row.Array:
		node, err = s.list(&p, at)
	case t.Kind == row.Map:
		node, err = s.mapped(&p, at)
	case t.Kind == row.Variant:
		p.shape = variantShape
		node = group{fields: []parquet.Field{s.binary("value", at), s.binary("metadata", at)}}
	default:
		l := leafOf(t)
		p.value, node = l.value, l.node
		s.column(node, at.path)
	}
	if err == nil && s.columns > parquetColumns {
		err = fmt.Errorf("more than %d columns", parquetColumns)
	}
	if nullable && err == nil {
		node = parquet.Optional(node)
	}
	p.end = s.columns
	return p, node, err
}

// column counts one.
func (s *shredder) column(node parquet.Node, path []string) {
	s.columns++
	if node.Type().Kind() >= parquet.Float {
		s.unbounded = append(s.unbounded, path)
	}
}

// binary is one of the two columns of a variant.
func (s *shredder) binary(name string, at levels) parquet.Field {
	node := leaves[row.Binary].node
	s.column(node, at.below(name).path)
	return field{parquet.Required(node), name}
}

func (s *shredder) group(p *part, at levels) (parquet.Node, error) {
	p.shape = groupShape
	g := group{}
	for _, f := range p.typ.Fields {
		path := f.Label
		if p.path != "" {
			path = p.path + "." + f.Label
		}
		sub, node, err := s.part(f.Type, path, f.Nullable, at.below(f.Label))
		if err != nil {
			return nil, err
		}
		p.parts, g.fields = append(p.parts, sub), append(g.fields, field{node, f.Label})
	}
	return g, nil
}

func (s *shredder) list(p *part, at levels) (parquet.Node, error) {
	p.shape, p.repetition = repeatedShape, at.repetition+1
	at.repetition++
	f := p.typ.Fields[0]
	element, node, err := s.part(f.Type, p.path+"[]", f.Nullable, at.below("list", "element"))
	if err != nil {
		return nil, err
	}
	p.parts = []part{element}
	return parquet.List(node), nil
}

func (s *shredder) mapped(p *part, at levels) (parquet.Node, error) {
	p.shape, p.repetition = repeatedShape, at.repetition+1
	at.repetition++
	k, v := p.typ.Fields[0], p.typ.Fields[1]
	key, keyNode, err := s.part(k.Type, p.path+".key", false, at.below("key_value", "key"))
	if err != nil {
		return nil, err
	}
	value, valueNode, err := s.part(v.Type, p.path+".value", v.Nullable, at.below("key_value", "value"))
	if err != nil {
		return nil, err
	}
	p.parts = []part{key, value}
	return parquet.Map(keyNode, valueNode), nil
}

// pageSize is how many bytes of a column are gathered before they are compressed: so many that all
// columns together take no more than a row group.
func (s *shredder) pageSize() int {
	return min(max(groupBytes/max(s.columns, 1), 4<<10), 256<<10)
}

// What Spark's reader looks for in the footer: the types as it names them, which tell an interval from a
// number; and a release, from which it knows that dates count in the calendar of Spark 3.0 and later. State
// with a schema is from 3.1 on.
const (
	sparkSchema   = "org.apache.spark.sql.parquet.row.metadata"
	sparkVersion  = "org.apache.spark.version"
	sparkCalendar = "3.1.0"
)

// sparkType is a type as Spark's JSON has it, of what is in the file.
//
// Read by ParquetFileFormat.readSchemaFromFooter.
func sparkType(t *row.Type) any {
	type field struct {
		Name     string   `json:"name"`
		Type     any      `json:"type"`
		Nullable bool     `json:"nullable"`
		Metadata struct{} `json:"metadata"`
	}
	switch {
	case t.Kind == row.Struct && len(t.Fields) > 0:
		fields := make([]field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = field{Name: f.Label, Type: sparkType(f.Type), Nullable: f.Nullable}
		}
		return struct {
			Type   string  `json:"type"`
			Fields []field `json:"fields"`
		}{"struct", fields}
	case t.Kind == row.Array:
		return struct {
			Type     string `json:"type"`
			Element  any    `json:"elementType"`
			Nullable bool   `json:"containsNull"`
		}{"array", sparkType(t.Fields[0].Type), t.Fields[0].Nullable}
	case t.Kind == row.Map:
		return struct {
			Type     string `json:"type"`
			Key      any    `json:"keyType"`
			Value    any    `json:"valueType"`
			Nullable bool   `json:"valueContainsNull"`
		}{"map", sparkType(t.Fields[0].Type), sparkType(t.Fields[1].Type), t.Fields[1].Nullable}
	case t.Kind == row.Variant:
		return "variant"
	}
	return leafOf(t).spark
}

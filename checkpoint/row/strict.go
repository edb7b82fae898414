package row

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
)

// StructFlaw is what keeps Spark from reading a schema that it wrote as JSON; nil for nothing. Its Where has only the Offset within text
// set. Spark takes a struct, field, array or map only with exactly the names that belong there, each once, and a type only by a name
// that it knows; it looks at no column's name, and at nothing behind the value. A user-defined type is one of its class path, which
// nothing here can know.
//
// Follows StructType.fromString, which reads schema files of state: DataType.parseDataType and parseStructField (seen on 3.5.9
// and 4.3.0).
func StructFlaw(text string) *decode.Error {
	v, err := decode.ParseJSON([]byte(text))
	if e, ok := err.(*decode.Error); ok && e.Flaw != decode.Trailing {
		return e
	}
	if kind, _ := v.Get("type"); v.Kind != decode.Object || kind.Text != "struct" {
		return notRead(v, "expected a struct of columns")
	}
	return typeFlaw(v)
}

func notRead(v decode.JSON, format string, args ...any) *decode.Error {
	return &decode.Error{Where: decode.Where{Offset: int64(v.At)}, Flaw: decode.Malformed, What: schemaWhat,
		Err: fmt.Errorf(format, args...)}
}

// parts are the names that belong into an object of a schema, and what stands under each: a type, or a value of this kind.
type parts map[string]decode.Kind

// ofType marks a part that is a type.
const ofType = decode.Kind(0xFF)

var (
	fieldParts = []parts{
		{"metadata": decode.Object, "name": decode.String, "nullable": decode.Bool, "type": ofType},
		{"name": decode.String, "nullable": decode.Bool, "type": ofType},
		{"name": decode.String, "type": ofType}, // 4.0 on
	}
	typeParts = map[string]parts{
		"struct": {"type": decode.String, "fields": decode.Array},
		"array":  {"type": decode.String, "elementType": ofType, "containsNull": decode.Bool},
		"map":    {"type": decode.String, "keyType": ofType, "valueType": ofType, "valueContainsNull": decode.Bool},
	}
)

// typeFlaw is what is wrong with a type.
func typeFlaw(v decode.JSON) *decode.Error {
	if v.Kind == decode.String {
		if _, err := named(v.Text); err != nil {
			return notRead(v, "%w", err)
		}
		return nil
	}
	kind, _ := v.Get("type")
	if kind.Text == "udt" {
		return nil
	}
	want, ok := typeParts[kind.Text]
	if !ok {
		return notRead(v, "unknown type %.40q", kind.Text)
	}
	if e := partsFlaw(v, want, "a type "+kind.Text); e != nil {
		return e
	}
	fields, _ := v.Get("fields")
	for i, f := range fields.Items {
		if e := fieldFlaw(f, i); e != nil {
			return e
		}
	}
	return nil
}

func fieldFlaw(f decode.JSON, i int) *decode.Error {
	for _, want := range fieldParts[1:] {
		if len(f.Fields) == len(want) {
			return partsFlaw(f, want, fmt.Sprintf("column %d", i+1))
		}
	}
	return partsFlaw(f, fieldParts[0], fmt.Sprintf("column %d", i+1))
}

// partsFlaw is what an object has too much, too little, or of another kind.
func partsFlaw(v decode.JSON, want parts, what string) *decode.Error {
	for _, f := range v.Fields {
		kind, known := want[f.Name]
		switch {
		case !known:
			return notRead(f.Value, "%s has %.40q, which is not one of %s", what, f.Name, want.names())
		case v.Repeats(f.Name):
			return notRead(f.Value, "%s has %q more than once", what, f.Name)
		case kind != ofType && f.Value.Kind != kind:
			return notRead(f.Value, "%q of %s has a wrong value", f.Name, what)
		}
		if kind == ofType {
			if e := typeFlaw(f.Value); e != nil {
				return e
			}
		}
	}
	for name := range want {
		if _, ok := v.Get(name); !ok {
			return notRead(v, "%s lacks one of %s", what, want.names())
		}
	}
	return nil
}

func (p parts) names() string {
	var all []string
	for name := range p {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

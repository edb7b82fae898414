package row

import (
	"encoding/json"
	"slices"
	"strings"
)

// Schema writes the columns of a struct so that ParseSchema gives them back: as DDL where DDL can say it, else as
// Spark's JSON, which can say that the elements of an array are never null.
func (t *Type) Schema() string {
	if t.Kind != Struct || len(t.Fields) == 0 || !t.sayable() {
		return t.JSON()
	}
	return exactColumns(t.Fields, " ")
}

// sayable reports whether DDL has words for the type.
func (t *Type) sayable() bool {
	switch t.Kind {
	case Array:
		return t.Fields[0].Nullable && t.Fields[0].Type.sayable()
	case Map:
		return !t.Fields[0].Nullable && t.Fields[1].Nullable && t.Fields[0].Type.sayable() && t.Fields[1].Type.sayable()
	case Struct:
		return !slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Name == "" || !f.Type.sayable() })
	}
	back, err := ParseSchema("c " + t.DDL())
	return err == nil && back.Fields[0].Type.Name == t.Name
}

// exactColumns writes columns with all that DDL can say of them.
func exactColumns(fields []Field, separator string) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = quoteName(f.Name) + separator + f.Type.exact()
		if !f.Nullable {
			all[i] += " NOT NULL"
		}
	}
	return strings.Join(all, ", ")
}

func (t *Type) exact() string {
	switch t.Kind {
	case Struct:
		return "STRUCT<" + exactColumns(t.Fields, ": ") + ">"
	case Array:
		return "ARRAY<" + t.Fields[0].Type.exact() + ">"
	case Map:
		return "MAP<" + t.Fields[0].Type.exact() + ", " + t.Fields[1].Type.exact() + ">"
	}
	return t.DDL()
}

// quoteName puts a name into backquotes where Spark asks for it.
func quoteName(name string) string {
	plain := func(r rune) bool {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	if name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// JSON is the type as DataType.json writes it, on one line: what ParseType and ParseSchema read.
func (t *Type) JSON() string {
	switch t.Kind {
	case Struct:
		all := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			all[i] = `{"name":` + jsonText(f.Name) + `,"type":` + f.Type.JSON() + `,"nullable":` + boolText(f.Nullable) + `,"metadata":{}}`
		}
		return `{"type":"struct","fields":[` + strings.Join(all, ",") + `]}`
	case Array:
		return `{"type":"array","elementType":` + t.Fields[0].Type.JSON() + `,"containsNull":` + boolText(t.Fields[0].Nullable) + `}`
	case Map:
		return `{"type":"map","keyType":` + t.Fields[0].Type.JSON() + `,"valueType":` + t.Fields[1].Type.JSON() +
			`,"valueContainsNull":` + boolText(t.Fields[1].Nullable) + `}`
	}
	return jsonText(t.Name)
}

func jsonText(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

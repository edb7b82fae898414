package iceberg

import (
	"strings"

	"tidemark/checkpoint/decode"
)

// schema is the current schema as DDL of Spark; "" where there is none, or where a type of it has no name in
// Spark.
func schema(data []byte, outer decode.JSON) string {
	current, _ := outer.Get("current-schema-id")
	all, ok := outer.Get("schemas")
	if !ok {
		if all, ok = outer.Get("schema"); !ok { // format 1
			return ""
		}
	}
	v, err := decode.ParseJSON(data[all.At:all.End])
	if err != nil {
		return ""
	}
	schemas := v.Items
	if v.Kind == decode.Object {
		schemas = []decode.JSON{v}
	}
	for _, s := range schemas {
		if id, _ := s.Get("schema-id"); id.Text == current.Text || len(schemas) == 1 {
			text, _ := columns(s, " ")
			return text
		}
	}
	return ""
}

// columns are the fields of a struct, each name and type parted by a blank or a colon.
func columns(v decode.JSON, between string) (string, bool) {
	fields, _ := v.Get("fields")
	var all []string
	for _, f := range fields.Items {
		name, _ := f.Get("name")
		t, _ := f.Get("type")
		text, ok := typeName(t)
		if !ok {
			return "", false
		}
		column := "`" + strings.ReplaceAll(name.Text, "`", "``") + "`" + between + text
		if required, _ := f.Get("required"); required.Text == "true" {
			column += " NOT NULL"
		}
		all = append(all, column)
	}
	return strings.Join(all, ", "), true
}

// simple are the types of Iceberg that are one word, as Spark reads them (TypeToSparkType).
var simple = map[string]string{
	"boolean": "BOOLEAN", "int": "INT", "long": "BIGINT", "float": "FLOAT", "double": "DOUBLE", "date": "DATE",
	"timestamp": "TIMESTAMP_NTZ", "timestamptz": "TIMESTAMP", "string": "STRING", "uuid": "STRING", "binary": "BINARY",
}

func typeName(t decode.JSON) (string, bool) {
	if t.Kind == decode.String {
		switch name, ok := simple[t.Text]; {
		case ok:
			return name, true
		case strings.HasPrefix(t.Text, "decimal("):
			return strings.ToUpper(t.Text), true
		case strings.HasPrefix(t.Text, "fixed["):
			return "BINARY", true
		}
		return "", false
	}
	kind, _ := t.Get("type")
	part := func(name string) (string, bool) {
		v, _ := t.Get(name)
		return typeName(v)
	}
	switch kind.Text {
	case "struct":
		text, ok := columns(t, ": ")
		return "STRUCT<" + text + ">", ok
	case "list":
		text, ok := part("element")
		return "ARRAY<" + text + ">", ok
	case "map":
		key, ok := part("key")
		value, ok2 := part("value")
		return "MAP<" + key + ", " + value + ">", ok && ok2
	}
	return "", false
}

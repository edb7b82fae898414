package report

import (
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
)

// Schema is the key and the value of an operator's first store that has a schema, as Spark's DDL
// writes them: "shop_id STRING, at TIMESTAMP". Both are "" where none is recorded.
func Schema(o *checkpoint.Operator) (key, value string) {
	for _, s := range o.Schemas {
		for _, f := range s.Families {
			return DDL(f.Key), DDL(f.Value)
		}
	}
	return "", ""
}

// DDL writes columns as Spark's DDL.
func DDL(fields []state.Field) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name + " " + typeDDL(f.Type)
	}
	return strings.Join(all, ", ")
}

// sqlNames are the types whose name in Spark's JSON is another one than in its SQL.
var sqlNames = map[string]string{"long": "BIGINT", "integer": "INT", "short": "SMALLINT", "byte": "TINYINT", "timestamp_ntz": "TIMESTAMP_NTZ"}

// typeDDL is one type as SQL has it. What is no type of Spark's JSON stays as it is.
func typeDDL(t string) string {
	if strings.HasPrefix(t, "{") {
		if v, err := decode.ParseJSON([]byte(t)); err == nil {
			return nested(v)
		}
		return t
	}
	if name, ok := sqlNames[t]; ok {
		return name
	}
	return strings.ToUpper(t)
}

// nested is a struct, an array or a map:
//
//	{"type":"struct","fields":[{"name":"a","type":"long",…}]}
//	{"type":"array","elementType":"long",…}
//	{"type":"map","keyType":"string","valueType":"long",…}
func nested(v decode.JSON) string {
	if v.Kind == decode.String {
		return typeDDL(v.Text)
	}
	get := func(name string) decode.JSON { f, _ := v.Get(name); return f }
	switch get("type").Text {
	case "struct":
		var all []string
		for _, f := range get("fields").Items {
			name, _ := f.Get("name")
			t, _ := f.Get("type")
			all = append(all, name.Text+": "+nested(t))
		}
		return "STRUCT<" + strings.Join(all, ", ") + ">"
	case "array":
		return "ARRAY<" + nested(get("elementType")) + ">"
	case "map":
		return "MAP<" + nested(get("keyType")) + ", " + nested(get("valueType")) + ">"
	case "udt":
		return nested(get("sqlType"))
	}
	return strings.ToUpper(get("type").Text)
}

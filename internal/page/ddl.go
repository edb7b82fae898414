package page

import (
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// Schema is the key and the value of an operator's first store that has a schema, as Spark's DDL
// writes them: "shop_id STRING, at TIMESTAMP". Both are "" where none is recorded.
func Schema(o *statestore.Operator) (key, value string) {
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

// typeDDL is one type as SQL has it. What is no type known here stays as it is.
func typeDDL(text string) string {
	t, err := row.ParseType(text)
	if err != nil {
		return text
	}
	return t.DDL()
}

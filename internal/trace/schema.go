package trace

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
)

// Schemas as Spark prints them when those of the query and of its state do not fit:
//
//	Existing value_schema=StructType(StructField(count,LongType,true)) and new value_schema=StructType(…)   (4.0 on)
//	- Provided key schema: StructType(…)
//	- Existing key schema: StructType(StructField(k,StringType,true))                                       (3.1 on)

var schemaNamed = patternOf(`(?i)(existing|provided|new) (key|value)[ _]schema ?[:=] ?StructType\(`)

// saidSchema is one schema that a message tells: the names of its columns.
type saidSchema struct {
	existing bool
	part     string // "key" or "value"
	columns  []string
}

// schemasIn are the schemas of a text that are told to their end.
func schemasIn(text string) (all []saidSchema) {
	for _, m := range schemaNamed.FindAllStringSubmatchIndex(text, placeLimit) {
		if columns, whole := columnsOf(text[m[1]:]); whole {
			all = append(all, saidSchema{strings.EqualFold(text[m[2]:m[3]], "existing"), strings.ToLower(text[m[4]:m[5]]), columns})
		}
	}
	return all
}

// columnsOf are the names of the outermost columns of a StructType, from behind its bracket on; whole is false where
// its end was cut off.
func columnsOf(text string) (names []string, whole bool) {
	const field = "StructField("
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case depth == 0 && strings.HasPrefix(text[i:], field):
			name, _, ok := strings.Cut(text[i+len(field):], ",")
			if !ok || len(names) == 1000 {
				return names, false
			}
			names = append(names, name)
			depth, i = 1, i+len(field)+len(name)
		case text[i] == '(':
			depth++
		case text[i] == ')' && depth == 0:
			return names, true
		case text[i] == ')':
			depth--
		}
	}
	return names, false
}

// askSchema: does the state record the schema that the message calls the existing one?
func (l *look) askSchema() (Agreement, string) {
	if len(l.v.Drift) > 0 || l.predicted() {
		return "", "" // the query's side is known: that says more
	}
	said := schemasIn(chainText(l.Chain))
	i := slices.IndexFunc(said, func(s saidSchema) bool { return s.existing })
	if i < 0 {
		return "", ""
	}
	was := said[i]
	now := ""
	for _, s := range said {
		if !s.existing && s.part == was.part {
			now = "; the query had " + strings.Join(s.columns, ", ")
			if slices.Equal(s.columns, was.columns) {
				now = "; the query had columns of the same names with other types or nullability"
			}
		}
	}
	var recorded []string
	for o := range l.v.Operators {
		for _, schema := range slices.Concat(l.v.Operators[o].Schemas, l.v.Operators[o].Current) {
			for _, f := range schema.Families {
				columns := namesOf(map[string][]state.Field{"key": f.Key, "value": f.Value}[was.part])
				if slices.Equal(columns, was.columns) {
					declared := "The query's current schema is unknown: give a spec (--spec FILE)."
					if says := l.specSays(); says != "" {
						declared = says
					}
					return Agrees, fmt.Sprintf("%s records the existing %s of the message, %s%s. %s",
						schema.File, was.part, strings.Join(was.columns, ", "), now, declared)
				}
				recorded = append(recorded, strings.Join(columns, ", "))
			}
		}
	}
	if len(recorded) == 0 {
		return "", ""
	}
	return Disagrees, fmt.Sprintf("No state of this checkpoint records the existing %s of the message, %s. Recorded: %s.", was.part, strings.Join(was.columns, ", "), strings.Join(recorded[:min(len(recorded), 4)], "; "))
}

func namesOf(fields []state.Field) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}

package stores

import (
	"context"
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var comparedJoins = checks.Comparison{Short: "join schemas", One: "schema of a join's state stores with the others", Many: "schemas of a join's state stores with each other"}

var StateSchemaChanged = &checks.Check{
	Code:     "state-schema-changed",
	Severity: checks.Critical,
	Question: checks.SameQuery,
	Damage:   checks.Altered,
	OfState:  true,
	Rejudge:  true,
	Title:    "the state schemas of one operator differ from each other",
	Meaning: `All stores of a join have the same key columns, but these schema files have different ones. The first batch after a restart
compares the query with each file, and no query matches all of them. A file was changed, or is from another operator. The state itself is
not affected.`,
	NextStep: basics.CopyFirst + `Compare the files with a backup or another copy of this checkpoint, and put the changed one back. If
there is no copy: set the changed file aside. The same query then starts, and Spark writes the file again from the query, without a
comparison.`,
	Avoid: `Do not set it aside and change the query at the same time: Spark would not notice columns that do not match the state.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		n := 0
		for i := range p.Survey.State {
			n += SchemasOfJoin(&p.Survey.State[i], func(s *state.Schema,
				text string) {
				p.Reportf(-1, decode.Where{File: s.File}, "%s", text)
			})
		}
		p.Crosschecked(comparedJoins, n)
		return nil
	},
}

// SchemasOfJoin holds the schemas of a join's stores against each other: all four have the columns of its key. n is how many were compared.
func SchemasOfJoin(op *statestore.Operator, differ func(s *state.Schema, text string)) (n int) {
	var first *state.Schema
	for _, s := range op.Schemas {
		if len(op.Schemas) != len(statestore.JoinStores) || len(s.Problems) > 0 || len(s.Families) != 1 {
			continue
		}
		if n++; first == nil {
			first = s
			continue
		}
		if a, b := joinKey(first), joinKey(s); a != b {
			differ(s, fmt.Sprintf("%s has the key %s, and %s has %s", first.File, a, s.File, b))
		}
	}
	if n < 2 {
		return 0
	}
	return n
}

// joinKey is the types of the columns of a join's key, without the index that numbers rows of one key.
func joinKey(s *state.Schema) string {
	columns := s.Families[0].Key
	if n := len(columns); n > 0 && columns[n-1].Name == "index" && strings.Contains(s.File, "keyWithIndexToValue") {
		columns = columns[:n-1]
	}
	var types []string
	for _, c := range columns {
		t, err := row.ParseType(c.Type)
		if err != nil {
			return ""
		}
		types = append(types, t.DDL())
	}
	return "(" + strings.Join(types, ", ") + ")"
}

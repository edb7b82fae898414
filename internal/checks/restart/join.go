package restart

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// ClashOf says where a new type does not fit a stored one; "" where it fits. at is the column, for words. Where the new
// type does not say whether something may be null, that is not compared.
func ClashOf(stored, is *row.Type, at string) string {
	return clash(stored, is, at, func(was, now *row.Field) string {
		if !was.Nullable && now.Nullable {
			return "is nullable and was not"
		}
		return ""
	})
}

// ClashOf31 is ClashOf as Spark 3.1 compares, which has the two types the other way round
// (StateSchemaCompatibilityChecker.schemasCompatible of 3.1.3; from source, not tried).
func ClashOf31(stored, is *row.Type, at string) string {
	return clash(stored, is, at, func(was, now *row.Field) string {
		if was.Nullable && !now.Nullable {
			return "is NOT NULL and was nullable"
		}
		return ""
	})
}

// clash is ClashOf with what nulls says of a column and its new one.
func clash(stored, is *row.Type, at string, nulls func(was, now *row.Field) string) string {
	if at != "" {
		at = "column " + at
	}
	if stored.Kind != is.Kind || plainName(stored) != plainName(is) {
		return fmt.Sprintf("%s is %s and was %s", at, is.DDL(), stored.DDL())
	}
	if len(stored.Fields) != len(is.Fields) {
		in := ""
		if at != "" {
			in = " in " + at
		}
		return fmt.Sprintf("it has %s%s and had %d", basics.Count(len(is.Fields), "column"), in, len(stored.Fields))
	}
	for i := range stored.Fields {
		was, now := &stored.Fields[i], &is.Fields[i]
		name := fmt.Sprintf("%d (%s)", i+1, checks.OrNothing(cmp.Or(now.Name, was.Name)))
		if text := nulls(was, now); text != "" && !now.Unsaid {
			return fmt.Sprintf("column %s %s", name, text)
		}
		if text := clash(was.Type, now.Type, name, nulls); text != "" {
			return text
		}
	}
	return ""
}

// plainName is the name of a type in which what Spark keeps as one type has one name.
func plainName(t *row.Type) string {
	switch {
	case t.Kind == row.String && (strings.HasPrefix(t.Name, "char(") || strings.HasPrefix(t.Name, "varchar(")):
		return "string"
	case t.Kind == row.Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	case t.Kind == row.Void || t.Kind == row.Interval:
		return fmt.Sprint(t.Kind) // two names for each
	}
	return strings.ToLower(t.Name)
}

// joinOf3 is a stream-stream join that 3.x wrote and 4.x restarts. 3.x records a column that is a key of the
// join as NOT NULL in the rows of its side, after the join's own filter, although the key itself is recorded
// as nullable. 4.x plans the column as nullable, and then its schema check refuses. Seen from 3.3 and 3.5 to
// 4.1 and 4.3; only columns of a key's type are judged, for others are NOT NULL in 4.x too.
func joinOf3(s *Judge) (checks.Restart, bool) {
	below := s.Written.Below
	if !s.OnSpark(4, 0) || below == (spark.Version{}) || below.AtLeast(spark.Version{Major: 4, Minor: 1}) || s.schemaCheckOff() {
		return goOn()
	}
	for i := range s.Survey.State {
		if op := &s.Survey.State[i]; op.Name == joinName {
			if file, column := filteredKey(op, ""); column != "" {
				out, _ := refuses(s.FirstBatch(), "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE",
					"%s records %s as NOT NULL, as releases before 4.0 do for join keys; Spark %s expects it nullable and compares them", file, column, s.Spark)
				out.Sound = true
				return out, true
			}
		}
	}
	return goOn()
}

const joinName = "symmetricHashJoin"

// schemaCheckOff reports whether the query is known not to compare schemas of state.
func (s *Judge) schemaCheckOff() bool {
	return s.Spec != nil && strings.EqualFold(strings.TrimSpace(s.Spec.Conf["spark.sql.streaming.stateStore.stateSchemaCheck"]), "false")
}

// emptySide is a planned batch that has no new rows on a side of a stream-stream join, whose key is recorded as NOT NULL. Spark
// replaces that side by an empty relation (MicroBatchExecution.runBatch), the optimizer drops the filter that made the
// column NOT NULL, and the comparison of schemas then refuses a nullable column (StateSchemaCompatibilityChecker). Seen on 3.2.4, 3.3.4
// and 3.5.9; on 3.5.9 the batch runs without that comparison. 3.1 compares the other way round and runs. In 4.x the column is nullable in any case: see joinOf3.
//
// What a side reads is known where the query has one join and one source for each side, and where no source has new rows.
func emptySide(s *Judge) (checks.Restart, bool) {
	before := s.Previous()
	if !s.OnSpark(3, 2) || s.OnSpark(4, 0) || s.AllCommitted() || s.FirstBatch() == 0 || before == nil || s.schemaCheckOff() || basics.DeclaresNoState(s.Pass) {
		return goOn()
	}
	still := s.withoutNewRows(before)
	for i := range s.Survey.State {
		op := &s.Survey.State[i]
		if op.Name != joinName {
			continue
		}
		for side, prefix := range []string{"left-", "right-"} {
			alone := len(s.Survey.State) == 1 && len(still) == 2 && still[side]
			if !alone && slices.Contains(still, false) {
				continue
			}
			file, column := filteredKey(op, prefix)
			if column == "" {
				continue
			}
			out, _ := refuses(s.FirstBatch(), "StateSchemaNotCompatible: Provided schema doesn't match to the schema for existing state",
				"batch %d has no new rows on the %s side of the join, so Spark %s plans a nullable key; %s records %s as NOT NULL",
				s.FirstBatch(), strings.TrimSuffix(prefix, "-"), s.Spark, file, column)
			out.Sound = true
			out.Despite = fmt.Sprintf("start the unchanged query with spark.sql.streaming.stateStore.stateSchemaCheck as false, until batch %d is committed", s.FirstBatch())
			return out, true
		}
	}
	return goOn()
}

// withoutNewRows says of each source of the newest plan whether it ends there where it ended before.
func (s *Judge) withoutNewRows(before *log.Plan) []bool {
	var all []bool
	for i, o := range s.Last.Plan.InOrder() {
		was := basics.SourceOf(before, i, o.Name)
		all = append(all, o.None || !was.None && strings.TrimSpace(was.Raw) == strings.TrimSpace(o.Raw))
	}
	return all
}

// filteredKey is a column of a side's rows that is NOT NULL and may be a key of the join, which is nullable;
// "" for none. side is "left-", "right-", or "" for both.
func filteredKey(op *statestore.Operator, side string) (file, column string) {
	for _, s := range op.Schemas {
		store := path.Base(strings.TrimSuffix(s.File, "/_metadata/schema"))
		if !strings.HasPrefix(store, side) || !strings.HasSuffix(store, "keyWithIndexToValue") || len(s.Families) != 1 {
			continue
		}
		key, err := row.Columns(s.Families[0].Key)
		value, err2 := row.Columns(s.Families[0].Value)
		if err != nil || err2 != nil {
			continue
		}
		for _, v := range value.Fields {
			for _, k := range key.Fields {
				if k.Name != "index" && k.Nullable && !v.Nullable && ClashOf(k.Type, v.Type, v.Name) == "" {
					return s.File, fmt.Sprintf("the column %q", v.Name)
				}
			}
		}
	}
	return "", ""
}

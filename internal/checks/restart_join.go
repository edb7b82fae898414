package checks

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
)

// joinOf3 is a stream-stream join that 3.x wrote and 4.x restarts. 3.x records a column that is a key of the
// join as NOT NULL in the rows of its side, after the join's own filter, although the key itself is recorded
// as nullable. 4.x plans the column as nullable, and then its schema check refuses. Seen from 3.3 and 3.5 to
// 4.1 and 4.3; only columns of a key's type are judged, for others are NOT NULL in 4.x too.
func joinOf3(s *start) (Restart, bool) {
	below := s.Written.Below
	if !s.atLeast(4, 0) || below == (spark.Version{}) || below.AtLeast(spark.Version{Major: 4, Minor: 1}) || s.Spec != nil && s.Spec.Conf["spark.sql.streaming.stateStore.stateSchemaCheck"] == "false" {
		return goOn()
	}
	for i := range s.Survey.State {
		if op := &s.Survey.State[i]; op.Name == "symmetricHashJoin" {
			if file, column := filteredKey(op); column != "" {
				out, _ := refuses(s.batch(), "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE",
					"%s records %s as NOT NULL, as releases before 4.0 do with the key of a join; Spark %s takes it for nullable and compares", file, column, s.Spark)
				out.Sound = true
				return out, true
			}
		}
	}
	return goOn()
}

// filteredKey is a column of a side's rows that is NOT NULL and may be a key of the join, which is nullable;
// "" for none.
func filteredKey(op *statestore.Operator) (file, column string) {
	for _, s := range op.Schemas {
		if !strings.HasSuffix(strings.TrimSuffix(s.File, "/_metadata/schema"), "keyWithIndexToValue") || len(s.Families) != 1 {
			continue
		}
		key, err := row.Columns(s.Families[0].Key)
		value, err2 := row.Columns(s.Families[0].Value)
		if err != nil || err2 != nil {
			continue
		}
		for _, v := range value.Fields {
			for _, k := range key.Fields {
				if k.Name != "index" && k.Nullable && !v.Nullable && clashOf(k.Type, v.Type, v.Name) == "" {
					return s.File, fmt.Sprintf("the column %q", v.Name)
				}
			}
		}
	}
	return "", ""
}

package statestore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint/state"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// old is a checkpoint of testdata/old.
func old(name string) string { return "testdata/old/" + name + ".tar.gz" }

// Nothing but the stores shows which operator wrote them before 4.0: what the survey calls it, and what the rows are shown for, is the
// same.
func TestOperatorsOfOldReleases(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"2.4-hdfs-join-inner": "symmetricHashJoin", "2.4-hdfs-window-agg": "stateStoreSave", "2.4-hdfs-global-limit": "globalLimit",
		"3.1-hdfs-join-inner-v1": "symmetricHashJoin", "3.2-hdfs-agg-v1": "stateStoreSave", "2.4.8-dedup": "dedupe",
		"3.1.3-dedup": "dedupe", "3.0.3-join": "symmetricHashJoin", "3.0.3-count-hdfs": "stateStoreSave",
	} {
		c := packed(t, old(name))
		survey, err := ReadSurvey(t.Context(), c)
		if err != nil || len(survey.State) != 1 {
			t.Fatalf("%s: %d operators, %v", name, len(survey.State), err)
		}
		if op := &survey.State[0]; op.Name != want || !op.Guessed || (op.InputRow != nil) != (name == "3.1.3-dedup") {
			t.Errorf("%s is %q (a guess: %v, an input row: %v), want %q", name, op.Name, op.Guessed, op.InputRow, want)
		}
		s, err := At(t.Context(), c, 0, -1)
		if err != nil || s.Operator.Name != want || s.Problem != nil {
			t.Errorf("%s is shown as %q, want %q; %v, %v", name, s.Operator.Name, want, s.Problem, err)
		}
		batches, err := ReadBatches(t.Context(), c, 0, c.Commits.Last())
		if err != nil || len(batches) != 2 || batches[1].Operators[0].Name != want {
			t.Errorf("%s is compared as another operator than %q: %v", name, want, err)
		}
	}
}

// The schema file of a deduplication of 3.1 gives the input row as the value. The rows have one null column, and are shown so.
func TestDeduplicationOf31(t *testing.T) {
	t.Parallel()
	c := packed(t, old("3.1.3-dedup"))
	s, err := At(t.Context(), c, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View("")
	if err != nil || v.Key.DDL() != "STRUCT<k: STRING, v: BIGINT>" || v.Value.DDL() != "STRUCT<__dummy__: VOID>" || v.Guessed {
		t.Fatalf("key %s, value %s, a guess: %v, %v", v.Key.DDL(), v.Value.DDL(), v.Guessed, err)
	}
	rows := rowsOf(t, c, rowsRequest{Batch: -1, Partition: -1})
	if len(rows) != 11 || rows[0] != `{"partition_id":0,"key":{"k":"a","v":104},"value":{"__dummy__":null}}` {
		t.Errorf("%d rows, the first %s", len(rows), rows[0])
	}
	l, err := s.Find(v, `{"k":"d","v":20}`)
	if err != nil || l.Partition != 1 {
		t.Fatalf("partition %d, %v", l.Partition, err)
	}
	for r, err := range l.Rows(t.Context(), l.Partition) {
		if err != nil || string(r.Key.AppendJSON(nil)) != `{"k":"d","v":20}` {
			t.Errorf("%s, %v", r.AppendJSON(nil), err)
		}
	}
}

// Where a schema or rows allow several operators, none is made up.
func TestNamesThatRowsProve(t *testing.T) {
	t.Parallel()
	conf := func(aggregation, groups string, more ...string) string {
		return strings.Join(append([]string{
			`"spark.sql.shuffle.partitions":"2"`,
			`"spark.sql.streaming.aggregation.stateFormatVersion":"` + aggregation + `"`,
			`"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion":"` + groups + `"`}, more...), ",")
	}
	const codec = `"spark.sql.streaming.stateStore.compression.codec":"lz4"`
	word, text, null := unsafeRow(int64(3)), unsafeRow("a"), unsafeRow(nil)
	keyAndNumber := schemaV2("k string", "k string, n long")
	oneColumn := schemaV2("k string", "k string")
	group := unsafeRow([]byte(unsafeRow(int64(1))), int64(-1)) // groupState, timeoutTimestamp
	for name, test := range map[string]struct {
		schema, conf string
		records      []string
		partitions   int
		want         string
	}{
		"a value that is null":                     {"", conf("2", "2"), []string{putRecord(text, null)}, 2, "dedupe"},
		"numbers":                                  {"", conf("2", "2"), []string{putRecord(text, word)}, 2, "stateStoreSave"},
		"a number that may be a time to expire":    {"", conf("2", "2", codec), []string{putRecord(text, word)}, 2, ""},
		"two numbers":                              {"", conf("2", "2", codec), []string{putRecord(text, unsafeRow(int64(3), int64(4)))}, 2, "stateStoreSave"},
		"numbers that may be the state of a group": {"", conf("2", "1"), []string{putRecord(text, word)}, 2, ""},
		"the state of a group":                     {"", conf("2", "2"), []string{putRecord(text, group)}, 2, ""},
		"a key without columns":                    {"", conf("2", "2"), []string{putRecord("", word)}, 1, "stateStoreSave"},
		"a sum that is null under no key":          {"", conf("2", "2"), []string{putRecord("", null)}, 1, "stateStoreSave"},
		"a null key in one partition of two":       {"", conf("2", "2"), []string{putRecord(null, word)}, 1, "globalLimit"},
		"a null key in both partitions":            {"", conf("2", "2"), []string{putRecord(null, word)}, 2, ""},
		"no rows":                                  {"", conf("2", "2"), nil, 2, ""},
		"removed rows":                             {"", conf("2", "2"), []string{deleteRecord(text)}, 2, ""},
		"a value that fits":                        {keyAndNumber, conf("1", "2"), []string{putRecord(text, unsafeRow("a", int64(3)))}, 2, "stateStoreSave"},
		"a value that is shorter":                  {keyAndNumber, conf("2", "2"), []string{putRecord(text, null)}, 2, "dedupe"},
		"one column, not null in the key":          {oneColumn, conf("2", "2"), []string{putRecord(text, null)}, 2, "dedupe"},
		"one column, null in the key":              {oneColumn, conf("1", "2"), []string{putRecord(null, null)}, 2, "stateStoreSave"},
		"no row, and format 2":                     {keyAndNumber, conf("2", "2"), nil, 2, "dedupe"},
		"no row, and format 1":                     {keyAndNumber, conf("1", "2"), nil, 2, "stateStoreSave"},
		"a column of the key with another type":    {schemaV2("k string", "k long, n long"), conf("2", "2"), nil, 2, "stateStoreSave"},
		"a key of which the value has only one column": {
			schemaV2("k string, n long", "n long"), conf("2", "2"), []string{putRecord(unsafeRow("a", int64(1)), null)}, 2, "stateStoreSave"},
	} {
		files := testfiles.Logs(0, test.conf)
		for p := range test.partitions {
			files[fmt.Sprintf("state/0/%d/1.delta", p)] = deltaOf(test.records...)
		}
		if test.schema != "" {
			files["state/0/0/_metadata/schema"] = test.schema
		}
		survey, err := ReadSurvey(t.Context(), open(t, testfiles.Tree(files)))
		if err != nil || survey.State[0].Name != test.want || survey.State[0].Guessed != (test.want != "") {
			t.Errorf("%s: %q, want %q; %v", name, survey.State[0].Name, test.want, err)
		}
	}
}

// What cannot be read of state leaves an operator without a name; a reading that was stopped ends the survey.
func TestNamesOfUnreadRows(t *testing.T) {
	t.Parallel()
	files := goldenOf(t, old("2.4.8-dedup"))
	denied := &testfiles.Faulty{Store: storage.FromFS(files, "old"), Broken: map[string]error{}}
	stopped := &testfiles.Faulty{Store: storage.FromFS(files, "old"), Broken: map[string]error{}}
	for name := range files {
		if strings.HasSuffix(name, ".delta") {
			denied.Broken[name], stopped.Broken[name] = errUnlisted, storage.ErrBudget
		}
	}
	survey, err := ReadSurvey(t.Context(), open(t, denied))
	if err != nil || survey.State[0].Name != "" {
		t.Errorf("denied: %q, %v", survey.State[0].Name, err)
	}
	if _, err := ReadSurvey(t.Context(), open(t, stopped)); err == nil {
		t.Error("a reading that was stopped ends in no error")
	}
}

// The sides of a join of 2.4 have the rows that Spark's reader gave with the schemas of a later release: in number, in partition, and
// in their values. Names of columns are those that Spark gives, where it does.
func TestJoinSidesOf24(t *testing.T) {
	t.Parallel()
	names := map[string]string{"lts": "column1", "lad": "column2", "lv": "column3", "rts": "column1", "rad": "column2", "rv": "column3"}
	c := packed(t, old("2.4-hdfs-join-inner"))
	compared := 0
	for file, text := range unpacked(t, "testdata/old/2.4-hdfs-join-inner.rows.tar.gz") {
		var batch int64
		if _, err := fmt.Sscanf(file, "rows-%d.jsonl", &batch); err != nil {
			t.Fatal(err)
		}
		for of, rows := range sparkRows(t, text) {
			var want []string
			for _, line := range rows {
				want = append(want, canonical(t, []byte(renamedRow(t, line, names))))
			}
			got, problem := ours(t, c, rowsRequest{Operator: 0, Store: of.store(), Batch: batch, Partition: -1})
			slices.Sort(got)
			slices.Sort(want)
			if compared += len(got); problem != "" || !slices.Equal(got, want) {
				t.Errorf("batch %d, %s: %s\n%s", batch, of.view, problem, differences(got, want))
			}
			if n := countOf(t, c, 0, of.store(), batch); n != int64(len(want)) {
				t.Errorf("batch %d, %s: counted %d rows, want %d", batch, of.view, n, len(want))
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d rows were compared", compared)
	}
}

// renamedRow is a row of Spark's reader with other names for the columns of its value, and with times as numbers.
func renamedRow(t *testing.T, line string, names map[string]string) string {
	t.Helper()
	var r map[string]any
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	value := map[string]any{}
	for name, v := range r["value"].(map[string]any) {
		if text, ok := v.(string); ok {
			if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
				v = at.UnixMicro()
			}
		}
		if now, ok := names[name]; ok {
			name = now
		}
		value[name] = v
	}
	r["value"] = value
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Of a join without schemas Spark's own columns have their names and types; matched is only there with format 2, and no part of a side.
func TestColumnsOfAJoinWithoutSchemas(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"2.4-hdfs-join-inner left":                     "STRUCT<field0: BYTES> STRUCT<column1: 8 BYTES, column2: BYTES, column3: 8 BYTES>",
		"2.4-hdfs-join-inner left-keyWithIndexToValue": "STRUCT<field0: BYTES, index: BIGINT> STRUCT<column1: 8 BYTES, column2: BYTES, column3: 8 BYTES>",
		"3.0.3-join right":                             "STRUCT<field0: BYTES> STRUCT<column1: BYTES, column2: 8 BYTES>",
		"3.0.3-join right-keyWithIndexToValue":         "STRUCT<field0: BYTES, index: BIGINT> STRUCT<column1: BYTES, column2: 8 BYTES, matched: BOOLEAN>",
		"3.0.3-join right-keyToNumValues":              "STRUCT<field0: BYTES> STRUCT<value: BIGINT>",
		"3.1-hdfs-join-inner-v1 left":                  "STRUCT<field0: STRING> STRUCT<lts: TIMESTAMP, lad: STRING, lv: INT>",
	} {
		archive, store, _ := strings.Cut(name, " ")
		s, err := At(t.Context(), packed(t, old(archive)), 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.View(store)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Key.DDL() + " " + v.Value.DDL(); strings.ReplaceAll(got, " NOT NULL", "") != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// Changes of a side of a join without schemas, over all batches, add up to its rows at the end, and a key finds its own.
func TestChangesOfAJoinWithoutSchemas(t *testing.T) {
	t.Parallel()
	c := packed(t, old("2.4-hdfs-join-inner"))
	rows := map[string]int{}
	add := func(all []string, n int) {
		for _, line := range all {
			if rows[line] += n; rows[line] == 0 {
				delete(rows, line)
			}
		}
	}
	add(rowsOf(t, c, rowsRequest{Store: "left", Batch: 0, Partition: -1}), 1)
	for batch := int64(0); batch < 14; batch++ {
		before, err := At(t.Context(), c, 0, batch)
		if err != nil {
			t.Fatal(err)
		}
		after, err := At(t.Context(), c, 0, batch+1)
		if err != nil {
			t.Fatal(err)
		}
		for ch, err := range before.Changes(t.Context(), after, "left", -1) {
			if err != nil {
				t.Fatal(err)
			}
			if ch.Before.Key.Type != nil {
				add([]string{string(ch.Before.AppendJSON(nil))}, -1)
			}
			if ch.After.Key.Type != nil {
				add([]string{string(ch.After.AppendJSON(nil))}, 1)
			}
		}
	}
	got, last := slices.Sorted(maps.Keys(rows)), rowsOf(t, c, rowsRequest{Store: "left", Batch: 14, Partition: -1})
	if len(last) != 6 || !slices.Equal(got, last) {
		t.Errorf("%q, want %q", got, last)
	}
	s, err := At(t.Context(), c, 0, 14)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View("left")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int{"ad-12": 2, "ad-16": 1, "ad-1": 0} {
		l, err := s.Find(v, key)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r, err := range l.Rows(t.Context(), -1) {
			if n++; err != nil || r.Key.Items[0].Text() != key {
				t.Errorf("%s: %s, %v", key, r.AppendJSON(nil), err)
			}
		}
		if n != want {
			t.Errorf("%s: %d rows, want %d", key, n, want)
		}
	}
}

// A side of a join is not made up where its two stores do not seem to have the same key.
func TestNoSideOfAJoinWithUnlikeKeys(t *testing.T) {
	t.Parallel()
	files := testfiles.Logs(0, "")
	for _, store := range JoinStores {
		key := unsafeRow("k", "l")
		if indexed(store) {
			key = unsafeRow("k", int64(0))
		}
		files["state/0/0/"+store+"/1.delta"] = deltaOf(putRecord(key, unsafeRow(int64(1))))
	}
	s, err := At(t.Context(), open(t, testfiles.Tree(files)), 0, -1)
	if err != nil || s.find("left") != nil || s.find("left-keyWithIndexToValue") == nil {
		t.Errorf("%v: a side: %v", err, s.find("left"))
	}
}

// goldenOf are the files of a packed checkpoint.
func goldenOf(t *testing.T, archive string) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for name, data := range unpacked(t, archive) {
		if file, ok := strings.CutPrefix(name, "checkpoint/"); ok && !strings.HasSuffix(name, "/") {
			tree[file] = &fstest.MapFile{Data: data}
		}
	}
	return tree
}

// A deduplication in RocksDB is told by its rows too: the state is that of a 3.5 query, under the schema that 3.2.0 writes. One
// whose metadata are lost is not told by rows that begin with the number of a column family.
func TestNamesByRowsOfRocksDB(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"state-3.5-rocks-dedup-nowm", "state-3.5-rockscl-dedup"} {
		files := goldenFiles(t, name)
		schema := state.ParseSchema("schema", files["state/0/0/_metadata/schema"].Data).Families[0]
		var columns []string
		for _, f := range schema.Key {
			columns = append(columns, f.Name+" "+f.Type)
		}
		key := strings.Join(columns, ", ")
		files["state/0/0/_metadata/schema"] = &fstest.MapFile{Data: []byte(schemaV2(key, "other long, "+key))}
		for file, f := range files { // without rows it would be an aggregation then
			if strings.HasPrefix(file, "offsets/") {
				f.Data = bytes.Replace(f.Data, []byte(confAggregation+`":"2"`), []byte(confAggregation+`":"1"`), 1)
			}
		}
		c := open(t, storage.FromFS(files, name))
		survey, err := ReadSurvey(t.Context(), c)
		if err != nil || survey.State[0].Name != "dedupe" {
			t.Errorf("%s is %q, %v", name, survey.State[0].Name, err)
		}
		for _, line := range rowsOf(t, c, rowsRequest{Batch: -1, Partition: -1}) {
			if !strings.HasSuffix(line, `"value":{"__dummy__":null}}`) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	for _, name := range []string{"state-4.3-rockscl-tws-timers", "state-4.3-rockscl-tws-ttl", "state-4.3-rocks-join-v3"} {
		files := goldenFiles(t, name)
		maps.DeleteFunc(files, func(file string, _ *fstest.MapFile) bool { return strings.Contains(file, "/_metadata/") })
		survey, err := ReadSurvey(t.Context(), open(t, storage.FromFS(files, name)))
		if err != nil || survey.State[0].Name != "" {
			t.Errorf("%s is %q, %v", name, survey.State[0].Name, err)
		}
	}
}

// The rows of every store of the old releases that Spark's reader gave are ours.
func TestRowsOfOldReleases(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, name := range []string{"3.1-hdfs-join-inner-v1", "3.2-hdfs-agg-v1"} {
		c := packed(t, old(name))
		for file, text := range unpacked(t, "testdata/old/"+name+".rows.tar.gz") {
			var batch int64
			if _, err := fmt.Sscanf(file, "rows-%d.jsonl", &batch); err != nil {
				t.Fatal(err)
			}
			for of, want := range sparkRows(t, text) {
				got, problem := ours(t, c, rowsRequest{Operator: of.operator, Store: of.store(), Batch: batch, Partition: -1})
				slices.Sort(got)
				slices.Sort(want)
				if compared += len(got); problem != "" || !slices.Equal(got, want) {
					t.Errorf("%s, batch %d, %s: %s\n%s", name, batch, of.view, problem, differences(got, want))
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d rows were compared", compared)
	}
}

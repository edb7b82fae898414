package statestore

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/row"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// guessedWrong are stores whose columns the bytes alone do not tell, and why.
var guessedWrong = map[string]string{
	"state-3.5-rockscl-session 0 default": "keys begin with a prefix",
	"state-4.3-rockscl-session 0 default": "keys begin with a prefix",
}

// Without their schemas, the stores that Spark wrote seem to have as many columns as their schemas say, those
// of variable length among them, and the texts in them are the same.
func TestGuessesHoldForSparksStores(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(goldens + "/*.rows.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	stores, texts := 0, 0
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".rows.tar.gz")
		files := goldenFiles(t, name)
		c := open(t, storage.FromFS(files, name))
		for _, e := range c.State.Entries {
			id, ok := number(e)
			if !ok {
				continue
			}
			with, err := At(t.Context(), c, id, -1)
			if err != nil {
				t.Fatal(err)
			}
			without, err := At(t.Context(), open(t, storage.FromFS(unschemed(files), name)), id, -1)
			if err != nil {
				t.Fatal(err)
			}
			if families := with.usesFamilies(with.Operator.Schemas[0]); families != (len(without.Views) == 0) || families != (without.Problem != nil) {
				t.Errorf("%s %d: %d views, %v", name, id, len(without.Views), without.Problem)
			}
			for _, v := range without.Views {
				known := with.find(v.Name)
				label := fmt.Sprintf("%s %d %s", name, id, v.Name)
				if !v.Guessed || known == nil || known.Family != "" {
					t.Errorf("%s: guessed %v, known %v", label, v.Guessed, known)
					continue
				}
				told := alike(known.Key, v.Key) + alike(known.Value, v.Value)
				if rows := rowsOf(t, c, rowsRequest{Operator: id, Store: v.Name, Batch: -1, Partition: -1}); len(rows) == 0 {
					continue
				}
				if stores++; (told != "") != (guessedWrong[label] != "") {
					t.Errorf("%s: %s (%q)", label, told, guessedWrong[label])
				}
				if told == "" {
					texts += sameTexts(t, label, with, without, known, &v)
				}
			}
		}
	}
	if stores < 50 || texts < 500 {
		t.Errorf("only %d stores with %d texts were compared", stores, texts)
	}
}

// unschemed is a checkpoint as a release before 3.1 leaves it.
func unschemed(files fstest.MapFS) fstest.MapFS {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return strings.Contains(name, "/_metadata/") })
	return files
}

// alike says how guessed columns differ from known ones; "" for not at all.
func alike(known, guessed *row.Type) string {
	if len(known.Fields) != len(guessed.Fields) {
		return fmt.Sprintf("%d columns for %s ", len(guessed.Fields), known.DDL())
	}
	for i, f := range known.Fields {
		switch f.Type.Kind {
		case row.String, row.Binary, row.Struct, row.Array, row.Map, row.Void:
			if guessed.Fields[i].Type.Kind != row.String {
				return fmt.Sprintf("column %d is %s, and seems to be a number ", i+1, f.Type.DDL())
			}
		}
	}
	return ""
}

// sameTexts compares the columns that are strings, row by row, and gives how many were the same.
func sameTexts(t *testing.T, label string, with, without *State, known, guessed *View) (same int) {
	t.Helper()
	text := func(s *State, v *View) (all [][2][]string) {
		for r, err := range s.Rows(t.Context(), v, -1) {
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			var texts [2][]string
			for i, side := range []row.Value{r.Key, r.Value} {
				for _, item := range side.Items {
					texts[i] = append(texts[i], item.Text())
				}
			}
			all = append(all, texts)
		}
		return all
	}
	want, got := text(with, known), text(without, guessed)
	if len(want) != len(got) {
		t.Errorf("%s: %d rows, want %d", label, len(got), len(want))
		return 0
	}
	for n := range want {
		for side, of := range []*row.Type{known.Key, known.Value} {
			for i, f := range of.Fields {
				if f.Type.Kind != row.String && f.Type.Kind != row.Long {
					continue
				}
				if want[n][side][i] != got[n][side][i] && !strings.HasPrefix(got[n][side][i], "0x") {
					t.Errorf("%s, row %d: %q, want %q", label, n, got[n][side], want[n][side])
				}
				same++
			}
		}
	}
	return same
}

// What a release before 3.1 leaves, and what of it cannot be told.
func TestStateWithoutSchemas(t *testing.T) {
	t.Parallel()
	files := with(testfiles.Logs(0, ""), map[string]string{
		"state/0/0/1.delta": deltaOf(),
		"state/0/1/1.delta": deltaOf(
			putRecord(unsafeRow("a"), unsafeRow(int64(3), nil, "\x1b[31m")),
			putRecord(unsafeRow("\u202e"), unsafeRow(int64(-4), nil, []byte{0, 1}))),
		"state/1/0/1.delta": deltaOf(putRecord(unsafeRow("a"), unsafeRow(nil))),
	})
	for name, dir := range map[string]string{"left-keyToNumValues": "", "left-keyWithIndexToValue": "", "right-keyToNumValues": "", "right-keyWithIndexToValue": ""} {
		value, key := unsafeRow(int64(1)), unsafeRow("k")
		if strings.Contains(name, "Index") {
			key, value = unsafeRow("k", int64(0)), unsafeRow("row", int64(7))
		}
		files["state/2/0/"+name+"/1.delta"+dir] = deltaOf(putRecord(key, value))
	}
	c := open(t, testfiles.Tree(files))
	for _, test := range []struct {
		r    rowsRequest
		want []string
	}{
		{rowsRequest{Operator: 0}, []string{
			`{"partition_id":1,"key":{"column1":"0xe280ae (3 bytes)"},"value":{"column1":-4,"column2":null,"column3":"0x0001 (2 bytes)"}}`,
			`{"partition_id":1,"key":{"column1":"a"},"value":{"column1":3,"column2":null,"column3":"0x1b5b33316d (5 bytes)"}}`}},
		{rowsRequest{Operator: 1}, []string{`{"partition_id":0,"key":{"column1":"a"},"value":{"column1":null}}`}},
		{rowsRequest{Operator: 2, Store: "left-keyToNumValues"}, []string{`{"partition_id":0,"key":{"field0":"k"},"value":{"value":1}}`}},
		{rowsRequest{Operator: 2, Store: "right-keyWithIndexToValue"}, []string{`{"partition_id":0,"key":{"field0":"k","index":0},"value":{"column1":"row","column2":7}}`}},
		{rowsRequest{Operator: 2, Store: "left"}, []string{`{"partition_id":0,"key":{"field0":"k"},"value":{"column1":"row","column2":7}}`}},
	} {
		test.r.Batch, test.r.Partition = -1, -1
		if got := rowsOf(t, c, test.r); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q", test.r, got)
		}
	}
	for operator, name := range []string{"", "dedupe", "symmetricHashJoin"} {
		s, err := At(t.Context(), c, operator, -1)
		if err != nil || s.Operator.Name != name || s.Operator.Guessed != (name != "") {
			t.Errorf("operator %d is %q (a guess: %v), want %q; %v", operator, s.Operator.Name, s.Operator.Guessed, name, err)
		}
		key := map[bool]string{true: "k", false: "a"}[name == "symmetricHashJoin"]
		l, err := s.Find(&s.Views[0], key)
		if err != nil || l.Partition >= 0 || len(l.bytes) > 0 {
			t.Fatalf("operator %d: a key is looked up in partition %d by %q: %v", operator, l.Partition, l.bytes, err)
		}
		found := 0
		for r, err := range l.Rows(t.Context(), -1) {
			if found++; err != nil || r.Key.Items[0].Text() != key {
				t.Errorf("operator %d: %s, %v", operator, r.AppendJSON(nil), err)
			}
		}
		if found != 1 {
			t.Errorf("operator %d: %d rows of one key", operator, found)
		}
		for _, f := range slices.Concat(s.Views[0].Key.Fields, s.Views[0].Value.Fields) {
			if ddl := f.Type.DDL(); ddl != "8 BYTES" && ddl != "BYTES" {
				t.Errorf("operator %d: %s is called %s", operator, f.Name, ddl)
			}
		}
	}
}

// Where a schema may be there and was not seen, nothing is guessed; nor where there is one that is broken.
func TestNoGuessInPlaceOfASchema(t *testing.T) {
	t.Parallel()
	files := with(testfiles.Logs(0, ""), map[string]string{"state/0/0/1.delta": deltaOf(putRecord(unsafeRow("a"), unsafeRow(int64(3))))})
	broken := with(files, map[string]string{"state/0/0/_metadata/schema": "\x00\x02v2"})
	s, err := At(t.Context(), open(t, testfiles.Tree(broken)), 0, -1)
	if err != nil || len(s.Views) > 0 || s.Problem == nil {
		t.Errorf("a broken schema: %v, %v, %v", s.Views, s.Problem, err)
	}
	denied := &testfiles.Faulty{Store: testfiles.Tree(files), Broken: map[string]error{"state/0/0/": errUnlisted}}
	s, err = At(t.Context(), open(t, denied), 0, -1)
	if err != nil || len(s.Views) > 0 || s.Problem == nil {
		t.Errorf("a partition that could not be listed: %v, %v, %v", s.Views, s.Problem, err)
	}
}

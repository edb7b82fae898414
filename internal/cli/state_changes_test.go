package cli

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
)

func stringView(columns ...string) *statestore.View {
	of := func(names ...string) *row.Type {
		var fields []row.Field
		for _, n := range names {
			fields = append(fields, row.Field{Name: n, Type: &row.Type{Kind: row.String, Name: "string"}})
		}
		return row.StructOf(fields...)
	}
	return &statestore.View{Name: "total", Key: of("user"), Value: of(columns...), ValueName: "value"}
}

func stringRow(v *statestore.View, key string, values ...string) statestore.Row {
	of := func(t *row.Type, texts ...string) row.Value {
		v := row.Value{Type: t}
		for i, text := range texts {
			v.Items = append(v.Items, row.Value{Type: t.Fields[i].Type, Bytes: []byte(text)})
		}
		return v
	}
	return statestore.Row{Key: of(v.Key, key), Value: of(v.Value, values...), View: v}
}

// The schema got a column, lost one and put them in another order: values stand below their own names.
func TestChangesOfAnotherSchema(t *testing.T) {
	was, is := stringView("label", "count"), stringView("count", "note")
	all := []statestore.RowChange{
		{Before: stringRow(was, "ann", "first", "3"), After: stringRow(is, "ann", "4", "new")},
		{Before: stringRow(was, "bob", "second", "1")},
		{Partition: 1, After: stringRow(is, "zoe", "7", "")},
	}
	var table, sheet bytes.Buffer
	a := &app{Config: Config{Out: &table}}
	for _, w := range []changeWriter{
		a.changeTable(&table, &statestore.State{Batch: 3, Version: 4}, &statestore.State{Batch: 7, Version: 8}, was, is),
		&changeCSV{out: csv.NewWriter(&sheet), was: was, is: is},
	} {
		for _, c := range all {
			if err := w.change(&c); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.end(tally{1, 1, 1}, true); err != nil {
			t.Fatal(err)
		}
	}
	want := `Operator 0, total, from batch 3 (version 4) to batch 7 (version 8).

change     partition  key.user  value.count  value.note         value.label
~ changed  0          ann       3 → 4        (no column) → new  first → (no column)
- removed  0          bob       1            (no column)        second
+ added    1          zoe       7                               (no column)

1 added, 1 changed, 1 removed
`
	if table.String() != want {
		t.Errorf("%s\nwant\n%s", table.String(), want)
	}
	want = `change,partition,key.user,before.label,before.count,after.count,after.note
changed,0,ann,first,3,4,new
removed,0,bob,second,1,,
added,1,zoe,,,7,
`
	if sheet.String() != want {
		t.Errorf("%s\nwant\n%s", sheet.String(), want)
	}
}

// Of two long texts the part in which they differ is seen.
func TestApart(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for _, test := range [][4]string{
		{"3", "4", "3", "4"},
		{long, "4", long, "4"},
		{long + "a", long + "b", "...89" + "0123456789a", "...89" + "0123456789b"},
		{long, long + "b", "...890123456789", "...890123456789b"},
	} {
		a, b := cutCommonPrefix(test[0], test[1])
		if a != test[2] || b != test[3] || fitCell(a) == fitCell(b) {
			t.Errorf("%.20s and %.20s: %q and %q", test[0], test[1], a, b)
		}
	}
}

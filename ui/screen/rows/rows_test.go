package rows

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/ui/kit"
)

// paged is a screen of rows with a first page of n and more behind it.
func paged(t testing.TB, n int) *model {
	s := kit.NewSession(kit.Options{}, nil)
	s.Checkpoint = &checkpoint.Checkpoint{Location: "x"}
	x := newModel(&s, rowsWanted{store: "default", batch: 4}, 4)
	x.Resize(120, 34)
	x.Load(kit.Scope{ID: 1, Life: t.Context(), Ctx: t.Context()})
	views := []statestore.View{{Name: "default", ValueName: "value"}}
	x.Update(more(x, kit.Chunk[rowPiece]{Items: []rowPiece{{from: &rowsSource{cp: s.Checkpoint, state: &statestore.State{Batch: 4, Version: 5}, views: views, view: &views[0],
		columns: []rowColumn{{title: "k", ddl: "STRING", kind: row.String, of: ofKey}, {title: "n", ddl: "BIGINT", kind: row.Long, of: ofValue}}}}}}, n))
	return x
}

// press presses letters and keys that have a name.
func press(x *model, names ...string) {
	special := map[string]rune{"pgdown": tea.KeyPgDown, "enter": tea.KeyEnter}
	for _, name := range names {
		x.View(120, 34) // a person sees a frame before each key
		k := tea.KeyPressMsg{Text: name, Code: []rune(name)[0]}
		if code, ok := special[name]; ok {
			k = tea.KeyPressMsg{Code: code}
		}
		if x.Typing() {
			x.Update(k)
		} else {
			x.Update(x.s.Input(k))
		}
	}
}

func shows(t *testing.T, x *model, want ...string) {
	t.Helper()
	drawn := kit.Unstyled(strings.Join(x.View(120, 34), "\n"))
	for _, w := range want {
		if !strings.Contains(drawn, w) {
			t.Errorf("the screen does not show %q:\n%s", w, drawn)
		}
	}
}

func more(x *model, p kit.Chunk[rowPiece], n int) kit.Chunk[rowPiece] {
	p.To = x.at.ID
	p.Next = func() tea.Msg { return nil }
	for i := range n {
		p.Items = append(p.Items, rowPiece{rowLine: rowLine{cells: []string{fmt.Sprintf("key %d", len(x.rows)+i), "1"}}})
	}
	return p
}

// TestRowsReadAsFarAsIsLooked: no more is read than the window nears, except for G and for a filter.
func TestRowsReadAsFarAsIsLooked(t *testing.T) {
	x := paged(t, 256)
	if x.reading {
		t.Fatal("it reads on though the window is far from the end")
	}
	for range 6 {
		press(x, "pgdown")
	}
	if !x.reading {
		t.Fatal("it does not read on near the end")
	}
	x.Update(more(x, kit.Chunk[rowPiece]{}, 256))
	if x.reading || len(x.rows) != 512 {
		t.Fatalf("%d rows, reading %t", len(x.rows), x.reading)
	}
	press(x, "G")
	for range 3 {
		if x.Update(more(x, kit.Chunk[rowPiece]{}, 256)); !x.reading || x.Table.At != len(x.rows)-1 {
			t.Fatalf("G stays at %d of %d, reading %t", x.Table.At, len(x.rows), x.reading)
		}
	}
	press(x, "k")
	x.Update(more(x, kit.Chunk[rowPiece]{}, 256))
	at := x.Table.At
	press(x, "/", "k", "e", "y", " ", "1", "9", "9", "9", "enter")
	for len(x.rows) < 2304 {
		x.Update(more(x, kit.Chunk[rowPiece]{}, 256))
	}
	if x.len() != 1 || !strings.Contains(kit.Unstyled(strings.Join(x.View(120, 34), "\n")), "key 1999") || !x.reading {
		t.Errorf("from row %d the filter shows %d of %d rows, reading %t", at, x.len(), len(x.rows), x.reading)
	}
	x.Update(kit.Chunk[rowPiece]{To: x.at.ID, Err: errors.New("connection reset")})
	shows(t, x, "No more rows were read: Connection reset.", "key 1999")
}

func TestRowsOfAPartitionWithoutKeys(t *testing.T) {
	x := paged(t, 0)
	x.Update(kit.Chunk[rowPiece]{To: x.at.ID})
	shows(t, x, "Partition 0 has no row at version 5.")
}

func TestRowsKeepNoMoreThanTheyMay(t *testing.T) {
	x := paged(t, 10)
	for len(x.rows) < keptRows {
		x.rows = append(x.rows, x.rows[0])
	}
	x.Update(more(x, kit.Chunk[rowPiece]{}, 1))
	press(x, "G")
	if x.reading {
		t.Error("it reads on though as much is kept as may be")
	}
	shows(t, x, "no more are kept")
}

// TestExamplesAreKeys: what the line offers as an example is taken.
func TestExamplesAreKeys(t *testing.T) {
	var fields []row.Field
	for i, name := range []string{"boolean", "byte", "short", "integer", "long", "float", "double", "date", "timestamp", "timestamp_ntz", "time(6)", "string", "binary", "decimal(10,2)", `{"type":"array","elementType":"long","containsNull":true}`, "interval"} {
		typ, err := row.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		label := fmt.Sprintf("c%d \"", i)
		fields = append(fields, row.Field{Name: label, Label: label, Type: typ})
	}
	all := row.StructOf(fields...)
	if _, err := row.ParseValue(all, []byte(example(all))); err != nil {
		t.Errorf("%s: %v", example(all), err)
	}
}

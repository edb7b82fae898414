package statestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint/row"
)

// textView is a view of a text as key and a text as value.
var textView = &View{Name: "default", Key: textColumn("k"), Value: textColumn("v"), ValueName: "value"}

func textColumn(name string) *row.Type {
	return row.StructOf(row.Field{Name: name, Type: &row.Type{Kind: row.String, Name: "string"}})
}

func textRow(key, value string) Row {
	text := func(t *row.Type, s string) row.Value {
		return row.Value{Type: t, Items: []row.Value{{Type: t.Fields[0].Type, Bytes: []byte(s)}}}
	}
	return Row{Key: text(textView.Key, key), Value: text(textView.Value, value), View: textView}
}

// told is a side of a comparison: "a=1 a=2 !message" are two rows of the key a and an error.
func told(batch int64, rows string, known map[string]error) compared {
	s := &State{Batch: batch, Operator: Operator{Recorded: 1}}
	return compared{s, textView, func(_, _ context.Context, _ int) iter.Seq2[Row, error] {
		return func(yield func(Row, error) bool) {
			for _, f := range strings.Fields(rows) {
				if name, ok := strings.CutPrefix(f, "!"); ok {
					if !yield(Row{}, known[name]) {
						return
					}
					continue
				}
				key, value, _ := strings.Cut(f, "=")
				if !yield(textRow(key, value), nil) {
					return
				}
			}
		}
	}}
}

func compareAll(ctx context.Context, a, b compared, budget int) (got []string) {
	for c, err := range compare(ctx, [2]compared{a, b}, -1, budget) {
		if err != nil {
			got = append(got, "error: "+err.Error())
			continue
		}
		r := c.Row()
		text := func(r *Row) string {
			if r.Key.Type == nil {
				return ""
			}
			return string(r.Value.Items[0].Bytes)
		}
		got = append(got, fmt.Sprintf("%s %s %s>%s", c.Kind(), r.Key.Items[0].Bytes, text(&c.Before), text(&c.After)))
	}
	return got
}

// TestCompare tells what counts as a change.
func TestCompare(t *testing.T) {
	t.Parallel()
	tests := []struct{ story, before, after, want string }{
		{"nothing on both sides", "", "", ""},
		{"the same in another order", "a=1 b=2", "b=2 a=1", ""},
		{"one of each", "a=1 b=1 c=1", "b=2 c=1 d=1", "added d >1, changed b 1>2, removed a 1>"},
		{"the values changed places", "a=1 b=2", "a=2 b=1", "changed a 1>2, changed b 2>1"},
		{"a second row of a key is added, and the first is no change", "a=1", "a=2 a=1", "added a >2"},
		{"of several rows none is another one's next value", "a=1", "a=2 a=3", "added a >2, added a >3, removed a 1>"},
		{"one row is left, another one", "a=1 a=2", "a=3", "added a >3, removed a 1>, removed a 2>"},
		{"equal rows are counted", "a=1 a=1 a=1 b=1", "a=1 b=1 b=1 b=1", "added b >1, added b >1, removed a 1>, removed a 1>"},
		{"equal rows in place of one", "a=1", "a=2 a=2", "added a >2, added a >2, removed a 1>"},
		{"an empty key and an empty value", "=1 a=", "= a=1", "changed  1>, changed a >1"},
	}
	for _, test := range tests {
		for _, budget := range budgets {
			got := compareAll(t.Context(), told(1, test.before, nil), told(2, test.after, nil), budget)
			slices.Sort(got)
			if strings.Join(got, ", ") != test.want {
				t.Errorf("%s, %d bytes: %q, want %q", test.story, budget, got, test.want)
			}
		}
	}
}

// What fits in memory comes in the order in which it is stored: what was, and then what is new.
func TestCompareKeepsTheOrder(t *testing.T) {
	t.Parallel()
	got := compareAll(t.Context(), told(1, "d=1 c=1 x=1 b=1 a=1", nil), told(2, "z=1 x=1 y=1 a=2 c=2", nil), compareMemory)
	if want := "removed d 1>, changed c 1>2, removed b 1>, changed a 1>2, added z >1, added y >1"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCompareErrors damages one side: no row is said to be added or removed then.
func TestCompareErrors(t *testing.T) {
	t.Parallel()
	partly := func(err error) error { return &PartitionError{0, "state/0/0", err} }
	passed := partly(&PassedError{"state/0/0/7.snapshot", errors.New("it is cut")})
	known := map[string]error{
		"damaged": partly(errors.New("damaged")), "passed": passed, "stopped": partly(context.Canceled),
		"gone": errors.New("no network"),
	}
	note := "state/0/0/7.snapshot does not load; the rows are rebuilt from the files before it. Spark 4.2 and later do the same, earlier releases do not: it is cut"
	tests := []struct{ story, before, after, want string }{
		{"damage in the earlier state", "a=1 !damaged b=1", "c=1", "error: state/0/0: the state written by batch 1: damaged"},
		{"damage in the later state", "a=1 b=1", "!damaged c=1", "error: state/0/0: the state written by batch 2: damaged"},
		{"one stands in for the other: told once, and compared", "!passed a=1 b=1", "!passed a=1 c=1",
			"error: state/0/0: the state written by batch 1: " + note + ", added c >1, removed b 1>"},
		{"reading was stopped", "a=1", "!stopped", "error: state/0/0: context canceled"},
		{"it could not be reached", "a=1", "b=1 !gone", "error: no network"},
	}
	for _, test := range tests {
		for _, budget := range budgets {
			got := compareAll(t.Context(), told(1, test.before, known), told(2, test.after, known), budget)
			slices.SortStableFunc(got[1:], strings.Compare)
			if strings.Join(got, ", ") != test.want {
				t.Errorf("%s, %d bytes: %q, want %q", test.story, budget, got, test.want)
			}
		}
	}
	for _, err := range compare(t.Context(), [2]compared{told(1, "!passed", known), told(2, "", nil)}, 0, 1) {
		if _, ok := errors.AsType[*PassedError](err); !ok {
			t.Errorf("%v is no PassedError", err)
		}
		if p, ok := errors.AsType[*PartitionError](err); !ok || p.Dir != "state/0/0" {
			t.Errorf("%v is no PartitionError", err)
		}
	}
}

// TestCompareFits adds many rows, of many keys or of one, and sees what is kept: never more than fits,
// and all is compared in the end.
func TestCompareFits(t *testing.T) {
	t.Parallel()
	const rows, budget = 3000, 50 * keptBytes
	for _, keys := range []int{1, 3, 500, rows} {
		c := newComparison([2]compared{{view: textView}, {view: textView}}, budget)
		model, shares, peak := map[string]int{}, 0, 0
		for from := (place{}); ; from = c.to.next() {
			c.begin(0, from)
			random := rand.New(rand.NewPCG(1, uint64(keys)))
			for i := range rows {
				n := random.IntN(rows)
				r := textRow(fmt.Sprint(i%keys), fmt.Sprint(n))
				c.add(&r, i/keys%2)
				if shares == 0 {
					model[fmt.Sprint(i%keys, " ", n)] += i/keys%2*2 - 1
				}
				peak = max(peak, len(c.list))
				if c.size > budget {
					t.Fatalf("%d keys: %d bytes in %d rows", keys, c.size, len(c.list))
				}
			}
			if len(c.list) != len(c.rows) {
				t.Fatalf("%d rows in the list, %d in the map", len(c.list), len(c.rows))
			}
			for change := range c.changes() {
				id := string(change.Row().Key.Items[0].Bytes) + " " + string(change.Row().Value.Items[0].Bytes)
				switch change.Kind() {
				case "added":
					model[id]--
				case "removed":
					model[id]++
				default:
					t.Errorf("%d keys: %s", keys, change.AppendJSON(nil))
				}
			}
			if shares++; c.to == lastPlace {
				break
			}
		}
		for id, n := range model {
			if n != 0 {
				t.Errorf("%d keys: %q is told %d times too few", keys, id, n)
			}
		}
		if least := rows / 2 / peak; shares < least || shares > 4*least {
			t.Errorf("%d keys: %d shares, of %d rows at most", keys, shares, peak)
		}
	}
}

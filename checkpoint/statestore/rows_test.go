package statestore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

const goldens = "../../testdata/golden"

// unequal are the views whose rows are not those that Spark's reader gave, and why. It only shrinks:
// one that is equal fails the test.
var unequal = map[string]string{
	"state-4.3-rockscl-join-v4 4 operator 0 joinSide=left":  eventTime,
	"state-4.3-rockscl-join-v4 4 operator 0 joinSide=right": eventTime,
	"state-4.3-rockscl-join-v4 8 operator 0 joinSide=left":  eventTime,
	"state-4.3-rockscl-join-v4 8 operator 0 joinSide=right": eventTime,
}

// eventTime is a fault of the reader of Spark 4.3: of a key whose time stands behind its columns it shows
// other bytes as the time. TestEventTimeOfJoins holds such rows to what the bytes say.
const eventTime = "Spark's reader gives bytes of field0 as __event_time"

// TestRowsAreSparks holds the rows of every checkpoint, batch and view to those that Spark's own state
// reader gave, as sets.
func TestRowsAreSparks(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(goldens + "/*.rows.tar.gz")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	seen := map[string]bool{}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".rows.tar.gz")
		t.Run(name, func(t *testing.T) {
			c := golden(t, name)
			for file, text := range unpacked(t, archive) {
				batch, ok := strings.CutPrefix(strings.TrimSuffix(file, ".jsonl"), "rows-")
				if !ok {
					continue
				}
				id, err := strconv.ParseInt(batch, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				for of, want := range sparkRows(t, text) {
					label := fmt.Sprintf("%s %d operator %d %s", name, id, of.operator, of.view)
					seen[label] = true
					got, problem := ours(t, c, rowsRequest{Operator: of.operator, Store: of.store(), Batch: id, Partition: -1})
					slices.Sort(got)
					slices.Sort(want)
					if n := countOf(t, c, of.operator, of.store(), id); n != int64(len(got)) {
						t.Errorf("%s: counted %d rows, and there are %d", label, n, len(got))
					}
					switch equal := slices.Equal(got, want) && problem == ""; {
					case equal && unequal[label] != "":
						t.Errorf("%q is equal now: take it off the list", label)
					case !equal && unequal[label] == "":
						t.Errorf("%s: %s\n%s", label, problem, differences(got, want))
					}
				}
			}
		})
	}
	for label := range unequal {
		if !seen[label] && !testing.Short() {
			t.Errorf("%q stands for nothing", label)
		}
	}
	if len(seen) < 150 {
		t.Errorf("only %d views were compared", len(seen))
	}
}

// In a join of format 4 the time in the key is the event time of the row, in microseconds; all else is
// as Spark's reader gives it.
func TestEventTimeOfJoins(t *testing.T) {
	t.Parallel()
	c := golden(t, "state-4.3-rockscl-join-v4")
	rows := sparkRows(t, unpacked(t, goldens+"/state-4.3-rockscl-join-v4.rows.tar.gz")["rows-8.jsonl"])
	untimed := regexp.MustCompile(`"__event_time":"\d+",`)
	for side, column := range map[string]string{"left": "lts", "right": "rts"} {
		var got []string
		for r, err := range rowsOfStore(t.Context(), c, rowsRequest{Store: side, Batch: 8, Partition: -1}) {
			if err != nil {
				t.Fatal(err)
			}
			inKey, _ := r.Key.Field("__event_time")
			inValue, ok := r.Value.Field(column)
			if !ok || inKey.Int != inValue.Int {
				t.Errorf("%s: the key has %d, the row %d", side, inKey.Int, inValue.Int)
			}
			got = append(got, untimed.ReplaceAllString(canonical(t, r.AppendJSON(nil)), ""))
		}
		var want []string
		for _, line := range rows[view{0, "joinSide=" + side}] {
			want = append(want, untimed.ReplaceAllString(line, ""))
		}
		slices.Sort(got)
		slices.Sort(want)
		if len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", side, differences(got, want))
		}
	}
}

func golden(t *testing.T, name string) *checkpoint.Checkpoint {
	t.Helper()
	return packed(t, filepath.Join(goldens, name+".tar.gz"))
}

// packed is the checkpoint in an archive.
func packed(t *testing.T, archive string) *checkpoint.Checkpoint {
	t.Helper()
	s, err := storage.Open(t.Context(), archive, storage.Options{Inside: []string{"offsets", "commits", "sources", "state", "metadata"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ours are the rows as NDJSON lines in one form, and the first error.
func ours(t *testing.T, c *checkpoint.Checkpoint, r rowsRequest) (lines []string, problem string) {
	t.Helper()
	for row, err := range rowsOfStore(t.Context(), c, r) {
		if err != nil {
			problem = err.Error()
			continue
		}
		lines = append(lines, canonical(t, row.AppendJSON(nil)))
	}
	return lines, problem
}

type view struct {
	operator int
	view     string
}

// store is what --store takes for a view of Spark's reader.
// countOf is how many rows Count tells.
func countOf(t *testing.T, c *checkpoint.Checkpoint, operator int, store string, batch int64) (total int64) {
	t.Helper()
	s, err := At(t.Context(), c, operator, batch)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View(store)
	if err != nil {
		t.Fatal(err)
	}
	for n, err := range s.Count(t.Context(), v, -1) {
		if err != nil || len(n.Problems) > 0 {
			t.Fatal(err, n.Problems)
		}
		total += n.Rows
	}
	return total
}

func (v view) store() string {
	if v.view == "default" {
		return ""
	}
	_, name, ok := strings.Cut(v.view, "=")
	if !ok {
		return v.view
	}
	return name
}

func sparkRows(t *testing.T, text []byte) map[view][]string {
	t.Helper()
	rows := map[view][]string{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		var r map[string]json.RawMessage
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		var v view
		if err := errors.Join(json.Unmarshal(r["operatorId"], &v.operator), json.Unmarshal(r["view"], &v.view)); err != nil {
			t.Fatal(err)
		}
		delete(r, "operatorId")
		delete(r, "view")
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		rows[v] = append(rows[v], canonical(t, line))
	}
	return rows
}

// canonical is one form for one value: fields in order, 2.0 as 2, 1e2 as 100, in texts too.
func canonical(t *testing.T, line []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	out, err := json.Marshal(plainer(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

var numeric = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)

func plainer(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plainer(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plainer(v[i])
		}
	case json.Number:
		return plainer(v.String())
	case string:
		if r, ok := new(big.Rat).SetString(v); ok && numeric.MatchString(v) {
			return r.RatString()
		}
	}
	return v
}

func differences(got, want []string) string {
	var b strings.Builder
	count := func(lines []string) map[string]int {
		m := map[string]int{}
		for _, l := range lines {
			m[l]++
		}
		return m
	}
	g, w := count(got), count(want)
	shown := 0
	for _, l := range slices.Sorted(maps.Keys(w)) {
		if g[l] < w[l] && shown < 3 {
			fmt.Fprintf(&b, "  missing: %s\n", l)
			shown++
		}
	}
	for _, l := range slices.Sorted(maps.Keys(g)) {
		if w[l] < g[l] && shown < 6 {
			fmt.Fprintf(&b, "  extra:   %s\n", l)
			shown++
		}
	}
	return fmt.Sprintf("  %d rows, want %d\n%s", len(got), len(want), b.String())
}

func unpacked(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for h, data := range testfiles.In(t, archive) {
		files[h.Name] = data
	}
	return files
}

// rowsRequest says which rows of an operator's state are wanted.
type rowsRequest struct {
	Operator  int
	Store     string // a name of State.Views; "" where there is only one
	Batch     int64  // the rows as this batch left them; -1 for the last committed
	Partition int    // -1 for all
}

// rowsOfStore yields the rows of one store as a batch left them.
func rowsOfStore(ctx context.Context, c *checkpoint.Checkpoint, r rowsRequest) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s, err := At(ctx, c, r.Operator, r.Batch)
		if err != nil {
			yield(Row{Partition: -1}, err)
			return
		}
		v, err := s.View(r.Store)
		if err != nil {
			yield(Row{Partition: -1}, err)
			return
		}
		for row, err := range s.Rows(ctx, v, r.Partition) {
			if !yield(row, err) {
				return
			}
		}
	}
}

func open(t *testing.T, s storage.Store) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

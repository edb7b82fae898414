package statestore

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/storage"
)

// budgets of a comparison, in bytes: all rows in one share, some rows a share, every row alone.
var budgets = []int{compareMemory, 20 * keptBytes, 1}

// TestChanges compares what Spark's reader left of every checkpoint at two batches: every view, whatever
// fits in memory, against a model that holds all rows of both.
func TestChanges(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(goldens + "/*.rows.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	kinds, shapes, shares := map[string]int{}, map[string]bool{}, 0
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".rows.tar.gz")
		var batches []int64
		for file := range unpacked(t, archive) {
			var id int64
			if n, _ := fmt.Sscanf(file, "rows-%d.jsonl", &id); n == 1 {
				batches = append(batches, id)
			}
		}
		slices.Sort(batches)
		if len(batches) < 2 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := golden(t, name)
			for _, operator := range operators(t, c) {
				earlier, later := at(t, c, operator, batches[0]), at(t, c, operator, batches[1])
				for i := range earlier.Views {
					v := &earlier.Views[i]
					shapes[fmt.Sprintf("%s %d %v", earlier.Operator.Provider, v.shape, v.several)] = true
					for same, between := range [][2]*State{{earlier, later}, {later, earlier}, {later, later}} {
						want := modelOf(t, between[0], between[1], v.Name)
						for _, budget := range budgets[:max(len(budgets)-2*same, 1)] {
							got := changesOf(t, between[0], between[1], v.Name, budget)
							if !slices.Equal(got, want) {
								t.Errorf("%s from %d to %d with %d bytes:\n%s", v.Name, between[0].Batch, between[1].Batch, budget, differences(got, want))
							}
							shares++
						}
						for _, line := range want {
							kind, _, _ := strings.Cut(strings.TrimPrefix(line, `{"change":"`), `"`)
							kinds[kind]++
						}
					}
				}
			}
		})
	}
	if !testing.Short() && (kinds["added"] < 100 || kinds["changed"] < 100 || kinds["removed"] < 100 || shares < 400) {
		t.Errorf("%v in %d comparisons: that is not much of a test", kinds, shares)
	}
	for _, provider := range []string{"hdfs", "rocksdb"} {
		for _, shape := range []string{"0 false", "1 false"} {
			if !shapes[provider+" "+shape] {
				t.Errorf("no view of %s with shape %s", provider, shape)
			}
		}
	}
	for _, shape := range []string{"0 true", "2 true", "3 false", "4 false"} { // lists, joins of format 4, maps, timers
		if !shapes["rocksdb "+shape] {
			t.Errorf("no view with shape %s", shape)
		}
	}
}

func operators(t *testing.T, c *checkpoint.Checkpoint) (ids []int) {
	t.Helper()
	for _, e := range c.State.Entries {
		if n, ok := number(e); ok {
			ids = append(ids, n)
		}
	}
	return ids
}

func at(t *testing.T, c *checkpoint.Checkpoint, operator int, batch int64) *State {
	t.Helper()
	s, err := At(t.Context(), c, operator, batch)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// changesOf are the changes as JSON, sorted, after a look at how they come. They are read when all have
// come: each is the caller's to keep.
func changesOf(t *testing.T, earlier, later *State, view string, budget int) (lines []string) {
	t.Helper()
	partition := 0
	var all []RowChange
	for c, err := range earlier.changes(t.Context(), later, view, -1, budget) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Partition < partition {
			t.Errorf("partition %d after %d", c.Partition, partition)
		}
		partition = c.Partition
		all = append(all, c)
	}
	for _, c := range all {
		if r := c.Row(); r.Partition != c.Partition || r.View.Name != view && view != "" {
			t.Errorf("%+v", c)
		}
		lines = append(lines, string(c.AppendJSON(nil)))
	}
	slices.Sort(lines)
	return lines
}

// modelOf are the changes by definition: all rows of both sides are held and counted.
func modelOf(t *testing.T, earlier, later *State, view string) (lines []string) {
	t.Helper()
	type key struct {
		partition int
		key       string
	}
	values := map[key]*[2][]string{}
	for side, s := range []*State{earlier, later} {
		v, err := s.View(view)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range s.Rows(t.Context(), v, -1) {
			if err != nil {
				t.Fatal(err)
			}
			k := key{r.Partition, string(r.Key.AppendJSON(nil))}
			if r.MapKey.Type != nil {
				k.key += `,"user_map_key":` + string(r.MapKey.AppendJSON(nil))
			}
			if values[k] == nil {
				values[k] = &[2][]string{}
			}
			values[k][side] = append(values[k][side], string(r.Value.AppendJSON(nil)))
		}
	}
	line := func(kind string, k key, before, after string) {
		lines = append(lines, fmt.Sprintf(`{"change":%q,"partition_id":%d,"key":%s,"before":%s,"after":%s}`, kind, k.partition, k.key, cmp.Or(before, "null"), cmp.Or(after, "null")))
	}
	for k, v := range values {
		before, after := v[0], v[1]
		if len(before) == 1 && len(after) == 1 {
			if before[0] != after[0] {
				line("changed", k, before[0], after[0])
			}
			continue
		}
		more := map[string]int{}
		for _, x := range after {
			more[x]++
		}
		for _, x := range before {
			more[x]--
		}
		for x, n := range more {
			for ; n > 0; n-- {
				line("added", k, "", x)
			}
			for ; n < 0; n++ {
				line("removed", k, x, "")
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// TestChangesAreSparks folds the changes that Spark's own reader gives batch by batch (its change feed)
// up to two batches, and compares what is between them.
func TestChangesAreSparks(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"state-4.3-hdfs-window-agg", "state-4.3-rockscl-window-agg"} {
		var feed []sparkChange
		for s := bufio.NewScanner(bytes.NewReader(unpacked(t, goldens+"/"+name+".rows.tar.gz")["changes.jsonl"])); s.Scan(); {
			var c sparkChange
			if err := json.Unmarshal(s.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			feed = append(feed, c)
		}
		c := golden(t, name)
		found := 0
		for _, between := range [][2]int64{{5, 6}, {6, 9}, {6, 11}, {10, 11}} {
			before, after := folded(t, feed, between[0]), folded(t, feed, between[1])
			var want []string
			for k := range with(before, after) {
				if before[k] != after[k] {
					want = append(want, k+" "+cmp.Or(before[k], "null")+" "+cmp.Or(after[k], "null"))
				}
			}
			var got []string
			for change, err := range at(t, c, 0, between[0]).Changes(t.Context(), at(t, c, 0, between[1]), "", -1) {
				if err != nil {
					t.Fatal(err)
				}
				value := func(v row.Value) string { return canonical(t, v.AppendJSON(nil)) }
				got = append(got, fmt.Sprintf("%d %s %s %s", change.Partition, value(change.Row().Key), value(change.Before.Value), value(change.After.Value)))
			}
			slices.Sort(got)
			slices.Sort(want)
			if found += len(got); !slices.Equal(got, want) {
				t.Errorf("%s from %d to %d:\n%s", name, between[0], between[1], differences(got, want))
			}
		}
		if found < 30 {
			t.Errorf("%s: only %d changes", name, found)
		}
	}
}

// sparkChange is a line of the change feed of Spark's state reader.
type sparkChange struct {
	Batch     int64           `json:"batch_id"`
	Type      string          `json:"change_type"`
	Key       json.RawMessage `json:"key"`
	Value     json.RawMessage `json:"value"`
	Partition int             `json:"partition_id"`
}

// folded is the state after a batch: partition and key, and the value.
func folded(t *testing.T, feed []sparkChange, batch int64) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, c := range feed {
		key := fmt.Sprintf("%d %s", c.Partition, canonical(t, c.Key))
		switch {
		case c.Batch > batch:
		case c.Type == "delete":
			delete(rows, key)
		default:
			rows[key] = canonical(t, c.Value)
		}
	}
	return rows
}

// A store that only one of the two states has is named with the batch that lacks it.
func TestChangesOfAMissingStore(t *testing.T) {
	t.Parallel()
	state := func(batch int64, names ...string) *State {
		s := &State{Batch: batch, Operator: Operator{Recorded: 1}}
		for _, name := range names {
			s.Views = append(s.Views, View{Name: name})
		}
		return s
	}
	tests := []struct {
		story          string
		earlier, later *State
		view, want     string
	}{
		{"made later", state(3, "total"), state(7, "total", "seen"), "seen", "batch 3: no store seen (there is total)"},
		{"gone later", state(3, "total", "seen"), state(7, "total"), "seen", "batch 7: no store seen (there is total)"},
		{"it must be named", state(3, "total"), state(7, "total", "seen"), "", "batch 7: several stores: name one (total, seen)"},
		{"another one", state(3, "total"), state(7, "sum"), "", "batch 7: no store total (there is sum)"},
	}
	for _, test := range tests {
		n := 0
		for _, err := range test.earlier.Changes(t.Context(), test.later, test.view, -1) {
			if _, ok := errors.AsType[*NoSuchError](err); !ok || err.Error() != test.want {
				t.Errorf("%s: %v, want %s", test.story, err, test.want)
			}
			n++
		}
		if n != 1 {
			t.Errorf("%s: told %d times", test.story, n)
		}
	}
}

// slow takes a second for every file.
type slow struct {
	storage.Store
	opens atomic.Int64
}

func (s *slow) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	s.opens.Add(1)
	time.Sleep(time.Second)
	return s.Store.Open(ctx, name, offset, length)
}

// The next partitions are opened while one is compared.
func TestChangesReadAhead(t *testing.T) {
	t.Parallel()
	c := golden(t, "state-4.3-hdfs-join-inner")
	earlier, later := at(t, c, 0, 5), at(t, c, 0, 9)
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: c.Store()}
		earlier.c, later.c = c.With(s), c.With(s)
		start, found := time.Now(), 0
		for _, err := range earlier.Changes(t.Context(), later, "left", -1) {
			if err != nil {
				t.Fatal(err)
			}
			found++
		}
		took, opens := time.Since(start), time.Duration(s.opens.Load())*time.Second
		if found == 0 || opens < 10*time.Second || took > opens*2/3 {
			t.Errorf("%d changes: %v for %v of reading", found, took, opens)
		}
	})
}

package checkpoint

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// budgets of a comparison, in bytes: all rows in one share, some rows a share, every row alone.
var budgets = []int{compareMemory, 20 * keptBytes, 1}

// TestChanges compares what Spark's reader left of every checkpoint at two batches: every view, whatever
// fits in memory, against a model that holds all rows of both.
func TestChanges(t *testing.T) {
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
					for same, between := range [][2]*StateAt{{earlier, later}, {later, earlier}, {later, later}} {
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

func operators(t *testing.T, c *Checkpoint) (ids []int) {
	t.Helper()
	for _, e := range c.State.Entries {
		if n, ok := number(e); ok {
			ids = append(ids, n)
		}
	}
	return ids
}

func at(t *testing.T, c *Checkpoint, operator int, batch int64) *StateAt {
	t.Helper()
	s, err := c.StateAt(t.Context(), operator, batch)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// changesOf are the changes as JSON, sorted, after a look at how they come.
func changesOf(t *testing.T, earlier, later *StateAt, view string, budget int) (lines []string) {
	t.Helper()
	partition := 0
	for c, err := range earlier.changes(t.Context(), later, view, -1, budget) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Partition < partition {
			t.Errorf("partition %d after %d", c.Partition, partition)
		}
		partition = c.Partition
		if c.Row().Partition != partition || c.Row().View.Name != view && view != "" {
			t.Errorf("%+v", c)
		}
		lines = append(lines, string(c.AppendJSON(nil)))
	}
	slices.Sort(lines)
	return lines
}

// modelOf are the changes by definition: all rows of both sides are held and counted.
func modelOf(t *testing.T, earlier, later *StateAt, view string) (lines []string) {
	t.Helper()
	type key struct {
		partition int
		key       string
	}
	values := map[key]*[2][]string{}
	for side, s := range []*StateAt{earlier, later} {
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

package row_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/sst"
	"tidemark/checkpoint/state"
)

// contents is what one partition of a RocksDB store holds at a version: by its changelogs where the
// first is there, else by the tables of its zip; and the ids of its column families.
func contents(t testing.TB, files map[string][]byte, dir string, version int) (map[string][]byte, map[int16]string) {
	t.Helper()
	rows, ids := map[string][]byte{}, map[int16]string{}
	var tables []string
	for v := version; v > 0; v-- {
		data, ok := files[fmt.Sprintf("%s/%d.zip", dir, v)]
		if !ok {
			continue
		}
		var meta struct {
			SST      []struct{ DfsSstFileName string } `json:"sstFiles"`
			Families map[string]int16                  `json:"columnFamilyMapping"`
		}
		if err := json.Unmarshal(member(t, data, "metadata")[len("v1\n"):], &meta); err != nil {
			t.Fatal(err)
		}
		for name, id := range meta.Families {
			ids[id] = name
		}
		for _, s := range meta.SST {
			tables = append(tables, s.DfsSstFileName)
		}
		break
	}
	if _, ok := files[dir+"/1.changelog"]; ok {
		for v := 1; v <= version; v++ {
			replay(t, fmt.Sprintf("%s/%d.changelog", dir, v), files, rows)
		}
		return rows, ids
	}
	newest := map[string]sst.Entry{}
	for _, name := range tables {
		data := files[dir+"/SSTs/"+name]
		table, err := sst.Open(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range table.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			if was, ok := newest[string(e.Key)]; !ok || e.Seq > was.Seq {
				e.Value = bytes.Clone(e.Value)
				newest[string(e.Key)] = e
			}
		}
	}
	for key, e := range newest {
		if e.Type == sst.Put || e.Type == sst.Merge {
			rows[key] = e.Value
		}
	}
	return rows, ids
}

// replay makes the changes of one changelog.
func replay(t testing.TB, name string, files map[string][]byte, rows map[string][]byte) {
	t.Helper()
	r, _, err := state.Inflate(name, bytes.NewReader(files[name]))
	if err != nil {
		t.Fatal(err)
	}
	log, err := state.OpenChangelog(name, r)
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range log.Changes() {
		switch {
		case err != nil:
			t.Fatal(err)
		case c.Op == state.Delete:
			delete(rows, string(c.Key))
		case c.Op == state.Merge: // version 2 of the merge operator: nothing between elements
			rows[string(c.Key)] = append(rows[string(c.Key)], c.Value...)
		default:
			rows[string(c.Key)] = bytes.Clone(c.Value)
		}
	}
}

// member is one file of a zip.
func member(t testing.TB, data []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRocksRowsAreThoseOfSpark decodes every key and value of RocksDB checkpoints, internal column
// families too; compares those that Spark's own reader shows; and writes keys again as they were.
func TestRocksRowsAreThoseOfSpark(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		batch  int
		views  map[string]string // column family → view of Spark's reader; "" is all there is
		lists  string            // column families of lists
		prefix int               // columns looked up by, where the schema file does not say
	}{
		{name: "state-3.5-rocks-window-agg", batch: 11, views: map[string]string{"": "default"}},
		{name: "state-4.3-rockscl-rich-values", batch: 2, views: map[string]string{"": "default"}},
		{name: "state-4.3-rockscl-fmgws", batch: 4, views: map[string]string{"": "default"}},
		{name: "state-4.3-rockscl-session", batch: 7, views: map[string]string{"": "default"}, prefix: 1},
		{name: "state-4.3-rocks-join-v3", batch: 9, views: map[string]string{"left-keyWithIndexToValue": "", "right-keyWithIndexToValue": ""}},
		{name: "state-4.3-rockscl-join-v4", batch: 8, views: map[string]string{"left-keyWithTsToValues": "joinSide=left", "right-keyWithTsToValues": "joinSide=right"},
			lists: "left-keyWithTsToValues left-tsWithKey right-keyWithTsToValues right-tsWithKey"},
		{name: "state-4.3-rockscl-tws-timers", batch: 7, lists: "seen", views: map[string]string{"total": "stateVarName=total", "perPos": "stateVarName=perPos",
			"seen": "stateVarName=seen", "$procTimers_keyToTimestamp": "timers", "$eventTimers_keyToTimestamp": "timers"}},
		{name: "state-4.3-rockscl-tws-ttl", batch: 3, lists: "seen", views: map[string]string{"total": "stateVarName=total", "perPos": "stateVarName=perPos",
			"seen": "stateVarName=seen"}},
		{name: "state-4.3-rocks-tws-ttl-avro", batch: 3, lists: "seen", views: map[string]string{"total": "stateVarName=total", "perPos": "stateVarName=perPos",
			"seen": "stateVarName=seen"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := unpack(t, test.name+".tar.gz")
			schema := state.ParseSchema("schema", schemaOf(files))
			if len(schema.Problems) > 0 {
				t.Fatal(schema.Problems)
			}
			var got []string
			for partition := range 2 { // all of these checkpoints have two
				dir := fmt.Sprintf("state/0/%d", partition)
				rows, ids := contents(t, files, dir, test.batch+1)
				for k, v := range rows {
					key, family := []byte(k), ""
					if len(ids) > 0 {
						id, rest, err := row.Family(key)
						if err != nil {
							t.Fatal(err)
						}
						key, family = rest, ids[id]
					}
					c := codecOf(t, schema, family, test.prefix, strings.HasSuffix(test.name, "-avro"))
					if grouping := c.grouping(t, key, family, test.prefix); grouping != nil && row.Partition(grouping, 2) != partition {
						t.Errorf("%s: key %x lies in partition %d, and hashes to another", family, key, partition)
					}
					for _, line := range c.lines(t, key, v, slices.Contains(strings.Fields(test.lists), family), family) {
						if view := test.views[family]; view != "" {
							got = append(got, fmt.Sprintf("%s %d %s", view, partition, line))
						}
					}
				}
			}
			var views []string
			for _, view := range test.views {
				views = append(views, view)
			}
			want := reader(t, unpack(t, test.name+".rows.tar.gz")[fmt.Sprintf("rows-%d.jsonl", test.batch)], views)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows, want %d\n%s\n\n%s", len(got), len(want), strings.Join(got[:min(3, len(got))], "\n"), strings.Join(want[:min(3, len(want))], "\n"))
			}
		})
	}
}

func schemaOf(files map[string][]byte) []byte {
	for name, data := range files {
		if strings.HasPrefix(name, "state/0/_stateSchema/default/") && !strings.HasPrefix(path.Base(name), ".") && len(data) > 0 {
			return data
		}
	}
	return files["state/0/0/_metadata/schema"]
}

// codec is how one column family is written.
type codec struct {
	keys   *row.Keys
	values row.Values
}

func codecOf(t testing.TB, schema *state.Schema, family string, prefix int, avro bool) codec {
	t.Helper()
	i := slices.IndexFunc(schema.Families, func(f state.Family) bool { return f.Name == family || family == "" })
	if i < 0 {
		t.Fatalf("no schema of column family %q", family)
	}
	f := schema.Families[i]
	key, err := row.Columns(f.Key)
	if err != nil {
		t.Fatal(err)
	}
	value, err := row.Columns(f.Value)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := row.ParseKeyEncoder(f.Encoder)
	if err != nil {
		t.Fatal(err)
	}
	if prefix > 0 {
		encoder = row.KeyEncoder{Form: row.PrefixScan, Prefix: prefix}
	}
	encoding := row.Unsafe
	if avro {
		encoding = row.Avro
	}
	keys, err := row.NewKeys(key, encoder, encoding)
	if err != nil {
		t.Fatal(err)
	}
	return codec{keys, row.Values{Type: value, Encoding: encoding, Schemas: map[int16]*row.Type{f.ValueID: value}}}
}

// grouping are the columns that Spark distributes a key by; nil in families where that is not said.
func (c codec) grouping(t testing.TB, key []byte, family string, prefix int) []row.Value {
	t.Helper()
	k, err := c.keys.Decode(key)
	if err != nil {
		t.Fatalf("%s: key %x: %v", family, key, err)
	}
	switch {
	case prefix > 0:
		return k.Items[:prefix]
	case family == "perPos", strings.HasSuffix(family, "Timers_keyToTimestamp"):
		return k.Items[:1]
	case strings.HasSuffix(family, "Timers_timestampToKey"):
		return k.Items[1:]
	case strings.HasSuffix(family, "-keyWithIndexToValue"), strings.HasSuffix(family, "-keyWithTsToValues"), strings.HasSuffix(family, "-tsWithKey"):
		return k.Items[:len(k.Items)-1]
	case strings.HasPrefix(family, "$ttl_"):
		return nil
	}
	return k.Items
}

// lines are the rows of one stored entry, as reader gives them: one, or one for each element.
func (c codec) lines(t testing.TB, key, value []byte, list bool, family string) []string {
	t.Helper()
	k, err := c.keys.Decode(key)
	if err != nil {
		t.Fatalf("%s: key %x: %v", family, key, err)
	}
	if again, err := c.keys.Encode(k); err == nil && !bytes.Equal(again, key) {
		t.Errorf("%s: key %x is written as %x", family, key, again)
	}
	var values []row.Value
	if list {
		values, err = c.values.List(value, false)
	} else {
		values = make([]row.Value, 1)
		values[0], err = c.values.Decode(value)
	}
	if err != nil {
		t.Fatalf("%s: value %x: %v", family, value, err)
	}
	var lines []string
	for _, v := range values {
		parts := []row.Value{k, v}
		switch {
		case family == "perPos":
			parts = []row.Value{k.Items[0], k.Items[1], v}
		case strings.HasSuffix(family, "Timers_keyToTimestamp"):
			parts = []row.Value{k.Items[0], k.Items[1]}
		case strings.HasSuffix(family, "-keyWithTsToValues"):
			// Spark's reader does not show whether a row matched; its event time is the first bytes of
			// the key's text, read as a number, because it takes the key without its time for one with it.
			v.Items = v.Items[:len(v.Items)-1]
			event, _ := k.Field("__event_time")
			if first := string(v.Items[0].AppendJSON(nil)); !strings.HasPrefix(first, `"`+time.UnixMicro(event.Int).UTC().Format("2006-01-02T15:04:05")) {
				t.Errorf("event time %d of a row of %s", event.Int, first)
			}
			parts = []row.Value{v}
		}
		var texts []string
		for _, p := range parts {
			texts = append(texts, canon(t, p.AppendJSON(nil)))
		}
		lines = append(lines, strings.Join(texts, " "))
	}
	return lines
}

// reader is what Spark's own reader gave for some views.
func reader(t testing.TB, text []byte, views []string) []string {
	t.Helper()
	if len(text) == 0 {
		t.Fatal("no rows of that batch")
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		var r map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		view := strings.Trim(string(r["view"]), `"`)
		if !slices.Contains(views, view) {
			continue
		}
		if strings.HasPrefix(view, "joinSide=") {
			delete(r, "key") // see lines
		}
		var texts []string
		for _, name := range []string{"key", "user_map_key", "user_map_value", "list_element", "value", "expiration_timestamp_ms"} {
			if v, ok := r[name]; ok {
				texts = append(texts, canon(t, v))
			}
		}
		all = append(all, fmt.Sprintf("%s %s %s", view, r["partition_id"], strings.Join(texts, " ")))
	}
	slices.Sort(all)
	return all
}

package row_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/internal/testfiles"
)

// unpack reads an archive of testdata/golden: its files by name.
func unpack(t testing.TB, name string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for h, data := range testfiles.In(t, "../../testdata/golden/"+name) {
		files[strings.TrimPrefix(path.Clean(h.Name), "checkpoint/")] = data
	}
	return files
}

// canon is JSON with its objects sorted and its numbers as the values they are.
func canon(t testing.TB, text []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var number func(v any) any
	number = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name, item := range v {
				v[name] = number(item)
			}
		case []any:
			for i, item := range v {
				v[i] = number(item)
			}
		case json.Number:
			if !strings.ContainsAny(v.String(), ".eE") {
				return v
			}
			f, err := v.Float64()
			if err != nil {
				t.Fatal(err)
			}
			return "float " + strconv.FormatFloat(f, 'g', -1, 64)
		}
		return v
	}
	out, err := json.Marshal(number(v))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// spark is what Spark's own reader gave for one batch, as lines {key, operatorId, partition_id, value}.
func spark(t testing.TB, lines []byte) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(string(lines)) {
		var r struct {
			Operator  int             `json:"operatorId"`
			View      string          `json:"view"`
			Partition int             `json:"partition_id"`
			Key       json.RawMessage `json:"key"`
			Value     json.RawMessage `json:"value"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.View == "default" {
			all = append(all, fmt.Sprintf("%d/%d %s %s", r.Operator, r.Partition, canon(t, r.Key), canon(t, r.Value)))
		}
	}
	slices.Sort(all)
	return all
}

// stored is the rows of one partition of the HDFS-backed provider, as a version left them.
func stored(t testing.TB, files map[string][]byte, dir string, version int) map[string][]byte {
	t.Helper()
	rows := map[string][]byte{}
	for v := 1; v <= version; v++ {
		name := fmt.Sprintf("%s/%d.delta", dir, v)
		data, ok := files[name]
		if !ok {
			t.Fatalf("%s is not there", name)
		}
		r, _, err := state.Inflate(name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range state.Changes(name, r) {
			switch {
			case err != nil:
				t.Fatal(err)
			case c.Op == state.Delete:
				delete(rows, string(c.Key))
			default:
				rows[string(c.Key)] = bytes.Clone(c.Value)
			}
		}
	}
	return rows
}

// TestRowsAreThoseOfSpark compares every row of every golden checkpoint of the HDFS-backed provider
// with what Spark's own reader gave for it; that its key lies in the partition its hash says; and that
// keys and values are laid out again as the same bytes.
func TestRowsAreThoseOfSpark(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../testdata/golden/state-*-hdfs-*.rows.tar.gz")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no golden rows: %v", err)
	}
	batches, compared := 0, 0
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".rows.tar.gz")
		if strings.Contains(name, "-join-") || strings.Contains(name, "row-checksum") || strings.Contains(name, "-damage-") || strings.Contains(name, "-restart-") {
			continue // several stores, bytes around rows, or files that are not all there
		}
		t.Run(name, func(t *testing.T) {
			files := unpack(t, name+".tar.gz")
			for file, lines := range unpack(t, name+".rows.tar.gz") {
				var batch int
				if n, _ := fmt.Sscanf(path.Base(file), "rows-%d.jsonl", &batch); n == 0 {
					continue
				}
				batches++
				want := spark(t, lines)
				got := decoded(t, files, batch+1)
				compared += len(got)
				if !slices.Equal(got, want) {
					t.Errorf("batch %d: %d rows, want %d", batch, len(got), len(want))
					for i := range min(len(got), len(want)) {
						if got[i] != want[i] {
							t.Errorf("row %d:\ngot  %s\nwant %s", i, got[i], want[i])
							break
						}
					}
				}
			}
		})
	}
	if batches < 20 || compared < 500 {
		t.Errorf("only %d rows of %d batches were compared", compared, batches)
	}
}

// decoded is the rows of all operators and partitions, as spark gives them.
func decoded(t testing.TB, files map[string][]byte, version int) []string {
	t.Helper()
	var all []string
	partitions := map[string][]string{}
	for name := range maps.Keys(files) {
		if p := strings.Split(name, "/"); len(p) == 4 && p[0] == "state" && p[3] == "1.delta" {
			partitions[p[1]] = append(partitions[p[1]], p[2])
		}
	}
	for operator, numbers := range partitions {
		schema := state.ParseSchema("schema", files["state/"+operator+"/0/_metadata/schema"])
		if len(schema.Families) == 0 {
			t.Fatal(schema.Problems)
		}
		key, err := row.Columns(schema.Families[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		value, err := row.Columns(schema.Families[0].Value)
		if err != nil {
			t.Fatal(err)
		}
		grouping := len(key.Fields)
		if schema.Guess() == "sessionWindowStateStoreSaveExec" {
			grouping--
		}
		for _, number := range numbers {
			for k, v := range stored(t, files, "state/"+operator+"/"+number, version) {
				dk := decode(t, key, []byte(k))
				typed, err := row.ParseValue(key, dk.AppendJSON(nil))
				if again, _ := row.Encode(typed); err != nil || string(again) != k {
					t.Errorf("typed, %s is\n%x, and was\n%x (%v)", dk.AppendJSON(nil), again, k, err)
				}
				dv := decode(t, value, v)
				all = append(all, fmt.Sprintf("%s/%s %s %s", operator, number, canon(t, dk.AppendJSON(nil)), canon(t, dv.AppendJSON(nil))))
				if p := row.Partition(dk.Items[:grouping], len(numbers)); strconv.Itoa(p) != number && !schema.OnePartition() {
					t.Errorf("%s hashes to partition %d of %d and lies in %s", dk.AppendJSON(nil), p, len(numbers), number)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// decode reads a row and holds it to be written again as it was.
func decode(t testing.TB, typ *row.Type, data []byte) row.Value {
	t.Helper()
	v, err := row.Decode(typ, data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := row.Encode(v)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("%s is laid out as\n%x, and was\n%x (%v)", v.AppendJSON(nil), again, data, err)
	}
	return v
}

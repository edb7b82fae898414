package statestore

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// schemaV2 is a schema file of version 2 with these columns: "k string, at long".
func schemaV2(key, value string) string {
	columns := func(list string) string {
		var fields []string
		for _, c := range strings.Split(list, ", ") {
			name, typ, _ := strings.Cut(c, " ")
			fields = append(fields, fmt.Sprintf(`{"name":%q,"type":%q,"nullable":true,"metadata":{}}`, name, typ))
		}
		text := `{"type":"struct","fields":[` + strings.Join(fields, ",") + `]}`
		return "\x00\x00\x00\x01" + string([]byte{byte(len(text) >> 8), byte(len(text))}) + text
	}
	return "\x00\x02v2" + columns(key) + columns(value)
}

const recordedV1 = "v1\n" + `{"operatorInfo":{"operatorId":1,"operatorName":"dedupe"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":2}]}`

const recordedV2 = "v2\n" + `{"operatorInfo":{"operatorId":2,"operatorName":"transformWithStateExec"},"stateStoreInfo":[{"storeName":"default","numColsPrefixKey":0,"numPartitions":3,"stateSchemaFilePaths":["file:/x/state/2/_stateSchema/default/0_a"]}],"operatorPropertiesJson":"{\"timeMode\":\"NoTime\"}"}`

func stateful() map[string]string {
	return map[string]string{
		"offsets/0": testfiles.Plan(0),
		// an aggregation of 3.5, with both kinds of checksum files and what crashes leave
		"state/0/0/1.delta": "a", "state/0/0/2.delta": "bb", "state/0/0/10.delta": "ccc", "state/0/0/2.snapshot": "s",
		"state/0/0/2.delta.crc": "{}", "state/0/0/.2.delta.crc": "crc", "state/0/0/.2.delta.crc.crc": "crc",
		"state/0/0/9.delta.crc": "{}", "state/0/0/temp-7": "", "state/0/0/.3.x.TID9.tmp": "",
		"state/0/0/_metadata/schema": schemaV2("k string", "count long"),
		"state/0/1/1.delta":          "a", "state/0/10/1.delta": "a", "state/0/02/1.delta": "not a partition", "state/0/x": "",
		// RocksDB with its record
		"state/1/_metadata/metadata": recordedV1, "state/1/0/3.zip": "z", "state/1/0/4.changelog": "c", "state/1/0/5_a630.zip": "z", "state/1/0/SSTs/1-a.sst": "x",
		"state/1/0/_metadata/schema": schemaV2("k string", "__dummy__ void"),
		"state/2/_metadata/v2/0":     recordedV1, "state/2/_metadata/v2/3": recordedV2, "state/2/0/1.zip": "z",
		// a join of 3.5
		"state/10/0/left-keyToNumValues/1.delta": "a", "state/10/0/left-keyToNumValues/_metadata/schema": schemaV2("field0 string", "value long"),
		"state/10/0/right-keyToNumValues/1.delta": "a",
		// a global limit, whose record counts partitions that it does not use
		"state/3/_metadata/metadata": strings.Replace(recordedV1, "dedupe", "globalLimit", 1), "state/3/0/1.delta": "a",
		"state/3/0/_metadata/schema": schemaV2("key void", "value long"),
		"state/notes":                "", "state/_x/0/1.delta": "",
	}
}

func surveyed(t *testing.T, s storage.Store) ([]Operator, []checkpoint.Unread) {
	t.Helper()
	survey, err := ReadSurvey(t.Context(), open(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return survey.State, survey.Unread
}

func TestSurveyState(t *testing.T) {
	t.Parallel()
	ops, unread := surveyed(t, testfiles.Tree(stateful()))
	var got strings.Builder
	for _, o := range ops {
		fmt.Fprintf(&got, "%d %s guessed=%t %s recorded=%d schemas=%d problems=%d\n", o.ID, o.Name, o.Guessed, o.Provider, o.Recorded, len(o.Schemas), len(o.Problems()))
		for _, p := range o.Partitions {
			for _, s := range p.Stores {
				fmt.Fprintf(&got, "  %d %s %s:", p.ID, s.Name, s.Dir)
				for _, f := range s.Files {
					fmt.Fprintf(&got, " %s/%d/%d", f.Name(), f.Size, f.Sums)
				}
				for _, e := range s.Others {
					fmt.Fprintf(&got, " (%s)", e.Name)
				}
				got.WriteString("\n")
			}
		}
	}
	const want = `0 stateStoreSave guessed=true hdfs recorded=0 schemas=1 problems=0
  0 default state/0/0: 1.delta/1/0 2.delta/2/7 2.snapshot/1/0 10.delta/3/0 (.3.x.TID9.tmp) (9.delta.crc) (_metadata) (temp-7)
  1 default state/0/1: 1.delta/1/0
  10 default state/0/10: 1.delta/1/0
1 dedupe guessed=false rocksdb recorded=2 schemas=1 problems=0
  0 default state/1/0: 3.zip/1/0 4.changelog/1/0 5_a630.zip/1/0 (SSTs) (_metadata)
2 transformWithStateExec guessed=false rocksdb recorded=3 schemas=0 problems=0
  0 default state/2/0: 1.zip/1/0
3 globalLimit guessed=false hdfs recorded=1 schemas=1 problems=0
  0 default state/3/0: 1.delta/1/0 (_metadata)
10 symmetricHashJoin guessed=true hdfs recorded=0 schemas=1 problems=0
  0 left-keyToNumValues state/10/0/left-keyToNumValues: 1.delta/1/0 (_metadata)
  0 right-keyToNumValues state/10/0/right-keyToNumValues: 1.delta/1/0
`
	if got.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
	if len(unread) > 0 {
		t.Errorf("unread: %v", unread)
	}
}

// What cannot be listed or read is noted, has its error, and hides nothing else.
func TestSurveyStateUnread(t *testing.T) {
	t.Parallel()
	denied := []string{"state/0/1", "state/1/_metadata/metadata", "state/10/0/left-keyToNumValues", "state/2"}
	s := &testfiles.Faulty{Store: testfiles.Tree(stateful()), Broken: map[string]error{}}
	for _, name := range denied {
		s.Broken[name], s.Broken[name+"/"] = fs.ErrPermission, fs.ErrPermission
	}
	ops, unread := surveyed(t, s)
	var names []string
	for _, u := range unread {
		names = append(names, u.Name)
	}
	slices.Sort(names)
	if slices.Sort(denied); !slices.Equal(names, denied) {
		t.Errorf("unread %q, want %q", names, denied)
	}
	if len(ops) != 5 || ops[2].Err == nil || ops[0].Partition(1).Err == nil || ops[0].Partition(0).Err != nil {
		t.Errorf("operators: %+v", ops)
	}
	if ops[1].Name != "dedupe" || !ops[1].Guessed {
		t.Errorf("operator 1 is %q, guessed %t: without its record the schema tells", ops[1].Name, ops[1].Guessed)
	}
	join := ops[4].Partition(0)
	if join.Store("left-keyToNumValues").Err == nil || len(join.Store("right-keyToNumValues").Files) != 1 {
		t.Errorf("the stores of the join: %+v", join.Stores)
	}
}

// counted counts what is asked of a store.
type counted struct {
	storage.Store
	lists, opens atomic.Int64
}

func (c *counted) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	c.lists.Add(1)
	return c.Store.List(ctx, dir)
}

func (c *counted) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	c.opens.Add(1)
	return c.Store.Open(ctx, name, offset, length)
}

// A listing costs a request for each folder and no more, and a file in memory is a few words.
func TestSurveyStateCost(t *testing.T) {
	t.Parallel()
	files := map[string]string{"state/0/0/_metadata/schema": schemaV2("k string", "count long")}
	for p := range 50 {
		for v := range 20 {
			files[fmt.Sprintf("state/0/%d/%d.delta", p, v+1)] = "x"
			files[fmt.Sprintf("state/0/%d/.%d.delta.crc", p, v+1)] = "x"
		}
	}
	c := &counted{Store: testfiles.Tree(files)}
	cp := open(t, c)
	before := c.lists.Load()
	ops, err := listOperators(t.Context(), cp, func(...checkpoint.Unread) {})
	if err != nil || len(ops) != 1 || len(ops[0].Partitions) != 50 {
		t.Fatalf("%v, %v", ops, err)
	}
	if lists, opens := c.lists.Load()-before, c.opens.Load(); lists != 51 || opens != 1 {
		t.Errorf("%d listings and %d reads, want 51 and 1", lists, opens)
	}
	if size := unsafe.Sizeof(state.File{}); size > 48 {
		t.Errorf("a file takes %d bytes", size)
	}
	for _, p := range ops[0].Partitions {
		if s := p.Stores[0]; len(s.Files) != 20 || len(s.Others) > 1 {
			t.Fatalf("partition %d keeps %d files and %d others", p.ID, len(s.Files), len(s.Others))
		}
	}
}

// A reading that is stopped leaves an error on all that was not listed.
func TestSurveyStateStopped(t *testing.T) {
	t.Parallel()
	s := &testfiles.Faulty{Store: testfiles.Tree(stateful()), Broken: map[string]error{"state/1/": storage.ErrBudget}}
	survey, err := ReadSurvey(t.Context(), open(t, s))
	if !checkpoint.Stopped(err) {
		t.Errorf("error %v", err)
	}
	for _, o := range survey.State {
		for _, p := range o.Partitions {
			if p.Err == nil {
				t.Errorf("partition %d of operator %d was never listed and has no error", p.ID, o.ID)
			}
		}
	}
	if survey.State[4].Err == nil {
		t.Error("operator 10 was not listed and has no error")
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	sum := func(size int, data string) string {
		crc := int32(crc32.Checksum([]byte(data), crc32.MakeTable(crc32.Castagnoli)))
		return fmt.Sprintf(`{"algorithm":"CRC32C","value":%d,"mainFileSize":%d}`, crc, size)
	}
	hadoop := func(data string) string {
		crc := crc32.ChecksumIEEE([]byte(data))
		return "crc\x00\x00\x00\x02\x00" + string([]byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	}
	s := &testfiles.Faulty{Store: testfiles.Tree(map[string]string{
		"state/0/0/1.delta": "good", "state/0/0/1.delta.crc": sum(4, "good"), "state/0/0/.1.delta.crc": hadoop("good"),
		"state/0/0/2.delta": "good", "state/0/0/2.delta.crc": sum(4, "bad!"),
		"state/0/0/3.delta": "good", "state/0/0/3.delta.crc": sum(5, "good"),
		"state/0/0/4.delta": "good", "state/0/0/4.delta.crc": "",
		"state/0/0/5.delta": "good", "state/0/0/.5.delta.crc": hadoop("bad!"),
		"state/0/0/6.delta": "longer than the limit", "state/0/0/6.delta.crc": sum(21, "?"),
		"state/0/0/7.delta": "good", "state/0/0/7.delta.crc": sum(4, "good"),
	}), Broken: map[string]error{"state/0/0/7.delta": fs.ErrPermission}}
	cp := open(t, s)
	ops, err := listOperators(t.Context(), cp, func(...checkpoint.Unread) {})
	if err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, f := range ops[0].Partitions[0].Stores[0].Files {
		files = append(files, File{Dir: "state/0/0", File: f})
	}
	flaw := func(e *decode.Error) decode.Flaw {
		if e == nil {
			return "-"
		}
		return e.Flaw
	}
	var got []string
	for v, err := range Verify(t.Context(), cp, slices.Values(files), 10) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d size %s spark %s hadoop %s compared %t unread %d", v.Version, flaw(v.Size), flaw(v.Spark), flaw(v.Hadoop), v.Compared, len(v.Unread)))
	}
	want := []string{
		"1 size - spark - hadoop - compared true unread 0",
		"2 size - spark checksum hadoop - compared true unread 0",
		"3 size checksum spark - hadoop - compared false unread 0",
		"4 size - spark empty hadoop - compared false unread 0",
		"5 size - spark - hadoop checksum compared true unread 0",
		"6 size - spark - hadoop - compared false unread 0",
		"7 size - spark - hadoop - compared false unread 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

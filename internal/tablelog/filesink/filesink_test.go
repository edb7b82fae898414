package filesink

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Two entries as Spark 3.5 wrote them, one of them with the action of very old releases.
const good = "v1\n" +
	`{"path":"s3a://lake/out/part-00000-203a823a.c000.snappy.parquet","size":1341,"isDir":false,"modificationTime":1795959297260,"blockReplication":1,"blockSize":33554432,"action":"add"}` + "\n" +
	`{"path":"s3a://lake/out/part-00001-203a823a.c000.snappy.parquet","size":7,"isDir":false,"modificationTime":1795959297261,"blockReplication":1,"blockSize":33554432,"action":"delete"}`

func read(text string) (entries []Entry, problems []error) {
	for e, err := range Read("_spark_metadata/7", strings.NewReader(text)) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, e)
	}
	return entries, problems
}

func TestEntries(t *testing.T) {
	t.Parallel()
	entries, problems := read(good)
	if len(problems) > 0 || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), problems)
	}
	if e := entries[1]; e.Size != 7 || e.Modified != 1795959297261 || !e.Deleted || e.Where.Line != 3 || entries[0].Deleted {
		t.Errorf("%+v", e)
	}
	if entries, problems := read("v1"); len(entries)+len(problems) != 0 {
		t.Errorf("a batch that wrote nothing: %v %v", entries, problems)
	}
}

// A file cut anywhere but at the end of a line has an error at the line that is cut.
func TestCutEverywhere(t *testing.T) {
	t.Parallel()
	lineEnds := map[int]bool{2: true, 3: true, len(good): true}
	first := strings.LastIndexByte(good, '\n')
	lineEnds[first], lineEnds[first+1] = true, true
	for n := range len(good) {
		_, problems := read(good[:n])
		if lineEnds[n] {
			continue
		}
		if len(problems) != 1 {
			t.Fatalf("cut at %d: %v", n, problems)
		}
		if _, ok := errors.AsType[*decode.Error](problems[0]); !ok {
			t.Errorf("cut at %d: %v has no place", n, problems[0])
		}
	}
}

// A bad line costs only itself.
func TestBadLine(t *testing.T) {
	t.Parallel()
	entries, problems := read(strings.Replace(good, "\n{", "\n{}\n{", 1))
	if len(entries) != 2 || len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "_spark_metadata/7:2@3: file sink log:") {
		t.Errorf("%v %v", entries, problems)
	}
	for _, head := range []string{"v2\n", "\xef\xbb\xbfv1\n", "v1\r\n"} {
		if _, problems := read(head); len(problems) != 1 {
			t.Errorf("%q: %v", head, problems)
		}
	}
}

// Only names that Spark opens count.
func TestList(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for _, name := range []string{"2.compact", "3", "4", ".3.crc", "08", "5.tmp", "..4.uuid.tmp.crc", "x"} {
		files["_spark_metadata/"+name] = &fstest.MapFile{Data: []byte("v1")}
	}
	files["_spark_metadata/9/below"] = &fstest.MapFile{}
	l, err := List(t.Context(), tablelog.FromFS(files, "out"), Folder)
	if err != nil || l.Latest() != 4 || len(l.Files) != 3 || l.Files["3"].Size != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Fuzz(func(t *testing.T, text string) { read(text) })
}

package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/decode"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// asking counts the bytes that are asked for.
type asking struct {
	storage.Store
	bytes int64
}

func (s *asking) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := s.Store.Open(ctx, name, offset, length)
	return &counter{r, &s.bytes}, err
}

type counter struct {
	io.ReadCloser
	n *int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	*c.n += int64(n)
	return n, err
}

func entryOf(id int64) string {
	return fmt.Sprintf(`{"path":"s3a://lake/in/part-%04d.json","timestamp":1767225960000,"batchId":%d}`, id, id)
}

func TestSurveyTellsWhatASourceKeeps(t *testing.T) {
	t.Parallel()
	s, err := openTree(t, testfiles.Tree(map[string]string{
		"sources/0/9.compact": "v1\n" + entryOf(0) + "\n" + entryOf(1) + "\n" + entryOf(9),
		"sources/0/8":         "v1\n" + entryOf(8),
		"sources/0/10":        "v1\n" + entryOf(10),
		"sources/1/0":         "\x00v1\n" + `{"orders":{"0":5}}`,
		"sources/2/offsets/0": `{"version":1,"snapshot_id":8236465713390021201,"position":0,"scan_all_files":false}`,
		"sources/3/0":         "v1\n" + entryOf(0),
		"sources/4/0":         "v1\n1764403200000",
		"sources/5/0":         "v1",
		"sources/6/README":    "",
		"sources/7/shard-commit/3/shardId-000000000000": "{}",
	})).Survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type kept struct {
		log   bool
		needs string
		first string
		ended string
	}
	want := []kept{
		{log: true, needs: "9.compact 10"},
		{needs: "0", first: `{"orders":{"0":5}}`},
		{first: `{"version":1,"snapshot_id":8236465713390021201,"position":0,"scan_all_files":false}`},
		{log: true, needs: "0"},
		{needs: "0", first: "1764403200000"},
		{needs: "0"},
		{},
		{ended: "shard-commit/3"},
	}
	for i, w := range want {
		f := &s.Folders[i]
		got := kept{f.IsLog(), strings.Join(f.Needs.Present, " "), "", strings.Join(f.Ended, " ")}
		if f.First != nil {
			got.first = f.First.Text
		}
		if got != w {
			t.Errorf("%s: %+v, want %+v", f.Name, got, w)
		}
	}
	f := &s.Folders[0]
	for id, held := range map[int64]bool{0: true, 1: true, 2: false, 8: true, 9: true, 10: true, 11: false} {
		if f.Holds(id) != held {
			t.Errorf("entry %d: held %t, want %t", id, f.Holds(id), held)
		}
	}
}

// A compact file of any length costs two short reads, and its ends are judged; read whole on request,
// what is in the middle is too.
func TestALongSourceLogIsReadAtItsEnds(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString("v1")
	for id := int64(0); b.Len() < wholeSourceFile+1<<20; id++ {
		b.WriteString("\n" + entryOf(id))
		if id == 200_000 {
			b.WriteString("\n{broken")
		}
	}
	whole := b.Bytes()
	store := &asking{Store: storage.FromFS(fstest.MapFS{"sources/0/9.compact": {Data: whole}}, "checkpoint")}
	cp := openTree(t, store)
	s, err := cp.Survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := s.Folders[0].Files[0]
	if !file.Partly || file.Entries == 0 || len(file.Problems) > 0 || store.bytes > 2*sourceFileEnd {
		t.Errorf("partly %t, %d entries, %d bytes asked for, problems %v", file.Partly, file.Entries, store.bytes, file.Problems)
	}
	if all := cp.SourceFile(t.Context(), file.Name, file.Size, true); len(all.Problems) != 1 || all.Problems[0].Line != 200_003 {
		t.Errorf("read whole: %v", all.Problems)
	}
	for cut := len(whole) - 300; cut < len(whole); cut++ {
		cp := openTree(t, storage.FromFS(fstest.MapFS{"sources/0/9.compact": {Data: whole[:cut]}}, "checkpoint"))
		f := cp.SourceFile(t.Context(), "sources/0/9.compact", int64(cut), false)
		if complete := whole[cut] == '\n' || whole[cut-1] == '\n'; complete == (len(f.Problems) > 0) {
			t.Fatalf("cut at %d of %d: problems %v", cut, len(whole), f.Problems)
		}
		for _, e := range f.Problems {
			if e.Flaw != decode.Cut || e.Offset != int64(cut) || e.Line != 0 {
				t.Fatalf("cut at %d: %s", cut, e)
			}
		}
	}
}

func TestIDsOfAnyOrder(t *testing.T) {
	t.Parallel()
	var s IDs
	for _, id := range []int64{0, 0, 1, 2, 5, 6, 4, 5, 9} {
		s.Add(id)
	}
	var got []int64
	for id := int64(-1); id < 11; id++ {
		if s.Has(id) {
			got = append(got, id)
		}
	}
	if want := []int64{0, 1, 2, 4, 5, 6, 9}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for id := range int64(1 << 20) {
		s.Add(id * 2)
	}
	if len(s.runs) > idRuns {
		t.Errorf("%d runs are kept", len(s.runs))
	}
}

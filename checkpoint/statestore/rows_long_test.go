package statestore

import (
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/OneOfOne/xxhash"

	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// lz4Of packs records as lz4-java does, in blocks that are not compressed.
func lz4Of(records string) string {
	var b strings.Builder
	block := func(data string, sum uint32) {
		b.WriteString("LZ4Block\x15")
		for _, n := range []uint32{uint32(len(data)), uint32(len(data)), sum} {
			b.Write(binary.LittleEndian.AppendUint32(nil, n))
		}
		b.WriteString(data)
	}
	for records += "\xff\xff\xff\xff"; len(records) > 0; {
		data := records[:min(len(records), 32<<10)]
		records = records[len(data):]
		block(data, xxhash.Checksum32S([]byte(data), 0x9747b28c)&0x0fffffff)
	}
	block("", 0)
	return b.String()
}

// snapshotReads counts how often a snapshot is opened from its first byte to its end.
type snapshotReads struct {
	storage.Store
	whole int
}

func (s *snapshotReads) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if strings.HasSuffix(name, ".snapshot") && offset == 0 && length < 0 {
		s.whole++
	}
	return s.Store.Open(ctx, name, offset, length)
}

// A snapshot that is too long to be held in memory: cut, it is found so before rows are shown, and the
// deltas below stand in for it; changed in its middle, the error says what the rows before it are.
func TestLongSnapshots(t *testing.T) {
	t.Parallel()
	var records strings.Builder
	for n := range 5000 {
		records.WriteString(putRecord(unsafeRow(int64(n)), unsafeRow(strings.Repeat("x", 1000))))
	}
	whole := lz4Of(records.String())
	if len(whole) <= prefetched {
		t.Fatalf("only %d bytes", len(whole))
	}
	flipped := []byte(whole)
	flipped[len(flipped)/2] ^= 1
	files := with(testfiles.Logs(2, ""), map[string]string{
		"state/0/0/_metadata/schema": schemaV2("k long", "v string"),
		"state/0/0/1.delta":          deltaOf(putRecord(unsafeRow(int64(7)), unsafeRow("from a delta"))),
		"state/0/0/2.delta":          deltaOf(),
		"state/0/0/3.delta":          deltaOf(),
	})
	for _, test := range []struct {
		story, snapshot string
		rows            int // at least
		told            string
		reads           int // of the snapshot as a whole
	}{
		{"whole", whole, 5000, "", 1},
		{"cut", whole[:len(whole)-30_000], 1, "2.snapshot does not load; the rows are rebuilt from the files before it", 1},
		{"its end mark lost, and all rows there", whole[:len(whole)-21], 5000, "", 2},
		{"changed in the middle", string(flipped), 2000, "the rows before this are from the damaged file", 1},
		{"of another codec", deltaOf(records.String()), 5000, "", 1},
	} {
		s := &snapshotReads{Store: testfiles.Tree(with(files, map[string]string{"state/0/0/2.snapshot": test.snapshot}))}
		rows, told := 0, ""
		for r, err := range rowsOfStore(t.Context(), open(t, s), rowsRequest{Batch: -1, Partition: -1}) {
			if err != nil {
				told += err.Error()
			} else if rows++; rows == 1 && test.rows == 1 && string(r.AppendJSON(nil)) != `{"partition_id":0,"key":{"k":7},"value":{"v":"from a delta"}}` {
				t.Errorf("%s: %s", test.story, r.AppendJSON(nil))
			}
		}
		if rows < test.rows || test.rows == 1 && rows > 1 || !strings.Contains(told, test.told) || test.told == "" && told != "" || s.whole != test.reads {
			t.Errorf("%s: %d rows after %d whole reads, %q", test.story, rows, s.whole, told)
		}
	}
}

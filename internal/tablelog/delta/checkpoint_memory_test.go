package delta

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/checkpoint/decode"
)

// TestCheckpointOfOneValue: a checkpoint of some kilobytes names the same transaction so often that it would take
// a gigabyte. It is told, and not kept.
func TestCheckpointOfOneValue(t *testing.T) {
	t.Parallel()
	type txn struct {
		AppID   string `parquet:"appId,dict"`
		Version int64  `parquet:"version,dict"`
	}
	type action struct {
		Txn *txn `parquet:"txn,optional"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[action](&file, parquet.Compression(&parquet.Snappy))
	same := action{&txn{strings.Repeat("x", 10_000), 7}}
	rows := make([]action, 1000)
	for i := range rows {
		rows[i] = same
	}
	for range 100 {
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if file.Len() > 1<<20 {
		t.Fatalf("%d bytes", file.Len())
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	s := &State{}
	err = readState(f, decode.Where{File: "x.checkpoint.parquet"}, s)
	if err == nil || !strings.Contains(err.Error(), "column txn.appId: its values need more than") || len(s.Txns) > 0 {
		t.Errorf("%d transactions, %v", len(s.Txns), err)
	}
}

package log

import (
	"testing"

	"tidemark/checkpoint/decode"
)

// FuzzSalvage gives anything to what reads damaged files: it answers with a bounded list, each at a place within the file.
func FuzzSalvage(f *testing.F) {
	f.Add("metadata", []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4`))
	f.Add("metadata", []byte("\x00\x001f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"))
	f.Add("offsets/7", []byte("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":17959,\"conf\":{\"a\":\"b\"\n{\"orders\":{\"0\":1"))
	f.Add("commits/7", []byte("v1\n{\"nextBatchWatermarkMs\":12"))
	f.Add("sources/0/5", []byte("v1\n{\"path\":\"file:///a\",\"timestamp\":1,\"batchId\":5}\n{\"path\":\"file:///b\",\"time"))
	f.Add("state/0/_metadata/metadata", []byte("v1\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"stateStoreSave\"},\"stateStoreInfo\":[{"))
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		all := Salvage(file, data)
		if len(all) > decode.SalvageCount {
			t.Fatalf("%d things of one file", len(all))
		}
		for _, s := range all {
			if s.Where.Offset < 0 || s.Where.Offset > int64(len(data)) || s.Where.Line < 0 {
				t.Fatalf("%q: %+v", data, s)
			}
		}
	})
}
